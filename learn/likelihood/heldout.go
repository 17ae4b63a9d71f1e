package likelihood

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"fubini/core/rng"
	"fubini/model/osm"
)

// Gain is how much better votes are predicted by tastes than by one board, on votes that neither was fitted to.
type Gain struct {
	Nats     float64 // log probability of a vote by tastes, less that by one board
	StdError float64 // over raters
}

// OneIsEnough is whether one board for all raters predicts as well: the gain is not above two standard errors, or less than a
// millionth of a nat, where the units have no weight at all.
func (g Gain) OneIsEnough() bool { return !(g.Nats > max(2*g.StdError, 1e-6)) }

// OneBoard holds tastes against one board. The votes of every rater are divided in two by fair coins, both models are fitted
// to one half of them, and each vote of the other is predicted: by tastes, from the posterior that the rater's first half
// gives; where raters are not named, from the shares. Then the halves change places. Weights that are whole numbers count votes; others are divided as they stand.
func (d *Data) OneBoard(ctx context.Context, o Options, seed uint64) (Gain, error) {
	if err := d.checkTastes(o); err != nil {
		return Gain{}, err
	}
	if o.Prior.Worth == 0 {
		o.Prior.Worth = 0.01 // half of the votes may leave worths open
	}
	p := d.panel()
	r := rng.Stream(seed, "halves")
	halves := [2][]float64{make([]float64, len(p.weight)), make([]float64, len(p.weight))}
	for k, w := range p.weight {
		n := 0.0
		switch {
		case w == math.Round(w) && w > 1:
			n = distuv.Binomial{N: w, P: 0.5, Src: r}.Rand()
		case r.Float64() < 0.5:
			n = w
		}
		halves[0][k], halves[1][k] = n, w-n
	}
	gains := make([]float64, len(p.raters))
	for k := range halves {
		if err := p.predict(ctx, o, halves[k], halves[1-k], gains); err != nil {
			return Gain{}, fmt.Errorf("fit: half of the votes, to see whether one board is enough: %w", err)
		}
	}
	var gain Gain
	for _, v := range gains {
		gain.Nats += v / p.Weight
	}
	for rater, v := range gains {
		var weight float64
		for k := p.from[rater]; k < p.from[rater+1]; k++ {
			weight += p.weight[k]
		}
		v = (v - gain.Nats*weight) / p.Weight
		gain.StdError += v * v / p.times(rater) // a share of the sum for each of these raters
	}
	n := p.people()
	gain.StdError = math.Sqrt(gain.StdError * n / max(1, n-1))
	return gain, nil
}

// predict fits both models to votes of the known weights, and adds what tastes gain on the hidden ones, by rater.
func (p *panel) predict(ctx context.Context, o Options, known, hidden, gains []float64) error {
	train := p.reweighted(known)
	tastes, err := train.tastes(ctx, o)
	if err != nil {
		return err
	}
	one := train.oneBoard()
	fit, err := one.maximise(ctx, one.Start(), o)
	if err != nil {
		return err
	}
	single, err := one.logProbabilities(ctx, fit.Theta, 1, o.Jobs)
	if err != nil {
		return err
	}
	states, orders := 1<<p.Units, len(p.Orders)
	shares := osm.LogSetProbabilities(tastes.shares)
	for s, v := range shares {
		shares[s] = math.Exp(v)
	}
	for k, w := range hidden {
		if w == 0 {
			continue
		}
		r, order := int(p.rater[k]), int(p.outcome[k])
		posterior := tastes.now.posterior[r*states : (r+1)*states]
		if p.apart {
			posterior = shares // of a rater without other votes
		}
		var chance float64
		for s, q := range posterior {
			chance += q * math.Exp(tastes.power*tastes.now.logs[s*orders+order])
		}
		gains[r] += w * (math.Log(chance) - tastes.power*single[order])
	}
	return nil
}
