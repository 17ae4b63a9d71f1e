package metric_test

import (
	"fmt"
	"testing"

	"fubini/judge/metric"
)

func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			scores, levels := example(n)
			r := rank(b, scores, levels)
			b.ReportAllocs()
			for b.Loop() {
				if err := r.Load(scores, levels); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What a table of the paper needs of one user.
func BenchmarkPaper(b *testing.B) {
	scores, levels := example(100)
	r := rank(b, scores, levels)
	b.ReportAllocs()
	for b.Loop() {
		if err := r.Load(scores, levels); err != nil {
			b.Fatal(err)
		}
		r.NDCG(1, metric.Exp2)
		r.NDCG(5, metric.Exp2)
		r.NDCG(10, metric.Exp2)
		r.ERR(0, paper)
	}
}

func BenchmarkMetrics(b *testing.B) {
	scores, levels := example(100)
	for _, m := range every() {
		switch m.name {
		case "NDCG@0 Exp2", "NDCG@10 Exp2", "ERR@0 paper", "AveragePrecision@0", "ReciprocalRank@0", "Recall@10", "AUC", "KendallTauB":
			b.Run(m.name, func(b *testing.B) {
				r := rank(b, scores, levels)
				b.ReportAllocs()
				for b.Loop() {
					m.of(r)
				}
			})
		}
	}
}

// A tie of all items: of 4,000 with 50 stops among them (a catalogue that a model
// has no opinion of), and of 1,000 where the reader may stop at any.
func BenchmarkTiedERR(b *testing.B) {
	for _, c := range []struct{ items, stops int }{{100, 100}, {1000, 1000}, {4000, 50}} {
		b.Run(fmt.Sprintf("%d of %d", c.stops, c.items), func(b *testing.B) {
			scores, levels := make([]float64, c.items), make([]float64, c.items)
			for i := range levels {
				levels[i] = 1
				if i < c.stops {
					levels[i] = float64(2 + i%4)
				}
			}
			r := rank(b, scores, levels)
			b.ReportAllocs()
			for b.Loop() {
				r.ERR(0, paper)
			}
		})
	}
}
