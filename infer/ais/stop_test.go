package ais_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/infer/ais"
)

// counted is a walk that counts its steps, and ends its context at one of them.
type counted struct {
	steps *int
	at    int
	stop  context.CancelFunc
}

func (c counted) Start(rng.Dice)            {}
func (c counted) LogWeight(float64) float64 { return 0 }
func (c counted) Step(rng.Dice, float64) {
	if *c.steps++; *c.steps == c.at {
		c.stop()
	}
}

// An annealing that is called off ends at its next step, not at the end of the run.
func TestStopsWithinARun(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	steps := 0
	problem := ais.Problem{New: func() ais.Walk { return counted{&steps, 7, stop} }}
	_, err := ais.Run(ctx, problem, ais.Options{Steps: 100_000, Runs: 5, Jobs: 1})
	if !errors.Is(err, context.Canceled) || steps != 7 {
		t.Errorf("%v after %d steps, called off at 7", err, steps)
	}
}

// Observe is told of every run.
func TestObserve(t *testing.T) {
	steps, seen := 0, []int{}
	problem := ais.Problem{New: func() ais.Walk { return counted{&steps, -1, nil} }}
	if _, err := ais.Run(t.Context(), problem, ais.Options{Steps: 3, Runs: 4, Jobs: 1, Observe: func(runs int) { seen = append(seen, runs) }}); err != nil || !slices.Equal(seen, []int{1, 2, 3, 4}) {
		t.Errorf("told of %v, %v", seen, err)
	}
}
