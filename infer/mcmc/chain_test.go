package mcmc_test

import (
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
	"fubini/infer/stattest"
	"fubini/model/osm"
)

// seed is 1, or with FUBINI_LONG a fresh one, told so that a failure can be
// repeated.
func seed(t *testing.T) uint64 {
	t.Helper()
	if os.Getenv("FUBINI_LONG") == "" {
		return 1
	}
	fresh := uint64(time.Now().UnixNano())
	t.Logf("seed %d", fresh)
	return fresh
}

// zScores runs several chains and compares the mean of every mid-rank score
// and of the tie count with the truth, in standard errors of the chains' own
// estimate. Only statistics that are free: the scores sum to a constant.
func zScores(t *testing.T, m *osm.Worths, truth *exact.Moments, k kernel, thin int) []float64 {
	t.Helper()
	const chains, draws = 4, 4000
	n := m.N()
	series := make([][][]float64, n+1) // [statistic][chain][draw]
	for s := range series {
		series[s] = make([][]float64, chains)
	}
	uniform, x, scores := partition.NewUniform(n), partition.OneBlock(n), make([]float64, n)
	for c := range chains {
		r := rng.Stream(seed(t), "long chain", uint64(c))
		uniform.Draw(r, x)
		for range 200 * thin {
			k.Step(r, x, nil)
		}
		for range draws {
			for range thin {
				k.Step(r, x, nil)
			}
			x.Scores(scores)
			for i, v := range scores {
				series[i][c] = append(series[i][c], v)
			}
			series[n][c] = append(series[n][c], float64(x.TiedPairs()))
		}
	}
	z := make([]float64, 0, n)
	for s := range series {
		if s == n-1 {
			continue // told by the other scores
		}
		want := truth.TiedPairs()
		if s < n {
			want = truth.Score(s)
		}
		if r := mcmc.SplitRHat(series[s]); !(r < 1.05) {
			t.Errorf("statistic %d: chains disagree, R-hat %.3f", s, r)
		}
		z = append(z, stattest.ZScore(stattest.Mean(series[s]), mcmc.StandardError(series[s]), want))
	}
	return z
}

func worst(z []float64) float64 {
	most := 0.0
	for _, v := range z {
		most = math.Max(most, math.Abs(v))
	}
	return most
}

func TestLongChainsAgreeWithExactMoments(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	const n = 10
	r := rng.Stream(1, "worths of ten")
	u := make([]float64, n)
	for i := range u {
		u[i] = r.NormFloat64()
	}
	for _, c := range []struct{ scale, nu float64 }{{0.3, 0.3}, {0.1, -0.5}, {0, 0.2}} {
		scaled := make([]float64, n)
		for i := range u {
			scaled[i] = c.scale * u[i]
		}
		m := worths(t, scaled, c.nu)
		table, err := exact.NewTable(m, partition.Space{})
		if err != nil {
			t.Fatal(err)
		}
		truth := table.Moments()
		splitMerge := must[*mcmc.SplitMerge](t)(mcmc.NewSplitMerge(m, partition.Space{}))
		reinsertion := must[*mcmc.Reinsertion](t)(mcmc.NewReinsertion(m, partition.Space{}))
		mixed := must[kernel](t)(mcmc.NewMixed(m, partition.Space{}))
		for _, k := range []struct {
			name   string
			kernel kernel
			thin   int
		}{{"split-merge", splitMerge, 40}, {"reinsertion", reinsertion, 1}, {"mixed", mixed, 1}} {
			label := fmt.Sprintf("%s, worths times %g, nu = %g", k.name, c.scale, c.nu)
			// Ten z-scores beyond 4.5 at a fixed seed: a chance of 7e-5 if all is well.
			if z := zScores(t, m, truth, k.kernel, k.thin); !(worst(z) <= 4.5) {
				t.Errorf("%s: off the exact moments by %.1f standard errors: %.1f", label, worst(z), z)
			}
		}
	}
}

// The same comparison sees the bias of the printed ratio.
func TestLongChainsSeeTheBiasOfThePrintedRatio(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	const n = 10
	m := worths(t, make([]float64, n), 0.2)
	table, err := exact.NewTable(m, partition.Space{})
	if err != nil {
		t.Fatal(err)
	}
	printed := must[*mcmc.SplitMerge](t)(mcmc.NewPrintedSplitMerge(m, partition.Space{}))
	if z := zScores(t, m, table.Moments(), printed, 40); !(worst(z) > 10) {
		t.Errorf("the printed ratio passes for right: %.1f", z)
	}
}

func TestTallyCountsMoves(t *testing.T) {
	const n = 6
	m := worths(t, make([]float64, n), 0)
	splitMerge := must[*mcmc.SplitMerge](t)(mcmc.NewSplitMerge(m, partition.AtMost(3)))
	mixed := must[kernel](t)(mcmc.NewMixed(m, partition.Space{}))
	r, x := rng.Stream(1, "tally"), partition.OneBlock(n)
	var seen mcmc.Tally
	blocks, changes := x.Len(), 0
	for range 1000 {
		splitMerge.Step(r, x, &seen)
		if x.Len() != blocks {
			changes++
		}
		blocks = x.Len()
		if blocks > 3 {
			t.Fatalf("%s has left the space", x)
		}
	}
	split, merge := seen.Of(mcmc.Split), seen.Of(mcmc.Merge)
	if split.Tried+merge.Tried != 1000 || seen.Moves() != 1000 {
		t.Errorf("%+v and %+v are not 1000 moves", split, merge)
	}
	if split.Moved+merge.Moved != changes {
		t.Errorf("the state changed %d times, the tally says %d", changes, split.Moved+merge.Moved)
	}
	if split.Impossible == 0 || merge.Impossible == 0 || split.Rate() <= 0 || split.Rate() >= 1 {
		t.Errorf("nothing was impossible or everything moved: %+v %+v", split, merge)
	}
	// Of reinsertions, those count as moved that changed the partition.
	one := must[*mcmc.Reinsertion](t)(mcmc.NewReinsertion(m, partition.Space{})).One()
	changes = 0
	for range 1000 {
		before := x.Clone()
		one.Step(r, x, &seen)
		if !x.Equal(before) {
			changes++
		}
	}
	if c := seen.Of(mcmc.Reinsert); c.Tried != 1000 || c.Moved != changes || changes == 1000 {
		t.Errorf("%d of 1000 reinsertions changed the partition, the tally says %+v", changes, c)
	}
	seen = mcmc.Tally{}
	mixed.Step(r, x, &seen)
	if seen.Of(mcmc.Reinsert).Tried != n || seen.Moves() != n+1 {
		t.Errorf("a mixed step of six items is %+v", seen)
	}
	var sum mcmc.Tally
	sum.Add(&seen)
	sum.Add(&seen)
	if sum.Moves() != 2*seen.Moves() || sum.Of(mcmc.Reinsert).Moved != 2*seen.Of(mcmc.Reinsert).Moved {
		t.Errorf("twice %+v is %+v", seen, sum)
	}
}

// broken is a model whose weights are not numbers.
type broken struct{}

func (broken) N() int                                 { return 3 }
func (broken) LogWeight(*partition.Partition) float64 { return math.NaN() }

func TestTargetsThatAreNoNumbersAreReported(t *testing.T) {
	target := stattest.NewSlow(broken{})
	for name, k := range map[string]kernel{
		"split-merge": must[*mcmc.SplitMerge](t)(mcmc.NewSplitMerge(target, partition.Space{})),
		"reinsertion": must[*mcmc.Reinsertion](t)(mcmc.NewReinsertion(target, partition.Space{})),
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s sampled from weights that are not numbers", name)
				}
			}()
			r, x := rng.Stream(1, "broken"), partition.OneBlock(3)
			for range 20 {
				k.Step(r, x, nil)
			}
		}()
	}
}

func TestKernelsDoNotAllocate(t *testing.T) {
	const n = 30
	r, x := rng.Stream(1, "allocations"), partition.OneBlock(n)
	var seen mcmc.Tally
	for name, m := range targets(t, n) {
		if name == "subsets" {
			continue // the slow path weighs whole partitions and may allocate
		}
		for kind, k := range map[string]kernel{
			"split-merge": must[*mcmc.SplitMerge](t)(mcmc.NewSplitMerge(m, partition.Space{})),
			"reinsertion": must[*mcmc.Reinsertion](t)(mcmc.NewReinsertion(m, partition.Space{})),
			"one":         must[*mcmc.Reinsertion](t)(mcmc.NewReinsertion(m, partition.AtMost(5))).One(),
			"mixed":       must[kernel](t)(mcmc.NewMixed(m, partition.Space{})),
		} {
			if a := testing.AllocsPerRun(200, func() { k.Step(r, x, &seen) }); a != 0 {
				t.Errorf("%s, %s: %g allocations per step", name, kind, a)
			}
		}
	}
}

func BenchmarkKernels(b *testing.B) {
	for _, n := range []int{10, 20, 50, 200} {
		r := rng.Stream(1, "bench worths", uint64(n))
		u := make([]float64, n)
		for i := range u {
			u[i] = r.NormFloat64()
		}
		m, err := osm.NewWorths(u, 0.5, osm.Options{Size: 4})
		if err != nil {
			b.Fatal(err)
		}
		for _, k := range []struct {
			name   string
			kernel kernel
		}{
			{"split-merge", must[*mcmc.SplitMerge](b)(mcmc.NewSplitMerge(m, partition.Space{}))},
			{"reinsertion", must[*mcmc.Reinsertion](b)(mcmc.NewReinsertion(m, partition.Space{}))},
			{"at most 5", must[*mcmc.Reinsertion](b)(mcmc.NewReinsertion(m, partition.AtMost(5)))},
			{"mixed", must[kernel](b)(mcmc.NewMixed(m, partition.Space{}))},
		} {
			b.Run(fmt.Sprintf("%s/N=%d", k.name, n), func(b *testing.B) {
				x := partition.OneBlock(n)
				var seen mcmc.Tally
				b.ReportAllocs()
				for b.Loop() {
					k.kernel.Step(r, x, &seen)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(seen.Moves()), "ns/move")
			})
		}
	}
}

func ExampleReinsertion() {
	model, err := osm.NewWorths([]float64{0.2, 0, -0.2}, 0.5, osm.Options{})
	if err != nil {
		panic(err)
	}
	kernel, err := mcmc.NewReinsertion(model, partition.Space{})
	if err != nil {
		panic(err)
	}
	r, x := rng.Stream(1, "example"), partition.OneBlock(3)
	tied := 0
	for range 20_000 {
		kernel.Step(r, x, nil) // a sweep over all items
		if x.Relation(0, 1) == partition.Tied {
			tied++
		}
	}
	table, err := exact.NewTable(model, partition.Space{})
	if err != nil {
		panic(err)
	}
	fmt.Printf("P(0 ~ 1): sampled %.2f, exact %.2f\n", float64(tied)/20_000, table.Moments().Tied(0, 1))
	// Output: P(0 ~ 1): sampled 0.38, exact 0.38
}
