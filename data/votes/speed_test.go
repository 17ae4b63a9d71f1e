package votes

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// pairsCSV makes rows of pairs among 200 items.
func pairsCSV(rows int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	b.WriteString("model_a,model_b,winner,weight,judge\n")
	winners := []string{"model_a", "model_b", "tie"}
	for range rows {
		a := r.IntN(200)
		fmt.Fprintf(&b, "model-%d,model-%d,%s,%d,judge-%d\n", a, (a+1+r.IntN(199))%200, winners[r.IntN(3)], 1+r.IntN(5), r.IntN(5000))
	}
	return b.Bytes()
}

func BenchmarkPairs(b *testing.B) {
	const rows = 100_000
	data := pairsCSV(rows)
	b.SetBytes(int64(len(data)))
	for _, rater := range []string{"", "judge"} {
		b.Run("rater="+rater, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if s, err := ReadStream(bytes.NewReader(data), "pairs.csv", Options{Rater: rater}); err != nil || s.Len() != rows {
					b.Fatal(s.Len(), err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
		})
	}
}

func BenchmarkTiers(b *testing.B) {
	const rows = 20_000
	data := []byte(strings.Repeat(`{"user":"ann","tiers":[["a","b"],["c"],["d","e"]],"weight":2}`+"\n", rows))
	b.ReportAllocs()
	for b.Loop() {
		if s, err := ReadStream(bytes.NewReader(data), "tiers.jsonl", Options{}); err != nil || s.Len() != rows {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
}

// Rows are read without an allocation for each of them.
func TestRowsDoNotAllocate(t *testing.T) {
	few, many := pairsCSV(1000), pairsCSV(21_000)
	allocations := func(data []byte) float64 {
		return testing.AllocsPerRun(3, func() {
			if _, err := ReadStream(bytes.NewReader(data), "pairs.csv", Options{}); err != nil {
				t.Fatal(err)
			}
		})
	}
	// Columns that grow are copied some 15 times each.
	if more := allocations(many) - allocations(few); !(more < 200) {
		t.Errorf("20,000 rows more made %g allocations more", more)
	}
}
