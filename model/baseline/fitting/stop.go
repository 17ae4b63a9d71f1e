package fitting

import (
	"cmp"
	"fmt"
	"math"

	"fubini/core/parallel"
	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/model"
)

// Learner is a model during its fit.
type Learner interface {
	model.Model
	// Epoch makes one pass over the data and returns the objective, which the fit minimises.
	Epoch() (objective float64)
}

// Schedule is the number of epochs of a fit, or the rule of early stopping.
type Schedule struct {
	Epochs   int    // setting.Auto: the number that ranks held-back ratings best
	Most     int    // epochs tried then; 0 means 200
	Patience int    // epochs without a better one after which to stop; 0 means 5
	Remedy   string // advice for an objective that is not finite; empty means a lower rate or a stronger prior
}

// heldBack is the share of ratings that early stopping holds back.
const heldBack = 0.2

// Learn fits a learner to a set. With early stopping it first fits to four fifths of the ratings, to find the number of
// epochs that ranks the rest best, and then to all ratings for that number of epochs.
func Learn(set *ratings.Set, run Run, s Schedule, start func(set *ratings.Set) (Learner, error)) (model.Model, error) {
	epochs, most, patience := s.Epochs, cmp.Or(s.Most, 200), cmp.Or(s.Patience, 5)
	if epochs == setting.Auto {
		epochs = most
		if split, err := set.Random(heldBack, run.Seed); err == nil { // there are enough ratings to hold some back
			best := math.Inf(-1)
			epochs = 1
			_, err := s.learn(split.Training.Set(), run, most, start, func(l Learner, e int) (held float64, left int, last bool) {
				if held = Concordance(l, split, run); held > best {
					best, epochs = held, e
				}
				return held, min(most, epochs+patience) - e + epochs, e-epochs >= patience // the fit to all ratings comes after
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return s.learn(set, run, epochs, start, func(_ Learner, e int) (held float64, left int, last bool) {
		return math.NaN(), epochs - e, false
	})
}

// learn makes some epochs. After each, judge has the order of held-back ratings and the number of epochs to come.
func (s Schedule) learn(set *ratings.Set, run Run, epochs int, start func(set *ratings.Set) (Learner, error), judge func(l Learner, e int) (held float64, left int, last bool)) (Learner, error) {
	l, err := start(set)
	if err != nil {
		return nil, err
	}
	for e := 1; e <= epochs; e++ {
		objective := l.Epoch()
		if err := run.Err(); err != nil {
			return nil, err
		}
		if math.IsNaN(objective) || math.IsInf(objective, 0) {
			return nil, fmt.Errorf("the objective is %g after epoch %d; %s", objective, e, cmp.Or(s.Remedy, "lower the rate or raise the prior"))
		}
		held, left, last := judge(l, e)
		if run.Observe != nil {
			run.Observe(model.Progress{Epoch: e, Epochs: epochs, Left: left, Objective: objective, Held: held})
		}
		if last {
			break
		}
	}
	return l, nil
}

// Concordance is the proportion of pairs that a model puts in the right order. Pairs are two held-back ratings of one
// user with different values, and equal scores count half. Pairs with training ratings would reward overfitting.
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

// OrderedPairs sums, for each user, the weights of the pairs of [Concordance] in the right order, and of all pairs. A
// score that is NaN makes the sum NaN.
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
