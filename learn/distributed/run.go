package distributed

import (
	"context"

	"fubini/data/ratings"
	"fubini/learn/ascent"
	"fubini/learn/cooccurrence"
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
	for k, set := range sets {
		all.Add(NewCensus(k, set, kind.Longest))
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
	if plan.Corrected {
		features, err := plan.findFeatures(parts, all.Largest.Part, jobs)
		if err != nil {
			return nil, err
		}
		if point, err = plan.WarmStart(ctx, features, parts[all.Largest.Part], jobs); err != nil {
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

// findFeatures finds the co-occurrence features of items in all parts; nil where a plan has none.
func (p *Plan) findFeatures(parts []*Part, largest, jobs int) (*cooccurrence.Features, error) {
	c := p.FirstFeatures(parts[largest], jobs)
	for pass := range p.Passes {
		sum, err := total(parts, func(part *Part) (*Sum, error) { return p.FeatureSum(c, part, jobs) })
		if err != nil {
			return nil, err
		}
		if c, err = p.FeaturesOf(sum, pass); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// together is one round.
func (p *Plan) together(ctx context.Context, from *ascent.State, parts []*Part, jobs int) (*ascent.State, error) {
	var gradient *Sum
	var err error
	if p.Corrected && from.Epoch > 0 {
		if gradient, err = total(parts, func(part *Part) (*Sum, error) { return p.Gradient(ctx, from, part, jobs) }); err != nil {
			return nil, err
		}
	}
	sum, err := total(parts, func(part *Part) (*Sum, error) { return p.Round(ctx, from, gradient, part, jobs) })
	if err != nil {
		return nil, err
	}
	return p.Point(sum)
}

// total adds up the shares of parts. A part without lists has none.
func total(parts []*Part, share func(*Part) (*Sum, error)) (*Sum, error) {
	sum := &Sum{}
	for _, part := range parts {
		one, err := share(part)
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
