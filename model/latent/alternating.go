package latent

import (
	"math"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/mcmc"
	"fubini/model/osm"
)

// State is a tier list X with hidden units H.
type State struct {
	X *partition.Partition
	H []float64
}

// Alternating is the paper's Algorithm 2, a Gibbs kernel: it draws the units given the tier
// list, then moves the tier list given the units.
type Alternating struct {
	model    *Model
	tau      float64
	given    *osm.Worths // the conditional, rewritten at each step
	worths   []float64
	a        []float64
	kernel   mcmc.Kernel[partition.Partition]
	gaussian bool
	chances  [2]float64 // of a unit to be off and on
}

// NewAlternatingMoves returns the kernel. A step is one draw of all units, then count splits
// and merges, or a sweep of other moves.
func NewAlternatingMoves(m *Model, moves mcmc.Moves, count int) (*Alternating, error) {
	return newAlternating(m, moves, count, partition.Space{})
}

func newAlternating(m *Model, moves mcmc.Moves, count int, space partition.Space) (*Alternating, error) {
	given, err := osm.NewWorths(make([]float64, m.n), 0, osm.Options{})
	if err != nil {
		return nil, err
	}
	k := &Alternating{model: m, tau: 1, given: given, worths: make([]float64, m.n), a: make([]float64, m.k), gaussian: m.units == Gaussian}
	k.kernel, err = moves.Kernel(given, space, count)
	return k, err
}

// Step implements mcmc.Kernel[State].
func (k *Alternating) Step(d rng.Dice, s *State, seen *mcmc.Tally) {
	k.Draw(d, s)
	k.Move(d, s, seen)
}

// Draw draws all units given the tier list.
func (k *Alternating) Draw(d rng.Dice, s *State) {
	k.model.Activations(s.X, k.a)
	k.draw(d, s, k.a)
}

// draw draws all units from their activations.
func (k *Alternating) draw(d rng.Dice, s *State, activations []float64) {
	for j, a := range activations {
		if k.gaussian {
			s.H[j] = math.Sqrt(k.tau)*a + normal(d)
			continue
		}
		on := logprob.Logistic(k.tau * a)
		k.chances[0], k.chances[1] = 1-on, on
		s.H[j] = float64(d.Pick(k.chances[:]))
	}
}

// Move moves the tier list given the units.
func (k *Alternating) Move(d rng.Dice, s *State, seen *mcmc.Tally) {
	coupling := k.tau
	if k.gaussian {
		coupling = math.Sqrt(k.tau)
	}
	nu := k.model.given(s.H, k.tau, coupling, k.worths)
	k.given.Set(k.worths, nu)
	k.given.SetSizes(k.model.sizes, k.tau)
	k.kernel.Step(d, s.X, seen)
}

// normal is a standard normal number. Dice that can give one do; for others,
// which have no continuous choices, it is a programming mistake to ask.
func normal(d rng.Dice) float64 {
	return d.(interface{ NormFloat64() float64 }).NormFloat64()
}
