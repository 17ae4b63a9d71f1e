package distributed

import (
	"fubini/learn/ascent"
	"fubini/learn/cooccurrence"
	"fubini/learn/slots"
)

// isPass reports whether a step is a pass for features, not a round.
func (p *Plan) isPass(step int) bool { return step < p.Steps-p.Rounds }

// featureTerms is the contribution of a part to the features and moments of a pass. The features
// of an item are a sum over its lists divided by a count of the census, so that sums over parts
// give the features of all lists.
func (p *Plan) featureTerms(from *ascent.State, part *Part, jobs int) (*Sum, error) {
	own := *from.CoOccurrence
	sums := own.ListSums(part.Lists, jobs)
	own.SetItems(sums, p.Lists)
	return newSum(from, append(own.Items, own.Moments(sums, p.Lists)...))
}

// withFeatures returns the state with the features of a pass, from the sum over all parts, and
// the loadings for the next pass; after the last pass with the first coefficients.
func (p *Plan) withFeatures(from *ascent.State, sum *Sum, step int) (*ascent.State, error) {
	wide, next := from.CoOccurrence.Dims, from.Clone()
	numbers, err := sum.numbers(wide * (len(p.IDs) + wide))
	if err != nil {
		return nil, err
	}
	of, moments := numbers[:wide*len(p.IDs)], numbers[wide*len(p.IDs):]
	c := &cooccurrence.Features{Dims: wide, Items: of}
	next.CoOccurrence = c
	if p.isPass(step + 1) {
		c.NextPass(p.Lists)
		return next, nil
	}
	if err := c.Leading(p.features, moments); err != nil {
		return nil, err
	}
	slots.Begin(next, p.Seed)
	return next, nil
}
