package distributed

import (
	"context"
	"fmt"
	"math"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/learn/train"
	"fubini/model/osm"
)

// Part is the users of one shard.
type Part struct {
	Number int
	Lists  []osm.List // of the plan's items
	Ranks  [][]uint16 // of each list's chain, which it takes from round to round; nil before the first, and with an objective without chains

	times []int // in how many of the lists each item is
}

// NewPart numbers the items of a shard's users as the plan has them.
func (p *Plan) NewPart(number int, set *ratings.Set) (*Part, error) {
	part := &Part{Number: number, times: make([]int, len(p.IDs))}
	place := make([]int, set.Items().Len())
	for i := range place {
		at, known := p.index[set.Items().ID(uint32(i))]
		if !known {
			return nil, fmt.Errorf("rounds: item %.40q of part %d was not counted", set.Items().ID(uint32(i)), number)
		}
		place[i] = at
	}
	for u := range set.Users().Len() {
		row := set.Row(u)
		if row.Len() < 2 {
			continue // a single item tells nothing
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

// Round trains a part from a point that all parts share, up to the end of the round that
// the point stands before, and returns what it has to say for the average. The part's
// chains move on. Slope is the sum of all parts' slopes at the point, with which a part
// trains for all; nil in the first round, and with an objective that has none.
func (p *Plan) Round(ctx context.Context, from *train.LatentState, slope *Sum, part *Part, jobs int) (*Sum, error) {
	if len(part.Lists) == 0 {
		return nil, nil
	}
	if err := p.knows(from); err != nil {
		return nil, err
	}
	o := p.of(part, jobs)
	o.Until = p.until(from.Epoch)
	// As many steps in an epoch as there are on one machine.
	o.Batch = max(1, int(math.Round(float64(o.Batch)*p.weight(part))))
	shares := p.shares(part)
	if slope == nil {
		o.Shares = shares
	} else {
		own, err := p.Slope(ctx, from, part, jobs)
		if err != nil {
			return nil, err
		}
		if o.Others, err = p.others(from, slope, own); err != nil {
			return nil, err
		}
	}
	state := from.Clone()
	if part.Ranks == nil {
		part.Ranks = train.StartChains(part.Lists, o)
	}
	state.Ranks = part.Ranks
	o.Resume = state
	state, err := p.train(ctx, part, o)
	if err != nil {
		return nil, err
	}
	part.Ranks = state.Ranks
	return newSum(state, shares, p.weight(part))
}

// of are the options for a part. Lists are numbered within a part: each has its own
// random numbers.
func (p *Plan) of(part *Part, jobs int) train.LatentOptions {
	o := p.Options
	o.Jobs = jobs
	o.Seed = rng.Stream(p.Seed, "part", uint64(part.Number)).Uint64()
	return o
}

// train trains a part, and returns the state in which it paused.
func (p *Plan) train(ctx context.Context, part *Part, o train.LatentOptions) (state *train.LatentState, err error) {
	o.SaveEvery = o.Epochs
	o.Save = func(s *train.LatentState) error {
		state = s
		return nil
	}
	_, err = train.FitLatent(ctx, len(p.IDs), part.Lists, o)
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
