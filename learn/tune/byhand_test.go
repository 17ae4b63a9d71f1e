package tune

import (
	"fmt"
	"math"
	"testing"

	"fubini/data/ratings"
	"fubini/model"
)

// near fails unless two numbers are the same but for rounding.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("%s is %g, by hand %g", what, got, want)
	}
}

// The gain of one model over another is a ratio of sums over users; its standard error
// is that of the residuals, each user's difference less the gain times their pairs.
func TestGainAndErrorByHand(t *testing.T) {
	one := []tally{{2, 2}, {1, 1}, {0, 1}}
	other := []tally{{1, 2}, {0, 1}, {0, 1}}
	gain, noise := apart(one, other) // differences 1, 1, 0 over 4 pairs; residuals 0, 1/2, -1/2
	near(t, "gain", gain, 0.5)
	near(t, "error", noise, math.Sqrt(0.5)/4)

	// A model that is better by the same share for everybody is so without error.
	one, other = []tally{{3, 4}, {6, 8}, {1.5, 2}}, []tally{{1, 4}, {2, 8}, {0.5, 2}}
	gain, noise = apart(one, other)
	near(t, "gain", gain, 0.5)
	near(t, "error", noise, 0)
}

// Over folds the gain is a mean, and its standard error that of a mean of independent
// gains.
func TestErrorOverFoldsByHand(t *testing.T) {
	several := trial{gains: []float64{0.1, 0.3, 0.2}, noises: []float64{0.02, 0.03, 0.06}}
	gain, noise := several.ahead()
	near(t, "gain", gain, 0.2)
	near(t, "error", noise, 0.07/3) // 0.02^2 + 0.03^2 + 0.06^2 = 0.07^2
}

// The defaults stay unless the best trial is ahead of them by two standard errors.
func TestTwoStandardErrors(t *testing.T) {
	for _, c := range []struct {
		gain   float64
		chosen int
	}{{0.15, 0}, {0.19, 0}, {0.21, 1}} {
		best := &trial{settings: map[string]float64{"hidden": 3}, values: []float64{0.6 + c.gain}, gains: []float64{c.gain}, noises: []float64{0.1}}
		s := &search{trials: []*trial{{settings: map[string]float64{}, values: []float64{0.6}, gains: []float64{0}, noises: []float64{0}}, best}}
		if found := s.result(); found.Trials[0].Number != c.chosen || len(found.Best) != c.chosen {
			t.Errorf("ahead by %g with a standard error of 0.1: trial %d, settings %v", c.gain, found.Trials[0].Number, found.Best)
		}
	}
}

// scored is a model that scores item i by the i-th number.
type scored struct {
	model.Model
	scores []float64
}

func (s scored) Score(_ model.Person, items []uint32, scores []float64) {
	for k, i := range items {
		scores[k] = s.scores[i]
	}
}

// Pairs weigh by the difference of their gains, 2^level with levels 1 to 5 along the
// scale: of ratings 10, 20 and 50 on a scale from 10 to 50, with gains 2, 4 and 32, the
// three pairs weigh 2, 30 and 28. Ties in score count half.
func TestOrderedPairsByHand(t *testing.T) {
	set := func(values ...float32) *ratings.Set {
		b := ratings.NewBuilder()
		for i, v := range values {
			if v == 0 {
				continue
			}
			if err := b.Add([]byte("ann"), fmt.Append(nil, i), v, ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
		s, _, err := b.Build(ratings.Refuse)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	split, err := ratings.Divided(set(0, 0, 0, 10, 50), nil, set(10, 20, 50))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		scores []float64
		right  float64
	}{
		{[]float64{1, 2, 3, 0, 0}, 60},
		{[]float64{3, 2, 1, 0, 0}, 0},
		{[]float64{0, 0, 0, 0, 0}, 30}, // a model that tells nothing apart is right by half
		{[]float64{2, 1, 3, 0, 0}, 58},
		{[]float64{1, 3, 2, 0, 0}, 32},
		{[]float64{1, 1, 2, 0, 0}, 59},
		{[]float64{1, 2, 2, 0, 0}, 46},
	} {
		users, err := ordered(t.Context(), scored{scores: c.scores}, split, 1)
		if err != nil {
			t.Fatal(err)
		}
		near(t, fmt.Sprintf("the weight in the right order by scores %v", c.scores), users[0].right, c.right)
		near(t, "the weight of all pairs", users[0].pairs, 60)
		near(t, "the share", share(users), c.right/60)
	}
}
