package likelihood

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"

	"fubini/learn/ballot"

	"gonum.org/v1/gonum/stat/distuv"
)

// Goodness is how the fitted model agrees with the votes it was fitted to.
type Goodness struct {
	// Deviance is twice the log likelihood of the saturated model, which gives every outcome of
	// every set of items its own share of votes, minus that of the fit. Degrees is the number of
	// parameters by which the two differ, those of the fit counted by Effective; with few votes for each set of items the
	// deviance is not chi-square. Both are NaN with Slots, where the likelihood is not summed up.
	Deviance float64
	Degrees  float64
	// Effective is the number of parameters that votes determine, see [Fit.Effective]; NaN with Slots too.
	Effective float64
	// Observed and Expected are the shares of tied pairs among all pairs of all votes. With Slots what is expected of a pair is
	// conditional: the mean of what each of the two has, all others given. Where votes are choices with ties from many items, it is
	// the sum over the choices that were made from both of them.
	Observed, Expected float64
	Pairs              []Pair // that met in votes, by their residual, the largest first
}

// Pair is two items, their outcomes in all votes with both, and what the fit expects of them.
type Pair struct {
	I, J     int        // I < J
	Observed [3]float64 // I above J, tied, J above I
	Expected [3]float64
	// Square is the Pearson statistic of the pair, with 2 degrees of freedom (1 without ties)
	// before parameters are counted. In votes of more than two items it is a guide, not a test.
	Square float64
}

// P is the probability of a residual at least as large if the fit is true.
func (p *Pair) P(space ballot.Space) float64 {
	degrees := 2.0
	if space == ballot.WithoutTies {
		degrees = 1
	}
	return distuv.ChiSquared{K: degrees}.Survival(p.Square)
}

// Goodness computes the deviance of the fit, and the observed and expected outcomes of all pairs of items.
func (f *Fit) Goodness(ctx context.Context) (*Goodness, error) {
	effective, err := f.Effective()
	if err != nil {
		return nil, err
	}
	g := &Goodness{Degrees: -effective, Effective: effective}
	pairs := map[[2]int32]*Pair{}
	m := f.Data.NewLocal()
	var saturated, all, tied, expected float64
	var met []*Pair // the pairs of a group
	for k := range len(f.Groups) - 1 {
		if k%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		each := f.Groups[k]
		items, n := f.ItemsOf(each.Vote), len(f.ItemsOf(each.Vote))
		m.Load(f.Theta, each.Vote)
		met = met[:0]
		for b := range n {
			for a := range b { // items ascend
				p := pairs[[2]int32{items[a], items[b]}]
				if p == nil {
					p = &Pair{I: int(items[a]), J: int(items[b])}
					pairs[[2]int32{items[a], items[b]}] = p
				}
				met = append(met, p)
			}
		}
		expect := func(weight float64, above, ties []float64) {
			for b := range n {
				for a := range b {
					p := met[b*(b-1)/2+a]
					p.Expected[0] += weight * above[a*n+b]
					p.Expected[1] += weight * ties[a*n+b]
					p.Expected[2] += weight * above[b*n+a]
					expected += weight * ties[a*n+b]
					all += weight
				}
			}
		}
		if !f.Slots {
			outcomes, _ := new(big.Float).SetInt(f.Space.Of(n).Count(n)).Float64()
			g.Degrees += outcomes - 1
		}
		if !m.PairsByVote() {
			above, ties, err := m.ExpectedPairs()
			if err != nil {
				return nil, err
			}
			expect(each.Weight, above, ties)
		}
		for _, o := range f.OutcomesOf(k) {
			saturated += o.Weight * math.Log(o.Weight/each.Weight)
			tiers := f.TiersOf(o.Vote)
			if m.PairsByVote() {
				above, ties := m.VotePairs(tiers)
				expect(o.Weight, above, ties)
			}
			for b := range n {
				for a := range b {
					p := met[b*(b-1)/2+a]
					p.Observed[1+cmp.Compare(tiers[a], tiers[b])] += o.Weight
					if tiers[a] == tiers[b] {
						tied += o.Weight
					}
				}
			}
		}
	}
	g.Deviance = 2 * (saturated - f.LogLikelihood)
	if f.Slots {
		g.Deviance, g.Degrees, g.Effective = math.NaN(), math.NaN(), math.NaN()
	}
	g.Observed, g.Expected = tied/all, expected/all
	for _, p := range pairs {
		for o, e := range p.Expected {
			if e > 0 {
				p.Square += (p.Observed[o] - e) * (p.Observed[o] - e) / e
			}
		}
		g.Pairs = append(g.Pairs, *p)
	}
	slices.SortFunc(g.Pairs, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(b.Square, a.Square), cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J))
	})
	return g, nil
}

// Effective is the number of parameters that votes, not priors, determine: the trace of the expected information times the inverse
// of that of the posterior. Each parameter with a prior counts as one less its precision times the variance of its posterior,
// and all together are [Fit.Free] where there is no prior. That the precision may be learned too is not counted.
// See docs/maths.md#votes.
func (f *Fit) Effective() (float64, error) {
	count := float64(f.Free())
	if f.Prior == (ballot.Precision{}) {
		return count, nil
	}
	c, err := f.Inverse()
	if err != nil {
		return 0, err
	}
	for k := range f.Global {
		precision, _ := f.prior(k, f.Prior)
		count -= precision * c[k*f.Global+k]
	}
	return count, nil
}

// LogLikelihoodOf is the log likelihood of other votes of the same design.
func (f *Fit) LogLikelihoodOf(ctx context.Context, other *Data) (float64, error) {
	if other.Layout != f.Layout {
		return 0, fmt.Errorf("fit: votes of another design")
	}
	if f.Raters > 0 {
		return f.raters.LogLikelihoodOf(ctx, other.raters, f.Theta, f.point.raters, f.jobs)
	}
	p, err := other.evaluate(ctx, f.Theta, f.jobs, false)
	if err != nil {
		return 0, err
	}
	return p.value, nil
}
