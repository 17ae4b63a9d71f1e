package ais_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/ais"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
	"fubini/infer/stattest"
	"fubini/model/osm"
)

// model draws worths and nu with deviation 0.5 for two to eight items.
func model(t testing.TB, k int) (*osm.Worths, float64) {
	t.Helper()
	r := rng.Stream(1, "annealed models", uint64(k))
	u := make([]float64, 2+r.IntN(7))
	for i := range u {
		u[i] = 0.5 * r.NormFloat64()
	}
	m, err := osm.NewWorths(u, 0.5*r.NormFloat64(), osm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := exact.NewTable(m, partition.Space{})
	if err != nil {
		t.Fatal(err)
	}
	return m, table.LogZ()
}

func anneal(t testing.TB, p ais.Problem, o ais.Options) *ais.Estimate {
	t.Helper()
	e, err := ais.Run(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Intervals hold the exact log Z as often as they say, for both kernels.
func TestIntervalsCoverTheTruth(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	const models = 200
	for _, moves := range []mcmc.Moves{mcmc.ReinsertionMoves, mcmc.SplitMergeMoves} {
		covered := 0
		for k := range models {
			m, truth := model(t, k)
			e := anneal(t, m.Annealing(moves), ais.Options{Steps: 100, Runs: 100, Seed: uint64(k)})
			if low, high := e.Interval(); low <= truth && truth <= high {
				covered++
			}
		}
		if share := float64(covered) / models; !(share >= 0.9 && share <= 0.995) {
			t.Errorf("moves %v: 95 %% intervals hold the truth for %.3f of the models", moves, share)
		}
	}
}

// With few steps the estimate errs low, on average over models by more than chance explains.
func TestEstimatesErrLow(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	const models = 200
	var below, square float64
	for k := range models {
		m, truth := model(t, k)
		b := truth - anneal(t, m.Annealing(mcmc.ReinsertionMoves), ais.Options{Steps: 2, Runs: 2, Seed: uint64(k)}).LogZ
		below, square = below+b/models, square+b*b/models
	}
	if z := stattest.ZScore(below, math.Sqrt((square-below*below)/models), 0); !(z > 3) {
		t.Errorf("no bound, z = %.1f", z)
	}
}

// The mean weight is unbiased with any kernel and any number of steps, one
// included, where it is plain importance sampling.
func TestWeightsAreUnbiased(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	for _, steps := range []int{1, 2, 10} {
		var square float64
		const models = 50
		for k := range models {
			m, truth := model(t, k)
			e := anneal(t, m.Annealing(mcmc.ReinsertionMoves), ais.Options{Steps: steps, Runs: 4000, Seed: uint64(k)})
			z := (math.Exp(e.LogZ-truth) - 1) / (math.Exp(e.LogZ-truth) * e.StdErr)
			square += z * z
		}
		if p := stattest.ChiSquareTail(square, models); !(p > 1e-6 && p < 1-1e-6) {
			t.Errorf("%d steps: z-scores have mean square %.2f, p = %g", steps, square/models, p)
		}
	}
}

// A walk whose step forgets the temperature is not invariant, and the mean
// weight shows it: a test that can fail.
type heedless struct{ ais.Walk }

func (h heedless) Step(d rng.Dice, _ float64) { h.Walk.Step(d, 1) }

func TestAWrongKernelShows(t *testing.T) {
	m, truth := model(t, 3)
	right := m.Annealing(mcmc.ReinsertionMoves)
	wrong := ais.Problem{LogZ0: right.LogZ0, New: func() ais.Walk { return heedless{right.New()} }}
	e := anneal(t, wrong, ais.Options{Steps: 20, Runs: 2000, Seed: 1})
	if z := (e.LogZ - truth) / e.StdErr; !(math.Abs(z) > 6) {
		t.Errorf("a kernel at the wrong temperature passes, z = %.1f", z)
	}
}

func TestJobsDoNotMatter(t *testing.T) {
	m, _ := model(t, 5)
	one := anneal(t, m.Annealing(mcmc.ReinsertionMoves), ais.Options{Steps: 50, Runs: 20, Seed: 3, Jobs: 1})
	many := anneal(t, m.Annealing(mcmc.ReinsertionMoves), ais.Options{Steps: 50, Runs: 20, Seed: 3, Jobs: 7})
	if !slices.Equal(one.LogWeights, many.LogWeights) || one.LogZ != many.LogZ {
		t.Error("one job and seven disagree")
	}
	other := anneal(t, m.Annealing(mcmc.ReinsertionMoves), ais.Options{Steps: 50, Runs: 20, Seed: 4})
	if one.LogZ == other.LogZ {
		t.Error("another seed gave the same result")
	}
	if one.Size < 1 || one.Size > 20 || !(one.StdErr > 0) {
		t.Errorf("%+v", one)
	}
}

func TestBadOptions(t *testing.T) {
	m, _ := model(t, 5)
	for _, c := range []struct {
		options ais.Options
		says    string
	}{
		{ais.Options{Steps: -1}, "-1 steps"},
		{ais.Options{Runs: 1}, "1 runs"},
	} {
		if _, err := ais.Run(context.Background(), m.Annealing(mcmc.ReinsertionMoves), c.options); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v; expected it to say %q", c.options, err, c.says)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := ais.Run(ctx, m.Annealing(mcmc.ReinsertionMoves), ais.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

func BenchmarkRun(b *testing.B) {
	for _, n := range []int{10, 50} {
		u := make([]float64, n)
		for i := range u {
			u[i] = math.Sin(float64(i))
		}
		m, err := osm.NewWorths(u, 0.5, osm.Options{Size: 4})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := ais.Run(context.Background(), m.Annealing(mcmc.ReinsertionMoves), ais.Options{Steps: 1000, Runs: 10}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func ExampleRun() {
	m, err := osm.NewWorths([]float64{1, 0, -1}, 0.5, osm.Options{})
	if err != nil {
		panic(err)
	}
	e, err := ais.Run(context.Background(), m.Annealing(mcmc.ReinsertionMoves), ais.Options{Seed: 1})
	if err != nil {
		panic(err)
	}
	table, _ := exact.NewTable(m, partition.Space{})
	fmt.Printf("log Z = %.2f, exactly %.2f\n", e.LogZ, table.LogZ())
	// Output: log Z = 3.61, exactly 3.61
}
