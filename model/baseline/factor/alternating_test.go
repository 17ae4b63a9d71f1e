package factor

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fubini/model"
	"fubini/model/baseline/fitting"
)

// What solve leaves is a minimum: the gradient there is zero, with fewer ratings
// than coordinates and with more, and fixed coordinates stay.
func TestRidgeGradientIsZero(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const width = 6
	vectors := make([]float64, 20*width)
	for k := range vectors {
		vectors[k] = r.NormFloat64()
	}
	var space ridge
	for _, n := range []int{1, 3, 5, 6, 20} {
		prior := []float64{0.5, 2, 0, 3, -1, 1}
		if n < 5 {
			prior[2] = 0.1 // with none it is not determined
		}
		centre := []float64{0.3, -0.2, 0, 1, 0, 0}
		x := []float64{9, 9, 9, 9, 2, 9}
		which, values := make([]uint32, n), make([]float32, n)
		for k := range n {
			which[k], values[k] = uint32(k), float32(r.IntN(5))
		}
		space.solve(x, centre, prior, vectors, which, values, 1.5)
		if x[4] != 2 {
			t.Errorf("a fixed coordinate went to %g", x[4])
		}
		for d, p := range prior {
			if p < 0 {
				continue
			}
			slope := p * (x[d] - centre[d])
			for k, i := range which {
				vector := vectors[int(i)*width:][:width]
				slope -= (float64(values[k]) - 1.5 - fitting.Dot(x, vector)) * vector[d]
			}
			if !(math.Abs(slope) <= 10*leastPrior) { // which is what a prior of none becomes
				t.Errorf("%d ratings: slope %g by coordinate %d", n, slope, d)
			}
		}
	}
}

// Every sweep of exact solutions can only lower the objective.
func TestAlternatingNeverRises(t *testing.T) {
	s := without(t, planted(t, 40, 15, 0.5))
	for _, has := range []Biases{{}, {User: true, Item: true}} {
		for _, centred := range []bool{false, true} {
			a, err := newAlternating(s, fitting.Run{Run: model.Run{Seed: 1, Jobs: 2}}, (&MF{Hidden: 4, Prior: 1.5, BiasPrior: 0.7}).options(), has, centred)
			if err != nil {
				t.Fatal(err)
			}
			before := math.Inf(1)
			for e := range 40 {
				now := a.Epoch()
				if !(now <= before*(1+1e-12)) {
					t.Fatalf("%+v, centred %v: from %.12g to %.12g in epoch %d", has, centred, before, now, e)
				}
				before = now
			}
			// It is the loss of the engine: the errors under the scores, and priors.
			var loss float64
			for u := range s.Users().Len() {
				row := s.Row(u)
				scores, slope := make([]float64, row.Len()), make([]float64, row.Len())
				a.Score(model.Person{Index: u, Known: row}, row.Items, scores)
				loss += a.Loss.Of(row.Values, scores, slope, nil, nil)
			}
			if !centred {
				loss += a.penalty(a.users)
				if !(math.Abs(loss-before) <= 1e-9*before) {
					t.Errorf("%+v: objective %g, from scores %g", has, before, loss)
				}
			} else if !(loss < before) {
				t.Errorf("%+v: the errors alone, %g, are more than the objective, %g", has, loss, before)
			}
		}
	}
}

// Somebody with the ratings of a user of the training set gets that user's scores.
func TestAlternatingFoldsInExactly(t *testing.T) {
	s := planted(t, 30, 12, 0.6)
	m, err := with(NewBiasedMF(), func(o *MF) { o.Hidden, o.Epochs = 3, 5 }).Fit(context.Background(), s, model.Run{Seed: 1, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	got, want := make([]float64, 12), make([]float64, 12)
	items := []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	for u := range 30 {
		m.Score(model.Person{Index: u}, items, want)
		m.Score(model.Person{Index: -1, Known: s.Row(u)}, items, got)
		if !slices.Equal(got, want) {
			t.Fatalf("user %d: folded in %v, in training %v", u, got, want)
		}
	}
}
