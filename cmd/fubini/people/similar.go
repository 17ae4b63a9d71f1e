package people

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/learn/modelstore"
	"fubini/use/maps"
)

type similarFlags struct {
	*input.DataFlags
	*tiersFlags
	*input.MatchFlags
	*usersFlags
	*unknownFlags
	*countFlags
	*supportFlags
	item   string
	metric string
}

// Similar is the command fubini similar.
func Similar(p *cli.Program) *cobra.Command {
	f := similarFlags{metric: "cosine"}
	cmd := cli.Page(pages, "similar")
	flags := cmd.Flags()
	cli.AddFlag(flags, "item", "", &f.item, "ID", cli.ParseText, "item to which others are similar")
	f.tiersFlags, f.MatchFlags, f.usersFlags, f.countFlags, f.supportFlags = addTiers(p, cmd), input.AddMatch(p, cmd), addUsers(p, cmd), addCount(p, cmd), addSupport(p, cmd)
	cli.AddChoice(cmd, flags, "metric", &f.metric, []string{"cosine", "inner"}, "cosine or inner product")
	f.unknownFlags, f.DataFlags = addUnknown(p, cmd), input.AddData(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case (f.item == "") == (f.tiers == ""):
			return exit.Usagef("give --item ID for similar items, or --tiers FILE with --users DATA for similar people")
		case f.tiers != "" && f.users == "":
			return exit.Usagef("--users is missing: the ratings of the people among whom to look")
		case f.item != "" && f.users != "":
			return exit.Usagef("--users goes with --tiers, not with --item")
		}
		saved, space, err := input.ReadWith(args[0], (*modelstore.Saved).Space)
		if err != nil {
			return err
		}
		metric, err := maps.ParseMetric(f.metric)
		if err != nil {
			return err
		}
		items, err := input.NewItems(cmd.Context(), p, saved, f.Match, f.tiers, f.users)
		if err != nil {
			return err
		}
		if f.item != "" {
			return similarItems(p, &f, metric, saved, space, items)
		}
		return similarPeople(cmd.Context(), p, &f, metric, saved, space, items)
	}
	return cmd
}

func similarItems(p *cli.Program, f *similarFlags, metric maps.Metric, saved *modelstore.Saved, space *modelstore.Space, items *input.Items) error {
	i, err := items.One("item", f.item)
	if err != nil {
		return err
	}
	vectors := maps.Items(space.Catalogue)
	found, err := maps.Nearest(vectors, vectors.Row(i), f.count, metric, func(row int) bool { return row == i || int(saved.Seen[row]) < f.support })
	if err != nil {
		return err
	}
	var records []cli.Record
	for n, each := range found {
		records = append(records, cli.Record{{"rank", n + 1}, {"item", saved.ItemIDs[each.Row]}, {"name", saved.ItemNames[each.Row]}, {"similarity", each.Similarity}})
	}
	return p.Fitted(records)
}

func similarPeople(ctx context.Context, p *cli.Program, f *similarFlags, metric maps.Metric, saved *modelstore.Saved, space *modelstore.Space, items *input.Items) error {
	person, _, err := items.Person(ctx, f.tiers, input.PlainData, f.unknown)
	if err != nil {
		return err
	}
	if person.Known.Len() == 0 {
		return fmt.Errorf("--tiers: the model knows none of the items in %s, so nobody is more like them than others", f.tiers)
	}
	vector, err := space.Fold(person)
	if err != nil {
		return err
	}
	people, vectors, err := readVectors(ctx, p, f.users, *f.DataFlags, items, saved, space, f.unknown)
	if err != nil {
		return err
	}
	found, err := maps.Nearest(vectors, vector, f.count, metric, nil)
	if err != nil {
		return err
	}
	var records []cli.Record
	for n, each := range found {
		records = append(records, cli.Record{{"rank", n + 1}, {"user", people[each.Row].id}, {"similarity", each.Similarity}})
	}
	return p.Fitted(records)
}
