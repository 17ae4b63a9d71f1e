package odds_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/use/odds"
)

// sharpened knows the probabilities of three ratings of every item, and raises them to a power.
type sharpened struct {
	truth [][]float64
	power float64
}

func (s sharpened) Levels() []float64 { return []float64{1, 2, 3} }

func (s sharpened) LevelProbs(_ model.Person, items []uint32, probs [][]float64) {
	for k, i := range items {
		var sum float64
		for v, p := range s.truth[i] {
			probs[k][v] = math.Pow(p, s.power)
			sum += probs[k][v]
		}
		for v := range probs[k] {
			probs[k][v] /= sum
		}
	}
}

// A forecast that is too sure is corrected by held-back ratings to nearly the true probabilities, and one that is true stays nearly as it is.
func TestFitForecast(t *testing.T) {
	const people, items = 300, 60
	stream := rng.Stream(1, "forecast")
	truth := make([][]float64, items)
	for i := range truth {
		a, b := math.Exp(1.5*stream.NormFloat64()), math.Exp(stream.NormFloat64())
		truth[i] = []float64{1 / (1 + a + b), b / (1 + a + b), a / (1 + a + b)}
	}
	made := ratings.NewBuilder()
	for u := range people {
		for i := range items {
			x, level := stream.Float64(), 0
			for level < 2 && x > truth[i][level] {
				x -= truth[i][level]
				level++
			}
			if err := made.Add(fmt.Append(nil, "u", u), fmt.Append(nil, "i", i), float32(level+1), 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	set, _, err := made.Build(ratings.KeepLast)
	if err != nil {
		t.Fatal(err)
	}
	numbered := make([][]float64, items) // by the numbers that the set gives
	for i, p := range truth {
		number, _ := set.Items().Find(fmt.Sprint("i", i))
		numbered[number] = p
	}
	truth = numbered
	split, err := set.Random(0.3, 1)
	if err != nil {
		t.Fatal(err)
	}
	loss := func(f odds.Forecaster) float64 {
		outcome, err := odds.Judge(context.Background(), f, split.Holdout, 0)
		if err != nil {
			t.Fatal(err)
		}
		return outcome.LogLoss
	}
	best := loss(odds.Levels{Model: sharpened{truth, 1}})
	for _, power := range []float64{1, 3} {
		plain := odds.Levels{Model: sharpened{truth, power}}
		correction, err := odds.FitForecast(plain, split, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := correction.Rated.Power * power; !(math.Abs(got-1) < 0.1) {
			t.Errorf("probabilities to the power of %g: corrected to %g", power, got)
		}
		before, after := loss(plain), loss(odds.Corrected{Forecaster: plain, Calibration: correction})
		if !(after < best+0.002) || power > 1 && !(before > best+0.1) {
			t.Errorf("probabilities to the power of %g: log loss %g, corrected %g, of the truth %g", power, before, after, best)
		}
	}
}
