package evaluate_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/model"
)

// timed is a set of ratings with times.
func timed(t *testing.T, users, items int) *ratings.Set {
	t.Helper()
	r := rng.Stream(4, "timed")
	b := ratings.NewBuilder()
	for u := range users {
		for i := range items {
			if r.Float64() < 0.5 {
				if err := b.Add(fmt.Appendf(nil, "u%03d", u), fmt.Appendf(nil, "i%03d", i), float32(1+r.IntN(5)), int64(r.IntN(1000))); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// spy is a model that records what it is given.
type spy struct {
	training *ratings.Set
	known    map[int]ratings.Row
	asked    map[int][]uint32
}

func (s *spy) Fit(_ context.Context, training ratings.Training) (evaluate.Ranker, error) {
	s.training = training.Set()
	return s, nil
}

func (s *spy) Score(p model.Person, items []uint32, scores []float64) {
	s.known[p.Index], s.asked[p.Index] = p.Known, slices.Clone(items)
}

// splitsOf are the splits of the field's protocols.
func splitsOf(t *testing.T, set *ratings.Set) map[string]ratings.Split {
	t.Helper()
	splits := map[string]ratings.Split{}
	add := func(name string) func(ratings.Split, error) {
		return func(split ratings.Split, err error) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			splits[name] = split
		}
	}
	add("random")(set.Random(0.2, 5))
	add("leave-k")(set.LeaveOut(1, false, 5))
	add("time")(set.Time(0.2))
	add("user, 5 given")(set.UserSplit(0.3, 5, 3, 5))
	add("user, four fifths given")(set.UserSplit(0.3, ratings.FourFifths, 2, 5))
	return splits
}

// A model is fitted to no rating that it is judged by, is told none when it ranks, and ranks every item that it is not told;
// new users are not in the training set at all, and by time nothing that is known is later than what is to be found.
func TestNothingLeaks(t *testing.T) {
	set := timed(t, 40, 30)
	for name, split := range splitsOf(t, set) {
		s := &spy{known: map[int]ratings.Row{}, asked: map[int][]uint32{}}
		result := run(t, s, split, evaluate.Options{Candidates: evaluate.All, Shown: true, Jobs: 1})
		checkSpy(t, name, split, s, result)
		newUsers, latest, first := 0, int64(-1), int64(1<<62)
		for u := range s.training.Users().Len() {
			row, test := s.training.Row(u), split.Holdout.Test(u)
			if row.Len() == 0 && test.Len() > 0 {
				newUsers++
			}
			for _, when := range row.Times {
				latest = max(latest, when)
			}
			for _, when := range test.Times {
				first = min(first, when)
			}
			if name == "leave-k" && test.Len() > 0 && slices.Max(row.Times) > slices.Min(test.Times) {
				t.Errorf("%s: user %d has a training rating after the last one", name, u)
			}
		}
		if name == "time" && latest >= first {
			t.Errorf("by time: a training rating of %d, a test rating of %d", latest, first)
		}
		if byUser := name[:4] == "user"; byUser != (newUsers == len(result.Users)) {
			t.Errorf("%s: %d of %d users are new", name, newUsers, len(result.Users))
		}
	}
}

func checkSpy(t *testing.T, name string, split ratings.Split, s *spy, result *evaluate.Result) {
	t.Helper()
	for _, u := range result.Users {
		known, test := s.known[u], split.Holdout.Test(u)
		for _, i := range test.Items {
			if slices.Contains(s.training.Row(u).Items, i) || slices.Contains(known.Items, i) {
				t.Fatalf("%s: the model was given item %d of user %d, which it is judged by", name, i, u)
			}
			if !slices.Contains(s.asked[u], i) {
				t.Fatalf("%s: item %d of user %d is to be found and not ranked", name, i, u)
			}
		}
		if len(s.asked[u])+known.Len() != split.Holdout.Set().Items().Len() {
			t.Errorf("%s: user %d: %d items are ranked and %d known of %d", name, u, len(s.asked[u]), known.Len(), split.Holdout.Set().Items().Len())
		}
	}
}

// A split that keeps a test rating in training is noticed by the same check.
func TestALeakIsNoticed(t *testing.T) {
	set := timed(t, 10, 12)
	split, err := set.Random(0.2, 5)
	if err != nil {
		t.Fatal(err)
	}
	leaky := ratings.Split{Training: ratings.Everything(set), Holdout: split.Holdout}
	found := false
	for u := range set.Users().Len() {
		for _, i := range leaky.Holdout.Test(u).Items {
			found = found || slices.Contains(leaky.Training.Set().Row(u).Items, i)
		}
	}
	if !found {
		t.Error("a split with everything in training does not leak")
	}
}
