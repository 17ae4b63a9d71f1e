package demo

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"fubini/core/parallel"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/infer/mcmc"
	"fubini/model/osm"
)

// The number of foods that a person has tried is from leastTried to mostTried, all numbers equally likely.
const leastTried, mostTried = 10, 40

// The number of tiers that a person has at hand, likewise. They need not use them all.
const leastTiers, mostTiers = 3, 6

// sweeps is the length of the chain that draws a list given the tastes. Four times
// as many give the same people on average (TestChainsAreLongEnough).
const sweeps = 40

// Person is one draw: the foods they tried, as a tier list, and the tastes they have, 1 or 0 each.
type Person struct {
	osm.List
	Tastes []float64
}

// People draws n people from the model, a stream of random numbers for each, so that the first n are the same however
// many are asked for and however many jobs share the work. Jobs below 1 means one for each core.
func (w *World) People(ctx context.Context, seed uint64, n, jobs int) ([]Person, error) {
	people := make([]Person, n)
	err := parallel.Each(ctx, n, jobs, func(_, k int) (err error) {
		r := rng.Stream(seed, "demo person", uint64(k))
		people[k], err = w.draw(r, w.tried(r), leastTiers+r.IntN(mostTiers-leastTiers+1), sweeps)
		return err
	})
	if err != nil {
		return nil, err
	}
	return people, nil
}

// tried draws which foods a person knows, without replacement, the famous ones
// sooner: those with the smallest of exponential times at the rate of their fame.
func (w *World) tried(r *rng.Rand) []int {
	n := leastTried + r.IntN(mostTried-leastTried+1)
	when := make([]float64, len(w.Items))
	items := make([]int, len(w.Items))
	for i, fame := range w.fame {
		items[i] = i
		when[i] = r.ExpFloat64() / fame
	}
	slices.SortFunc(items, func(a, b int) int { return cmp.Compare(when[a], when[b]) })
	items = items[:n]
	slices.Sort(items)
	return items
}

// draw draws the tastes of somebody who tried these items and has some tiers at
// hand, and then their list given the tastes, by a long chain of reinsertions.
//
// Tastes come first, by a coin each. In the joint law of list and units their shares would depend on how many foods
// were tried: the more, the more lists there are to choose from for those whose tastes add up, and at forty nearly
// all would have the same few tastes. Given the tastes, the list follows the Latent Ordered Set Model with the
// planted parameters.
func (w *World) draw(r *rng.Rand, items []int, tiers, sweeps int) (Person, error) {
	has := make([]float64, tastes)
	for k, share := range w.Truth.PriorMeans() {
		has[k] = float64(r.Pick([]float64{1 - share, share}))
	}
	given, err := w.given(items, has)
	if err != nil {
		return Person{}, fmt.Errorf("demo: %w", err)
	}
	levels := make([]int, len(items))
	for i := range levels {
		levels[i] = r.IntN(tiers)
	}
	x, err := partition.FromLevels(levels)
	if err != nil {
		return Person{}, fmt.Errorf("demo: %w", err)
	}
	kernel, err := mcmc.NewReinsertion(given, partition.AtMost(tiers))
	if err != nil {
		return Person{}, fmt.Errorf("demo: %w", err)
	}
	for range sweeps {
		kernel.Step(r, x, nil)
	}
	return Person{List: osm.List{Items: items, Order: x}, Tastes: has}, nil
}

// given is the model of the lists of these items by people with some tastes.
func (w *World) given(items []int, has []float64) (*osm.Worths, error) {
	model, err := w.Truth.Model(items)
	if err != nil {
		return nil, err
	}
	return model.Conditional(has)
}

// Ratings converts tier lists into ratings, 1 for the lowest tier and one more for each better one, as reading a tiers
// file does. The ids of users begin with "synthetic".
func (w *World) Ratings(people []Person) (*ratings.Set, error) {
	b := ratings.NewBuilder()
	for _, item := range w.Items {
		b.Title(item.ID, item.Name)
	}
	for k, p := range people {
		user := fmt.Appendf(nil, "synthetic-%04d", k+1)
		tiers := p.Order.Len()
		for place, i := range p.Items {
			level := float32(tiers - p.Order.BlockOf(place))
			if err := b.Add(user, []byte(w.Items[i].ID), level, ratings.NoTime); err != nil {
				return nil, fmt.Errorf("demo: %w", err)
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	return set, err
}
