package main

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/ais"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
	"fubini/model/latent"
	"fubini/model/osm"
)

// target is the model of all measurements of samplers, and its worths.
func target(n int) (*osm.Worths, []float64, error) {
	r := rng.Stream(seed, "bench worths", uint64(n))
	u := make([]float64, n)
	for i := range u {
		u[i] = r.NormFloat64()
	}
	m, err := osm.NewWorths(u, 0.5, osm.Options{Size: 4})
	return m, u, err
}

// unit is what happens between two records: about N moves, ten times as many for split-merge.
func unit(name string, m *osm.Worths) (mcmc.Kernel[partition.Partition], error) {
	everything := partition.Space{}
	switch name {
	case "split-merge":
		k, err := mcmc.NewSplitMerge(m, everything)
		return mcmc.Repeat[partition.Partition](k, 10*m.N()), err
	case "mixed":
		return mcmc.NewMixed(m, everything)
	}
	return mcmc.NewReinsertion(m, everything)
}

func (p *page) samplers(ctx context.Context, w *bufio.Writer) error {
	chains, records := p.sized(20, 2), p.sized(1000, 8)
	fmt.Fprintf(w, `
## Samplers

Worths drawn from N(0, 1), nu = 0.5, size normalisation c = 4. A *move* is one
try to split or merge, or one item reinserted. *Effective samples* are those of
the worst of four statistics (log weight, tied pairs, the scores of the items of
highest and lowest worth), from %d chains of %d records each, a record every N
moves, or every 10 N for split-merge. Chains start from equilibrium, which
flatters a kernel that hardly moves: its chains count as %d samples even if they
stand still. R-hat is the largest of the four. *mixed* is a sweep of reinsertions
followed by N/4 split-merge moves.

| items | kernel | moves/s | moves per effective sample | effective samples/s | times split-merge | R-hat |
|---:|---|---:|---:|---:|---:|---:|
`, chains, records, chains)
	for _, n := range []int{10, 20, 50, 200}[:p.sized(4, 1)] {
		base := 0.0
		for _, name := range []string{"split-merge", "reinsertion", "mixed"} {
			tell("%s, %d items ...", name, n)
			rate, moves, rHat, err := measureKernel(ctx, name, n, chains, records)
			if err != nil {
				return err
			}
			if base == 0 { // split-merge comes first
				base = rate / moves
			}
			fmt.Fprintf(w, "| %d | %s | %.3g | %.3g | %.3g | %.3g | %.3f |\n", n, name, rate, moves, rate/moves, rate/moves/base, rHat)
		}
	}
	return nil
}

// measureKernel returns moves a second, moves for each effective sample, and the largest R-hat.
func measureKernel(ctx context.Context, name string, n, chains, records int) (rate, moves, rHat float64, err error) {
	m, u, err := target(n)
	if err != nil {
		return 0, 0, 0, err
	}
	kernel, err := unit(name, m)
	if err != nil {
		return 0, 0, 0, err
	}
	burnIn, err := unit("reinsertion", m)
	if err != nil {
		return 0, 0, 0, err
	}
	best, worst := slices.Index(u, slices.Max(u)), slices.Index(u, slices.Min(u))
	series := make([][][]float64, 4) // [statistic][chain][record]
	for s := range series {
		series[s] = make([][]float64, chains)
	}
	scores := make([]float64, n)
	uniform, x := partition.NewUniform(n), partition.OneBlock(n)
	var seen mcmc.Tally
	for c := range chains {
		r := rng.Stream(seed, "bench chain", uint64(n), uint64(c))
		uniform.Draw(r, x)
		for range 300 { // to equilibrium, by the kernel that gets there
			burnIn.Step(r, x, nil)
		}
		for range records {
			if err := ctx.Err(); err != nil {
				return 0, 0, 0, err
			}
			kernel.Step(r, x, &seen)
			x.Scores(scores)
			for s, v := range []float64{m.LogWeight(x), float64(x.TiedPairs()), scores[best], scores[worst]} {
				series[s][c] = append(series[s][c], v)
			}
		}
	}
	effective := math.Inf(1)
	for _, chains := range series {
		effective = math.Min(effective, mcmc.EffectiveSize(chains))
		rHat = math.Max(rHat, mcmc.SplitRHat(chains))
	}
	return movesPerSecond(kernel, x), float64(seen.Moves()) / effective, rHat, nil
}

// movesPerSecond is the median of five runs of a fifth of a second.
func movesPerSecond(kernel mcmc.Kernel[partition.Partition], x *partition.Partition) float64 {
	r := rng.Stream(seed, "bench speed")
	rates := make([]float64, 5)
	for k := range rates {
		var seen mcmc.Tally
		start := time.Now()
		for time.Since(start) < 200*time.Millisecond {
			kernel.Step(r, x, &seen)
		}
		rates[k] = float64(seen.Moves()) / time.Since(start).Seconds()
	}
	slices.Sort(rates)
	return rates[2]
}

func (p *page) exact(ctx context.Context, w *bufio.Writer) error {
	fmt.Fprint(w, `
## Exact answers

The subset table of docs/maths.md#subset-table: log Z alone, and with all pair
probabilities.

| items | log Z, s | with moments, s |
|---:|---:|---:|
`)
	for _, n := range []int{10, 12, 16}[:p.sized(3, 1)] {
		tell("exact, %d items ...", n)
		m, _, err := target(n)
		if err != nil {
			return err
		}
		logZ, moments := math.Inf(1), math.Inf(1)
		for range 3 { // the best of three: nothing here is random
			start := time.Now()
			table, err := exact.NewTable(m, partition.Space{})
			if err != nil {
				return err
			}
			logZ = min(logZ, time.Since(start).Seconds())
			table.Moments()
			moments = min(moments, time.Since(start).Seconds())
		}
		fmt.Fprintf(w, "| %d | %.2g | %.2g |\n", n, logZ, moments)
	}
	return ctx.Err()
}

// annealing compares annealing with the units drawn in turn, and summed out.
func (p *page) annealing(ctx context.Context, w *bufio.Writer) error {
	const n, k = 10, 10
	repeats := p.sized(100, 2)
	fmt.Fprintf(w, `
## Annealing

One random model of each kind of units with N = K = 10 (worths and tie weight from
N(0, 0.5²), weights the same for binary units and a tenth of it for Gaussian ones), S = 1000
temperatures, R = 10 runs, %d times over. *Alternating* draws the units and the tier list in
turn, as in the paper; *summed out* moves the tier list alone (Rao-Blackwellised).

| units | way | variance of log Z | mean standard error | s |
|---|---|---:|---:|---:|
`, repeats)
	for _, units := range []latent.Units{latent.Binary, latent.Gaussian} {
		r := rng.Stream(seed, "bench annealing")
		m := latent.Parameters{Units: units, U: make([]float64, n), W: make([][]float64, n), Nu: 0.5 * r.NormFloat64()}
		spread := 0.5
		if units == latent.Gaussian {
			spread = 0.05 // raw scores enter as squares
		}
		for i := range m.U {
			m.U[i], m.W[i] = 0.5*r.NormFloat64(), make([]float64, k)
			for j := range m.W[i] {
				m.W[i][j] = spread * r.NormFloat64()
			}
		}
		model, err := latent.New(m, latent.Options{})
		if err != nil {
			return err
		}
		for _, way := range []string{"alternating", "summed out"} {
			tell("annealing, %s, %s ...", units, way)
			var sum, squares, stdErr float64
			start := time.Now()
			for repeat := range repeats {
				e, err := ais.Run(ctx, model.Annealing(latent.Reinsertion, way == "summed out"), ais.Options{Steps: 1000, Runs: 10, Seed: seed + uint64(repeat)})
				if err != nil {
					return err
				}
				sum, squares, stdErr = sum+e.LogZ, squares+e.LogZ*e.LogZ, stdErr+e.StdErr
			}
			count := float64(repeats)
			variance := max(0, squares/count-sum/count*sum/count)
			fmt.Fprintf(w, "| %s | %s | %.2g | %.2g | %.2g |\n", units, way, variance, stdErr/count, time.Since(start).Seconds()/count)
		}
	}
	return nil
}
