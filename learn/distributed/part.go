package distributed

import (
	"context"
	"fmt"
	"math"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/learn/ascent"
	"fubini/learn/chains"
	"fubini/learn/registry"
	"fubini/model/osm"
)

// Part is the lists of one shard.
type Part struct {
	Number int
	Lists  []osm.List // of the plan's items
	Ranks  [][]uint16 // states of the Markov chains between rounds; nil before the first round, and with the slot likelihood

	times []int // number of lists that each item is in
}

// NewPart returns the lists of a shard, with its items numbered as in the plan.
func (p *Plan) NewPart(number int, set *ratings.Set) (*Part, error) {
	part := &Part{Number: number, times: make([]int, len(p.IDs))}
	place := make([]int, set.Items().Len())
	for i := range place {
		at, known := p.index[set.Items().ID(uint32(i))]
		if !known {
			return nil, fmt.Errorf("distributed: item %.40q of part %d was not counted", set.Items().ID(uint32(i)), number)
		}
		place[i] = at
	}
	for u := range set.Users().Len() {
		row := set.Row(u)
		if row.Len() < 2 {
			continue // a single item has no order
		}
		list, err := osm.ListOf(row)
		if err != nil {
			return nil, err
		}
		for k, i := range list.Items {
			list.Items[k] = place[i]
			part.times[place[i]]++
		}
		part.Lists = append(part.Lists, list)
	}
	return part, nil
}

// Round trains a part from common parameters to the end of the current round, and returns its
// contribution to the average. The part's chains move on. gradient is the sum over all parts at
// the common parameters, from which the correction term is computed; nil in the first round,
// and with chains.
func (p *Plan) Round(ctx context.Context, from *ascent.State, gradient *Sum, part *Part, jobs int) (*Sum, error) {
	if len(part.Lists) == 0 {
		return nil, nil
	}
	if err := p.check(from); err != nil {
		return nil, err
	}
	t := p.trainer(part, jobs)
	o := t.Base()
	o.Until = p.until(from.Epoch)
	// As many steps in an epoch as there are on one machine.
	o.Batch = max(1, int(math.Round(float64(o.Batch)*p.weight(part))))
	shares := p.shares(part)
	o.Prior.Sizes *= p.weight(part) // as of lists: weights by tier size are averaged, like the tie weight
	if gradient == nil {
		o.Prior.Shares = shares
	} else {
		own, err := p.Gradient(ctx, from, part, jobs)
		if err != nil {
			return nil, err
		}
		if o.Prior.Correction, err = p.correction(from, gradient, own); err != nil {
			return nil, err
		}
	}
	o.Resume = from.Clone()
	if part.Ranks == nil && !p.Corrected {
		part.Ranks = chains.Start(part.Lists, o.Longest, o.Seed)
	}
	o.Resume.Ranks = part.Ranks
	state, err := p.train(ctx, part, t)
	if err != nil {
		return nil, err
	}
	part.Ranks = state.Ranks
	return newSum(state, shares, p.weight(part))
}

// trainer has the options for a part. Lists are numbered within a part: each has its own
// random numbers.
func (p *Plan) trainer(part *Part, jobs int) registry.Trainer {
	t, _ := registry.TrainerOf(p.Recipe) // a plan has one
	o := t.Base()
	*o = p.Options
	o.Jobs = jobs
	o.Seed = rng.Stream(p.Seed, "part", uint64(part.Number)).Uint64()
	return t
}

// train trains a part, and returns the state in which it paused.
func (p *Plan) train(ctx context.Context, part *Part, t registry.Trainer) (state *ascent.State, err error) {
	o := t.Base()
	o.SaveEvery = o.Epochs
	o.Save = func(s *ascent.State) error {
		state = s
		return nil
	}
	_, err = t.Fit(ctx, len(p.IDs), part.Lists)
	return state, err
}

// weight is the part of all lists that a part has.
func (p *Plan) weight(part *Part) float64 { return float64(len(part.Lists)) / float64(p.All.Lists) }

// shares is the part of each item's sightings that a part has; of an item that is on no
// list at all, that of lists.
func (p *Plan) shares(part *Part) []float64 {
	shares := make([]float64, len(p.IDs))
	for i, all := range p.Lists {
		if shares[i] = p.weight(part); all > 0 {
			shares[i] = float64(part.times[i]) / float64(all)
		}
	}
	return shares
}
