package rival

import (
	"math"
	"slices"
	"testing"

	"fubini/data/ratings"
)

// Probabilities add up to 1, agree with the score, and are as good as they claim:
// the mean log loss of held-out ratings is near the mean entropy of the predictions.
func TestLevelProbs(t *testing.T) {
	skipIfShort(t)
	p := plantWorld(t, nil, nil)
	for _, k := range []kind{probitKind, {bayesianName, func() Recipe { return NewBayesianMF() }}} {
		var m LevelModel = fitKind(t, k, p.split.Training.Set(), Run{Seed: 1}, goodSettings).(LevelModel)
		if !slices.Equal(m.Levels(), []float64{1, 2, 3, 4, 5}) {
			t.Fatalf("levels %v", m.Levels())
		}
		probs, score := make([]float64, 5), make([]float64, 1)
		var loss, entropy, count float64
		for u := range p.split.Holdout.Set().Users().Len() {
			test := p.split.Holdout.Test(u)
			for n, i := range test.Items {
				who := Person{Index: u, Known: p.split.Holdout.Known(u)}
				m.LevelProbs(who, []uint32{i}, [][]float64{probs})
				var sum, mean float64
				for l, q := range probs {
					sum += q
					mean += q * m.Levels()[l]
					if q > 0 {
						entropy -= q * math.Log(q)
					}
				}
				loss -= math.Log(probs[int(test.Values[n])-1])
				count++
				if !(math.Abs(sum-1) <= 1e-9) {
					t.Fatalf("probabilities %v", probs)
				}
				// The table of expected ratings is right to about 1e-4 a step.
				if m.Score(who, []uint32{i}, score); m.(*bayesModel).response == OrderedProbit && !(math.Abs(score[0]-mean) <= 2e-4) {
					t.Fatalf("score %g, expected rating %g", score[0], mean)
				}
			}
		}
		t.Logf("log loss %.3f, entropy %.3f over %g ratings", loss/count, entropy/count, count)
		// Normal ratings know nothing of the ends of the scale and are less sure than they could be.
		most := map[Response]float64{OrderedProbit: 0.05, GaussianResponse: 0.15}[m.(*bayesModel).response]
		if !(math.Abs(loss-entropy)/count <= most) {
			t.Errorf("log loss %.3f, but predictions have an entropy of %.3f", loss/count, entropy/count)
		}
	}
}

// foldExample is a model with one draw of two items with one factor.
func foldExample(response Response) *bayesModel {
	return &bayesModel{
		response: response, width: 2, kept: 1,
		scale: ratingScale{levels: []float64{1, 2, 3}, mean: 2, deviation: 0.5},
		items: []float32{0.3, 1.1, -0.5, -0.7, 0.2, 0.4}, rated: []bool{true, true, true},
		noise: []float64{1}, cuts: [][]float64{{-0.6, 0.8}}, // of a normal rating, the midpoints are -1 and 1
		userPrior: []bayesPrior{{[]float64{0.1, -0.2}, []float64{2, 0, 0.5, 1.5}}},
		itemRoot:  [][]float64{{1, 0, 0, 1}},
	}
}

// Folding in against sums over a fine grid of a person's two numbers.
func TestFoldInAgainstAGrid(t *testing.T) {
	skipIfShort(t)
	who := Person{Index: -1, Known: ratings.Row{Items: []uint32{0, 1}, Values: []float32{3, 1}}}
	for _, response := range []Response{GaussianResponse, OrderedProbit} {
		f := foldExample(response)
		if err := f.prepare(); err != nil {
			t.Fatal(err)
		}
		got, score := make([]float64, 3), make([]float64, 1)
		f.LevelProbs(who, []uint32{2}, [][]float64{got})
		f.Score(who, []uint32{2}, score)

		likelihood := func(mean, value float64) float64 {
			if response == GaussianResponse {
				return normalDensity((value-2)/0.5 - mean)
			}
			low, high := interval(f.cuts[0], int(value)-1)
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
					low, high := interval(f.cuts[0], l)
					want[l] += weight * normalBetween(low-(b+0.2+0.4*p), high-(b+0.2+0.4*p))
				}
			}
		}
		// Exact where the rating is normal, but for the model's float32; Laplace's
		// approximation, from two ratings, for an ordered probit.
		tolerance := map[Response]float64{GaussianResponse: 1e-6, OrderedProbit: 0.01}[response]
		expected := 0.0
		for l := range want {
			want[l] /= total
			expected += want[l] * float64(l+1)
			if !(math.Abs(got[l]-want[l]) <= tolerance) {
				t.Errorf("%s: probabilities %.4f, on a grid %.4f", responseNames[response], got, want)
			}
		}
		if response == GaussianResponse {
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
