package rival

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
)

// probitKind goes through the checks of the contract beside the kinds of the list,
// which have default settings.
var probitKind = kind{bayesianName, func() Recipe { return &BayesianMF{Response: OrderedProbit} }}

func TestOrderedProbitKeepsTheContract(t *testing.T) {
	p := plantWorld(t, nil, nil)
	set := p.split.Training.Set()
	quick := func(jobs int) Model { return fitKind(t, probitKind, set, Run{Seed: 9, Jobs: jobs}, quickSettings) }
	first := quick(1)
	for _, jobs := range []int{2, 5} {
		if !sameBits(allScores(t, first, set), allScores(t, quick(jobs), set)) {
			t.Errorf("other scores with %d jobs", jobs)
		}
	}
	loaded, err := new(BayesianMF).Load(stored(t, first), plantedItems)
	if err != nil {
		t.Fatal(err)
	}
	stranger := Person{Index: -1, Known: set.Row(3)}
	if !slices.Equal(scoresFor(t, first, plantedItems, stranger), scoresFor(t, loaded, plantedItems, stranger)) {
		t.Error("other scores after loading")
	}
	if _, err := probitKind.make().Fit(context.Background(), tinySet(t), Run{}); err == nil {
		t.Error("no ratings: no error")
	}
	for name, set := range map[string]*ratings.Set{
		"one rating":        tinySet(t, [3]float32{1, 1, 4}),
		"all ratings equal": tinySet(t, [3]float32{1, 1, 4}, [3]float32{1, 2, 4}, [3]float32{2, 1, 4}, [3]float32{2, 3, 4}),
		"two levels":        tinySet(t, [3]float32{1, 1, 0}, [3]float32{1, 2, 1}, [3]float32{2, 1, 1}, [3]float32{2, 3, 0}),
	} {
		errorOrScores(t, name, probitKind, recipeWith(t, probitKind, map[string]float64{"sweeps": 6, "burn": 2}), set)
	}
}

func TestBayesianMFLearnsAPlantedPattern(t *testing.T) {
	skipIfShort(t)
	p := plantWorld(t, nil, nil)
	set := p.split.Training.Set()
	m := fitKind(t, probitKind, set, Run{Seed: 1}, goodSettings).(*bayesModel)
	if got := concordance(m, p.split, 2); !(got > 0.85) { // 0.88 is what the noise allows
		t.Errorf("%.3f of held-out pairs in the right order", got)
	}
	var sum float64
	for u := range 40 {
		row := set.Row(u)
		sum += rankCorrelation(scoresFor(t, m, plantedItems, Person{Index: u}), scoresFor(t, m, plantedItems, Person{Index: -1, Known: row})) / 40
	}
	if !(sum > 0.98) {
		t.Errorf("users have rank correlation %.3f with themselves folded in", sum)
	}
	for draw, cuts := range m.cuts {
		if len(cuts) != 4 || !slices.IsSorted(cuts) {
			t.Fatalf("draw %d has cut points %v", draw, cuts)
		}
	}
}

// Probabilities add up to 1, agree with the score, and are as good as they claim:
// the mean log loss of held-out ratings is near the mean entropy of the predictions.
func TestLevelProbs(t *testing.T) {
	skipIfShort(t)
	p := plantWorld(t, nil, nil)
	for _, k := range []kind{probitKind, {bayesianName, func() Recipe { return new(BayesianMF) }}} {
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
				m.LevelProbs(who, i, probs)
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
		noise: []float64{1}, cuts: [][]float64{{-0.6, 0.8}},
		userPrior: []bayesPrior{{[]float64{0.1, -0.2}, []float64{2, 0, 0.5, 1.5}}},
		itemRoot:  [][]float64{{1, 0, 0, 1}},
	}
}

// Folding in against sums over a fine grid of a person's two numbers.
func TestFoldInAgainstAGrid(t *testing.T) {
	who := Person{Index: -1, Known: ratings.Row{Items: []uint32{0, 1}, Values: []float32{3, 1}}}
	for _, response := range []Response{GaussianResponse, OrderedProbit} {
		f := foldExample(response)
		if err := f.prepare(); err != nil {
			t.Fatal(err)
		}
		got, score := make([]float64, 3), make([]float64, 1)
		f.LevelProbs(who, 2, got)
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

func TestBayesianMFRefusals(t *testing.T) {
	var many [][3]float32
	for k := range 150 {
		many = append(many, [3]float32{float32(k % 15), float32(k / 15), float32(k)})
	}
	for want, m := range map[string]BayesianMF{
		"hidden is 11":              {Hidden: 11},
		"sweeps is 20 and burn 20":  {Sweeps: 20, Burn: 20},
		"start -1":                  {Start: -1},
		"response 2":                {Response: 2},
		"150 different values":      {Response: OrderedProbit},
		"start +Inf must be":        {Start: math.Inf(1)},
		"sweeps is -3":              {Sweeps: -3},
		"takes up to 100":           {Response: OrderedProbit, Hidden: 2},
		"factors can be learned":    {Hidden: -1},
		"more sweeps than are thro": {Sweeps: 1, Burn: 1},
	} {
		if _, err := m.Fit(context.Background(), tinySet(t, many...), Run{}); err == nil || !strings.HasPrefix(err.Error(), "rival: bayesian-mf: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, expected %q", m, err, want)
		}
	}
}

// Draws are thinned to what there is room for, and none is left empty.
func TestBayesianMFKeepsDrawsAtEvenDistances(t *testing.T) {
	set := plantWorld(t, nil, nil).split.Training.Set()
	for _, c := range []struct{ sweeps, burn, want int }{{7, 2, 5}, {150, 20, 100}, {1, -1, 1}, {230, 30, 100}} {
		m, err := (&BayesianMF{Hidden: 1, Sweeps: c.sweeps, Burn: c.burn}).fit(context.Background(), set, Run{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if m.kept != c.want || slices.Contains(m.noise, 0) {
			t.Errorf("%+v: %d draws kept, with noise %v", c, m.kept, m.noise)
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

func BenchmarkBayesianMF(b *testing.B) {
	r := rng.Stream(1, "benchmark")
	builder := ratings.NewBuilder()
	for u := range 1000 {
		for _, i := range r.Perm(500)[:50] {
			if err := builder.Add(fmt.Append(nil, u), fmt.Append(nil, i), float32(1+r.IntN(5)), ratings.NoTime); err != nil {
				b.Fatal(err)
			}
		}
	}
	set, _, err := builder.Build(ratings.Refuse)
	if err != nil {
		b.Fatal(err)
	}
	for _, response := range []Response{GaussianResponse, OrderedProbit} {
		b.Run(responseNames[response], func(b *testing.B) {
			m := BayesianMF{Response: response}
			o, err := m.resolved(set.Users().Len(), set.Items().Len())
			if err != nil {
				b.Fatal(err)
			}
			c := o.chain(set, Run{Seed: 1, Jobs: 1}, newRatingScale(set))
			c.sweep()
			b.ReportAllocs()
			for b.Loop() {
				c.sweep()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(set.Len()), "ns/rating")
		})
	}
}
