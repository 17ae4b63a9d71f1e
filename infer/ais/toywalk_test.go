package ais_test

import (
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/infer/ais"
)

// toy is a chain on 0 to 3, where all are alike at tau = 0 and state s weighs e^(s tau)
// at tau. A step is one of Metropolis, to a neighbour: it leaves P(. | tau) unchanged and
// is far from a fresh draw. It notes the temperatures of its steps.
type toy struct {
	state float64
	taus  *[]float64
}

func (w *toy) Start(d rng.Dice) { w.state = float64(d.IntN(4)) }

func (w *toy) LogWeight(tau float64) float64 { return tau * w.state }

func (w *toy) Step(d rng.Dice, tau float64) {
	if w.taus != nil {
		*w.taus = append(*w.taus, tau)
	}
	to := w.state + 1
	if d.Coins(1) == 0 {
		to = w.state - 1
	}
	if to >= 0 && to <= 3 && d.Accept(tau*(to-w.state)) {
		w.state = to
	}
}

// The weights have the mean Z(1)/Z(0), exactly, with
// any kernel that keeps each temperature and any number of steps.
func TestWeightsOfAToy(t *testing.T) {
	const runs = 20_000
	logRatio := math.Log((1 + math.E + math.Exp(2) + math.Exp(3)) / 4)
	problem := ais.Problem{LogZ0: math.Log(4), New: func() ais.Walk { return &toy{} }}
	for _, steps := range []int{2, 3, 6} {
		e := anneal(t, problem, ais.Options{Steps: steps, Runs: runs, Seed: 1})
		log := e.LogZ - math.Log(4) - logRatio
		if z := (math.Exp(log) - 1) / (math.Exp(log) * e.StdErr); !(math.Abs(z) < 5) {
			t.Errorf("%d steps: the mean weight is %.4f of what it must be, z = %.1f", steps, math.Exp(log), z)
		}
	}
}

// Steps are made at every temperature between the first and the last.
func TestTemperaturesOfSteps(t *testing.T) {
	var seen []float64
	problem := ais.Problem{New: func() ais.Walk { return &toy{taus: &seen} }}
	anneal(t, problem, ais.Options{Steps: 4, Runs: 2, Jobs: 1})
	if want := []float64{0.25, 0.5, 0.75, 0.25, 0.5, 0.75}; !slices.Equal(seen, want) {
		t.Errorf("steps at %v, want %v", seen, want)
	}
}
