package paper

import (
	"fmt"
	"math"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/ais"
	"fubini/infer/mcmc"
	"fubini/model/latent"
	"fubini/model/osm"
)

// strictAnnealing is the path from all strict orders alike to a latent model that
// knows no ties: T = M. It is that of [latent.Model.Annealing] on a smaller space.
func strictAnnealing(m *latent.Model) ais.Problem {
	logZ0 := logFactorial(m.N())
	if m.Units() == latent.Binary {
		logZ0 += float64(m.K()) * math.Ln2
	}
	return ais.Problem{LogZ0: logZ0, New: func() ais.Walk { return newStrictWalk(m) }}
}

// logFactorial is log n!.
func logFactorial(n int) float64 {
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}

// strictWalk alternates between the units and a strict order.
type strictWalk struct {
	model  *latent.Model
	x      *partition.Partition
	given  *osm.Worths
	kernel mcmc.Kernel[partition.Partition]

	order, a []float64
	ranks    []int
	h        []float64
	base     float64 // log weight of x without units
	stale    bool    // a and base are not those of x
}

func newStrictWalk(m *latent.Model) *strictWalk {
	n := m.N()
	given, err := osm.NewWorths(make([]float64, n), 0, osm.Options{})
	if err != nil {
		panic(fmt.Sprintf("paper: %v", err)) // there are items
	}
	kernel, err := mcmc.NewReinsertion(given, partition.Permutations(n))
	if err != nil {
		panic(fmt.Sprintf("paper: %v", err)) // strict orders can be reached by reinsertion
	}
	return &strictWalk{
		model: m, x: partition.OneBlock(n), given: given, kernel: kernel,
		order: make([]float64, n), a: make([]float64, m.K()), ranks: make([]int, n), h: make([]float64, m.K()),
	}
}

// Start implements [ais.Walk].
func (w *strictWalk) Start(d rng.Dice) {
	rng.Permutation(d, w.ranks)
	w.x.SetRanks(w.ranks)
	w.stale = true
}

func (w *strictWalk) look() {
	if w.stale {
		w.model.Activations(w.x, w.a)
		w.base = w.model.LogWeight(w.x) - w.free(1)
		w.stale = false
	}
}

// free is what the units add to the log weight.
func (w *strictWalk) free(tau float64) (sum float64) {
	for _, a := range w.a {
		if w.model.Units() == latent.Gaussian {
			sum += tau * a * a / 2
		} else {
			sum += logprob.Log1pExp(tau * a)
		}
	}
	return sum
}

// LogWeight implements [ais.Walk].
func (w *strictWalk) LogWeight(tau float64) float64 {
	w.look()
	return tau*w.base + w.free(tau)
}

// Step implements [ais.Walk]: units given the order, then the order given the
// units, a worth model. With Gaussian units the weights W are tempered by the root
// of tau; see docs/maths.md#latent.
func (w *strictWalk) Step(d rng.Dice, tau float64) {
	w.look()
	for k, a := range w.a {
		if w.model.Units() == latent.Gaussian {
			normal := d.(interface{ NormFloat64() float64 }).NormFloat64()
			w.h[k] = (math.Sqrt(tau)*a + normal) / math.Sqrt(tau)
			continue
		}
		on := logprob.Logistic(tau * a)
		w.h[k] = float64(d.Pick([]float64{1 - on, on}))
	}
	worths, err := w.model.Conditional(w.h)
	if err != nil {
		panic(fmt.Sprintf("paper: %v", err)) // parameters are finite
	}
	for i := range w.order {
		w.order[i] = tau * worths.LogAbove(i, i)
	}
	w.given.Set(w.order, 0) // nothing is tied
	w.kernel.Step(d, w.x, nil)
	w.stale = true
}
