package distributed

import (
	"context"
	"fmt"
	"math"

	"fubini/learn/ascent"
	"fubini/learn/cooccurrence"
	"fubini/learn/slots"
)

// WarmStart trains one part alone for a round, with the full prior. From its parameters the
// units of all parts have the same meaning; from random weights of their own they would not,
// and averages would be meaningless. features are those of all lists; nil for none.
func (p *Plan) WarmStart(ctx context.Context, features *cooccurrence.Features, part *Part, jobs int) (*ascent.State, error) {
	start := p.Start()
	start.CoOccurrence = features
	if err := p.check(start); err != nil {
		return nil, err
	}
	t := p.trainer(part, jobs)
	o := t.Base()
	o.Until = p.Local
	o.Batch = p.batch        // by the size of the part; a prior by that, a weaker one, made for worse rounds
	o.Resume = start.Clone() // the features are the caller's
	state, err := p.train(ctx, part, t)
	if err != nil {
		return nil, err
	}
	state.Epoch, state.Averaged, state.Mean = 0, 0, p.Start().Mean
	return state, nil
}

// Gradients are sums over lists, and larger than parameters: whole multiples of 2^-20, and
// thousands of parts at the limit do not overflow.
const (
	gradientUnit  = 1 << 20
	gradientLimit = 1 << 30
)

// Gradient is the contribution of a part to the sum of gradients at the common parameters; nil
// if it has no lists.
func (p *Plan) Gradient(ctx context.Context, at *ascent.State, part *Part, jobs int) (*Sum, error) {
	if len(part.Lists) == 0 {
		return nil, nil
	}
	s, err := p.trainer(part, jobs).(*slots.Options).GradientAt(ctx, len(p.IDs), part.Lists, at)
	if err != nil {
		return nil, err
	}
	sum := &Sum{Epoch: at.Epoch, Averaged: at.Averaged}
	for _, list := range numbers(s) {
		for _, v := range list {
			if !(math.Abs(v) < gradientLimit) {
				return nil, fmt.Errorf("%w: a gradient is %g after epoch %d; lower the rate or raise the priors", ascent.ErrDiverged, v, at.Epoch)
			}
			sum.Values = append(sum.Values, int64(math.Round(v*gradientUnit)))
		}
	}
	return sum, nil
}

// correction is the sum of gradients over all parts but one.
func (p *Plan) correction(at *ascent.State, all, own *Sum) (*ascent.Correction, error) {
	if len(all.Values) != len(own.Values) || all.Epoch != own.Epoch {
		return nil, fmt.Errorf("distributed: a gradient of %d numbers at epoch %d for a part with %d at epoch %d", len(all.Values), all.Epoch, len(own.Values), own.Epoch)
	}
	g := ascent.NewGradient(at.Now.Shape)
	k := 0
	for _, list := range numbers(g) {
		for i := range list {
			list[i] = float64(all.Values[k]-own.Values[k]) / gradientUnit
			k++
		}
	}
	return &ascent.Correction{At: at.Now, Gradient: g}, nil
}

// numbers are all numbers of a gradient, in the order of sums.
func numbers(g *ascent.Gradient) [][]float64 { return [][]float64{g.Values, g.Lists} }
