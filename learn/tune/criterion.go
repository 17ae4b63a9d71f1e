package tune

import (
	"context"
	"errors"
	"math"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/judge/metric"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

var errNoPairs = errors.New("tune: nobody has two ratings of different value to hold back, by whose order settings could be judged; judge them by a ranking of all items (--candidates all)")

// foldsOf divides training ratings into five parts, or fewer where that would leave less than two ratings of a user in
// a part. Not more than needed is held back at a time, because what suits shorter lists is not what suits those that
// are to be learned from.
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

// tally has the weights of one user's held-back pairs: of those in the right order, and of all. Where all items are ranked
// it has the NDCG@10 of a user in the place of pairs in the right order, and one in the place of all pairs.
type tally struct{ right, pairs float64 }

// mostJudged is the largest number of users, drawn at random, for whom all items are ranked.
const mostJudged = 2000

// catalogued tallies the NDCG@10 of each user over all items that are not known of them, with gains 2^level - 1 of levels 1
// to 5 along the scale, and 0 for items that they did not rate.
func catalogued(ctx context.Context, m evaluate.Ranker, split ratings.Split, seed uint64, jobs int) ([]tally, error) {
	low, high := split.Training.Set().Range()
	gain := func(level float64) float64 {
		switch {
		case level <= 0:
			return 0
		case high == low:
			return 1
		}
		return math.Exp2(1+4*max(0, level-low)/(high-low)) - 1
	}
	holdout := split.Holdout
	var users []int
	for u := range holdout.Set().Users().Len() {
		if holdout.Test(u).Len() > 0 {
			users = append(users, u)
		}
	}
	tallies := make([]tally, holdout.Set().Users().Len())
	order := make([]int, len(users))
	rng.Permutation(rng.Stream(seed, "tune users"), order)
	for _, k := range order[:min(mostJudged, len(order))] {
		tallies[users[k]].pairs = 1
	}
	result, err := evaluate.Judge(ctx, m, holdout.Some(func(u int) bool { return tallies[u].pairs == 1 }), evaluate.Options{
		Candidates: evaluate.All, Jobs: jobs, Metrics: []evaluate.Metric{{Name: "ndcg@10", Of: func(r *metric.Ranking) float64 { return r.NDCG(10, gain) }}},
	})
	if err != nil {
		return nil, err
	}
	for k, u := range result.Users {
		tallies[u].right = result.Values[0][k]
	}
	return tallies, nil
}

// ordered tallies the held-back pairs of each user, weighted by the difference of their gains: 2^level, as in NDCG, of
// levels 1 to 5 along the scale. The criterion is a mean over pairs, not over users, because few pairs of one user
// alone have much noise.
func ordered(ctx context.Context, m model.Model, split ratings.Split, jobs int) ([]tally, error) {
	low, high := split.Training.Set().Range()
	gain := func(v float32) float64 { return math.Exp2(1 + 4*(float64(v)-low)/(high-low)) }
	right, pairs := fitting.OrderedPairs(m, split, fitting.Under(ctx, model.Run{Jobs: jobs}), func(a, b float32) float64 {
		if high == low {
			return 0
		}
		return math.Abs(gain(a) - gain(b))
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	users := make([]tally, len(right))
	for u := range users {
		users[u] = tally{right[u], pairs[u]}
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

// apart is the gain of one model over another on the same pairs, and its standard error over users.
func apart(one, other []tally) (gain, noise float64) {
	pairs := total(one).pairs
	gain = share(one) - share(other)
	for u := range one {
		d := one[u].right - other[u].right - gain*one[u].pairs
		noise += d * d
	}
	return gain, math.Sqrt(noise) / pairs
}
