package people

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/titles"
)

// Items is the command fubini items.
func Items(p *cli.Program) *cobra.Command {
	cmd := cli.Page(pages, "items")
	cmd.Args = cli.Arguments(1, 2)
	f := addCount(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		saved, err := input.ReadModel(args[0])
		if err != nil {
			return err
		}
		items, err := input.NewItems(cmd.Context(), p, saved, "")
		if err != nil {
			return err
		}
		var records []cli.Record
		var shown []int
		add := func(i int, how string, score any) {
			if len(records) < f.count && !slices.Contains(shown, i) {
				shown = append(shown, i)
				records = append(records, cli.Record{{"item", saved.ItemIDs[i]}, {"name", items.Name(i)}, {"ratings", int(saved.Seen[i])}, {"match", cli.OrNil(how)}, {"score", score}})
			}
		}
		if len(args) == 1 || strings.TrimSpace(args[1]) == "" {
			for _, i := range saved.MostRated(0) {
				add(i, "", nil)
			}
			return p.Fitted(records)
		}
		query := args[1]
		switch m := items.Find(query); {
		case m.How.Found():
			add(m.Item, m.How.String(), m.Score)
		case m.How == titles.Ambiguous:
			for _, i := range m.Candidates {
				add(i, m.How.String(), nil)
			}
		}
		for _, i := range items.Containing(query, f.count) {
			add(i, "contains", nil)
		}
		if len(records) == 0 {
			for _, i := range items.Misspelt(query, f.count) {
				add(i, "close", nil)
			}
			if len(records) == 0 {
				return fmt.Errorf("the model has no item %s, and none with a name like it; one word of the name may find it, and without a name the best-known items are listed", cli.Quote(query))
			}
			p.Tell("the model has no item %s; these have the closest names", cli.Quote(query))
		}
		return p.Fitted(records)
	}
	return cmd
}
