package ais_test

import (
	"math"
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

func (w *toy) Finish(d rng.Dice) {
	w.state = float64(d.Pick([]float64{1, math.E, math.Exp(2), math.Exp(3)}))
}

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

// Forward weights have the mean Z(1)/Z(0) and reverse weights Z(0)/Z(1), exactly, with
// any kernel that keeps each temperature and any number of steps.
func TestWeightsOfAToy(t *testing.T) {
	const runs = 20_000
	logRatio := math.Log((1 + math.E + math.Exp(2) + math.Exp(3)) / 4)
	problem := ais.Problem{LogZ0: math.Log(4), New: func() ais.Walk { return &toy{} }}
	for _, steps := range []int{2, 3, 6} {
		o := ais.Options{Steps: steps, Runs: runs, Seed: 1}
		forward := anneal(t, ais.Run, problem, o)
		back := anneal(t, ais.Reverse, problem, o)
		for name, log := range map[string]float64{"forward": forward.LogZ - math.Log(4) - logRatio, "reverse": -(back.LogZ - math.Log(4) - logRatio)} {
			stdErr := forward.StdErr
			if name == "reverse" {
				stdErr = back.StdErr
			}
			if z := (math.Exp(log) - 1) / (math.Exp(log) * stdErr); !(math.Abs(z) < 5) {
				t.Errorf("%d steps, %s: the mean weight is %.4f of what it must be, z = %.1f", steps, name, math.Exp(log), z)
			}
		}
	}
}

// Steps of Reverse are those of Run turned round: at the same temperatures, the last
// first.
func TestTemperaturesOfSteps(t *testing.T) {
	for name, c := range map[string]struct {
		reverse bool
		want    []float64
	}{
		"forward": {false, []float64{0.0625, 0.25, 0.5625}},
		"reverse": {true, []float64{0.5625, 0.25, 0.0625}},
	} {
		var seen []float64
		problem := ais.Problem{New: func() ais.Walk { return &toy{taus: &seen} }}
		o := ais.Options{Steps: 4, Runs: 2, Jobs: 1, Schedule: func(s, steps int) float64 { return math.Pow(float64(s)/float64(steps), 2) }}
		if c.reverse {
			anneal(t, ais.Reverse, problem, o)
		} else {
			anneal(t, ais.Run, problem, o)
		}
		if len(seen) != 2*len(c.want) {
			t.Fatalf("%s: %d steps in two runs, want %d", name, len(seen), 2*len(c.want))
		}
		for k, tau := range seen {
			if tau != c.want[k%len(c.want)] {
				t.Errorf("%s: steps at %v, want %v", name, seen, c.want)
				break
			}
		}
	}
}
