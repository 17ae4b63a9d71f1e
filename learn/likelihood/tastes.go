package likelihood

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fubini/core/cholesky"
	"fubini/learn/ballot"
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

// finish climbs to the top by Newton steps, and keeps the observed information there.
func (t *tasting) finish(ctx context.Context, d *Data) (*Tastes, error) {
	var top *point
	for last := false; ; t.steps++ {
		point, matrix, gradient, err := t.observed(ctx)
		if err != nil {
			return nil, err
		}
		size := len(gradient)
		// Along directions in which the objective is convex, as far from the top, the step is uphill too, and longer than one of EM.
		solved, definite := cholesky.SolveRaised(matrix, gradient)
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

// Variances are the variances of a board's worths minus a times the worths of another board, where c is the covariance of the fit:
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

// Covariance is [Fit.Covariance], and where votes are too long for exact sums the sandwich over raters.
func (t *Tastes) Covariance() (Covariance, error) {
	inverse, err := t.Fit.Covariance()
	if err != nil || t.squares == nil {
		return inverse, err
	}
	return t.between(inverse, slices.Clone(t.squares)), nil
}
