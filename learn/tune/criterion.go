package tune

import (
	"context"
	"errors"
	"math"

	"fubini/core/parallel"
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

// tally is what one user's held-back pairs say of a model: the weight of those in
// the right order, and of all.
type tally struct{ right, pairs float64 }

// ordered counts pairs in the right order, of two held-back ratings of one user
// with different values, each weighted by the difference of their gains: 2^level,
// as in NDCG, of levels 1 to 5 along the scale. Ties in score count half. What is
// made of it is a mean over pairs, not over users: a few held-back ratings of one
// user alone say little.
func ordered(ctx context.Context, m zoo.Fitted, split ratings.Split, jobs int) ([]tally, error) {
	low, high := split.Training.Set().Range()
	gain := func(v float32) float64 {
		if high == low {
			return 0
		}
		return math.Exp2(1 + 4*(float64(v)-low)/(high-low))
	}
	users := make([]tally, split.Holdout.Set().Users().Len())
	room := make([][]float64, parallel.Size(len(users), jobs))
	parallel.Until(ctx, len(users), jobs, func(worker, u int) {
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
				users[u].pairs += weight
				switch d := scores[a] - scores[b]; {
				case d == 0:
					users[u].right += weight / 2
				case (d > 0) == (v > other):
					users[u].right += weight
				case math.IsNaN(d):
					users[u].right = math.NaN()
				}
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch sum := total(users); {
	case sum.pairs == 0:
		return nil, errNoPairs
	case math.IsNaN(sum.right):
		return nil, errors.New("tune: the model gives scores that are no numbers")
	}
	return users, nil
}

func total(users []tally) (sum tally) {
	for _, u := range users {
		sum.right += u.right
		sum.pairs += u.pairs
	}
	return sum
}

// share is the weighted share of pairs in the right order.
func share(users []tally) float64 {
	sum := total(users)
	return sum.right / sum.pairs
}

// apart is how much better one model is than another on the same pairs, and the
// standard error of that over users.
func apart(one, other []tally) (gain, noise float64) {
	pairs := total(one).pairs
	gain = share(one) - share(other)
	for u := range one {
		d := one[u].right - other[u].right - gain*one[u].pairs
		noise += d * d
	}
	return gain, math.Sqrt(noise) / pairs
}
