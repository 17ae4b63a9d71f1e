package main

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/ais"
	"fubini/infer/mcmc"
	"fubini/model/latent"
	"fubini/model/osm"
)

// unit is what happens between two records: about N moves, ten times as many for split-merge.
func unit(tb testing.TB, name string, m *osm.Worths) (kernel mcmc.Kernel[partition.Partition]) {
	var err error
	switch everything := (partition.Space{}); name {
	case "split-merge":
		var move mcmc.Kernel[partition.Partition]
		move, err = mcmc.NewSplitMerge(m, everything)
		kernel = mcmc.Repeat(move, 10*m.N())
	case "mixed":
		kernel, err = mcmc.NewMixed(m, everything)
	default:
		kernel, err = mcmc.NewReinsertion(m, everything)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return kernel
}

// BenchmarkEffective measures effective samples a second, by kernel and number of items.
func BenchmarkEffective(b *testing.B) {
	for _, n := range []int{10, 20, 50, 200} {
		for _, name := range []string{"split-merge", "reinsertion", "mixed"} {
			b.Run(fmt.Sprintf("%d items/%s", n, name), func(b *testing.B) { effective(b, name, n, 20, 1000) })
		}
	}
}

func effective(b *testing.B, name string, n, chains, records int) {
	r := rng.Stream(seed, "bench worths", uint64(n))
	u := make([]float64, n)
	for i := range u {
		u[i] = r.NormFloat64()
	}
	m, err := osm.NewWorths(u, 0.5, osm.Options{Size: 4})
	if err != nil {
		b.Fatal(err)
	}
	kernel, burnIn := unit(b, name, m), unit(b, "reinsertion", m)
	best, worst := slices.Index(u, slices.Max(u)), slices.Index(u, slices.Min(u))
	series := make([][][]float64, 4) // [statistic][chain][record]
	for s := range series {
		series[s] = make([][]float64, chains)
	}
	scores := make([]float64, n)
	uniform, x := partition.NewUniform(n), partition.OneBlock(n)
	var recorded mcmc.Tally
	for c := range chains {
		r := rng.Stream(seed, "bench chain", uint64(n), uint64(c))
		uniform.Draw(r, x)
		for range 300 { // to equilibrium, by the kernel that gets there
			burnIn.Step(r, x, nil)
		}
		for range records {
			kernel.Step(r, x, &recorded)
			x.Scores(scores)
			for s, v := range []float64{m.LogWeight(x), float64(x.TiedPairs()), scores[best], scores[worst]} {
				series[s][c] = append(series[s][c], v)
			}
		}
	}
	size, rHat := math.Inf(1), 0.0
	for _, chains := range series {
		size, rHat = math.Min(size, mcmc.EffectiveSize(chains)), math.Max(rHat, mcmc.SplitRHat(chains))
	}
	moves := float64(recorded.Moves()) / size // for each effective sample
	var seen mcmc.Tally
	for b.Loop() {
		kernel.Step(r, x, &seen)
	}
	rate := float64(seen.Moves()) / b.Elapsed().Seconds()
	b.ReportMetric(rate, "moves/s")
	b.ReportMetric(moves, "moves/effective")
	b.ReportMetric(rate/moves, "effective/s")
	b.ReportMetric(rHat, "R-hat")
}

// BenchmarkAnnealing compares annealing with the units drawn in turn, and summed out.
func BenchmarkAnnealing(b *testing.B) {
	for _, units := range []latent.Units{latent.Binary, latent.Gaussian} {
		for _, way := range []string{"alternating", "summed out"} {
			b.Run(fmt.Sprintf("%s/%s", units, way), func(b *testing.B) { annealing(b, units, way == "summed out", 100) })
		}
	}
}

func annealing(b *testing.B, units latent.Units, summed bool, repeats int) {
	const n, k = 10, 10
	r := rng.Stream(seed, "bench annealing")
	p := latent.Parameters{Units: units, U: make([]float64, n), W: make([][]float64, n), Nu: 0.5 * r.NormFloat64()}
	spread := 0.5
	if units == latent.Gaussian {
		spread = 0.05 // raw scores enter as squares
	}
	for i := range p.U {
		p.U[i], p.W[i] = 0.5*r.NormFloat64(), make([]float64, k)
		for j := range p.W[i] {
			p.W[i][j] = spread * r.NormFloat64()
		}
	}
	m, err := latent.New(p, latent.Options{})
	if err != nil {
		b.Fatal(err)
	}
	var sum, squares, stdErr, count float64
	for b.Loop() {
		for repeat := range repeats {
			e, err := ais.Run(b.Context(), m.Annealing(mcmc.ReinsertionMoves, summed), ais.Options{Steps: 1000, Runs: 10, Seed: seed + uint64(repeat)})
			if err != nil {
				b.Fatal(err)
			}
			sum, squares, stdErr, count = sum+e.LogZ, squares+e.LogZ*e.LogZ, stdErr+e.StdErr, count+1
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/count, "s")
	b.ReportMetric(max(0, squares/count-sum/count*sum/count), "variance")
	b.ReportMetric(stdErr/count, "std_err")
	b.ReportMetric(0, "ns/op")
}
