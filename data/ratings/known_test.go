package ratings_test

import (
	"slices"
	"testing"

	"fubini/data/ratings"
)

// Known ratings of a user hold none of the test ratings, however a set is divided:
// otherwise a model is told what it is asked for. Where every user trains, known and
// training ratings are the same.
func TestNoTestRatingIsKnown(t *testing.T) {
	s, _ := build(t, ratings.Refuse, world(8, 40, 16)...)
	one := func(split ratings.Split, err error) []ratings.Split {
		if err != nil {
			t.Fatal(err)
		}
		return []ratings.Split{split}
	}
	many := func(splits []ratings.Split, err error) []ratings.Split {
		if err != nil {
			t.Fatal(err)
		}
		return splits
	}
	strong := one(s.UserSplit(0.25, 3, 2, 1))
	part := func(set *ratings.Set) *ratings.Set {
		alone, _ := build(t, ratings.Refuse, unroll(set)...)
		return alone
	}
	divided := one(ratings.Divided(part(strong[0].Training.Set()), part(strong[0].Holdout.Given(strong[0].Training)), part(strong[0].Holdout.Set())))
	for name, c := range map[string]struct {
		splits []ratings.Split
		weak   bool // every user trains
	}{
		"paper":               {one(s.Paper(2, 1, 1)), true},
		"given":               {one(s.Given(4, 2, 1)), true},
		"leave out, by time":  {one(s.LeaveOut(2, false, 1)), true},
		"leave out, random":   {one(s.LeaveOut(2, true, 1)), true},
		"random":              {one(s.Random(0.3, 1)), true},
		"time":                {one(s.Time(0.3)), true},
		"folds":               {many(s.Folds(3, 1)), true},
		"user split":          {strong, false},
		"user split, divided": {divided, false},
		"user folds":          {many(s.UserFolds(3, 1)), true},
	} {
		for f, split := range c.splits {
			tested := 0
			for u := range split.Holdout.Set().Users().Len() {
				known, test, train := split.Holdout.Known(u), split.Holdout.Test(u), split.Training.Set().Row(u)
				tested += test.Len()
				for _, i := range test.Items {
					if slices.Contains(known.Items, i) {
						t.Errorf("%s %d, user %d: item %d is known and tested", name, f, u, i)
					}
				}
				if c.weak && !(slices.Equal(known.Items, train.Items) && slices.Equal(known.Values, train.Values)) {
					t.Errorf("%s %d, user %d: %d ratings are known and %d trained on", name, f, u, known.Len(), train.Len())
				}
				if !c.weak && test.Len() > 0 && (train.Len() != 0 || known.Len() != 3) {
					t.Errorf("%s %d, user %d: %d ratings are given and %d trained on", name, f, u, known.Len(), train.Len())
				}
			}
			if tested == 0 {
				t.Errorf("%s %d tests nothing", name, f)
			}
		}
	}
}
