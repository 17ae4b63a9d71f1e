package likelihood

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"fubini/core/cholesky"
	"fubini/learn/ballot"
)

// Tastes is a fit in which raters differ: each has or has not each of a few hidden units, and a
// unit adds its weights to the worths. The units of a rater are the same in all their votes.
// The information of the fit, and so [Fit.Covariance], has that of the unseen units taken off.
type Tastes struct {
	*Fit
	Shares    []float64   // of raters that have each unit
	Raters    []int32     // the number of each rater with a vote on two items
	Posterior [][]float64 // of each of them: the probability of every set of units, unit k being bit k
}

// MaxUnits is the largest number of units: all 2^K sets of them are listed.
const MaxUnits = 6

// Tastes fits a design with hidden units by the EM algorithm, whose second half is one Newton
// step, and at the end by Newton steps with the observed information. It starts from one board
// for all and the directions in which the raters' scores differ most. The precision of units is
// learned, from the one given.
func (d *Data) Tastes(ctx context.Context, o Options) (*Tastes, error) {
	if err := d.checkTastes(o); err != nil {
		return nil, err
	}
	t, err := d.panel().tastes(ctx, o)
	if err != nil {
		return nil, err
	}
	return t.finish(ctx, d)
}

func (d *Data) checkTastes(o Options) error {
	if d.Units < 1 || d.Units > MaxUnits || !d.ByRaters() || d.Raters > 0 {
		return fmt.Errorf("fit: tastes need 1 to %d units, votes by named raters, and no reliabilities", MaxUnits)
	}
	if d.Slots {
		return fmt.Errorf("fit: tastes need votes of at most %d items; for longer ones there is fubini train --model latent-osm", ballot.MaxItems)
	}
	if !(o.Prior.Unit > 0) {
		return fmt.Errorf("fit: hidden units need a prior: the data are seldom enough for each")
	}
	return d.check(o.Prior)
}

// tasting is a fit of tastes on its way.
type tasting struct {
	*panel
	Options
	theta, shares []float64
	now           *beliefs
	steps         int
}

// tastes climbs by EM until a step gains little.
func (p *panel) tastes(ctx context.Context, o Options) (*tasting, error) {
	theta, err := p.firstTastes(ctx, o)
	if err != nil {
		return nil, err
	}
	t := &tasting{panel: p, Options: o, theta: theta, shares: make([]float64, p.Units)}
	for k := range t.shares {
		t.shares[k] = 0.5
	}
	if t.now, err = t.at(ctx, t.theta, t.shares); err != nil {
		return nil, err
	}
	for gain := math.Inf(1); t.steps < 5*o.Steps; t.steps++ {
		settled := true
		if t.steps%10 == 9 || gain < 1e-3 {
			before := t.Prior.Unit
			t.learnUnits()
			settled = math.Abs(math.Log(t.Prior.Unit/before)) < 1e-3
		}
		if gain < 1e-3 && settled {
			return t, nil
		}
		if gain, err = t.maximisation(ctx); err != nil {
			return nil, err
		}
	}
	return t, nil // slowly; Newton's steps follow
}

// logShares are the log probabilities of all sets of units.
func logShares(shares []float64) []float64 {
	logs := make([]float64, 1<<len(shares))
	for s := range logs {
		for k, share := range shares {
			if s>>k&1 == 1 {
				logs[s] += math.Log(share)
			} else {
				logs[s] += math.Log1p(-share)
			}
		}
	}
	return logs
}

func (t *tasting) at(ctx context.Context, theta, shares []float64) (*beliefs, error) {
	return t.believe(ctx, theta, logShares(shares), t.Jobs)
}

// objective is the log likelihood with the priors: that of shares is one rater more on each side.
func (t *tasting) objective(b *beliefs, theta, shares []float64) float64 {
	value := b.value - t.penalty(theta, t.Prior)
	for _, share := range shares {
		value += math.Log(share) + math.Log1p(-share)
	}
	return value
}

// held is the number of raters with each unit, by the posterior.
func (t *tasting) held() []float64 {
	held, states := make([]float64, t.Units), 1<<t.Units
	for at, q := range t.now.posterior {
		for k := range held {
			if at%states>>k&1 == 1 {
				held[k] += q
			}
		}
	}
	return held
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
	shares := t.held()
	for k := range shares {
		shares[k] = (shares[k] + 1) / (float64(len(t.raters)) + 2)
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
		for i := range p.Items {
			v := vectors.At(i, p.Items-1-k) * math.Sqrt(float64(p.Items))
			theta[p.W+k*p.Items+i] = v / 2
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

// finish climbs to the top by Newton steps, and keeps the observed information there.
func (t *tasting) finish(ctx context.Context, d *Data) (*Tastes, error) {
	var top *point
	for last := false; ; t.steps++ {
		point, matrix, gradient, err := t.observed(ctx)
		if err != nil {
			return nil, err
		}
		size := len(gradient)
		solved := slices.Clone(gradient)
		definite := cholesky.Solve(matrix, solved)
		var decrement float64
		for k, v := range solved {
			decrement += v * gradient[k]
		}
		if last || definite && decrement < 1e-8 {
			top = point
			break
		}
		if t.steps >= 10*t.Options.Steps {
			return nil, fmt.Errorf("%w after %d steps: tastes that the votes hardly tell apart; use fewer units", ErrNotConverged, t.steps)
		}
		var gain float64
		if definite {
			shares := func(part float64) []float64 {
				next := slices.Clone(t.shares)
				for k := range next {
					odds := math.Log(next[k]/(1-next[k])) + part*math.Max(-2, math.Min(2, solved[size-t.Units+k]))
					next[k] = math.Min(1-1e-12, math.Max(1e-12, 1/(1+math.Exp(-odds))))
				}
				return next
			}
			if gain, err = t.move(ctx, solved, shares); err != nil {
				return nil, err
			}
		}
		if gain > 0 {
			last = decrement < 1e-4 // the step that follows has the square of that left
			continue
		}
		for range 20 { // far from the top, or at a saddle
			if gain, err = t.maximisation(ctx); err != nil {
				return nil, err
			}
			t.steps++
		}
		last = definite && gain == 0
	}
	states, posterior := 1<<t.Units, make([][]float64, len(t.raters))
	for r := range posterior {
		posterior[r] = t.now.posterior[r*states : (r+1)*states]
	}
	fit := &Fit{Data: d, Theta: t.theta, Prior: t.Prior, LogLikelihood: t.now.value, Steps: t.steps, jobs: t.Jobs, point: top}
	return &Tastes{Fit: fit, Shares: t.shares, Raters: t.raters, Posterior: posterior}, nil
}

// Board has the worths of the raters with a set of units, unit k being bit k. They sum to zero.
func (t *Tastes) Board(units int) []float64 {
	worths := t.Worths()
	var mean float64
	for i := range worths {
		for k := range t.Units {
			if units>>k&1 == 1 {
				worths[i] += t.Theta[t.W+k*t.Items+i]
			}
		}
		mean += worths[i] / float64(t.Items)
	}
	for i := range worths {
		worths[i] -= mean
	}
	return worths
}

// Variances are those of a board's worths less a times those of another board, where c is the covariance of the fit:
// a = 0 gives the errors of a board, a = 1 those of the differences of two.
func (t *Tastes) Variances(c Covariance, units, other int, a float64) []float64 {
	g, worths := t.Global, t.OfWorths(c)
	out := make([]float64, t.Items)
	for i := range out {
		type term struct {
			at int
			by float64
		}
		base := 1 - a
		var terms []term
		for k := range t.Units {
			if by := float64(units>>k&1) - a*float64(other>>k&1); by != 0 {
				terms = append(terms, term{t.W + k*t.Items + i, by})
			}
		}
		out[i] = base * base * worths[i*t.Items+i]
		for _, x := range terms {
			cross := c[x.at*g+i]
			for j := range t.Item.Names {
				cross += t.Item.Values[i*len(t.Item.Names)+j] * c[x.at*g+t.Beta+j]
			}
			out[i] += 2 * base * x.by * cross
			for _, y := range terms {
				out[i] += x.by * y.by * c[x.at*g+y.at]
			}
		}
	}
	return out
}
