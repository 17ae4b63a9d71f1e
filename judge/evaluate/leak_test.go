package evaluate_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
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

// watched runs a spy over a split.
func watched(t *testing.T, split ratings.Split) (*spy, *evaluate.Result) {
	t.Helper()
	s := &spy{known: map[int]ratings.Row{}, asked: map[int][]uint32{}}
	return s, run(t, s, split, evaluate.Options{Candidates: evaluate.All, Shown: true, Jobs: 1})
}

// A model is fitted to no rating that it is judged by, is told none when it ranks, and ranks every item that it is not told;
// new users are not in the training set at all, and by time nothing that is known is later than what is to be found.
func TestNothingLeaks(t *testing.T) {
	for name, split := range splitsOf(t, timed(t, 40, 30)) {
		s, result := watched(t, split)
		for _, leak := range leaks(name, split, s, result) {
			t.Errorf("%s: %s", name, leak)
		}
	}
}

// leaks are the ways in which a model was given what it is judged by, or was not asked for it; each begins with its kind.
func leaks(name string, split ratings.Split, s *spy, result *evaluate.Result) (found []string) {
	add := func(format string, values ...any) { found = append(found, fmt.Sprintf(format, values...)) }
	latest, first := int64(-1), int64(1<<62) // of training, of what is to be found
	for u := range s.training.Users().Len() {
		latest = max(latest, slices.Max(append(slices.Clone(s.training.Row(u).Times), -1)))
	}
	if len(result.Users) == 0 {
		add("nobody: no user is judged")
	}
	for _, u := range result.Users {
		row, known, test, asked := s.training.Row(u), s.known[u], split.Holdout.Test(u), s.asked[u]
		for _, i := range test.Items {
			if slices.Contains(row.Items, i) {
				add("training: item %d of user %d is to be found", i, u)
			}
			if slices.Contains(known.Items, i) {
				add("known: item %d of user %d is to be found", i, u)
			}
			if !slices.Contains(asked, i) {
				add("not ranked: item %d of user %d is to be found", i, u)
			}
		}
		for i := range uint32(split.Holdout.Set().Items().Len()) {
			if slices.Contains(asked, i) == slices.Contains(known.Items, i) {
				add("candidates: item %d of user %d is known and ranked, or neither", i, u)
			}
		}
		if strings.HasPrefix(name, "user") != (row.Len() == 0) {
			add("new: user %d has %d training ratings", u, row.Len())
		}
		first = min(first, slices.Min(test.Times))
		if name == "leave-k" && slices.Max(row.Times) > slices.Min(test.Times) {
			add("later: user %d has a training rating after the last one", u)
		}
	}
	if name == "time" && latest >= first {
		add("later: a training rating of %d, a test rating of %d", latest, first)
	}
	return found
}

// Each way to leak is noticed, for every protocol: of a run without a leak, one thing at a time is made wrong.
func TestALeakIsNoticed(t *testing.T) {
	set := timed(t, 40, 30)
	noticed := func(kind, name string, split ratings.Split, leak func(s *spy, u int)) {
		s, result := watched(t, split)
		leak(s, result.Users[0])
		if found := leaks(name, split, s, result); !slices.ContainsFunc(found, func(l string) bool { return strings.HasPrefix(l, kind+":") }) {
			t.Errorf("%s: a leak by %s is not noticed, only %v", name, kind, found)
		}
	}
	everything := func(s *spy, _ int) { s.training = set }
	for name, split := range splitsOf(t, set) {
		noticed("training", name, split, everything)
		noticed("known", name, split, func(s *spy, u int) { s.known[u] = split.Holdout.Test(u) })
		noticed("not ranked", name, split, func(s *spy, u int) {
			s.asked[u] = slices.DeleteFunc(s.asked[u], func(i uint32) bool { return i == split.Holdout.Test(u).Items[0] })
		})
		noticed("candidates", name, split, func(s *spy, u int) { s.asked[u] = append(s.asked[u], s.known[u].Items[0]) })
		if strings.HasPrefix(name, "user") {
			noticed("new", name, split, everything)
		}
		if name == "time" {
			noticed("later", name, split, everything)
		}
	}
	atRandom, err := set.LeaveOut(1, true, 5)
	if err != nil {
		t.Fatal(err)
	}
	noticed("later", "leave-k", atRandom, func(*spy, int) {})
}
