package rounds

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
	for _, set := range sets {
		all.Add(NewCensus(set, longest))
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
	for range plan.Rounds {
		if point, err = plan.together(ctx, point, parts, jobs); err != nil {
			return nil, err
		}
	}
	return plan.Saved(point), nil
}

// together is one round.
func (p *Plan) together(ctx context.Context, from *train.LatentState, parts []*Part, jobs int) (*train.LatentState, error) {
	var sum Sum
	for _, part := range parts {
		one, err := p.Round(ctx, from, part, jobs)
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
	return p.Point(&sum)
}
