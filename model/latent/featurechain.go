package latent

import (
	"fmt"
	"math"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/infer/ais"
	"fubini/infer/mcmc"
)

// FeatureChain is [Alternating] for the general form: it draws the units given the tier list,
// then moves the tier list given the units.
type FeatureChain struct {
	model  *Features
	tau    float64
	a      []float64
	kernel mcmc.Kernel[partition.Partition]
}

// NewFeatureChain returns the kernel. A step is one draw of all units and a sweep of moves. Weights of the model may be
// changed between steps.
func NewFeatureChain(m *Features, moves mcmc.Moves) (*FeatureChain, error) {
	kernel, err := moves.Sweep(m.bound, partition.Space{})
	return &FeatureChain{model: m, tau: 1, a: make([]float64, m.K()), kernel: kernel}, err
}

// Step implements mcmc.Kernel[State].
func (c *FeatureChain) Step(d rng.Dice, s *State, seen *mcmc.Tally) {
	c.model.Activations(s.X, c.a)
	coupling := c.tau
	if c.model.kind == Gaussian {
		coupling = math.Sqrt(c.tau)
	}
	for j, a := range c.a {
		if c.model.kind == Gaussian {
			s.H[j] = coupling*a + normal(d)
			continue
		}
		on := logprob.Logistic(c.tau * a)
		s.H[j] = float64(d.Pick([]float64{1 - on, on}))
	}
	c.model.given(s.H, c.tau, coupling)
	c.kernel.Step(d, s.X, seen)
}

// Annealing is the path of [Model.Annealing] for the general form.
func (m *Features) Annealing(moves mcmc.Moves) ais.Problem {
	logOrders := partition.LogFubini(m.N())
	if m.kind == Binary {
		logOrders += float64(m.K()) * math.Ln2
	}
	return ais.Problem{LogZ0: logOrders, New: func() ais.Walk {
		own := m.clone()
		chain, err := NewFeatureChain(own, moves)
		if err != nil {
			panic(fmt.Sprintf("latent: %v", err)) // the space of everything is never refused
		}
		return &featureWalk{chain: chain, state: State{X: partition.OneBlock(m.N()), H: make([]float64, m.K())}, uniform: partition.NewUniform(m.N()), a: make([]float64, m.K())}
	}}
}

type featureWalk struct {
	chain   *FeatureChain
	state   State
	uniform *partition.Uniform
	a       []float64
}

func (w *featureWalk) Start(d rng.Dice) { w.uniform.Draw(d, w.state.X) }

func (w *featureWalk) Step(d rng.Dice, tau float64) {
	w.chain.tau = tau
	w.chain.Step(d, &w.state, nil)
}

func (w *featureWalk) LogWeight(tau float64) float64 {
	m := w.chain.model
	m.Activations(w.state.X, w.a)
	weight := tau * vec.Dot(m.base, m.phi)
	for _, a := range w.a {
		if m.kind == Gaussian {
			weight += tau * a * a / 2
		} else {
			weight += logprob.Log1pExp(tau * a)
		}
	}
	return weight
}
