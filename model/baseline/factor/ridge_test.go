package factor

import (
	"context"
	"math"
	"strings"
	"testing"

	"fubini/model"
)

func TestPMF(t *testing.T) {
	for _, means := range []Means{MeansLearned, MeansZero} {
		checkPlanted(t, with(NewPMF(), func(o *MF) { o.Hidden, o.Prior, o.Means = 3, 2, means }), 0.78)
		checkAnyJobs(t, with(NewPMF(), func(o *MF) { o.Means = means }))
		checkEquivariant(t, with(NewPMF(), func(o *MF) { o.Hidden, o.Epochs, o.Means = 2, 4, means }))
	}
}

func TestBiasedMF(t *testing.T) {
	checkPlanted(t, with(NewBiasedMF(), func(o *MF) { o.Hidden, o.Prior = 3, 2 }), 0.8)
	checkAnyJobs(t, NewBiasedMF())
	checkEquivariant(t, with(NewBiasedMF(), func(o *MF) { o.Hidden, o.Epochs = 2, 4 }))
}

// Without factors that matter, biased-mf is the biases: by hand for two users and
// one item each side of the mean. With b = c = x and no prior left on them,
// 4 = 3 + 2x and 2 = 3 - 2x; a prior p makes it (1 - 2x) = p x.
func TestBiasedMFByHand(t *testing.T) {
	s := table(t, [3]float64{0, 0, 4}, [3]float64{1, 1, 2})
	m, err := with(NewBiasedMF(), func(o *MF) { o.Hidden, o.Prior, o.BiasPrior, o.Epochs = 1, 1e9, 0.5, 200 }).Fit(context.Background(), s, model.Run{})
	if err != nil {
		t.Fatal(err)
	}
	var got [2]float64
	m.Score(model.Person{Index: 0}, []uint32{0, 1}, got[:])
	x := 1 / 2.5
	for k, want := range []float64{2 * x, 0} { // c + b of either item
		if !(math.Abs(got[k]-want) <= 1e-6) {
			t.Errorf("item %d: %g, by hand %g", k, got[k], want)
		}
	}
}

func TestScaleOfRatingsDoesNotMatter(t *testing.T) {
	s := planted(t, 30, 12, 0.6)
	var rows [][3]float64
	for u := range 30 {
		for k, i := range s.Row(u).Items {
			rows = append(rows, [3]float64{float64(u), float64(i), 2*float64(s.Row(u).Values[k]) - 7})
		}
	}
	double := table(t, rows...)
	for _, recipe := range []model.Recipe{with(NewPMF(), func(o *MF) { o.Epochs, o.Hidden, o.Prior, o.Means = 500, 2, 1, MeansZero }), with(NewBiasedMF(), func(o *MF) { o.Epochs, o.Hidden, o.Prior = 500, 2, 1 })} {
		a, err := recipe.Fit(context.Background(), s, model.Run{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := recipe.Fit(context.Background(), double, model.Run{})
		if err != nil {
			t.Fatal(err)
		}
		var x, y [3]float64
		for u := range 30 {
			a.Score(model.Person{Index: u}, []uint32{0, 1, 2}, x[:])
			b.Score(model.Person{Index: u}, []uint32{0, 1, 2}, y[:])
			for k := range x {
				if !(math.Abs(2*x[k]-y[k]) <= 1e-3) { // the starts differ, the minimum does not
					t.Fatalf("%T, user %d: %v, of doubled ratings %v", recipe, u, x, y)
				}
			}
		}
	}
}

func TestSquaresRefusals(t *testing.T) {
	s := planted(t, 6, 5, 0.9)
	for want, recipe := range map[string]model.Recipe{
		"pmf: hidden 6":                       with(NewPMF(), func(o *MF) { o.Hidden, o.Epochs = 6, 1 }),
		"pmf: setting: hidden -1":             with(NewPMF(), func(o *MF) { o.Hidden = -1 }),
		"pmf: setting: hidden 0":              with(NewPMF(), func(o *MF) { o.Hidden = 0 }),
		"listrank-mf: setting: hidden 0":      with(NewListRankMF(), func(o *ListRankMF) { o.Hidden = 0 }),
		"pmf: setting: epochs 0":              with(NewPMF(), func(o *MF) { o.Epochs = 0 }),
		"pmf: setting: prior cannot be NaN":   with(NewPMF(), func(o *MF) { o.Prior = math.NaN() }),
		"pmf: setting: means must be one of":  with(NewPMF(), func(o *MF) { o.Means = 7 }),
		"pmf: setting: epochs -1":             with(NewPMF(), func(o *MF) { o.Epochs = -1 }),
		"biased-mf: setting: bias-prior":      with(NewBiasedMF(), func(o *MF) { o.BiasPrior = math.Inf(1) }),
		"listrank-mf: setting: rate -1":       with(NewListRankMF(), func(o *ListRankMF) { o.Rate = -1 }),
		"listrank-mf: setting: user-prior":    with(NewListRankMF(), func(o *ListRankMF) { o.UserPrior = math.NaN() }),
		"listrank-mf: hidden 9":               with(NewListRankMF(), func(o *ListRankMF) { o.Hidden = 9 }),
		"listrank-mf: setting: batch -3":      with(NewListRankMF(), func(o *ListRankMF) { o.Batch = -3 }),
		"listrank-mf: setting: start must be": with(NewListRankMF(), func(o *ListRankMF) { o.Start = 5 }),
		"listrank-mf: the objecti":            with(NewListRankMF(), func(o *ListRankMF) { o.Scale, o.Epochs = 1e200, 3 }),
	} {
		m, err := recipe.Fit(context.Background(), s, model.Run{})
		if err == nil || m != nil || !strings.HasPrefix(err.Error(), ""+want) {
			t.Errorf("expected %s, got %v", want, err)
		}
	}
	for _, recipe := range []model.Recipe{NewPMF(), NewBiasedMF(), NewListRankMF()} {
		if _, err := recipe.Fit(context.Background(), table(t), model.Run{}); err == nil {
			t.Errorf("%T learned from nothing", recipe)
		}
		over, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := recipe.Fit(over, s, model.Run{}); err != context.Canceled {
			t.Errorf("%T went on: %v", recipe, err)
		}
	}
}

// Ratings that are all the same teach nothing, and do no harm.
func TestAllRatingsEqual(t *testing.T) {
	s := table(t, [3]float64{0, 0, 3}, [3]float64{0, 1, 3}, [3]float64{1, 0, 3}, [3]float64{1, 2, 3}, [3]float64{2, 2, 3})
	for _, recipe := range []model.Recipe{NewPMF(), with(NewPMF(), func(o *MF) { o.Means = MeansZero }), NewBiasedMF(), NewListRankMF()} {
		m, err := recipe.Fit(context.Background(), s, model.Run{})
		if err != nil {
			t.Errorf("%T: %v", recipe, err)
			continue
		}
		var got [3]float64
		m.Score(model.Person{Index: 1, Known: s.Row(1)}, []uint32{0, 1, 2}, got[:])
		for _, x := range got {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Errorf("%T: scores %v", recipe, got)
			}
		}
	}
}
