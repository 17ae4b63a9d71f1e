package factor

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestListRankMF(t *testing.T) {
	checkPlanted(t, with(NewListRankMF(), func(o *ListRankMF) { o.Hidden, o.ItemPrior = 4, 0.01 }), 0.72)
	checkPlanted(t, with(NewListRankMF(), func(o *ListRankMF) {
		o.Hidden, o.UserPrior, o.ItemPrior, o.Scale, o.Rate, o.Start = 4, 0.01, 0.01, 0.1, 0.1, StartNormal
	}), 0.72)
	checkAnyJobs(t, with(NewListRankMF(), func(o *ListRankMF) { o.Batch = 7 }))
	checkEquivariant(t, with(NewListRankMF(), func(o *ListRankMF) { o.Hidden, o.Epochs, o.Batch = 2, 4, 7 }))
}

// By hand: with all scores equal, q is even, and the loss is log n; with ratings 5
// and 0 of 5, p is e to 1.
func TestTopOneByHand(t *testing.T) {
	l := &topOne{Largest: 5}
	slope := make([]float64, 2)
	got := l.Of([]float32{5, 0}, []float64{0, 0}, slope, nil, new(Row))
	p := math.E / (1 + math.E)
	if !(math.Abs(got-math.Ln2) <= 1e-15) || !(math.Abs(slope[0]-(0.5-p)/4) <= 1e-15) || !(math.Abs(slope[0]+slope[1]) <= 1e-15) {
		t.Errorf("loss %g with slopes %v", got, slope)
	}
}

func TestTopOneSlopes(t *testing.T) {
	l := &topOne{Largest: 5}
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		values, scores := make([]float32, 6), make([]float64, 6)
		for k := range values {
			values[k], scores[k] = float32(1+r.IntN(5)), 3*r.NormFloat64()
		}
		slope, none := make([]float64, 6), make([]float64, 6)
		var row Row
		l.Of(values, scores, slope, nil, &row)
		for k := range scores {
			const h = 1e-5
			at := scores[k]
			scores[k] = at + h
			up := l.Of(values, scores, none, nil, &row)
			scores[k] = at - h
			down := l.Of(values, scores, none, nil, &row)
			scores[k] = at
			if want := (up - down) / (2 * h); !(math.Abs(slope[k]-want) <= 1e-9) {
				t.Errorf("slope %g, by differences %g", slope[k], want)
			}
		}
	}
}
