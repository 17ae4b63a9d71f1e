package likelihood

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"fubini/core/cholesky"
	"fubini/learn/ballot"
	"fubini/model/osm"
)

// Tastes is a fit in which raters differ: each has or has not each of a few hidden units, and a
// unit adds its weights to the worths, or to all parameters (ballot.Design.General). The units of a rater are the same in all their
// votes; where raters are not named, each vote is one of a rater of its own.
// The information of the fit, and so [Tastes.Covariance], has that of the unseen units taken off.
type Tastes struct {
	*Fit
	Shares    []float64   // of raters that have each unit
	Held      []float64   // by every set of units: the number of raters who have it. Unit k is bit k of a set
	Raters    []int32     // the number of each rater with a vote on two items; nil where they are not named
	Posterior [][]float64 // of each of them, or of each order: the probability of every set of units
	// Power is that of the likelihood of a vote in the posterior: 1, and less where votes are too long for exact sums.
	Power   float64
	squares []float64 // of the scores of raters, the shares eliminated, where errors are sandwich ones
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
	if d.Units < 1 || d.Units > MaxUnits || d.Raters > 0 {
		return fmt.Errorf("fit: tastes need 1 to %d units, and no reliabilities", MaxUnits)
	}
	if !d.ByRaters() && !slices.ContainsFunc(d.Orders, func(o ballot.Order) bool { return len(d.ItemsOf(o.Vote)) > 2 }) {
		return fmt.Errorf("fit: votes on two items tell nothing of tastes that may differ from vote to vote; name the raters, who have one taste in all their votes")
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

// tastes climbs by EM until a step gains little. The power of the slot likelihood and the estimates are found in turns.
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
	if err := t.climb(ctx); err != nil || !t.Slots {
		return t, err
	}
	for range 5 {
		before := t.power
		if err := t.setPower(ctx); err != nil {
			return nil, err
		}
		if err := t.climb(ctx); err != nil || math.Abs(t.power-before) < 0.01 {
			return t, err
		}
	}
	return t, nil
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

// finish climbs to the top by Newton steps, and keeps the observed information there.
func (t *tasting) finish(ctx context.Context, d *Data) (*Tastes, error) {
	var top *point
	for last := false; ; t.steps++ {
		point, matrix, gradient, err := t.observed(ctx)
		if err != nil {
			return nil, err
		}
		size := len(gradient)
		solved, definite := newton(matrix, gradient)
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
		shares := func(part float64) []float64 {
			next := slices.Clone(t.shares)
			for k := range next {
				odds := math.Log(next[k]/(1-next[k])) + part*math.Max(-2, math.Min(2, solved[size-t.Units+k]))
				next[k] = math.Min(1-1e-12, math.Max(1e-12, 1/(1+math.Exp(-odds))))
			}
			return next
		}
		gain, err := t.move(ctx, solved, shares)
		if err != nil {
			return nil, err
		}
		if gain > 0 {
			last = definite && decrement < 1e-4 // the step that follows has the square of that left
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
	tastes := &Tastes{Fit: fit, Shares: t.shares, Held: t.held(), Posterior: posterior, Power: t.power}
	if t.Slots {
		var err error
		if tastes.squares, err = t.squaresOfRaters(ctx); err != nil {
			return nil, err
		}
	}
	if !t.apart {
		tastes.Raters = t.raters
	}
	return tastes, nil
}

// newton is a step by the lower triangle of the negative matrix of second derivatives, and whether that is positive definite. Where
// it is not, as far from the top, its diagonal is raised until it is: along directions in which the objective is convex the
// step is uphill too, and longer than one of EM.
func newton(matrix, gradient []float64) (step []float64, definite bool) {
	n := len(gradient)
	for more := 0.0; more < 1e6; more = max(1e-3, 4*more) {
		damped := slices.Clone(matrix)
		for k := range n {
			damped[k*(n+1)] += more * math.Max(1, math.Abs(matrix[k*(n+1)]))
		}
		step = slices.Clone(gradient)
		if cholesky.Solve(damped, step) {
			return step, more == 0
		}
	}
	return make([]float64, n), false
}

// Given is the fit of one visible model to the raters with a set of units: without units, at their parameters.
func (t *Tastes) Given(units int) *Fit {
	f := *t.Fit
	f.Data = &Data{Data: t.WithoutUnits()}
	f.Theta = slices.Clone(t.Theta[:t.W])
	for k := range t.Units {
		if units>>k&1 == 1 {
			for j := range t.Each {
				f.Theta[j] += t.Theta[t.W+k*t.Each+j]
			}
		}
	}
	return &f
}

// Board has the worths of the raters with a set of units, unit k being bit k. They sum to zero.
func (t *Tastes) Board(units int) []float64 { return t.Given(units).Worths() }

// Variances are those of a board's worths less a times those of another board, where c is the covariance of the fit:
// a = 0 gives the errors of a board, a = 1 those of the differences of two.
func (t *Tastes) Variances(c Covariance, units, other int, a float64) []float64 {
	n := len(t.Item.Names)
	means := make([]float64, n) // of covariates of items: worths sum to zero
	for at, x := range t.Item.Values {
		means[at%n] += x / float64(t.Items)
	}
	out := make([]float64, t.Items)
	var terms []ballot.Entry // weights of parameters in the difference
	add := func(first, i int, by float64, regression bool) {
		if by == 0 {
			return
		}
		terms = append(terms, ballot.Entry{At: first + i, By: by})
		for j := range n {
			if regression {
				terms = append(terms, ballot.Entry{At: first + t.Beta + j, By: by * (t.Item.Values[i*n+j] - means[j])})
			}
		}
	}
	for i := range out {
		terms = terms[:0]
		add(0, i, 1-a, true)
		for k := range t.Units {
			add(t.W+k*t.Each, i, float64(units>>k&1)-a*float64(other>>k&1), t.General)
		}
		for _, x := range terms {
			for _, y := range terms {
				out[i] += x.By * y.By * c[x.At*t.Global+y.At]
			}
		}
	}
	return out
}

// UnitWeights are the parameters beside worths and tie deviations of somebody without units, and after each of them the weights of the
// units on it, where c is the covariance of the fit. There are none where units have weights on worths alone.
func (t *Tastes) UnitWeights(c Covariance) (weights []Parameter) {
	if !t.General {
		return nil
	}
	for _, k := range t.beside() {
		for unit := -1; unit < t.Units; unit++ {
			at := k
			if unit >= 0 {
				at = t.W + unit*t.Each + k
			}
			weights = append(weights, Parameter{t.Name(at), t.Theta[at], math.Sqrt(c[at*(t.Global+1)]), t.onWorths(k)})
		}
	}
	return weights
}
