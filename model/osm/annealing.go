package osm

import (
	"fmt"
	"math"

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

// Annealing is the path of annealed importance sampling from the uniform distribution on the
// sample space of a list, at tau = 0, to its model, at tau = 1. Moves that cannot reach all of
// the space are refused.
func (v *Visible) Annealing(items []int, moves mcmc.Moves) (ais.Problem, error) {
	n := len(items)
	m, err := v.pairs(items)
	if err != nil {
		return ais.Problem{}, err
	}
	space := v.Space.Of(n)
	if _, _, err := space.Bounds(n); err != nil {
		return ais.Problem{}, fmt.Errorf("osm: %w", err)
	}
	if _, err := moves.Sweep(m, space); err != nil {
		return ais.Problem{}, err
	}
	logs := partition.LogFubini(n)
	switch v.Space {
	case WithoutTies:
		logs, _ = math.Lgamma(float64(n) + 1)
	case TwoTiers:
		logs = float64(n)*math.Ln2 + math.Log1p(-math.Ldexp(1, 1-n)) // 2^n - 2
	}
	return ais.Problem{LogZ0: logs, New: func() ais.Walk {
		w := &visibleWalk{space: v.Space, model: m, tempered: newPairs(n), x: partition.OneBlock(n), uniform: partition.NewUniform(n), levels: make([]int, n)}
		var err error
		if w.kernel, err = moves.Sweep(w.tempered, space); err != nil {
			panic(fmt.Sprintf("osm: %v", err)) // the same was made before
		}
		return w
	}}, nil
}

type visibleWalk struct {
	space           Space
	model, tempered *pairs
	kernel          mcmc.Kernel[partition.Partition]
	uniform         *partition.Uniform
	x               *partition.Partition
	levels          []int
}

// Start draws uniformly from the space.
func (w *visibleWalk) Start(d rng.Dice) {
	n := len(w.levels)
	switch w.space {
	case AllOrders:
		w.uniform.Draw(d, w.x)
		return
	case WithoutTies: // a permutation, from the inside out
		for k := range n {
			j := d.IntN(k + 1)
			w.levels[k], w.levels[j] = w.levels[j], k
		}
	case TwoTiers:
		for upper := 0; upper == 0 || upper == n; {
			upper = 0
			for k := range w.levels {
				w.levels[k] = int(d.Coins(1))
				upper += w.levels[k]
			}
		}
	}
	x, err := partition.FromLevels(w.levels)
	if err != nil {
		panic(fmt.Sprintf("osm: %v", err)) // there are items
	}
	w.x = x
}

func (w *visibleWalk) LogWeight(tau float64) float64 { return tau * w.model.LogWeight(w.x) }

func (w *visibleWalk) Step(d rng.Dice, tau float64) {
	w.tempered.temper(w.model, tau)
	w.kernel.Step(d, w.x, nil)
}
