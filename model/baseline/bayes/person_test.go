package bayes

import (
	"math"
	"testing"

	"fubini/data/ratings"
	"fubini/model"
)

// foldExample is a model with one draw of two items with one factor.
func foldExample(response Response) *posterior {
	return &posterior{
		response: response, width: 2, kept: 1,
		scale: ratingScale{levels: []float64{1, 2, 3}, mean: 2, deviation: 0.5},
		items: []float32{0.3, 1.1, -0.5, -0.7, 0.2, 0.4}, rated: []bool{true, true, true},
		noise: []float64{1}, allCuts: []float64{-0.6, 0.8}, // of a normal rating, the midpoints are -1 and 1
		userMeans: []float64{0.1, -0.2}, userPrecisions: []float64{2, 0, 0.5, 1.5},
		itemRoots: []float64{1, 0, 0, 1},
	}
}

// Folding in against sums over a fine grid of a person's two numbers.
func TestFoldInAgainstAGrid(t *testing.T) {
	skipIfShort(t)
	who := model.Person{Index: -1, Known: ratings.Row{Items: []uint32{0, 1}, Values: []float32{3, 1}}}
	for _, response := range []Response{Gaussian, OrderedProbit} {
		f := foldExample(response)
		if err := f.prepare(); err != nil {
			t.Fatal(err)
		}
		got, score := make([]float64, 3), make([]float64, 1)
		f.LevelProbs(who, []uint32{2}, [][]float64{got})
		f.Score(who, []uint32{2}, score)

		likelihood := func(mean, value float64) float64 {
			if response == Gaussian {
				return normalDensity((value-2)/0.5 - mean)
			}
			low, high := interval(f.cuts(0), int(value)-1)
			return normalBelow(high-mean) - normalBelow(low-mean)
		}
		var total, mean float64
		want := make([]float64, 3)
		for b := -6.0; b <= 6; b += 0.02 {
			for p := -6.0; p <= 6; p += 0.02 {
				x, y := b-0.1, p+0.2
				weight := math.Exp(-(2*x*x+2*0.5*x*y+1.5*y*y)/2) * likelihood(b+0.3+1.1*p, 3) * likelihood(b-0.5-0.7*p, 1)
				total += weight
				mean += weight * (b + 0.2 + 0.4*p)
				for l := range want {
					low, high := interval(f.cuts(0), l)
					want[l] += weight * normalBetween(low-(b+0.2+0.4*p), high-(b+0.2+0.4*p))
				}
			}
		}
		// Exact where the rating is normal, but for the model's float32; Laplace's
		// approximation, from two ratings, for an ordered probit.
		tolerance := map[Response]float64{Gaussian: 1e-6, OrderedProbit: 0.01}[response]
		expected := 0.0
		for l := range want {
			want[l] /= total
			expected += want[l] * float64(l+1)
			if !(math.Abs(got[l]-want[l]) <= tolerance) {
				t.Errorf("%s: probabilities %.4f, on a grid %.4f", responseNames[response], got, want)
			}
		}
		if response == Gaussian {
			expected = 2 + 0.5*mean/total
		}
		if !(math.Abs(score[0]-expected) <= tolerance) {
			t.Errorf("%s: score %g, on a grid %g", responseNames[response], score[0], expected)
		}
	}
}

func TestLevelCurve(t *testing.T) {
	s := ratingScale{levels: []float64{0.5, 1, 4}}
	cuts := []float64{-0.3, 1.2}
	c := newLevelCurve(s, cuts)
	last := 0.0
	for x := -20.0; x < 20; x += 0.01 {
		got, want := c.at(x), s.expected(cuts, x, 1)
		// Linear between entries: step²/8 times the largest second derivative, 0.9.
		if !(math.Abs(got-want) <= 1.5e-4) || got < last {
			t.Fatalf("at %g: %g after %g, exactly %g", x, got, last, want)
		}
		last = got
	}
}
