package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
	"fubini/model/osm"
)

type kernelSpeed struct {
	kernel             string
	items              int
	movesPerSecond     float64
	movesPerEffective  float64
	effectivePerSecond float64
	times              float64 // effective samples per second, over those of split-merge
	rHat               float64
}

type exactSpeed struct {
	items         int
	logZ, moments float64 // seconds
}

// benchKernels are measured in this order; the first is the base of ratios.
var benchKernels = []string{"split-merge", "reinsertion", "mixed"}

// benchModel is the target of all measurements.
func benchModel(n int, seed uint64) (*osm.Worths, []float64, error) {
	r := rng.Stream(seed, "bench worths", uint64(n))
	u := make([]float64, n)
	for i := range u {
		u[i] = r.NormFloat64()
	}
	m, err := osm.NewWorths(u, 0.5, osm.Options{Size: 4})
	return m, u, err
}

// unit is what happens between two records: about N moves, ten times as many
// for split-merge.
func unit(name string, m *osm.Worths) (mcmc.Kernel[partition.Partition], error) {
	n, everything := m.N(), partition.Space{}
	switch name {
	case "split-merge":
		k, err := mcmc.NewSplitMerge(m, everything)
		return mcmc.Repeat[partition.Partition](k, 10*n), err
	case "reinsertion":
		return mcmc.NewReinsertion(m, everything)
	case "mixed":
		return mcmc.NewMixed(m, everything)
	}
	return nil, fmt.Errorf("no kernel %s", name)
}

func measureKernel(ctx context.Context, name string, n int, seed uint64, plan benchPlan) (kernelSpeed, error) {
	speed := kernelSpeed{kernel: name, items: n}
	m, u, err := benchModel(n, seed)
	if err != nil {
		return speed, err
	}
	kernel, err := unit(name, m)
	if err != nil {
		return speed, err
	}
	settle, err := unit("reinsertion", m)
	if err != nil {
		return speed, err
	}
	best, worst := slices.Index(u, slices.Max(u)), slices.Index(u, slices.Min(u))
	series := make([][][]float64, 4) // [statistic][chain][record]
	for s := range series {
		series[s] = make([][]float64, plan.chains)
	}
	scores := make([]float64, n)
	uniform, x := partition.NewUniform(n), partition.OneBlock(n)
	var seen mcmc.Tally
	for c := range plan.chains {
		r := rng.Stream(seed, "bench chain", uint64(n), uint64(c))
		uniform.Draw(r, x)
		for range 300 { // to equilibrium, by the kernel that gets there
			settle.Step(r, x, nil)
		}
		for range plan.records {
			if err := ctx.Err(); err != nil {
				return speed, err
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
		speed.rHat = math.Max(speed.rHat, mcmc.SplitRHat(chains))
	}
	speed.movesPerEffective = float64(seen.Moves()) / effective
	speed.movesPerSecond = movesPerSecond(kernel, x, seed)
	speed.effectivePerSecond = speed.movesPerSecond / speed.movesPerEffective
	return speed, nil
}

// movesPerSecond is the median of five runs of a fifth of a second.
func movesPerSecond(kernel mcmc.Kernel[partition.Partition], x *partition.Partition, seed uint64) float64 {
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

func measureExact(ctx context.Context, n int, seed uint64) (exactSpeed, error) {
	speed := exactSpeed{items: n, logZ: math.Inf(1), moments: math.Inf(1)}
	m, _, err := benchModel(n, seed)
	if err != nil {
		return speed, err
	}
	for range 3 { // the best of three: nothing here is random
		if err := ctx.Err(); err != nil {
			return speed, err
		}
		start := time.Now()
		table, err := exact.NewTable(m, partition.Space{})
		if err != nil {
			return speed, err
		}
		speed.logZ = math.Min(speed.logZ, time.Since(start).Seconds())
		table.Moments()
		speed.moments = math.Min(speed.moments, time.Since(start).Seconds())
	}
	return speed, nil
}

// round keeps three digits: more would be noise.
func round(v float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	if err != nil {
		return v
	}
	return short
}
