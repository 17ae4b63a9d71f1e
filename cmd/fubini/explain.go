package main

import (
	"bufio"
	"math"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/app/recommend"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/learn/zoo"
	"fubini/model/osm"
	"fubini/use/rank"
)

func newExplain(p *program) *cobra.Command {
	tiers, item, unknown := "", "", "ignore"
	cmd := &cobra.Command{
		Use:   "explain MODEL --tiers FILE --item ID",
		Short: "Tell which placements moved an item up or down",
		Long: `Take the score of an item apart: a base that everybody gives it, and a part for each
of the person's own placements. They sum to the score. With Gaussian units the parts
are exact; with binary units, which are not linear, they are shares of what each unit
changed, and approximate says so. Of models that fold in by least squares (pmf,
biased-mf, bayesian-mf, cofirank-regress) they are exact too, but for an ordered probit;
of other rivals a part is what the score would lose without the placement, and rest
what placements say only together.`,
		Example: "  fubini explain movies.safetensors --tiers mine.json --item Alien",
		Args:    cli.OneArgument("MODEL"),

		Annotations: map[string]string{cli.Arguments: "read"},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	cli.AddInput(flags, "tiers", &tiers, "FILE", "tiers of one person, best first")
	cli.AddFlag(flags, "item", "", &item, "ID", cli.ParseText, "item to explain")
	cli.AddChoice(cmd, flags, "unknown", &unknown, []string{"ignore", "error"}, "placed items that the model does not know: ignore and tell, or an error")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if tiers == "" || item == "" {
			return exit.Usagef("--tiers and --item are needed: a file with the tiers of one person, and the id of an item")
		}
		saved, err := input.ReadModel(args[0])
		if err != nil {
			return err
		}
		i, known := saved.Find(item)
		if !known {
			return exit.Usagef("--item: the model has no item %s", cli.Quote(item))
		}
		said, err := p.tiersFrom(cmd.Context(), tiers, usualTiers, saved, unknown)
		if err != nil {
			return err
		}
		said = without(said, i, p)
		if len(said.Items) == 0 {
			p.Tell("no tiers that the model knows: all of the score is the base")
		}
		why, err := saved.Explain(said.List, said.Values, i)
		if err != nil {
			return err
		}
		return p.Deliver(func(w *bufio.Writer) error { return p.writeExplanation(w, saved, item, said.List, why) })
	}
	return cmd
}

// without leaves an item out of a list: why it would stand where it does is asked
// as if it had not been placed.
func without(said recommend.Told, item int, p *program) recommend.Told {
	var rest []int
	for k, i := range said.Items {
		if i != item {
			rest = append(rest, k)
		}
	}
	if len(rest) == len(said.Items) {
		return said
	}
	p.Tell("the item is among the tiers; it is explained by the others")
	if len(rest) == 0 {
		return recommend.Told{}
	}
	left := recommend.Told{List: said.Part(rest)}
	if said.Values != nil { // of the tiers that are left
		for t := range left.Order.Len() {
			left.Values = append(left.Values, said.Values[said.Order.BlockOf(rest[left.Order.Block(t)[0]])])
		}
	}
	return left
}

type explainedPart struct {
	Item string  `json:"item"`
	Name string  `json:"name"`
	Tier int     `json:"tier"`
	Part float64 `json:"part"`
}

func (p *program) writeExplanation(w *bufio.Writer, saved *zoo.Saved, item string, list osm.List, why rank.Explanation) error {
	parts := []explainedPart{}
	sizes := make([]float64, len(why.Parts))
	for k, v := range why.Parts {
		sizes[k] = math.Abs(v)
	}
	for _, k := range rank.Best(sizes, len(sizes)) {
		i := list.Items[k]
		parts = append(parts, explainedPart{saved.ItemIDs[i], saved.ItemNames[i], list.Order.BlockOf(k) + 1, why.Parts[k]})
	}
	if p.Format == "json" || p.Format == "jsonl" {
		return p.WriteRecord(w, []cli.Field{
			{"item", item}, {"score", why.Score}, {"base", why.Base}, {"ties", why.Ties}, {"parts", parts}, {"approximate", why.Approximate}, {"rest", why.Rest},
		})
	}
	records := [][]cli.Field{}
	add := func(what, name string, tier any, part float64) {
		records = append(records, []cli.Field{{"because", what}, {"name", name}, {"tier", tier}, {"part", part}})
	}
	for _, each := range parts {
		add(each.Item, each.Name, each.Tier, each.Part)
	}
	if why.Ties != 0 {
		add("ties", "how many ties there are", nil, why.Ties)
	}
	if why.Rest != 0 {
		add("rest", "what placements say only together", nil, why.Rest)
	}
	add("base", "what everybody gives it", nil, why.Base)
	add("sum", "its score", nil, why.Score)
	if why.Approximate {
		p.Tell("the score is not linear in the placements: parts are shares of what they change together, or what it would lose without one")
	}
	return p.WriteRecords(w, records)
}
