package calibrate_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/judge/calibrate"
	"fubini/judge/evaluate"
	"fubini/model"
	"fubini/model/latent"
)

func TestSlotsByHand(t *testing.T) {
	tiers := calibrate.Tiers(ratings.Row{Items: []uint32{1, 2, 3, 4}, Values: []float32{2, 5, 4, 5}})
	if !slices.Equal(tiers, []float32{5, 4, 2}) {
		t.Fatalf("tiers %v", tiers)
	}
	for value, want := range map[float32]int{6: 0, 5: 1, 4.5: 2, 4: 3, 3: 4, 2: 5, 1: 6} {
		if got := calibrate.Slot(tiers, value); got != want {
			t.Errorf("%g stands in slot %d, by hand %d", value, got, want)
		}
	}
}

func split(t *testing.T) ratings.Split {
	b := ratings.NewBuilder()
	r := rng.Stream(2, "ratings")
	for u := range 40 {
		for i := range 30 {
			if err := b.Add([]byte{'u', byte('0' + u)}, []byte{'i', byte('0' + i)}, float32(1+r.IntN(5)), 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	set, _, err := b.Build(ratings.KeepLast)
	if err != nil {
		t.Fatal(err)
	}
	s, err := set.Given(8, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Ratings without any meaning: the person's frequencies are all there is to know, and
// odds that are no odds are refused.
func TestJudge(t *testing.T) {
	s := split(t)
	ctx := context.Background()
	one, err := calibrate.Judge(ctx, calibrate.Frequencies{}, s.Holdout, 1)
	if err != nil {
		t.Fatal(err)
	}
	three, err := calibrate.Judge(ctx, calibrate.Frequencies{}, s.Holdout, 3)
	if err != nil || one.LogLoss != three.LogLoss || one.All.ECE != three.All.ECE || !slices.Equal(one.All.Bins, three.All.Bins) {
		t.Errorf("with three jobs: %v, %v", three, err)
	}
	if one.Users != 40 || one.Ratings != 40*22 || one.Likeliest.Events != one.Ratings || one.Best.Events != one.Ratings || len(one.Losses) != 40 {
		t.Errorf("%d users with %d ratings", one.Users, one.Ratings)
	}
	if _, err := calibrate.Judge(ctx, broken{}, s.Holdout, 1); err == nil {
		t.Error("odds that sum to 2 were judged")
	}
	ended, stop := context.WithCancel(ctx)
	stop()
	if _, err := calibrate.Judge(ended, calibrate.Frequencies{}, s.Holdout, 1); err == nil {
		t.Error("a context that had ended was not noticed")
	}
	nobody := s.Holdout.Some(func(int) bool { return false })
	if out, err := calibrate.Judge(ctx, calibrate.Frequencies{}, nobody, 1); !errors.Is(err, ratings.ErrNothingLeft) {
		t.Errorf("judged by nobody's ratings: %+v, %v", out, err) // a loss of 0/0
	}
}

type broken struct{}

func (broken) Place(_ evaluate.User, _ []uint32, odds [][]float64) error {
	for _, each := range odds {
		each[0], each[1] = 1, 1
	}
	return nil
}

// By hand: tiers 5 (one item) and 3 (two items) of the levels 1 to 5.
func TestReferencesByHand(t *testing.T) {
	user := evaluate.User{Known: ratings.Row{Items: []uint32{0, 1, 2}, Values: []float32{3, 5, 3}}}
	odds := [][]float64{make([]float64, 5)}
	if err := (calibrate.Frequencies{}).Place(user, []uint32{7}, odds); err != nil {
		t.Fatal(err)
	}
	near(t, "frequencies", odds[0], []float64{0.5 / 3 / 4.5, 1.5 / 4.5, 0.5 / 3 / 4.5, 2.5 / 4.5, 0.5 / 3 / 4.5})
	if err := (calibrate.Levels{Model: fiveLevels{}}).Place(user, []uint32{7}, odds); err != nil {
		t.Fatal(err)
	}
	near(t, "levels", odds[0], []float64{0, 0.5, 0.2, 0.15, 0.15})
	// Not told: with odds of 3 to 1 they are 5 and 3, or 4 and 3.
	guess := func(ratings.Row) latent.Guessed {
		return latent.Guessed{Values: [][]float64{{5, 3}, {4, 3}}, Odds: []float64{0.75, 0.25}}
	}
	if err := (calibrate.Levels{Model: fiveLevels{}, Guess: guess}).Place(user, []uint32{7}, odds); err != nil {
		t.Fatal(err)
	}
	near(t, "guessed", odds[0], []float64{0.25 * 0.5, 0.75*0.5 + 0.25*0.2, 0.75 * 0.2, 0.15, 0.15})
	none := func(ratings.Row) latent.Guessed { return latent.Guessed{} }
	if (calibrate.Levels{Model: fiveLevels{}, Guess: none}).Place(user, []uint32{7}, odds) == nil {
		t.Error("odds by no guess")
	}
}

func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for s := range want {
		if !(math.Abs(got[s]-want[s]) <= 1e-12) {
			t.Errorf("%s: slot %d has odds %g, by hand %g", what, s, got[s], want[s])
		}
	}
}

type fiveLevels struct{ model.Model }

func (fiveLevels) Levels() []float64 { return []float64{1, 2, 3, 4, 5} }

func (fiveLevels) LevelProbs(_ model.Person, _ []uint32, probs [][]float64) {
	copy(probs[0], []float64{0.05, 0.1, 0.15, 0.2, 0.5})
}
