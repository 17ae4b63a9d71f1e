package latent

import (
	"fmt"
	"math"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/ais"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
)

// Annealing is the path from tau = 0, where all tier lists (and all settings of
// binary units) are alike, to this model. Potentials of binary units are taken to
// the power tau, as in the paper; of Gaussian ones the whole log weight is
// multiplied by tau. Steps alternate between units and tier list, or, with
// summedOut (the Rao-Blackwellised variant), move the tier list alone.
func (m *Model) Annealing(moves Moves, summedOut bool) ais.Problem {
	logZ0 := partition.LogFubini(m.n)
	if m.units == Binary {
		logZ0 += float64(m.k) * math.Ln2
	}
	return ais.Problem{LogZ0: logZ0, New: func() ais.Walk { return newWalk(m, moves, summedOut) }}
}

type walk struct {
	target      *Marginal
	state       State
	uniform     *partition.Uniform
	alternating *Alternating                     // or
	kernel      mcmc.Kernel[partition.Partition] // with units summed out
	exact       *exact.Listing
}

func newWalk(m *Model, moves Moves, summedOut bool) *walk {
	w := &walk{
		target: NewMarginal(m), uniform: partition.NewUniform(m.n),
		state: State{X: partition.OneBlock(m.n), H: make([]float64, m.k)},
	}
	var err error
	switch {
	case !summedOut:
		w.alternating, err = NewAlternating(m, moves)
	case moves == Reinsertion:
		w.kernel, err = mcmc.NewReinsertion(w.target, partition.Space{})
	default:
		var single *mcmc.SplitMerge
		single, err = mcmc.NewSplitMerge(w.target, partition.Space{})
		w.kernel = mcmc.Repeat[partition.Partition](single, m.n)
	}
	if err != nil {
		panic(fmt.Sprintf("latent: %v", err)) // the space of everything is never refused
	}
	return w
}

func (w *walk) Start(d rng.Dice) { w.uniform.Draw(d, w.state.X) }

func (w *walk) LogWeight(tau float64) float64 {
	w.target.tau = tau
	return w.target.LogWeight(w.state.X)
}

func (w *walk) Step(d rng.Dice, tau float64) {
	if w.kernel != nil {
		w.target.tau = tau
		w.kernel.Step(d, w.state.X, nil)
		return
	}
	w.alternating.tau = tau
	w.alternating.Step(d, &w.state, nil)
}

// Finish draws from the model: exactly where it can be listed, otherwise by a
// chain of a thousand steps, and the bound of ais.Reverse is then approximate.
func (w *walk) Finish(d rng.Dice) {
	if w.target.n <= exact.MaxListed {
		if w.exact == nil {
			list, err := exact.List(w.target.Model, partition.Space{})
			if err != nil {
				panic(fmt.Sprintf("latent: %v", err)) // parameters are finite
			}
			w.exact = list
		}
		w.exact.Draw(d, w.state.X)
		return
	}
	w.Start(d)
	for range 1000 {
		w.Step(d, 1)
	}
}
