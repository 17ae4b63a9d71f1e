package likelihood

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"fubini/model/osm"
)

// tasting is a fit of tastes on its way.
type tasting struct {
	*panel
	Options
	theta, shares []float64
	now           *beliefs
	steps         int
}

// climb is EM until a step gains little, or slowly: Newton's steps follow.
func (t *tasting) climb(ctx context.Context) error {
	gain, most := math.Inf(1), t.steps+5*t.Steps
	for ; t.steps < most; t.steps++ {
		settled := true
		if t.steps%10 == 9 || gain < 1e-3 {
			before := t.Prior.Unit
			t.learnUnits()
			settled = math.Abs(math.Log(t.Prior.Unit/before)) < 1e-3
		}
		if gain < 1e-3 && settled {
			return nil
		}
		var err error
		if gain, err = t.maximisation(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (t *tasting) at(ctx context.Context, theta, shares []float64) (*beliefs, error) {
	return t.believe(ctx, theta, osm.LogSetProbabilities(shares), t.Jobs)
}

// objective is the log likelihood with the priors: that of shares is one rater more on each side.
func (t *tasting) objective(b *beliefs, theta, shares []float64) float64 {
	value := b.value - t.penalty(theta, t.Prior)
	for _, share := range shares {
		value += math.Log(share) + math.Log1p(-share)
	}
	return value
}

// held is the number of raters with each set of units, by the posterior, and withUnit that of raters with each unit.
func (t *tasting) held() []float64 {
	held := make([]float64, 1<<t.Units)
	for at, q := range t.now.posterior {
		held[at%len(held)] += t.times(at/len(held)) * q
	}
	return held
}

func (t *tasting) withUnit() []float64 {
	with := make([]float64, t.Units)
	for set, raters := range t.held() {
		for k := range with {
			if set>>k&1 == 1 {
				with[k] += raters
			}
		}
	}
	return with
}

// maximisation is one step of EM.
func (t *tasting) maximisation(ctx context.Context) (gain float64, err error) {
	point, err := t.complete(ctx, t.theta, t.now, t.Jobs)
	if err != nil {
		return 0, err
	}
	step, _, err := t.step(point, t.theta, t.Prior)
	if err != nil {
		return 0, err
	}
	shares := t.withUnit()
	for k := range shares {
		shares[k] = (shares[k] + 1) / (t.people() + 2)
	}
	return t.move(ctx, step, func(float64) []float64 { return shares })
}

// move goes along a step, halved while the objective falls. The gain is 0 where it falls all the same.
func (t *tasting) move(ctx context.Context, step []float64, shares func(part float64) []float64) (gain float64, err error) {
	before := t.objective(t.now, t.theta, t.shares)
	for part := 1.0; part > 1e-6; part /= 2 {
		theta := slices.Clone(t.theta)
		for k := range theta {
			theta[k] += part * step[k]
		}
		next, err := t.at(ctx, theta, shares(part))
		if err != nil {
			return 0, err
		}
		if gain := t.objective(next, theta, shares(part)) - before; gain >= -1e-12*math.Abs(before) {
			t.theta, t.shares, t.now = theta, shares(part), next
			return gain, nil
		}
	}
	return 0, nil
}

// learnUnits sets the precision of the units by their weights.
func (t *tasting) learnUnits() {
	var square float64
	for _, v := range t.theta[t.W:t.Global] {
		square += v * v
	}
	// One more of variance 1 in the sum: where votes show no tastes, weights stay small without end.
	t.Prior.Unit = math.Min(1e4, (float64(t.Global-t.W)+1)/(square+1))
}

// firstTastes is the fit of one board, and for units the leading directions of the scores of raters.
func (p *panel) firstTastes(ctx context.Context, o Options) ([]float64, error) {
	one := p.oneBoard()
	fit, err := one.maximise(ctx, one.Start(), o)
	if err != nil {
		return nil, err
	}
	all, err := one.squares(ctx, fit.Theta, o.Jobs)
	if err != nil {
		return nil, err
	}
	squares := mat.NewSymDense(p.Items, nil)
	unit := make([]float64, p.Items) // the root of the same if raters did not differ
	for i := range unit {
		unit[i] = math.Sqrt(math.Max(1e-9, fit.point.information[i*one.Global+i]))
	}
	for i := range unit {
		for j := range i + 1 {
			squares.SetSym(i, j, all[i*one.Global+j]/(unit[i]*unit[j]))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(squares, true) {
		return nil, fmt.Errorf("fit: the scores of raters have no leading directions")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	theta := make([]float64, p.All)
	copy(theta, fit.Theta)
	for k := range p.Units {
		var mean float64 // a constant on all worths changes nothing but the prior, which takes it back in many small steps
		for i := range p.Items {
			mean += vectors.At(i, p.Items-1-k) / float64(p.Items)
		}
		for i := range p.Items {
			v := (vectors.At(i, p.Items-1-k) - mean) * math.Sqrt(float64(p.Items))
			theta[p.W+k*p.Each+i] = v / 2
			theta[i] -= v / 4 // the mean rater stays where they were
		}
	}
	return theta, nil
}

// oneBoard is the panel without units.
func (p *panel) oneBoard() *panel {
	one := *p
	one.Data = &Data{Data: p.WithoutUnits()}
	return &one
}
