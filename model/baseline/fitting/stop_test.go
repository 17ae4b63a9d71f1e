package fitting_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// staged ranks items by their number, best after some epochs and worse before and after.
type staged struct {
	epochs, best int
	objective    float64
}

func (s *staged) Epoch() float64 {
	s.epochs++
	return s.objective
}

func (s *staged) Score(_ model.Person, items []uint32, scores []float64) {
	for k, i := range items {
		if scores[k] = float64(i); int(i) > 12-2*max(s.epochs-s.best, s.best-s.epochs) {
			scores[k] = -float64(i)
		}
	}
}

func (s *staged) Save(*modelfile.File) error { return nil }

// ascending is a set in which everybody rates items by their number.
func ascending(t *testing.T) *ratings.Set {
	t.Helper()
	b := ratings.NewBuilder()
	for u := range 20 {
		for i := range 12 {
			if err := b.Add(fmt.Appendf(nil, "u%02d", u), fmt.Appendf(nil, "i%02d", i), float32(i), ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Without a number of epochs the fit to all ratings has as many as ranked held-back ratings best.
func TestLearnStopsEarly(t *testing.T) {
	set := ascending(t)
	var starts, seen int
	run := fitting.Under(t.Context(), model.Run{Seed: 1, Jobs: 2, Observe: func(model.Progress) { seen++ }})
	start := func(*ratings.Set) (fitting.Learner, error) {
		starts++
		return &staged{best: 4}, nil
	}
	l, err := fitting.Learn(set, run, fitting.Schedule{Epochs: setting.Auto, Patience: 2}, start)
	if err != nil || l.(*staged).epochs != 4 || starts != 2 || seen != 4+2+4 {
		t.Errorf("%+v after %d starts, %d seen: %v", l, starts, seen, err)
	}
	if l, err = fitting.Learn(set, run, fitting.Schedule{Epochs: 7}, start); err != nil || l.(*staged).epochs != 7 {
		t.Errorf("%+v after 7 epochs: %v", l, err)
	}
	epochs := 0
	positive := []setting.Setting{setting.Int(&epochs, 5, setting.Setting{Name: "epochs", Means: "passes", Positive: true})}
	if _, err := fitting.Fit(t.Context(), "toy", positive, set, model.Run{}, nil); err == nil || err.Error() != "toy: setting: epochs 0 must be positive; it means passes" {
		t.Errorf("error %v", err)
	}
	_, err = fitting.Learn(set, run, fitting.Schedule{Epochs: 3, Remedy: "try less"}, func(*ratings.Set) (fitting.Learner, error) {
		return &staged{objective: math.Inf(1)}, nil
	})
	if err == nil || err.Error() != "the objective is +Inf after epoch 1; try less" {
		t.Errorf("error %v", err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := fitting.Learn(set, fitting.Under(over, model.Run{}), fitting.Schedule{Epochs: 1}, start); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// constant gives every item the same score, or none.
type constant float64

func (c constant) Score(_ model.Person, items []uint32, scores []float64) {
	for k := range items {
		scores[k] = float64(c)
	}
}

func (constant) Save(*modelfile.File) error { return nil }

// All pairs in the right order count 1, tied scores half, and scores that are not numbers make the sum NaN.
func TestConcordance(t *testing.T) {
	split, err := ascending(t).Random(0.5, 1)
	if err != nil {
		t.Fatal(err)
	}
	run := fitting.Run{Run: model.Run{Jobs: 1}}
	for want, m := range map[float64]model.Model{1: &staged{}, 0.5: constant(3)} {
		if got := fitting.Concordance(m, split, run); got != want {
			t.Errorf("concordance %g, expected %g", got, want)
		}
	}
	if got := fitting.Concordance(constant(math.NaN()), split, run); !math.IsNaN(got) {
		t.Errorf("concordance of no scores %g", got)
	}
	right, pairs := fitting.OrderedPairs(&staged{}, split, run, func(a, b float32) float64 { return math.Abs(float64(a - b)) })
	for u := range right {
		var want float64
		values := split.Holdout.Test(u).Values
		for a := range values {
			for b := range a {
				want += math.Abs(float64(values[a] - values[b]))
			}
		}
		if right[u] != want || pairs[u] != want {
			t.Errorf("user %d: %g of %g in order, expected %g", u, right[u], pairs[u], want)
		}
	}
}
