package distributed

import (
	"context"
	"fmt"
	"math"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/learn/ascent"
	"fubini/learn/chains"
	"fubini/model/osm"
)

// Part is the lists of one shard.
type Part struct {
	Number int
	Lists  []osm.Packed // of the plan's items
	Ranks  [][]uint16   // states of the Markov chains; nil before the first round, and with the slot likelihood

	times []float64 // number of lists that each item is in
}

// NewPart returns the lists of a shard, with its items numbered as in the plan.
func (p *Plan) NewPart(number int, set *ratings.Set) (*Part, error) {
	part := &Part{Number: number, times: make([]float64, len(p.IDs))}
	place := make([]int, set.Items().Len())
	for i := range place {
		at, known := p.index[set.Items().ID(uint32(i))]
		if !known {
			return nil, fmt.Errorf("distributed: item %.40q of part %d was not counted", set.Items().ID(uint32(i)), number)
		}
		place[i] = at
	}
	lists, err := osm.PackedOf(set)
	for _, list := range lists {
		list = list.Renumbered(place)
		for _, i := range list.Items {
			part.times[i]++
		}
		part.Lists = append(part.Lists, list)
	}
	return part, err
}

// round trains a part from common parameters to the end of a round, and returns its parameters
// times its weights in the average. The part's chains move on.
func (p *Plan) round(ctx context.Context, from *ascent.State, part *Part, jobs int) (*Sum, error) {
	weight := float64(len(part.Lists)) / float64(p.All.Lists) // the share of all lists
	shares := make([]float64, len(p.IDs))                     // and of the lists of each item
	for i, all := range p.Lists {
		if shares[i] = weight; all > 0 {
			shares[i] = part.times[i] / all
		}
	}
	t := p.trainer()
	o := t.Base()
	*o = p.Options
	// Lists are numbered within a part: each part has its own random numbers.
	o.Jobs, o.Seed, o.Until = jobs, rng.Stream(p.Seed, "part", uint64(part.Number)).Uint64(), from.Epoch+p.Local
	// An epoch has the number of steps that it has on one machine, and the prior is divided.
	o.Batch = max(1, int(math.Round(float64(o.Batch)*weight)))
	o.Prior.Shares = shares
	o.Prior.Sizes *= weight
	if part.Ranks == nil && p.Chains {
		part.Ranks = chains.Start(part.Lists, o.Longest, o.Seed)
	}
	o.Resume = from.Clone()
	o.Resume.Ranks = part.Ranks
	var end *ascent.State
	o.SaveEvery = o.Epochs
	o.Save = func(s *ascent.State) error {
		end = s
		return nil
	}
	if _, err := t.Fit(ctx, len(p.IDs), part.Lists); err != nil {
		return nil, err
	}
	part.Ranks = end.Ranks
	var numbers []float64
	each(end, func(item int, v *float64) {
		share := weight
		if item >= 0 {
			share = shares[item]
		}
		numbers = append(numbers, share**v)
	})
	return newSum(end, numbers)
}

// average returns the state with the averaged parameters, from the sum over all parts.
func (p *Plan) average(from *ascent.State, sum *Sum) (*ascent.State, error) {
	next := from.Clone()
	next.Epoch, next.Averaged = sum.Epoch, sum.Averaged
	n := 0
	each(next, func(int, *float64) { n++ })
	numbers, err := sum.numbers(n)
	if err != nil {
		return nil, err
	}
	each(next, func(_ int, v *float64) { *v, numbers = numbers[0], numbers[1:] })
	return next, nil
}
