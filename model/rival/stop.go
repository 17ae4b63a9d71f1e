package rival

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"fubini/core/parallel"
	"fubini/data/ratings"
)

var errNoRatings = errors.New("there are no ratings to learn from")

// learner is a model while it learns.
type learner interface {
	Model
	// epoch makes one pass over the data and returns the objective, what is
	// minimised.
	epoch(ctx context.Context) (objective float64, err error)
}

// schedule says how long to learn.
type schedule struct {
	Epochs   int    // Auto: as many as did best on held-back ratings
	Most     int    // epochs tried then; 0 means 200
	Patience int    // of them without a better one before giving up; 0 means 5
	Remedy   string // for an objective that is not finite; empty means a lower rate or a stronger prior
}

// heldBack is the share of ratings that early stopping holds back.
const heldBack = 0.2

// learn runs a learner over a set. Without a number of epochs it first learns on
// four fifths of the ratings, to see after how many epochs the rest are ranked
// best, and then so long again on all of them.
func learn[L learner](ctx context.Context, name string, set *ratings.Set, run fitRun, s schedule, start func(set *ratings.Set) (L, error)) (L, error) {
	var none L
	if set.Len() == 0 {
		return none, fmt.Errorf("rival: %s: %w", name, errNoRatings)
	}
	epochs := s.Epochs
	if epochs < 1 && epochs != Auto {
		return none, fmt.Errorf("rival: %s: %d epochs; the setting must be positive, or left out for early stopping", name, epochs)
	}
	if epochs == Auto {
		var err error
		if epochs, err = stopping(ctx, name, set, run, s, start); err != nil {
			return none, err
		}
	}
	l, err := start(set)
	if err != nil {
		return none, fmt.Errorf("rival: %s: %w", name, err)
	}
	for e := range epochs {
		objective, err := step(ctx, name, l, e, s.Remedy)
		if err != nil {
			return none, err
		}
		if run.Observe != nil {
			run.Observe(Progress{Epoch: e + 1, Epochs: epochs, Left: epochs - e - 1, Objective: objective, Held: math.NaN()})
		}
	}
	return l, nil
}

// stopping finds the number of epochs that ranks held-back ratings best.
func stopping[L learner](ctx context.Context, name string, set *ratings.Set, run fitRun, s schedule, start func(set *ratings.Set) (L, error)) (int, error) {
	most, patience := cmp.Or(s.Most, 200), cmp.Or(s.Patience, 5)
	split, err := set.Random(heldBack, run.Seed)
	if err != nil {
		return most, nil // too few ratings to hold any back
	}
	l, err := start(split.Training.Set())
	if err != nil {
		return 0, fmt.Errorf("rival: %s: %w", name, err)
	}
	best, bestAt := math.Inf(-1), 1
	for e := range most {
		objective, err := step(ctx, name, l, e, s.Remedy)
		if err != nil {
			return 0, err
		}
		held := concordance(l, split, run)
		if held > best {
			best, bestAt = held, e+1
		}
		if run.Observe != nil { // without a better one it ends, and learns as long again as was best
			left := min(most, bestAt+patience) - (e + 1) + bestAt
			run.Observe(Progress{Epoch: e + 1, Epochs: most, Left: left, Objective: objective, Held: held})
		}
		if e+1-bestAt >= patience {
			break
		}
	}
	return bestAt, nil
}

func step[L learner](ctx context.Context, name string, l L, e int, remedy string) (float64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	objective, err := l.epoch(ctx)
	if err != nil {
		return 0, fmt.Errorf("rival: %s: epoch %d: %w", name, e+1, err)
	}
	if math.IsNaN(objective) || math.IsInf(objective, 0) {
		return 0, fmt.Errorf("rival: %s: the objective is %g after epoch %d; %s", name, objective, e+1, cmp.Or(remedy, "lower the rate or raise the prior"))
	}
	return objective, nil
}

// concordance is the share of pairs in the right order, of two held-back ratings
// of one user with different values; half for a tie in score. Pairs with a rating
// that was learned from would reward a model for learning those by heart.
func concordance(m Model, split ratings.Split, run fitRun) float64 {
	users := split.Holdout.Set().Users().Len()
	right, pairs := make([]float64, users), make([]float64, users)
	room := make([][]float64, parallel.Size(users, run.jobs()))
	run.do(users, func(worker, u int) {
		test := split.Holdout.Test(u)
		if test.Len() < 2 {
			return
		}
		scores := append(room[worker][:0], make([]float64, test.Len())...)
		room[worker] = scores
		m.Score(Person{Index: u, Known: split.Holdout.Known(u)}, test.Items, scores)
		for a, v := range test.Values {
			for b, other := range test.Values[:a] {
				if v == other {
					continue
				}
				pairs[u]++
				switch d := scores[a] - scores[b]; {
				case d == 0:
					right[u] += 0.5
				case (d > 0) == (v > other):
					right[u]++
				}
			}
		}
	})
	var r, p float64
	for u := range users {
		r += right[u]
		p += pairs[u]
	}
	if p == 0 {
		return 0.5
	}
	return r / p
}
