package fitting

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"fubini/core/parallel"
	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/model"
)

// ErrNoRatings comes from a fit to an empty set.
var ErrNoRatings = errors.New("there are no ratings to learn from")

// Learner is a model while it is fitted.
type Learner interface {
	model.Model
	// Epoch makes one pass over the data and returns the objective, which is minimised.
	Epoch() (objective float64)
}

// Schedule has the number of epochs of a fit.
type Schedule struct {
	Epochs   int    // setting.Auto: the number that ranks held-back ratings best
	Most     int    // epochs tried then; 0 means 200
	Patience int    // epochs without a better one after which to stop; 0 means 5
	Remedy   string // advice for an objective that is not finite; empty means a lower rate or a stronger prior
}

// heldBack is the share of ratings that early stopping holds back.
const heldBack = 0.2

// Learn fits a learner to a set. Without a number of epochs it first fits to four fifths of the ratings, to find the
// number of epochs after which the rest are ranked best, and then to all of them for as many epochs.
func Learn[L Learner](name string, set *ratings.Set, run Run, s Schedule, start func(set *ratings.Set) (L, error)) (L, error) {
	l, err := learn(set, run, s, start)
	if err != nil && run.Err() == nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return l, err
}

func learn[L Learner](set *ratings.Set, run Run, s Schedule, start func(set *ratings.Set) (L, error)) (none L, err error) {
	epochs := s.Epochs
	switch {
	case set.Len() == 0:
		return none, ErrNoRatings
	case epochs == setting.Auto:
		if epochs, err = bestEpochs(set, run, s, start); err != nil {
			return none, err
		}
	case epochs < 1:
		return none, fmt.Errorf("%d epochs; the setting must be positive, or left out for early stopping", epochs)
	}
	l, err := start(set)
	if err != nil {
		return none, err
	}
	for e := range epochs {
		objective, err := step(run, l, e, s.Remedy)
		if err != nil {
			return none, err
		}
		if run.Observe != nil {
			run.Observe(model.Progress{Epoch: e + 1, Epochs: epochs, Left: epochs - e - 1, Objective: objective, Held: math.NaN()})
		}
	}
	return l, nil
}

// bestEpochs is the number of epochs that ranks held-back ratings best.
func bestEpochs[L Learner](set *ratings.Set, run Run, s Schedule, start func(set *ratings.Set) (L, error)) (int, error) {
	most, patience := cmp.Or(s.Most, 200), cmp.Or(s.Patience, 5)
	split, err := set.Random(heldBack, run.Seed)
	if err != nil {
		return most, nil // too few ratings to hold any back
	}
	l, err := start(split.Training.Set())
	if err != nil {
		return 0, err
	}
	best, bestAt := math.Inf(-1), 1
	for e := range most {
		objective, err := step(run, l, e, s.Remedy)
		if err != nil {
			return 0, err
		}
		held := Concordance(l, split, run)
		if held > best {
			best, bestAt = held, e+1
		}
		if run.Observe != nil { // the fit to all ratings comes after this one
			left := min(most, bestAt+patience) - (e + 1) + bestAt
			run.Observe(model.Progress{Epoch: e + 1, Epochs: most, Left: left, Objective: objective, Held: held})
		}
		if e+1-bestAt >= patience {
			break
		}
	}
	return bestAt, nil
}

func step(run Run, l Learner, e int, remedy string) (float64, error) {
	if err := run.Err(); err != nil {
		return 0, err
	}
	objective := l.Epoch()
	if err := run.Err(); err != nil {
		return 0, err
	}
	if math.IsNaN(objective) || math.IsInf(objective, 0) {
		return 0, fmt.Errorf("the objective is %g after epoch %d; %s", objective, e+1, cmp.Or(remedy, "lower the rate or raise the prior"))
	}
	return objective, nil
}

// Concordance is the share of pairs in the right order, of two held-back ratings of one user with different values; a
// tie in score counts half. Pairs with a rating of the training part would reward overfitting.
func Concordance(m model.Model, split ratings.Split, run Run) float64 {
	right, pairs := OrderedPairs(m, split, run, func(float32, float32) float64 { return 1 })
	var r, p float64
	for u := range right {
		r += right[u]
		p += pairs[u]
	}
	if p == 0 {
		return 0.5
	}
	return r / p
}

// OrderedPairs sums, for each user, the weights of pairs in the right order, and of all pairs, of two held-back ratings
// with different values. A tie in score counts half; a score that is not a number makes the sum NaN.
func OrderedPairs(m model.Model, split ratings.Split, run Run, weight func(a, b float32) float64) (right, pairs []float64) {
	users := split.Holdout.Set().Users().Len()
	right, pairs = make([]float64, users), make([]float64, users)
	room := make([][]float64, parallel.Size(users, run.Workers()))
	run.Do(users, func(worker, u int) {
		test := split.Holdout.Test(u)
		if test.Len() < 2 {
			return
		}
		scores := append(room[worker][:0], make([]float64, test.Len())...)
		room[worker] = scores
		m.Score(model.Person{Index: u, Known: split.Holdout.Known(u)}, test.Items, scores)
		for a, v := range test.Values {
			for b, other := range test.Values[:a] {
				if v == other {
					continue
				}
				w := weight(v, other)
				pairs[u] += w
				switch d := scores[a] - scores[b]; {
				case d == 0:
					right[u] += w / 2
				case (d > 0) == (v > other):
					right[u] += w
				case math.IsNaN(d):
					right[u] = math.NaN()
				}
			}
		}
	})
	return right, pairs
}

// Result is a fitted or loaded model, or no model where there was an error.
func Result[M model.Model](m M, err error) (model.Model, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}
