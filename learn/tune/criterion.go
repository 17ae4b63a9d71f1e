package tune

import (
	"errors"
	"math"

	"fubini/core/crew"
	"fubini/data/ratings"
	"fubini/learn/zoo"
)

var errNoPairs = errors.New("tune: nobody has two ratings of different value to hold back")

// foldsOf divides training ratings into five parts, or fewer where that would leave
// less than two ratings of a user in a part. Not more than needed is held back at a
// time, because what suits shorter lists is not what suits those that are to be
// learned from.
func foldsOf(training ratings.Training, seed uint64) ([]ratings.Split, error) {
	set := training.Set()
	users := 0
	for u := range set.Users().Len() {
		if set.Row(u).Len() > 0 {
			users++
		}
	}
	if users == 0 {
		return nil, errors.New("tune: there are no ratings to divide")
	}
	return set.Folds(min(5, max(2, set.Len()/users/2)), seed)
}

// ordered is the share of pairs in the right order, of two held-back ratings of
// one user with different values, each weighted by the difference of their gains:
// 2^level, as in NDCG, of levels 1 to 5 along the scale. Ties in score count half.
// It is a mean over pairs, not over users: a few held-back ratings of one user
// alone say little.
func ordered(m zoo.Fitted, split ratings.Split, jobs int) (float64, error) {
	low, high := split.Training.Set().Range()
	gain := func(v float32) float64 {
		if high == low {
			return 0
		}
		return math.Exp2(1 + 4*(float64(v)-low)/(high-low))
	}
	users := split.Holdout.Set().Users().Len()
	right, pairs := make([]float64, users), make([]float64, users)
	room := make([][]float64, crew.Size(users, jobs))
	crew.Do(users, jobs, func(worker, u int) {
		test := split.Holdout.Test(u)
		if test.Len() < 2 {
			return
		}
		scores := append(room[worker][:0], make([]float64, test.Len())...)
		room[worker] = scores
		m.Score(zoo.Person{Index: u, Known: split.Holdout.Known(u)}, test.Items, scores)
		for a, v := range test.Values {
			for b, other := range test.Values[:a] {
				weight := math.Abs(gain(v) - gain(other))
				pairs[u] += weight
				switch d := scores[a] - scores[b]; {
				case d == 0:
					right[u] += weight / 2
				case (d > 0) == (v > other):
					right[u] += weight
				case math.IsNaN(d):
					right[u] = math.NaN()
				}
			}
		}
	})
	var r, p float64
	for u := range users {
		r += right[u]
		p += pairs[u]
	}
	switch {
	case p == 0:
		return 0, errNoPairs
	case math.IsNaN(r):
		return 0, errors.New("tune: the model gives scores that are no numbers")
	}
	return r / p, nil
}
