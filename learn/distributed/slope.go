package distributed

import (
	"context"
	"fmt"
	"math"

	"fubini/learn/train"
)

// Slopes says whether the objective has a slope that parts can tell each other. Chains
// have none without moving; their parts average, and that is all.
func (p *Plan) Slopes() bool { return HasSlope(p.Options) }

// HasSlope is Slopes before there is a plan.
func HasSlope(o train.LatentOptions) bool { return o.Objective == train.Slots && !o.Absolute }

// Pilot trains one part for a round, with the prior of all, as if there were no others. Parts that start from its point agree on what the units stand for; from small random
// weights each would make them stand for something else, and their average for nothing.
// Company is that of items in all lists, nil without.
func (p *Plan) Pilot(ctx context.Context, company *train.Company, part *Part, jobs int) (*train.LatentState, error) {
	start := p.Start()
	start.Company = company
	if err := p.knows(start); err != nil {
		return nil, err
	}
	o := p.of(part, jobs)
	o.Until = p.Local
	o.Batch = p.batch        // by what the part has; a prior by that, a weaker one, made for worse rounds
	o.Resume = start.Clone() // the company is the caller's
	state, err := p.train(ctx, part, o)
	if err != nil {
		return nil, err
	}
	state.Epoch, state.Averaged, state.Mean = 0, 0, p.Start().Mean
	return state, nil
}

// Slopes are sums over lists, and larger than parameters: whole multiples of 2^-20, and
// thousands of parts at the limit do not overflow.
const (
	slopeUnit  = 1 << 20
	slopeLimit = 1 << 30
)

// Slope is what a part has to say for the sum of slopes at a point; nil if it has no
// lists.
func (p *Plan) Slope(ctx context.Context, at *train.LatentState, part *Part, jobs int) (*Sum, error) {
	if len(part.Lists) == 0 {
		return nil, nil
	}
	s, err := train.SlopeAt(ctx, len(p.IDs), part.Lists, p.of(part, jobs), at)
	if err != nil {
		return nil, err
	}
	sum := &Sum{Epoch: at.Epoch, Averaged: at.Averaged}
	for _, list := range numbers(s) {
		for _, v := range list {
			if !(math.Abs(v) < slopeLimit) {
				return nil, fmt.Errorf("%w: a slope is %g after epoch %d; lower the rate or raise the priors", train.ErrDiverged, v, at.Epoch)
			}
			sum.Values = append(sum.Values, int64(math.Round(v*slopeUnit)))
		}
	}
	return sum, nil
}

// others are all parts but one, by their slope.
func (p *Plan) others(at *train.LatentState, all, own *Sum) (*train.Others, error) {
	if len(all.Values) != len(own.Values) || all.Epoch != own.Epoch {
		return nil, fmt.Errorf("rounds: a slope of %d numbers at epoch %d for a part with %d at epoch %d", len(all.Values), all.Epoch, len(own.Values), own.Epoch)
	}
	c := at.Now
	s := &train.Slope{U: make([]float64, len(c.U)), W: make([]float64, len(c.W)), V: make([]float64, len(c.V)), Times: make([]float64, len(c.U))}
	k := 0
	for _, list := range numbers(s) {
		for i := range list {
			list[i] = float64(all.Values[k]-own.Values[k]) / slopeUnit
			k++
		}
	}
	return &train.Others{At: c, Slope: s}, nil
}

// numbers are all numbers of a slope, in the order of sums.
func numbers(s *train.Slope) [][]float64 { return [][]float64{s.U, s.W, s.V, s.Times} }
