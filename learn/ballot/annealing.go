package ballot

import (
	"fmt"
	"math"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/ais"
	"fubini/infer/mcmc"
	"fubini/model/osm"
)

// Annealing is the path from the uniform distribution over the space to the model of the loaded vote: all log potentials
// are multiplied by tau. A step is a sweep of reinsertions.
func (m *Local) Annealing() ais.Problem {
	n := float64(m.n)
	start := partition.LogFubini(m.n)
	switch m.Space {
	case WithoutTies:
		start, _ = math.Lgamma(n + 1)
	case TwoTiers:
		start = n*math.Ln2 + math.Log1p(-2*math.Exp2(-n)) // both tiers have items
	}
	return ais.Problem{LogZ0: start, New: func() ais.Walk { return NewWalk(m) }}
}

// Walk is a Markov chain over the outcomes of the loaded vote, with its log potentials multiplied by tau.
type Walk struct {
	*Local
	model   osm.Model // of the pairs, without weights of tier sizes
	tau     float64
	X       *partition.Partition // where the chain is
	weight  float64              // log weight of X, where known
	known   bool
	ranks   []int
	uniform *partition.Uniform
	kernel  mcmc.Kernel[partition.Partition]
}

// NewWalk starts a chain for the vote that m has loaded; m must not load another while the chain runs.
func NewWalk(m *Local) *Walk {
	n := m.n
	w := &Walk{Local: m, model: osm.NewPairwise(n, m.tie[:n*n], m.above[:n*n]), X: partition.OneBlock(n), ranks: make([]int, n), uniform: partition.NewUniform(n)}
	kernel, err := mcmc.NewReinsertion(w, m.Space.Of(n))
	if err != nil {
		panic(fmt.Sprintf("fit: %v", err)) // votes of one item are left out
	}
	w.kernel = kernel
	return w
}

// Start implements ais.Walk.
func (w *Walk) Start(d rng.Dice) {
	w.known = false
	switch w.Space {
	case WithoutTies:
		rng.Permutation(d, w.ranks)
		w.X.SetRanks(w.ranks)
	case TwoTiers:
		for sum := 0; sum == 0 || sum == w.n; {
			sum = 0
			for k := range w.ranks {
				w.ranks[k] = int(d.Coins(1))
				sum += w.ranks[k]
			}
		}
		w.X.SetRanks(w.ranks)
	default:
		w.uniform.Draw(d, w.X)
	}
}

// LogWeight implements ais.Walk.
func (w *Walk) LogWeight(tau float64) float64 {
	if !w.known {
		w.weight, w.known = w.model.LogWeight(w.X)+w.sizes.Total(w.X), true
	}
	return tau * w.weight
}

// Step implements ais.Walk.
func (w *Walk) Step(d rng.Dice, tau float64) {
	w.tau, w.known = tau, false
	w.kernel.Step(d, w.X, nil)
}

// NewSlots implements mcmc.SlotTarget: the slots of the model at the current temperature.
func (w *Walk) NewSlots() mcmc.Slots { return temperedSlots{w.model.NewSlots(), w} }

type temperedSlots struct {
	mcmc.Slots
	walk *Walk
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
