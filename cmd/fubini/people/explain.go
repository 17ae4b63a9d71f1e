package people

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"fubini"
	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/text"
)

// Explain is the command fubini explain.
func Explain(p *cli.Program) *cobra.Command {
	item := ""
	cmd := cli.Page(pages, "explain")
	flags := cmd.Flags()
	f, answers, rows := addTiers(p, cmd), input.AddMatch(p, cmd), addCount(p, cmd)
	cli.AddFlag(flags, "item", "", &item, "ID", cli.ParseText, "item to explain")
	policy := addUnknown(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.tiers == "" || item == "" {
			return exit.Usagef("--tiers and --item are needed: a file with the tiers of one person, and the id or title of an item")
		}
		saved, err := input.ReadModel(args[0])
		if err != nil {
			return err
		}
		items, err := input.NewItems(cmd.Context(), p, saved, answers.Match, f.tiers)
		if err != nil {
			return err
		}
		i, err := items.One("item", item)
		if err != nil {
			return err
		}
		all, _, err := items.Person(cmd.Context(), f.tiers, input.PlainData, policy.unknown)
		if err != nil {
			return err
		}
		person := all.Without(uint32(i))
		if person.Known.Len() < all.Known.Len() {
			p.Tell("the item is among the tiers; it is explained by the others")
		}
		if person.Known.Len() == 0 {
			p.Tell("no tiers that the model knows: all of the score is the base")
		}
		why, err := fubini.NewModel(saved).Folded(all, nil).ExplainItem(i)
		if err != nil {
			return err
		}
		return writeExplanation(p, why, rows.count)
	}
	return cmd
}

// writeExplanation writes a table for taste and one for interest, as far as the model has them, and how the score to
// recommend by is made of both. The keys of taste stand at the top, those of interest under their name. A table has the placements
// with the largest parts, up to a number, and the sum of the others; other formats have all.
func writeExplanation(p *cli.Program, why *fubini.Explanation, most int) error {
	parts := func(e *fubini.Parts) []cli.Record {
		all := []cli.Record{}
		for _, part := range e.Placed {
			all = append(all, cli.Record{{"item", part.Item}, {"name", part.Name}, {"tier", part.Tier}, {"part", part.Value}})
		}
		return all
	}
	var chance *float64
	if !math.IsNaN(why.Chance) {
		chance = &why.Chance
	}
	if p.Format == "json" || p.Format == "jsonl" {
		record := cli.Record{{"item", why.Item}}
		if t := why.Taste; t != nil {
			record = append(record, cli.Record{{"score", t.Score}, {"base", t.Base}, {"ties", t.Ties}, {"parts", parts(t)}, {"approximate", t.Approximate}, {"rest", t.Rest}}...)
		}
		if e := why.Interest; e != nil {
			record = append(record, cli.Record{{"interest", cli.Record{{"score", e.Score}, {"base", e.Base}, {"parts", parts(e)}, {"probability", cli.OrNone(chance)}}}}...)
		}
		if why.Taste != nil && why.Interest != nil {
			record = append(record, cli.Field{"balanced", cli.Record{{"score", why.Score}, {"strength", why.Strength}, {"formula", "log(interest.score) + strength * score"}}})
		}
		return p.Record(record)
	}
	var records []cli.Record
	short := p.InTables()
	hidden := 0
	both := why.Taste != nil && why.Interest != nil
	table := func(of, sum string, e *fubini.Parts) {
		add := func(what, name string, tier any, part float64) {
			record := cli.Record{{"because", what}, {"name", name}, {"tier", tier}, {"part", part}}
			if short {
				record[3][1] = three(part)
			}
			if both {
				record = append(cli.Record{{"of", of}}, record...)
			}
			records = append(records, record)
		}
		rest := 0.0
		for k, part := range e.Placed {
			if short && k >= most {
				rest += part.Value
				continue
			}
			add(part.Item, part.Name, part.Tier, part.Value)
		}
		if more := len(e.Placed) - most; short && more > 0 {
			add("others", text.Count(more, "other placement", "other placements"), nil, rest)
			hidden = max(hidden, more)
		}
		if e.Ties != 0 {
			add("ties", "the number of ties", nil, e.Ties)
		}
		if e.Rest != 0 {
			add("rest", "joint effect of placements", nil, e.Rest)
		}
		if e.Base != 0 { // that of interest is 0, but for a person without placements
			add("base", "its score for an average person", nil, e.Base)
		}
		add("sum", sum, nil, e.Score)
	}
	if why.Taste != nil {
		table("taste", "its score", why.Taste)
		if why.Taste.Approximate {
			p.Tell("the score is not linear in the placements: parts are shares of what they change together, or what it would lose without one")
		}
	}
	if why.Interest != nil {
		sum := "its score"
		if chance != nil {
			sum = fmt.Sprintf("its score; probability of a pick %.3f", *chance)
		}
		table("interest", sum, why.Interest)
	}
	if both {
		records = append(records, cli.Record{{"of", "balanced"}, {"because", "score"}, {"name", fmt.Sprintf("log(sum of interest) + %g × sum of taste", why.Strength)}, {"tier", nil}, {"part", why.Score}})
		if short {
			last := records[len(records)-1]
			last[4][1] = three(why.Score)
		}
	}
	if hidden > 0 {
		p.Tell("%d of %s: those with the largest parts; all by -n %d", most, text.Count(most+hidden, "placement", "placements"), most+hidden)
	}
	return p.Fitted(records)
}
