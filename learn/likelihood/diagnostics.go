package likelihood

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"fubini/core/rng"
)

// Goodness is how the fitted model agrees with the votes it was fitted to.
type Goodness struct {
	// Deviance is twice the log likelihood of the saturated model, which gives every outcome of
	// every set of items its own share of votes, minus that of the fit. Degrees is the number of
	// parameters by which the two differ; with few votes for each set of items the deviance is
	// not chi-square. Both are NaN with Slots, where the likelihood is not summed up.
	Deviance float64
	Degrees  float64
	// Observed and Expected are the shares of tied pairs among all pairs of all votes. With Slots what is expected of a pair is
	// conditional: the mean of what each of the two has, all others given. Where votes are choices, it is the sum over the
	// choices that were made from both of them.
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
func (p *Pair) P(space Space) float64 {
	degrees := 2.0
	if space == WithoutTies {
		degrees = 1
	}
	return distuv.ChiSquared{K: degrees}.Survival(p.Square)
}

// Goodness computes expectations of all pairs.
func (f *Fit) Goodness(ctx context.Context) (*Goodness, error) {
	g := &Goodness{Degrees: -float64(f.Free())}
	pairs := map[[2]int32]*Pair{}
	m := &local{Data: f.Data}
	var saturated, all, tied, expected float64
	var met []*Pair // the pairs of a group
	for k := range len(f.groups) - 1 {
		if k%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		each := f.groups[k]
		items, n := f.items(each.vote), len(f.items(each.vote))
		m.load(f.Theta, each.vote)
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
		if !m.byVote() {
			above, ties, err := m.pairs()
			if err != nil {
				return nil, err
			}
			expect(each.weight, above, ties)
		}
		for _, o := range f.outcomes(k) {
			saturated += o.weight * math.Log(o.weight/each.weight)
			tiers := f.tiers(o.vote)
			if m.byVote() {
				above, ties := m.votePairs(tiers)
				expect(o.weight, above, ties)
			}
			for b := range n {
				for a := range b {
					p := met[b*(b-1)/2+a]
					p.Observed[1+cmp.Compare(tiers[a], tiers[b])] += o.weight
					if tiers[a] == tiers[b] {
						tied += o.weight
					}
				}
			}
		}
	}
	g.Deviance = 2 * (saturated - f.LogLikelihood)
	if f.Slots {
		g.Deviance, g.Degrees = math.NaN(), math.NaN()
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

// pairs are the probabilities of all pairs of places.
func (m *local) pairs() (above, tied []float64, err error) {
	n := m.n
	above, tied = make([]float64, n*n), make([]float64, n*n)
	if m.listed() {
		m.list(false)
		for o, tiers := range m.all() {
			for k := range n {
				for l := range n {
					switch p := m.probabilities[o]; {
					case k == l:
					case tiers[k] == tiers[l]:
						tied[k*n+l] += p
					case tiers[k] < tiers[l]:
						above[k*n+l] += p
					}
				}
			}
		}
		return above, tied, nil
	}
	moments, err := m.moments()
	if err != nil {
		return nil, nil, err
	}
	for k := range n {
		for l := range n {
			above[k*n+l], tied[k*n+l] = moments.Above(k, l), moments.Tied(k, l)
		}
	}
	return above, tied, nil
}

// Split draws whole votes apart: each goes to the first part with the given probability. Weights
// count votes and must be whole numbers.
func (d *Data) Split(share float64, seed uint64) (first, second *Data, err error) {
	r := rng.Stream(seed, "split")
	parts := [2]Votes{{Start: []int32{0}}, {Start: []int32{0}}}
	for _, o := range d.orders {
		if o.weight != math.Round(o.weight) {
			return nil, nil, fmt.Errorf("fit: weight %g; only whole votes can be held out", o.weight)
		}
		n := distuv.Binomial{N: o.weight, P: share, Src: r}.Rand()
		for k, weight := range [2]float64{n, o.weight - n} {
			if weight == 0 {
				continue
			}
			v := &parts[k]
			v.Item, v.Tier = append(v.Item, d.items(o.vote)...), append(v.Tier, d.tiers(o.vote)...)
			v.Place, v.Vote = append(v.Place, d.place(o.vote)...), append(v.Vote, d.vote(o.vote)...)
			v.Start, v.Weight = append(v.Start, int32(len(v.Item))), append(v.Weight, weight)
			if d.votes.Rater != nil {
				v.Rater = append(v.Rater, d.votes.Rater[o.vote])
			}
		}
	}
	if first, err = Group(d.Design, parts[0]); err != nil {
		return nil, nil, err
	}
	if second, err = Group(d.Design, parts[1]); err != nil {
		return nil, nil, err
	}
	return first, second, nil
}

// LogLikelihoodOf is the log likelihood of other votes of the same design.
func (f *Fit) LogLikelihoodOf(ctx context.Context, other *Data) (float64, error) {
	if other.layout != f.layout {
		return 0, fmt.Errorf("fit: votes of another design")
	}
	p, err := other.evaluate(ctx, f.Theta, f.jobs, false)
	if err != nil {
		return 0, err
	}
	return p.value, nil
}
