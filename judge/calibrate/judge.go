package calibrate

import (
	"context"
	"fmt"
	"math"

	"fubini/core/parallel"
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
	results := make([]Events, len(users))
	err := parallel.Each(ctx, len(users), jobs, func(_, k int) (err error) {
		results[k], err = judgeUser(placer, holdout, users[k])
		return err
	})
	if err != nil {
		return nil, err
	}
	out := &Outcome{Users: len(users)}
	var all Events
	for k := range results {
		all.Join(&results[k])
		out.Losses = append(out.Losses, results[k].Loss/float64(results[k].Ratings))
	}
	out.Ratings, out.LogLoss = all.Ratings, all.Loss/float64(all.Ratings)
	out.All, out.Likeliest, out.Best = all.Reliability(), evaluate.EqualMass(all.Likeliest, Bins), evaluate.EqualMass(all.Best, Bins)
	return out, nil
}

func judgeUser(placer Placer, holdout ratings.Holdout, u int) (events Events, err error) {
	known, test := holdout.Known(u), holdout.Test(u)
	tiers := Tiers(known)
	odds := make([][]float64, test.Len())
	for k := range odds {
		odds[k] = make([]float64, 2*len(tiers)+1)
	}
	if err := placer.Place(evaluate.User{Index: u, Known: known}, test.Items, odds); err != nil {
		return events, err
	}
	for k, each := range odds {
		var sum float64
		for _, p := range each {
			sum += p
		}
		if !(math.Abs(sum-1) <= 1e-6) {
			users := holdout.Set().Users()
			return events, fmt.Errorf("calibrate: odds for user %q sum to %g, not 1", users.ID(uint32(u)), sum)
		}
		events.Add(each, Slot(tiers, test.Values[k]))
	}
	return events, nil
}
