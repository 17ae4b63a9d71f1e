package main

import (
	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/learn/modelstore"
	"fubini/model/osm"
	"fubini/use/rank"
)

func newExplain(p *cli.Program) *cobra.Command {
	tiers, item, unknown, match := "", "", "ignore", ""
	cmd := cli.Page(pages, "explain")
	flags := cmd.Flags()
	cli.AddInput(flags, "tiers", &tiers, "FILE", "tiers of one person, best first")
	cli.AddFlag(flags, "item", "", &item, "ID", cli.ParseText, "item to explain")
	cli.AddChoice(cmd, flags, "unknown", &unknown, []string{"ignore", "error"}, "placed items that the model does not know: ignored with a message, or an error")
	input.AddMatch(flags, &match)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if tiers == "" || item == "" {
			return exit.Usagef("--tiers and --item are needed: a file with the tiers of one person, and the id or title of an item")
		}
		saved, err := input.ReadModel(args[0])
		if err != nil {
			return err
		}
		items, err := input.NewItems(p, saved, match, tiers)
		if err != nil {
			return err
		}
		i, err := items.One("item", item)
		if err != nil {
			return err
		}
		all, err := personFrom(cmd.Context(), p, tiers, input.PlainData, items, unknown)
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
		why, err := saved.Explain(person, i)
		if err != nil {
			return err
		}
		list, err := osm.ListOf(person.Known)
		if err != nil {
			return err
		}
		return writeExplanation(p, saved, saved.ItemIDs[i], list, why)
	}
	return cmd
}

func writeExplanation(p *cli.Program, saved *modelstore.Saved, item string, list osm.List, why rank.Explanation) error {
	parts, records := []cli.Record{}, []cli.Record{}
	add := func(what, name string, tier any, part float64) {
		records = append(records, cli.Record{{"because", what}, {"name", name}, {"tier", tier}, {"part", part}})
	}
	for _, k := range why.Largest() {
		i, tier := list.Items[k], list.Order.BlockOf(k)+1
		parts = append(parts, cli.Record{{"item", saved.ItemIDs[i]}, {"name", saved.ItemNames[i]}, {"tier", tier}, {"part", why.Parts[k]}})
		add(saved.ItemIDs[i], saved.ItemNames[i], tier, why.Parts[k])
	}
	if p.Format == "json" || p.Format == "jsonl" {
		return p.Record(cli.Record{
			{"item", item}, {"score", why.Score}, {"base", why.Base}, {"ties", why.Ties}, {"parts", parts}, {"approximate", why.Approximate}, {"rest", why.Rest},
		})
	}
	if why.Ties != 0 {
		add("ties", "the number of ties", nil, why.Ties)
	}
	if why.Rest != 0 {
		add("rest", "joint effect of placements", nil, why.Rest)
	}
	add("base", "its score for an average person", nil, why.Base)
	add("sum", "its score", nil, why.Score)
	if why.Approximate {
		p.Tell("the score is not linear in the placements: parts are shares of what they change together, or what it would lose without one")
	}
	return p.Records(records)
}
