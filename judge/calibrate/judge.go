package calibrate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"fubini/data/ratings"
	"fubini/judge/evaluate"
)

// Placer gives odds to slots. It must be safe for use by several goroutines.
type Placer interface {
	// Place writes, for each of the items, the odds of the 2T+1 slots around the
	// tiers of what is known of the user.
	Place(user evaluate.User, items []uint32, odds [][]float64) error
}

// Bins is how many groups of equal mass events are put in, by custom.
const Bins = 15

// Outcome is how odds did.
type Outcome struct {
	Ratings, Users int
	// LogLoss is the mean of minus the log of the odds of the slot that came; Losses
	// has its mean for each user that has ratings, by which two placers can be
	// compared.
	LogLoss float64
	Losses  []float64
	// All pools every slot of every rating; Likeliest has the slot with the highest
	// odds of each rating alone; Best the person's best tier.
	All, Likeliest, Best evaluate.Reliability
}

// found is what one user's ratings gave.
type found struct {
	all, likeliest, best []evaluate.Event
	loss                 float64
	ratings              int
}

// Judge places the held-out ratings of every user. The result does not depend on
// jobs; 0 means one for each core.
func Judge(ctx context.Context, placer Placer, holdout ratings.Holdout, jobs int) (*Outcome, error) {
	var users []int
	for u := range holdout.Set().Users().Len() {
		if holdout.Test(u).Len() > 0 && holdout.Known(u).Len() > 0 {
			users = append(users, u)
		}
	}
	if len(users) == 0 {
		return nil, fmt.Errorf("calibrate: %w", ratings.ErrNothingLeft)
	}
	results := make([]found, len(users))
	jobs = min(cmp.Or(jobs, runtime.GOMAXPROCS(0)), len(users))
	failures := make([]error, jobs)
	var next atomic.Int64
	var workers sync.WaitGroup
	for w := range jobs {
		workers.Go(func() {
			for failures[w] == nil {
				k := int(next.Add(1)) - 1
				if k >= len(users) {
					return
				}
				if failures[w] = ctx.Err(); failures[w] == nil {
					results[k], failures[w] = judgeUser(placer, holdout, users[k])
				}
			}
		})
	}
	workers.Wait()
	for _, err := range failures {
		if err != nil {
			return nil, err
		}
	}
	out := &Outcome{Users: len(users)}
	var all, likeliest, best []evaluate.Event
	for _, r := range results {
		all, likeliest, best = append(all, r.all...), append(likeliest, r.likeliest...), append(best, r.best...)
		out.Ratings += r.ratings
		out.LogLoss += r.loss
		out.Losses = append(out.Losses, r.loss/float64(r.ratings))
	}
	out.LogLoss /= float64(out.Ratings)
	out.All, out.Likeliest, out.Best = evaluate.EqualMass(all, Bins), evaluate.EqualMass(likeliest, Bins), evaluate.EqualMass(best, Bins)
	return out, nil
}

func judgeUser(placer Placer, holdout ratings.Holdout, u int) (found, error) {
	known, test := holdout.Known(u), holdout.Test(u)
	tiers := Tiers(known)
	odds := make([][]float64, test.Len())
	for k := range odds {
		odds[k] = make([]float64, 2*len(tiers)+1)
	}
	if err := placer.Place(evaluate.User{Index: u, Known: known}, test.Items, odds); err != nil {
		return found{}, err
	}
	r := found{ratings: test.Len()}
	for k, each := range odds {
		slot := Slot(tiers, test.Values[k])
		likeliest, sum := 0, 0.0
		for s, p := range each {
			if p > each[likeliest] {
				likeliest = s
			}
			sum += p
			r.all = append(r.all, evaluate.Event{P: p, Happened: s == slot})
		}
		if !(math.Abs(sum-1) <= 1e-6) {
			users := holdout.Set().Users()
			return found{}, fmt.Errorf("calibrate: odds for user %q sum to %g, not 1", users.ID(uint32(u)), sum)
		}
		r.likeliest = append(r.likeliest, evaluate.Event{P: each[likeliest], Happened: likeliest == slot})
		r.best = append(r.best, evaluate.Event{P: each[1], Happened: slot == 1})
		r.loss -= math.Log(each[slot])
	}
	return r, nil
}
