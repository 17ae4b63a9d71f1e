package latent

import (
	"fmt"
	"math"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/ais"
	"fubini/infer/mcmc"
)

// Annealing is the path of annealed importance sampling from the uniform distribution over tier
// lists (and states of binary units), at tau = 0, to this model, at tau = 1. With binary units
// potentials are taken to the power tau, as in the paper; with Gaussian ones the marginal log
// weight is multiplied by tau. Steps alternate between units and tier list; with summedOut
// (Rao-Blackwellised) they move the tier list alone.
func (m *Model) Annealing(moves mcmc.Moves, summedOut bool) ais.Problem {
	return m.path(partition.LogFubini(m.n), func() ais.Walk { return newWalk(m, moves, summedOut, false) })
}

// StrictAnnealing is the same path over orders without ties only, T = N, with reinsertion
// moves.
func (m *Model) StrictAnnealing() ais.Problem {
	logOrders, _ := math.Lgamma(float64(m.n) + 1)
	return m.path(logOrders, func() ais.Walk { return newWalk(m, mcmc.ReinsertionMoves, false, true) })
}

// path starts from this log number of orders, times the settings of binary units.
func (m *Model) path(logOrders float64, walk func() ais.Walk) ais.Problem {
	if m.units == Binary {
		logOrders += float64(m.k) * math.Ln2
	}
	return ais.Problem{LogZ0: logOrders, New: walk}
}

type walk struct {
	target      *Marginal
	state       State
	a           []float64 // activations of the state, with
	base        float64   // its log weight without units,
	known       bool      // when they have been computed
	space       partition.Space
	uniform     *partition.Uniform
	ranks       []int                            // of a strict order; nil where there are ties
	alternating *Alternating                     // or
	kernel      mcmc.Kernel[partition.Partition] // with units summed out
}

func newWalk(m *Model, moves mcmc.Moves, summedOut, strict bool) *walk {
	w := &walk{
		target: NewMarginal(m), uniform: partition.NewUniform(m.n),
		state: State{X: partition.OneBlock(m.n), H: make([]float64, m.k)}, a: make([]float64, m.k),
	}
	if strict {
		w.space, w.ranks = partition.Permutations(m.n), make([]int, m.n)
	}
	var err error
	if summedOut {
		w.kernel, err = moves.Sweep(w.target, w.space)
	} else {
		w.alternating, err = newAlternating(m, moves, m.n, w.space)
	}
	if err != nil {
		panic(fmt.Sprintf("latent: %v", err)) // neither space is refused
	}
	return w
}

func (w *walk) Start(d rng.Dice) {
	w.known = false
	if w.ranks == nil {
		w.uniform.Draw(d, w.state.X)
		return
	}
	rng.Permutation(d, w.ranks)
	w.state.X.SetRanks(w.ranks)
}

// look computes what a state is weighed by, once for its weights at both
// temperatures and the draw of the units that follows.
func (w *walk) look() {
	if !w.known {
		w.target.Activations(w.state.X, w.a)
		w.base, w.known = w.target.base(w.state.X), true
	}
}

func (w *walk) LogWeight(tau float64) float64 {
	w.look()
	return tau*w.base + w.target.free(w.a, tau)
}

func (w *walk) Step(d rng.Dice, tau float64) {
	if w.kernel != nil {
		w.target.tau = tau
		w.kernel.Step(d, w.state.X, nil)
	} else {
		w.look()
		w.alternating.tau = tau
		w.alternating.draw(d, &w.state, w.a)
		w.alternating.Move(d, &w.state, nil)
	}
	w.known = false
}
