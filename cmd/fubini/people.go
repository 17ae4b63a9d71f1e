package main

import (
	"context"
	"fmt"

	"fubini/app/recommend"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/learn/zoo"
	"fubini/use/maps"
)

// readPerson is somebody of a data file, with what of their ratings a model knows.
type readPerson struct {
	id string
	recommend.Told
}

// readPeople reads the tier lists of everybody in DATA. Items that the model does not
// know are left out, or an error by the policy, and people without any other; both
// are told of.
func (p *program) readPeople(ctx context.Context, path string, f input.DataFlags, saved *zoo.Saved, policy string) ([]readPerson, error) {
	set, report, err := input.Read(ctx, p.Program, path, f)
	if err != nil {
		return nil, err
	}
	var people []readPerson
	var examples []string
	strangers, strange := 0, 0
	for u := range set.Users().Len() {
		said, unknown, err := listed(saved, set, u, recommend.AreRatings(report.Format))
		if err != nil {
			return nil, err
		}
		if len(unknown) > 0 && policy == "error" {
			return nil, fmt.Errorf("%s: user %s: %d items are not in the model: %s", path, cli.Quote(set.Users().ID(uint32(u))), len(unknown), cli.Shorten(unknown))
		}
		strange += len(unknown)
		examples = append(examples, unknown[:min(len(unknown), max(0, 3-len(examples)))]...)
		if len(said.Items) == 0 {
			strangers++
			continue
		}
		people = append(people, readPerson{set.Users().ID(uint32(u)), said})
	}
	if strange > 0 {
		p.Tell("%d ratings are of items that the model does not know, such as %s; %d people have no others", strange, cli.Shorten(examples), strangers)
	}
	if len(people) == 0 {
		return nil, fmt.Errorf("%s: the model knows nobody's items; it must have been trained on other data", path)
	}
	return people, nil
}

// vectorsOf are those of people.
func vectorsOf(people []readPerson, space *zoo.Space) (maps.Vectors, error) {
	v := maps.Vectors{Dim: space.K}
	for _, each := range people {
		taste, err := space.Fold(each.List, each.Values)
		if err != nil {
			return v, err
		}
		v.Data = append(v.Data, taste...)
	}
	return v, nil
}
