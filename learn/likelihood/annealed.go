package likelihood

import (
	"context"
	"fmt"
	"math"

	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/infer/ais"
)

// Annealing is the settings of annealed importance sampling. Start from [DefaultAnnealing].
type Annealing struct {
	Steps, Runs int
	// Budget is the number of pairs of items that all sweeps may visit together. Where all votes would need more, a sample of
	// them is drawn.
	Budget float64
	Seed   uint64
}

// DefaultAnnealing takes half a minute on one core at most, where a pair takes 30 ns.
func DefaultAnnealing() Annealing { return Annealing{Steps: 200, Runs: 8, Budget: 1e9} }

// Annealed is an estimate of the log likelihood of votes too long for exact sums.
type Annealed struct {
	Mean     float64 // log likelihood of a vote, weights counted
	StdError float64 // by the runs, and by the choice of a sample
	Size     float64 // effective number of runs, the mean over sets; near 1, Mean and StdError are worth nothing
	Sets     int     // distributions that votes came from: items, covariates, rater
	Used     int     // of them those whose normaliser was estimated
}

// Reliable reports whether the estimates rest on at least two effective runs, and not on one that outweighs all others.
func (a *Annealed) Reliable() bool { return a.Size >= 2 }

// annealed is the estimate for one set.
type annealed struct {
	weight, log, variance float64 // of the votes; log likelihood; variance of the log normaliser
	size                  float64 // effective number of runs
}

// Anneal estimates the log likelihood of the fitted votes: log weights are exact, and the normaliser of each set of items,
// covariates and rater is found by annealed importance sampling. Equal sets are annealed once. From a sample of sets the
// others follow by regression on their slot log likelihood.
func (f *Fit) Anneal(ctx context.Context, o Annealing) (*Annealed, error) {
	sets := len(f.Groups) - 1
	chosen := f.sample(o)
	results := make([]annealed, len(chosen))
	a := &Annealed{Sets: sets}
	for _, upto := range []int{min(fewSets, len(chosen)), len(chosen)} { // where a few are not reliable, others are not either
		first := a.Used
		err := parallel.Each(ctx, upto-first, f.jobs, func(_, k int) (err error) {
			results[first+k], err = f.annealSet(ctx, chosen[first+k], o)
			return err
		})
		if err != nil {
			return nil, err
		}
		a.Used, a.Size = upto, 0
		for _, r := range results[:upto] {
			a.Size += r.size / float64(upto)
		}
		if !a.Reliable() {
			break
		}
	}
	var variance, total float64
	for _, r := range results[:a.Used] {
		total += r.log
		variance += r.weight * r.weight * r.variance
	}
	if a.Used < sets {
		total, variance = f.extend(chosen[:a.Used], results[:a.Used])
	}
	a.Mean, a.StdError = total/f.Weight, math.Sqrt(variance)/f.Weight
	return a, nil
}

// fewSets is the smallest number of sets in a sample.
const fewSets = 10

// annealSet estimates the log likelihood of the votes of group g.
func (f *Fit) annealSet(ctx context.Context, g int, o Annealing) (annealed, error) {
	m := f.Data.NewLocal()
	m.Load(f.Theta, f.Groups[g].Vote)
	e, err := ais.Run(ctx, m.Annealing(), ais.Options{Steps: o.Steps, Runs: o.Runs, Jobs: 1, Seed: rng.Stream(o.Seed, "votes", uint64(g)).Uint64()})
	if err != nil {
		return annealed{}, fmt.Errorf("fit: vote of %d items: %w", m.N(), err)
	}
	square := e.StdErr * e.StdErr
	r := annealed{weight: f.Groups[g].Weight, variance: square, size: e.Size}
	for _, each := range f.OutcomesOf(g) {
		r.log += each.Weight * m.LogWeight(f.TiersOf(each.Vote))
	}
	r.log -= r.weight * (e.LogZ + square/2) // the log of a mean is too low by half its variance, about
	return r, nil
}

// extend is the log likelihood of all groups from that of a sample, with its variance: by least squares on the weight and the
// slot log likelihood of each group. The spread around the regression has the errors of annealing in it.
func (f *Fit) extend(chosen []int, results []annealed) (total, variance float64) {
	m := f.Data.NewLocal()
	known := func(g int) (slots float64) {
		m.Load(f.Theta, f.Groups[g].Vote)
		for _, o := range f.OutcomesOf(g) {
			slots += o.Weight * m.Composite(f.TiersOf(o.Vote), false)
		}
		return slots
	}
	slots := make([]float64, len(f.Groups)-1)
	for g := range slots {
		slots[g] = known(g)
	}
	var ww, wx, xx, wy, xy float64
	for k, r := range results {
		w, x := r.weight, slots[chosen[k]]
		ww, wx, xx, wy, xy = ww+w*w, wx+w*x, xx+x*x, wy+w*r.log, xy+x*r.log
	}
	alpha, beta := wy/ww, 0.0
	if det := ww*xx - wx*wx; det > 1e-9*ww*xx {
		alpha, beta = (xx*wy-wx*xy)/det, (ww*xy-wx*wy)/det
	}
	for g, x := range slots {
		total += alpha*f.Groups[g].Weight + beta*x
	}
	var rest, apart float64
	for k, r := range results {
		e := r.log - alpha*r.weight - beta*slots[chosen[k]]
		rest += e
		apart += e * e
	}
	n, sets := float64(len(results)), float64(len(slots))
	return total + rest*sets/n, apart / (n - 2) / n * sets * sets
}

// sample is the groups whose normalisers are estimated, in a random order: all, or as many as the budget has room for, but ten
// at least.
func (f *Fit) sample(o Annealing) []int {
	order := make([]int, len(f.Groups)-1)
	rng.Permutation(rng.Stream(o.Seed, "sample"), order)
	var cost float64
	for k, g := range order {
		n := float64(len(f.ItemsOf(f.Groups[g].Vote)))
		cost += n * n * float64(o.Steps*o.Runs)
		if cost > o.Budget && k >= fewSets {
			return order[:k]
		}
	}
	return order
}
