// Package people has the commands about people and items of a model: items, recommend, explain, similar, embed, reconstruct.
package people

import (
	"context"
	"embed"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/recommend"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/text"
	"fubini/learn/modelstore"
	"fubini/model"
	"fubini/use/maps"
)

//go:embed help
var pages embed.FS

// Flags that several of the commands about people share.
type (
	tiersFlags   struct{ tiers string }
	usersFlags   struct{ users string }
	unknownFlags struct{ unknown string }
	countFlags   struct{ count int }
	supportFlags struct{ support int }
)

func addTiers(p *cli.Program, cmd *cobra.Command) *tiersFlags {
	return cli.Shared(p, cmd, cmd.Flags(), func(f *tiersFlags, _ *cobra.Command, flags *pflag.FlagSet) {
		cli.AddInput(flags, "tiers", &f.tiers, "FILE", "tiers of one person, best first")
	})
}

func addUsers(p *cli.Program, cmd *cobra.Command) *usersFlags {
	return cli.Shared(p, cmd, cmd.Flags(), func(f *usersFlags, _ *cobra.Command, flags *pflag.FlagSet) {
		cli.AddInput(flags, "users", &f.users, "DATA", "ratings or tiers of many people")
	})
}

func addUnknown(p *cli.Program, cmd *cobra.Command) *unknownFlags {
	return cli.Shared(p, cmd, cmd.Flags(), func(f *unknownFlags, cmd *cobra.Command, flags *pflag.FlagSet) {
		f.unknown = "ignore"
		cli.AddChoice(cmd, flags, "unknown", &f.unknown, []string{"ignore", "error"}, "placed items that the model does not know: ignored with a message, or an error")
	})
}

func addCount(p *cli.Program, cmd *cobra.Command) *countFlags {
	return cli.Shared(p, cmd, cmd.Flags(), func(f *countFlags, _ *cobra.Command, flags *pflag.FlagSet) {
		f.count = recommend.Defaults().Count
		cli.AddFlag(flags, "count", "n", &f.count, "N", cli.ParseWhole(1), "number of items, of people, or of placements")
	})
}

func addSupport(p *cli.Program, cmd *cobra.Command) *supportFlags {
	return cli.Shared(p, cmd, cmd.Flags(), func(f *supportFlags, _ *cobra.Command, flags *pflag.FlagSet) {
		f.support = recommend.Defaults().Support
		cli.AddFlag(flags, "min-support", "", &f.support, "N", cli.ParseWhole(0), "least number of ratings of an item")
	})
}

type namedPerson struct {
	id string
	model.Person
}

// readPeople reads the preferences of everybody in DATA, whose items are ids or titles. Items that the model does not know are left out, or an error by
// the policy, and so are people without any other; both are counted on stderr.
func readPeople(ctx context.Context, p *cli.Program, path string, f input.DataFlags, items *input.Items, saved *modelstore.Saved, policy string) ([]namedPerson, error) {
	set, report, err := input.Read(ctx, p, path, f)
	if err != nil {
		return nil, err
	}
	if set, err = items.Set(set, false); err != nil {
		return nil, err
	}
	var people []namedPerson
	var examples []string
	left, ignored := 0, 0 // people without known items, and unknown items
	for u := range set.Users().Len() {
		id := set.Users().ID(uint32(u))
		person, unknown := saved.Person(set, u)
		person.TiersOnly = !recommend.AreRatings(report)
		if len(unknown) > 0 && policy == "error" {
			return nil, fmt.Errorf("%s: user %s: %s not in the model: %s", path, cli.Quote(id), text.Count(len(unknown), "item is", "items are"), cli.Shorten(unknown))
		}
		ignored += len(unknown)
		examples = append(examples, unknown[:min(len(unknown), max(0, 3-len(examples)))]...)
		if person.Known.Len() == 0 {
			left++
			continue
		}
		people = append(people, namedPerson{id, person})
	}
	if ignored > 0 {
		p.Tell("%s of items that the model does not know, such as %s; %s no others", text.Count(ignored, "rating is", "ratings are"), cli.Shorten(examples), text.Count(left, "person has", "people have"))
	}
	if len(people) == 0 {
		return nil, fmt.Errorf("%s: the model knows nobody's items; it must have been trained on other data", path)
	}
	return people, nil
}

// readVectors reads the preferences of everybody in DATA, and their posterior vectors.
func readVectors(ctx context.Context, p *cli.Program, path string, f input.DataFlags, items *input.Items, saved *modelstore.Saved, space *modelstore.Space, policy string) ([]namedPerson, maps.Vectors, error) {
	people, err := readPeople(ctx, p, path, f, items, saved, policy)
	if err != nil {
		return nil, maps.Vectors{}, err
	}
	vectors, err := cli.Await(ctx, func() (maps.Vectors, error) {
		v := maps.Vectors{Dim: space.K}
		for _, each := range people {
			vector, err := space.Fold(each.Person)
			if err != nil {
				return v, err
			}
			v.Data = append(v.Data, vector...)
		}
		return v, nil
	})
	return people, vectors, err
}
