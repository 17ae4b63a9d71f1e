package main

import (
	"context"

	"fubini/app/demo"
	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
)

// world is a model, and people that it has not seen.
type world struct {
	name   string
	saved  *modelstore.Saved
	people []model.Person
}

func foods(ctx context.Context, n int) (*world, error) {
	w := demo.New()
	saved, err := w.Train(ctx, demo.Training{Seed: seed})
	if err != nil {
		return nil, err
	}
	const before = demo.TrainingPeople + demo.HeldOutPeople + 1200 // the rule of dealing was chosen on the people before
	drawn, err := w.People(ctx, seed, before+6*n, 0)
	if err != nil {
		return nil, err
	}
	set, err := w.Ratings(drawn[before:])
	if err != nil {
		return nil, err
	}
	return &world{"foods, drawn people", saved, takePart(saved, set, func(int) bool { return true }, n)}, nil
}

// films trains as fubini demo does, without every third of the people who rated enough films.
func films(ctx context.Context, n int) (*world, error) {
	set, err := demo.Films()
	if err != nil {
		return nil, err
	}
	many := 0
	out := make([]bool, set.Users().Len())
	for u := range out {
		if set.Row(u).Len() >= least {
			out[u] = many%3 == 1
			many++
		}
	}
	recipe, err := registry.New("latent-osm")
	if err != nil {
		return nil, err
	}
	if err := setting.Apply(recipe.Settings(), map[string]float64{"epochs": 15}); err != nil {
		return nil, err
	}
	saved, err := modelstore.Train(ctx, set.OfUsers(func(u int) bool { return !out[u] }), modelstore.Request{Model: "latent-osm", Recipe: recipe, Seed: seed, Calibrate: 0.1, Interest: true})
	if err != nil {
		return nil, err
	}
	return &world{"films, people held out", saved, takePart(saved, set, func(u int) bool { return out[u] }, n)}, nil
}

// takePart are up to n people with enough items.
func takePart(saved *modelstore.Saved, set *ratings.Set, wanted func(u int) bool, n int) (people []model.Person) {
	for u := range set.Users().Len() {
		if len(people) == n {
			break
		}
		if !wanted(u) {
			continue
		}
		if p, _ := saved.Person(set, u); p.Known.Len() >= least {
			people = append(people, p)
		}
	}
	return people
}

// run plays with everybody, and returns outcomes by way and person.
func (w *world) run(ctx context.Context) ([][]*outcome, error) {
	all := make([][]*outcome, len(ways))
	for k := range ways {
		all[k] = make([]*outcome, len(w.people))
	}
	err := parallel.Each(ctx, len(w.people), 0, func(_, u int) (err error) {
		for k := range ways {
			// The same stream for all ways: the tested items are the same.
			if all[k][u], err = play(w.saved, ways[k], w.people[u], rng.Stream(seed, "first minute", uint64(u))); err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}
