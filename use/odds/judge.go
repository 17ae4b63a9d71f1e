package odds

import (
	"context"
	"fmt"
	"math"

	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/latent"
)

// Bins is the usual number of bins of equal mass.
const Bins = 15

// Outcome compares odds with the observed slots of held-out ratings.
type Outcome struct {
	Ratings, Users int
	// LogLoss is the mean over ratings of minus the log odds of the observed slot. Losses has the
	// mean for each user, to compare two forecasters.
	LogLoss float64
	Losses  []float64
	// All pools every slot of every rating; Likeliest has the most probable slot of each rating;
	// Best the person's best tier.
	All, Likeliest, Best Reliability
}

// Judge compares the odds of held-out ratings with their observed slots, for every user. The
// result does not depend on jobs; 0 means one for each core.
func Judge(ctx context.Context, forecaster Forecaster, holdout ratings.Holdout, jobs int) (*Outcome, error) {
	var users []int
	for u := range holdout.Set().Users().Len() {
		if holdout.Test(u).Len() > 0 && holdout.Known(u).Len() > 0 {
			users = append(users, u)
		}
	}
	if len(users) == 0 {
		return nil, fmt.Errorf("odds: %w", ratings.ErrNothingLeft)
	}
	all, losses, err := gather(ctx, len(users), jobs, func(k int, to *record) error { return judgeUser(forecaster, holdout, users[k], to) })
	if err != nil {
		return nil, err
	}
	return &Outcome{
		Ratings: all.ratings, Users: len(users), LogLoss: all.loss / float64(all.ratings), Losses: losses,
		All: equalMass(all.all, Bins), Likeliest: equalMass(all.likeliest, Bins), Best: equalMass(all.best, Bins),
	}, nil
}

func judgeUser(forecaster Forecaster, holdout ratings.Holdout, u int, to *record) error {
	known, test := holdout.Known(u), holdout.Test(u)
	tiers := tierRatings(known)
	odds := make([][]float64, test.Len())
	for k := range odds {
		odds[k] = make([]float64, 2*len(tiers)+1)
	}
	if err := forecaster.Forecast(model.Person{Index: u, Known: known}, test.Items, odds); err != nil {
		return err
	}
	for k, each := range odds {
		var sum float64
		for _, p := range each {
			sum += p
		}
		if !(math.Abs(sum-1) <= 1e-6) {
			return fmt.Errorf("odds: those for user %q sum to %g, not 1", holdout.Set().Users().ID(uint32(u)), sum)
		}
		to.add(each, slotOf(tiers, float64(test.Values[k])))
	}
	return nil
}

// LeaveOneOut is the reliability of the odds for people that the catalogue was not trained on:
// every item of every person is removed and placed again. People with fewer than two items are
// skipped; jobs below 1 means one for each core.
func LeaveOneOut(ctx context.Context, c *latent.Catalogue, calibration *Calibration, people []model.Person, jobs int) (*Reliability, error) {
	all, _, err := gather(ctx, len(people), jobs, func(k int, to *record) error { return leaveOut(c, calibration, people[k], to) })
	if err != nil {
		return nil, err
	}
	if all.ratings == 0 {
		return nil, fmt.Errorf("odds: nobody placed two items that the model knows: nothing to calibrate on")
	}
	result := equalMass(all.all, Bins)
	return &result, nil
}

// leaveOut places every item of a person among their others.
func leaveOut(c *latent.Catalogue, calibration *Calibration, person model.Person, to *record) error {
	if person.Known.Len() < 2 {
		return nil
	}
	for k, item := range person.Known.Items {
		rest := person.Without(item)
		placer, err := NewPlacer(c, calibration, rest)
		if err != nil {
			return err
		}
		// The slot in which it stood: with others in a tier, or alone in the gap that it leaves.
		slot := slotOf(tierRatings(rest.Known), float64(person.Known.Values[k]))
		to.add(placer.Place(int(item)).Slots(), slot)
	}
	return nil
}
