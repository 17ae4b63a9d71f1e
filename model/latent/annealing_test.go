package latent

import (
	"context"
	"fmt"
	"testing"

	"fubini/core/rng"
	"fubini/infer/ais"
	"fubini/infer/mcmc"
)

// annealed is a model of the size of the paper's Table 1.
func annealed(t testing.TB, n int, units Units) *Model {
	t.Helper()
	const k = 10
	r := rng.Stream(1, "annealed", uint64(n))
	p := Parameters{Units: units, Nu: 0.1, NuK: make([]float64, k), B: make([]float64, k)}
	for range n {
		row := make([]float64, k)
		for j := range row {
			row[j] = 0.1 * r.NormFloat64()
		}
		p.U, p.W = append(p.U, 0.1*r.NormFloat64()), append(p.W, row)
	}
	options := Options{}
	if units == Gaussian {
		options = Options{Size: 2, Centred: true}
	} else {
		p.NuK[0] = 0.1
	}
	m, err := New(p, options)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A step of annealing allocates nothing, whatever moves and units.
func TestAnnealingDoesNotAllocate(t *testing.T) {
	for _, units := range []Units{Binary, Gaussian} {
		for _, moves := range []mcmc.Moves{mcmc.ReinsertionMoves, mcmc.SplitMergeMoves} {
			walk, d := annealed(t, 12, units).Annealing(moves, false).New(), rng.Stream(1, "walk")
			walk.Start(d)
			walk.Step(d, 0.5)
			if n := testing.AllocsPerRun(100, func() { walk.Step(d, 0.5); walk.LogWeight(0.5); walk.LogWeight(0.6) }); n != 0 {
				t.Errorf("%v, moves %d: %g allocations a step", units, moves, n)
			}
		}
	}
}

func BenchmarkAnnealing(b *testing.B) {
	for _, n := range []int{10, 30} {
		for _, c := range []struct {
			name  string
			units Units
			moves mcmc.Moves
		}{{"binary split-merge", Binary, mcmc.SplitMergeMoves}, {"binary reinsertion", Binary, mcmc.ReinsertionMoves}, {"gaussian reinsertion", Gaussian, mcmc.ReinsertionMoves}} {
			problem := annealed(b, n, c.units).Annealing(c.moves, false)
			b.Run(fmt.Sprintf("N=%d %s", n, c.name), func(b *testing.B) {
				const steps, runs = 1000, 2
				for b.Loop() {
					if _, err := ais.Run(context.Background(), problem, ais.Options{Steps: steps, Runs: runs, Jobs: 1}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(steps*runs), "ns/sweep")
			})
		}
	}
}
