package osm

import (
	"fmt"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/ais"
	"fubini/infer/mcmc"
)

// Annealing is the path of annealed importance sampling from the uniform distribution on
// ordered partitions, at tau = 0, to this model, at tau = 1: all log potentials are multiplied
// by tau. A step is a sweep of N moves.
func (m *Worths) Annealing(moves mcmc.Moves) ais.Problem {
	return ais.Problem{LogZ0: partition.LogFubini(m.N()), New: func() ais.Walk { return newWorthWalk(m, moves) }}
}

type worthWalk struct {
	model    *Worths
	tempered *Worths // the same worths times tau
	kernel   mcmc.Kernel[partition.Partition]
	uniform  *partition.Uniform
	x        *partition.Partition
}

func newWorthWalk(m *Worths, moves mcmc.Moves) *worthWalk {
	n := m.N()
	w := &worthWalk{
		model: m, tempered: &Worths{worth: make([]float64, n)},
		uniform: partition.NewUniform(n), x: partition.OneBlock(n),
	}
	var err error
	w.kernel, err = moves.Sweep(w.tempered, partition.Space{})
	if err != nil {
		panic(fmt.Sprintf("osm: %v", err)) // the space of everything is never refused
	}
	return w
}

func (w *worthWalk) Start(d rng.Dice)              { w.uniform.Draw(d, w.x) }
func (w *worthWalk) LogWeight(tau float64) float64 { return tau * w.model.LogWeight(w.x) }

func (w *worthWalk) Step(d rng.Dice, tau float64) {
	for i, u := range w.model.worth {
		w.tempered.worth[i] = tau * u
	}
	w.tempered.tie = tau * w.model.tie
	w.tempered.SetSizes(w.model.sizes, tau)
	w.kernel.Step(d, w.x, nil)
}
