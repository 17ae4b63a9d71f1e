package distributed

import (
	"context"

	"fubini/data/ratings"
	"fubini/learn/train"
	"fubini/learn/zoo"
)

// Run trains on some parts in this process, one after the other: what the pipelines in
// beam/ do on many machines, and the same bits.
func Run(ctx context.Context, sets []*ratings.Set, r Request, jobs int) (*zoo.Saved, error) {
	longest, err := r.Longest()
	if err != nil {
		return nil, err
	}
	all := Nobody()
	for k, set := range sets {
		all.Add(NewCensus(k, set, longest))
	}
	plan, err := NewPlan(all, r)
	if err != nil {
		return nil, err
	}
	parts := make([]*Part, len(sets))
	for k, set := range sets {
		if parts[k], err = plan.NewPart(k, set); err != nil {
			return nil, err
		}
	}
	point := plan.Start()
	if plan.Slopes() {
		company, err := plan.acquainted(parts, all.Largest.Part, jobs)
		if err != nil {
			return nil, err
		}
		if point, err = plan.Pilot(ctx, company, parts[all.Largest.Part], jobs); err != nil {
			return nil, err
		}
	}
	for range plan.Rounds {
		if point, err = plan.together(ctx, point, parts, jobs); err != nil {
			return nil, err
		}
	}
	return plan.Saved(point), nil
}

// acquainted finds the company of items in all parts; nil where a plan has none.
func (p *Plan) acquainted(parts []*Part, largest, jobs int) (*train.Company, error) {
	c := p.Guess(parts[largest], jobs)
	for pass := range Passes(p.Options) {
		sum, err := total(parts, func(part *Part) (*Sum, error) { return p.Meet(c, part, jobs) })
		if err != nil {
			return nil, err
		}
		if c, err = p.Met(sum, pass); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// together is one round.
func (p *Plan) together(ctx context.Context, from *train.LatentState, parts []*Part, jobs int) (*train.LatentState, error) {
	var slope *Sum
	var err error
	if p.Slopes() && from.Epoch > 0 {
		if slope, err = total(parts, func(part *Part) (*Sum, error) { return p.Slope(ctx, from, part, jobs) }); err != nil {
			return nil, err
		}
	}
	sum, err := total(parts, func(part *Part) (*Sum, error) { return p.Round(ctx, from, slope, part, jobs) })
	if err != nil {
		return nil, err
	}
	return p.Point(sum)
}

// total adds up what parts have to say. A part without lists says nothing.
func total(parts []*Part, say func(*Part) (*Sum, error)) (*Sum, error) {
	sum := &Sum{}
	for _, part := range parts {
		one, err := say(part)
		if err != nil {
			return nil, err
		}
		if one == nil {
			continue
		}
		if err := sum.Add(one); err != nil {
			return nil, err
		}
	}
	return sum, nil
}
