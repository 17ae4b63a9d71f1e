package main

import (
	"context"
	"fmt"

	"fubini/learn/zoo"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/rank"
)

// readPerson is somebody of a data file, with what of their ratings a model knows.
type readPerson struct {
	id   string
	list osm.List
}

// taste is the posterior means of the hidden units.
func (r readPerson) taste(c *latent.Catalogue) ([]float64, error) { return rank.Fold(c, r.list) }

// readPeople reads the tier lists of everybody in DATA. Items that the model does not
// know are left out, and people without any other; both are told of.
func (p *program) readPeople(ctx context.Context, path string, f dataFlags, saved *zoo.Saved) ([]readPerson, error) {
	set, _, err := p.read(ctx, path, f)
	if err != nil {
		return nil, err
	}
	var people []readPerson
	strangers, strange := 0, 0
	for u := range set.Users().Len() {
		list, unknown, err := saved.List(set, u)
		if err != nil {
			return nil, err
		}
		strange += len(unknown)
		if len(list.Items) == 0 {
			strangers++
			continue
		}
		people = append(people, readPerson{set.Users().ID(uint32(u)), list})
	}
	if strange > 0 {
		p.tell("%d ratings are of items that the model does not know; %d people have no others", strange, strangers)
	}
	if len(people) == 0 {
		return nil, fmt.Errorf("%s: the model knows nobody's items; it must have been trained on other data", path)
	}
	return people, nil
}
