package exact_test

import (
	"fmt"
	"math"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
)

// drawnStatistics are four statistics of random numbers.
func drawnStatistics(n int) exact.Statistics {
	const count = 4
	r := rng.Stream(1, "statistics", uint64(n))
	numbers := func(rows int) []float64 {
		all := make([]float64, rows*count)
		for k := range all {
			all[k] = r.NormFloat64()
		}
		return all
	}
	f := exact.Statistics{Count: count, Tied: numbers(n * n), Above: numbers(n * n), Blocks: numbers(n + 1), Last: numbers(n + 1)}
	for i := range n {
		for j := range i {
			copy(f.Tied[(i*n+j)*count:][:count], f.Tied[(j*n+i)*count:][:count])
		}
	}
	return f
}

// statisticsOf are the statistics of a partition, from their definition.
func statisticsOf(f exact.Statistics, x *partition.Partition) []float64 {
	n, sum := x.N(), make([]float64, f.Count)
	add := func(row []float64) {
		for a := range sum {
			sum[a] += row[a]
		}
	}
	for t := range x.Len() {
		block := x.Block(t)
		for k, i := range block {
			for _, j := range block[:k] {
				add(f.Tied[(int(i)*n+int(j))*f.Count:])
			}
			for below := t + 1; below < x.Len(); below++ {
				for _, j := range x.Block(below) {
					add(f.Above[(int(i)*n+int(j))*f.Count:])
				}
			}
		}
		if f.Blocks != nil {
			add(f.Blocks[len(block)*f.Count:])
		}
		if f.Last != nil && t == x.Len()-1 {
			add(f.Last[len(block)*f.Count:])
		}
	}
	return sum
}

// Means and covariances are those of all partitions, listed one by one.
func TestCovarianceAgainstListing(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for name, m := range map[string]interface {
			exact.Pairwise
			exact.Weigher
		}{"pairs": randomPairs(1, n, 1), "sized": newSized(n, 1)} {
			for _, plain := range []bool{false, true} {
				f := drawnStatistics(n)
				if plain {
					f.Blocks, f.Last = nil, nil
				}
				table, err := exact.NewTable(m, partition.Space{})
				if err != nil {
					t.Fatal(err)
				}
				mean, covariance, ok := table.Covariance(f)
				if !ok {
					t.Fatal("no covariance")
				}
				first, second := make([]float64, f.Count), make([]float64, f.Count*f.Count)
				var z float64
				for x := range partition.All(n) {
					w := math.Exp(m.LogWeight(x) - table.LogZ())
					z += w
					values := statisticsOf(f, x)
					for a, v := range values {
						first[a] += w * v
						for b, u := range values {
							second[a*f.Count+b] += w * v * u
						}
					}
				}
				if !(math.Abs(z-1) <= 1e-12) {
					t.Fatalf("probabilities sum to %g", z)
				}
				label := fmt.Sprintf("%s, n = %d, plain %v", name, n, plain)
				for a, want := range first {
					if !(math.Abs(mean[a]-want) <= 1e-11) {
						t.Errorf("%s: mean %d is %g, listed %g", label, a, mean[a], want)
					}
					for b := range first {
						want := second[a*f.Count+b] - first[a]*first[b]
						if got := covariance[a*f.Count+b]; !(math.Abs(got-want) <= 1e-10) {
							t.Errorf("%s: covariance of %d and %d is %g, listed %g", label, a, b, got, want)
						}
					}
				}
			}
		}
	}
}

// Where a table has layers or is kept in logarithms there is no such covariance.
func TestCovarianceIsNotForAllTables(t *testing.T) {
	layered, err := exact.NewTable(randomPairs(1, 4, 1), partition.TwoBlocks())
	if err != nil {
		t.Fatal(err)
	}
	far, err := exact.NewTable(newSized(4, 300), partition.Space{})
	if err != nil {
		t.Fatal(err)
	}
	for name, table := range map[string]*exact.Table{"layers": layered, "logs": far} {
		if _, _, ok := table.Covariance(drawnStatistics(4)); ok {
			t.Errorf("%s: a covariance", name)
		}
	}
}
