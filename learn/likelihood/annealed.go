package likelihood

import (
	"context"
	"fmt"
	"math"

	"fubini/core/parallel"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/ais"
	"fubini/infer/mcmc"
	"fubini/model/osm"
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

// Reliable is whether more than one run carries the estimates.
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
	sets := len(f.groups) - 1
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
	m := &local{Data: f.Data}
	m.load(f.Theta, f.groups[g].vote)
	e, err := ais.Run(ctx, m.annealing(), ais.Options{Steps: o.Steps, Runs: o.Runs, Jobs: 1, Seed: rng.Stream(o.Seed, "votes", uint64(g)).Uint64()})
	if err != nil {
		return annealed{}, fmt.Errorf("fit: vote of %d items: %w", m.n, err)
	}
	square := e.StdErr * e.StdErr
	r := annealed{weight: f.groups[g].weight, variance: square, size: e.Size}
	for _, each := range f.outcomes(g) {
		r.log += each.weight * m.logWeight(f.tiers(each.vote))
	}
	r.log -= r.weight * (e.LogZ + square/2) // the log of a mean is too low by half its variance, about
	return r, nil
}

// extend is the log likelihood of all groups from that of a sample, with its variance: by least squares on the weight and the
// slot log likelihood of each group. The spread around the regression has the errors of annealing in it.
func (f *Fit) extend(chosen []int, results []annealed) (total, variance float64) {
	m := &local{Data: f.Data}
	known := func(g int) (slots float64) {
		m.load(f.Theta, f.groups[g].vote)
		for _, o := range f.outcomes(g) {
			slots += o.weight * m.composite(f.tiers(o.vote), false)
		}
		return slots
	}
	slots := make([]float64, len(f.groups)-1)
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
		total += alpha*f.groups[g].weight + beta*x
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
	order := make([]int, len(f.groups)-1)
	rng.Permutation(rng.Stream(o.Seed, "sample"), order)
	var cost float64
	for k, g := range order {
		n := float64(len(f.items(f.groups[g].vote)))
		cost += n * n * float64(o.Steps*o.Runs)
		if cost > o.Budget && k >= fewSets {
			return order[:k]
		}
	}
	return order
}

// annealing is the path from the uniform distribution over the space to the model of the vote in hand: all log potentials
// are multiplied by tau. A step is a sweep of reinsertions.
func (m *local) annealing() ais.Problem {
	n := float64(m.n)
	start := partition.LogFubini(m.n)
	switch m.Space {
	case WithoutTies:
		start, _ = math.Lgamma(n + 1)
	case TwoTiers:
		start = n*math.Ln2 + math.Log1p(-2*math.Exp2(-n)) // both tiers have items
	}
	return ais.Problem{LogZ0: start, New: func() ais.Walk { return newWalk(m) }}
}

type walk struct {
	*local
	model   osm.Model // of the pairs, without weights of tier sizes
	tau     float64
	x       *partition.Partition
	weight  float64 // log weight of x, where known
	known   bool
	ranks   []int
	uniform *partition.Uniform
	kernel  mcmc.Kernel[partition.Partition]
}

func newWalk(m *local) *walk {
	n := m.n
	w := &walk{local: m, model: osm.NewPairwise(n, m.tie[:n*n], m.above[:n*n]), x: partition.OneBlock(n), ranks: make([]int, n), uniform: partition.NewUniform(n)}
	kernel, err := mcmc.NewReinsertion(w, m.Space.Of(n))
	if err != nil {
		panic(fmt.Sprintf("fit: %v", err)) // votes of one item are left out
	}
	w.kernel = kernel
	return w
}

// Start implements ais.Walk.
func (w *walk) Start(d rng.Dice) {
	w.known = false
	switch w.Space {
	case WithoutTies:
		rng.Permutation(d, w.ranks)
		w.x.SetRanks(w.ranks)
	case TwoTiers:
		for sum := 0; sum == 0 || sum == w.n; {
			sum = 0
			for k := range w.ranks {
				w.ranks[k] = int(d.Coins(1))
				sum += w.ranks[k]
			}
		}
		w.x.SetRanks(w.ranks)
	default:
		w.uniform.Draw(d, w.x)
	}
}

// LogWeight implements ais.Walk.
func (w *walk) LogWeight(tau float64) float64 {
	if !w.known {
		w.weight, w.known = w.model.LogWeight(w.x)+w.sizes.Total(w.x), true
	}
	return tau * w.weight
}

// Step implements ais.Walk.
func (w *walk) Step(d rng.Dice, tau float64) {
	w.tau, w.known = tau, false
	w.kernel.Step(d, w.x, nil)
}

// NewSlots implements mcmc.SlotTarget: the slots of the model at the current temperature.
func (w *walk) NewSlots() mcmc.Slots { return temperedSlots{w.model.NewSlots(), w} }

type temperedSlots struct {
	mcmc.Slots
	walk *walk
}

// Weigh implements mcmc.Slots.
func (s temperedSlots) Weigh(x *partition.Partition, item int, weights []float64) (logs bool) {
	s.Slots.Weigh(x, item, weights) // logs: potentials of pairs have no other form
	for q := range weights {
		weights[q] *= s.walk.tau
	}
	s.walk.sizes.AddGains(x, s.walk.tau, weights)
	return true
}
