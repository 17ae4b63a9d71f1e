package metric_test

import (
	"fmt"

	"fubini/judge/metric"
)

func Example() {
	scores := []float64{4.1, 3.2, 3.2, 1.5} // predicted; the second and third are tied
	stars := []float64{4, 5, 2, 1}          // judged, of the same items
	r, err := metric.Rank(scores, stars)
	if err != nil {
		fmt.Println(err)
		return
	}
	liked := metric.AtLeast(4)
	fmt.Printf("NDCG@3 %.4f\n", r.NDCG(3, metric.Exp2))
	fmt.Printf("ERR    %.4f\n", r.ERR(0, metric.Graded(1, 5)))
	fmt.Printf("P@2    %.4f\n", r.Precision(2, liked))
	fmt.Printf("AP     %.4f\n", r.AveragePrecision(0, liked))
	fmt.Printf("tau-b  %.4f\n", r.KendallTauB())
	// Output:
	// NDCG@3 0.8156
	// ERR    0.6609
	// P@2    0.7500
	// AP     0.9167
	// tau-b  0.5477
}

// One ranking serves many lists, and allocates for the longest only.
func ExampleRanking_Load() {
	var r metric.Ranking
	var sum float64
	lists := []struct{ scores, levels []float64 }{
		{[]float64{3, 2, 1}, []float64{5, 3, 1}},
		{[]float64{1, 1}, []float64{5, 1}},
	}
	for _, list := range lists {
		if err := r.Load(list.scores, list.levels); err != nil {
			fmt.Println(err)
			return
		}
		sum += r.NDCG(1, metric.Exp2)
	}
	fmt.Printf("%.4f\n", sum/float64(len(lists)))
	// Output: 0.7581
}

// All scores equal: what a model that knows nothing gets, without drawing lots.
func ExampleRanking_ERR() {
	r, err := metric.Rank([]float64{0, 0, 0}, []float64{5, 3, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f\n", r.ERR(0, metric.Graded(1, 5)))
	// Output: 0.6191
}

// Lists with nothing to find get 0. To leave them out, ask first.
func ExampleRanking_Relevant() {
	r, err := metric.Rank([]float64{2, 1}, []float64{3, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Relevant(4), r.Recall(1, 4))
	// Output: 0 0
}
