package people

import (
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/core/partition"
	"fubini/learn/modelstore"
	"fubini/model"
	"fubini/model/osm"
	"fubini/use/rank"
)

type reconstructFlags struct {
	*input.DataFlags
	*tiersFlags
	*input.MatchFlags
	*usersFlags
	*unknownFlags
}

// Reconstruct is the command fubini reconstruct.
func Reconstruct(p *cli.Program) *cobra.Command {
	cmd := cli.Page(pages, "reconstruct")
	f := reconstructFlags{tiersFlags: addTiers(p, cmd), MatchFlags: input.AddMatch(p, cmd), usersFlags: addUsers(p, cmd), unknownFlags: addUnknown(p, cmd), DataFlags: input.AddData(p, cmd)}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case f.tiers == "" && f.users == "":
			return exit.Usagef("--tiers is missing: a file with the tiers of one person; or --users with the ratings of many")
		case f.tiers != "" && f.users != "":
			return exit.Usagef("--tiers is for one person and --users for many; they do not go together")
		}
		saved, space, err := input.ReadWith(args[0], (*modelstore.Saved).Space)
		if err != nil {
			return err
		}
		items, err := input.NewItems(cmd.Context(), p, saved, f.Match, f.tiers, f.users)
		if err != nil {
			return err
		}
		if f.users != "" {
			return compress(cmd.Context(), p, &f, items, saved, space)
		}
		return rebuild(cmd.Context(), p, &f, items, saved, space)
	}
	return cmd
}

// rebuild shows a list beside what its vector keeps of it.
func rebuild(ctx context.Context, p *cli.Program, f *reconstructFlags, finder *input.Items, saved *modelstore.Saved, space *modelstore.Space) error {
	person, _, err := finder.Person(ctx, f.tiers, input.PlainData, f.unknown)
	if err != nil {
		return err
	}
	if person.Known.Len() == 0 {
		return fmt.Errorf("--tiers: the model knows none of the items in %s", f.tiers)
	}
	embedding, list, err := folded(space, person)
	if err != nil {
		return err
	}
	scores, order, err := rank.Reconstruct(space.Catalogue, embedding, list.Items)
	if err != nil {
		return err
	}
	tied, err := rank.Rebuild(space.Catalogue, embedding, list.Items, list.Order.Len())
	if err != nil {
		return err
	}
	var items []cli.Record
	for _, k := range rank.Best(scores, len(scores)) {
		i := list.Items[k]
		items = append(items, cli.Record{
			{"item", saved.ItemIDs[i]}, {"name", saved.ItemNames[i]}, {"tier", list.Order.BlockOf(k) + 1}, {"score", scores[k]},
			{"rank", order.BlockOf(k) + 1}, {"rebuilt", tied.BlockOf(k) + 1},
		})
	}
	distance, tiersDistance := partition.Distance(order, list.Order), partition.Distance(tied, list.Order)
	if p.Format == "json" || p.Format == "jsonl" {
		return p.Record(cli.Record{{"posterior", embedding}, {"distance", distance}, {"items", items}, {"tiers_distance", tiersDistance}})
	}
	p.Tell("%.3f of the pairs came back different in the order, %.3f in the tiers", distance, tiersDistance)
	return p.Fitted(items)
}

// folded is the posterior vector of a person, and their list.
func folded(space *modelstore.Space, person model.Person) (embedding []float64, list osm.List, err error) {
	if embedding, err = space.Fold(person); err == nil {
		list, err = osm.ListOf(person.Known)
	}
	return embedding, list, err
}

// mostBits is the number of bits a unit up to which vectors are quantised: more lose next to nothing.
const mostBits = 8

// compress measures what quantised vectors cost and lose.
func compress(ctx context.Context, p *cli.Program, f *reconstructFlags, finder *input.Items, saved *modelstore.Saved, space *modelstore.Space) error {
	people, err := readPeople(ctx, p, f.users, *f.DataFlags, finder, saved, f.unknown)
	if err != nil {
		return err
	}
	var lists []osm.List
	var embeddings [][]float64
	var bits float64
	for _, each := range people {
		if each.Known.Len() < 2 { // a single item has no order
			continue
		}
		embedding, list, err := folded(space, each.Person)
		if err != nil {
			return err
		}
		lists, embeddings = append(lists, list), append(embeddings, embedding)
		bits += partition.LogFubini(each.Known.Len()) / math.Ln2
	}
	if len(lists) == 0 {
		return fmt.Errorf("--users: nobody in %s has two items that the model knows", f.users)
	}
	rows, err := cli.Await(ctx, func() ([]rank.Compressed, error) { return rank.Compress(space.Catalogue, lists, embeddings, mostBits) })
	if err != nil {
		return err
	}
	var records []cli.Record
	for _, r := range rows {
		each, coded := any(r.Bits), any(r.Coded)
		if r.Bits < 0 {
			each, coded = nil, nil
		}
		records = append(records, cli.Record{
			{"bits", each}, {"coded_bits", coded}, {"list_bits", bits / float64(len(lists))}, {"distance", r.Distance}, {"tiers_distance", r.Tied}, {"users", len(lists)},
		})
	}
	return p.Fitted(records)
}
