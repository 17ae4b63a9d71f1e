package distributed

import (
	"context"

	"fubini/data/ratings"
	"fubini/learn/ascent"
	"fubini/learn/modelstore"
)

// Run trains on parts in this process, one after the other. The pipelines of beam/ do the same
// on many machines, to the bit.
func Run(ctx context.Context, sets []*ratings.Set, r Request, jobs int) (*modelstore.Saved, error) {
	kind, err := r.Kind()
	if err != nil {
		return nil, err
	}
	all := Nobody()
	for _, set := range sets {
		all.Add(NewCensus(set, kind.Longest))
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
	state := plan.Start()
	for step := range plan.Steps {
		total := &Sum{}
		for _, part := range parts {
			sum, err := plan.Map(ctx, step, state, part, jobs)
			if err != nil {
				return nil, err
			}
			if sum == nil {
				continue
			}
			if err := total.Add(sum); err != nil {
				return nil, err
			}
		}
		if state, err = plan.Reduce(step, state, total); err != nil {
			return nil, err
		}
	}
	return plan.Saved(state), nil
}

// Map returns the contribution of a part to the sum of a step, from the state that all parts
// share; nil if it has no lists.
func (p *Plan) Map(ctx context.Context, step int, from *ascent.State, part *Part, jobs int) (*Sum, error) {
	switch {
	case len(part.Lists) == 0:
		return nil, nil
	case p.isPass(step):
		return p.featureTerms(from, part, jobs)
	}
	return p.round(ctx, from, part, jobs)
}

// Reduce returns the state after a step, from the state before it and the sum over all parts.
func (p *Plan) Reduce(step int, from *ascent.State, sum *Sum) (*ascent.State, error) {
	if p.isPass(step) {
		return p.withFeatures(from, sum, step)
	}
	return p.average(from, sum)
}
