package odds

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"fubini/core/parallel"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/rank"
)

const (
	fewestHeld   = 300 // held-back ratings for a correction: some dozens for each of its parameters
	fewestRaters = 100 // people for a guess
	mostLevels   = 20  // levels for which the shares of slots are kept by number of tiers
)

// MostHeld is about the number of held-back ratings that a calibration uses; more make no difference. Of half as many again or more it takes every n-th.
const MostHeld = 20000

// HoldBack holds a share of the ratings of a set back to calibrate by, but no more than a calibration uses.
func HoldBack(set *ratings.Set, share float64, seed uint64) (ratings.Split, error) {
	return set.Random(min(share, MostHeld/float64(max(1, set.Len()))), seed)
}

// errUncalibrated comes from held-back ratings that are too few or contradict the model.
var errUncalibrated = errors.New("the odds cannot be calibrated")

// Fit estimates a calibration from ratings that were held back from the training of the catalogue, and the reliability
// of the odds of bare tiers on them by two-fold cross-validation over users. Both are nil where the held-back ratings
// are too few or contradict the model. Jobs is the number of goroutines, 0 for one for each core; the result does not depend on it.
func Fit(c *latent.Catalogue, split ratings.Split, jobs int) (*Calibration, *Reliability, error) {
	made := newCalibration(split.Training.Set())
	all, err := heldRatings(made, split.Holdout, jobs, func(person model.Person, list osm.List, items []uint32) ([][]float64, float64, error) {
		embedding, err := rank.Fold(c, list)
		if err != nil {
			return nil, 0, err
		}
		person.TiersOnly = true // their ratings are read when the weights are corrected
		placer, err := Among(&rank.Folded{Catalogue: c, List: list, Embedding: embedding}, nil, person)
		if err != nil {
			return nil, 0, err
		}
		weights := make([][]float64, len(items))
		for k, item := range items {
			weights[k] = placer.logWeights(int(item))
		}
		return weights, meanWorth(c, placer.List.Items), nil
	})
	if err != nil {
		return nil, nil, err
	}
	raters := ratersOf(c, split.Training.Set(), jobs)
	err = made.fitCorrections(all, jobs)
	if err == nil {
		made.Guess, err = fitGuess(made, raters)
	}
	var reliability *Reliability
	if err == nil {
		reliability, err = crossValidate(made, all, jobs)
	}
	switch {
	case errors.Is(err, errUncalibrated):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	}
	return made, reliability, nil
}

// FitForecast estimates the correction of another model's odds, as [Fit] does for those of a latent model: from ratings that were
// held back from what it was trained on, with the ratings of the tiers known.
func FitForecast(f Forecaster, split ratings.Split, jobs int) (*Calibration, error) {
	made := newCalibration(split.Training.Set())
	all, err := heldRatings(made, split.Holdout, jobs, func(person model.Person, _ osm.List, items []uint32) ([][]float64, float64, error) {
		odds := make([][]float64, len(items))
		for k := range odds {
			odds[k] = make([]float64, 2*len(tierRatings(person.Known))+1)
		}
		err := f.Forecast(person, items, odds)
		for _, each := range odds {
			logarithms(each)
		}
		return odds, 0, err
	})
	if err != nil {
		return nil, err
	}
	made.Rated, err = fitCorrection(all, made.Rated, func(h held) []float64 { return h.rated })
	return made, err
}

// newCalibration has the levels of a set and the mean shares of the slots by number of tiers.
func newCalibration(set *ratings.Set) *Calibration {
	count := map[float64]float64{}
	for u := range set.Users().Len() {
		for _, v := range set.Row(u).Values {
			count[float64(v)]++
		}
	}
	c := &Calibration{Levels: slices.Sorted(maps.Keys(count)), Rated: uncorrected, Plain: uncorrected}
	for _, v := range c.Levels {
		c.Shares = append(c.Shares, count[v]/float64(set.Len()))
	}
	if len(c.Levels) > mostLevels {
		return c
	}
	c.BySlots = make([][]float64, len(c.Levels))
	people := make([]float64, len(c.Levels))
	for t := range c.BySlots {
		c.BySlots[t] = make([]float64, 2*t+3)
	}
	for u := range set.Users().Len() {
		if tiers := tierRatings(set.Row(u)); len(tiers) > 0 {
			people[len(tiers)-1]++
			for s, share := range c.slotShares(len(tiers), tiers) {
				c.BySlots[len(tiers)-1][s] += share
			}
		}
	}
	for t, shares := range c.BySlots {
		for s := range shares {
			if people[t] > 0 {
				shares[s] /= people[t]
			} else {
				shares[s] = 1 / float64(len(shares)) // nobody has this number of tiers
			}
		}
	}
	return c
}

// held is a rating that was held back: the log weights of its slots before correction, the sizes of the person's tiers,
// the mean worth of their items, the shares of the slots with the ratings of the tiers known and not, and the slot in
// which the rating stands.
type held struct {
	weights     []float64
	sizes       []int
	worth       float64
	rated, bare []float64
	slot        int
}

// heldRatings computes the slots of held-back ratings. Of many more than MostHeld it takes every n-th. Weigh returns the log
// weights of the slots of some items for a person with a list, and the mean worth of the person's.
func heldRatings(made *Calibration, holdout ratings.Holdout, jobs int, weigh func(model.Person, osm.List, []uint32) ([][]float64, float64, error)) ([]held, error) {
	every := max(1, (holdout.Set().Len()+MostHeld/2)/MostHeld)
	var people, before []int // and the number of held-back ratings of those before
	count := 0
	for u := range holdout.Set().Users().Len() {
		if test := holdout.Test(u).Len(); test > 0 && holdout.Known(u).Len() > 0 {
			people, before = append(people, u), append(before, count)
			count += test
		}
	}
	each := make([][]held, len(people))
	err := parallel.Each(context.Background(), len(people), jobs, func(_, n int) error {
		known, test := holdout.Known(people[n]), holdout.Test(people[n])
		list, err := osm.ListOf(known)
		if err != nil {
			return err
		}
		tiers := tierRatings(known)
		one := held{sizes: sizesOf(list.Order), rated: made.slotShares(len(tiers), tiers), bare: made.slotShares(len(tiers), nil)}
		var items []uint32
		for k, item := range test.Items {
			if (before[n]+k+1)%every == 0 {
				one.slot = slotOf(tiers, float64(test.Values[k]))
				items, each[n] = append(items, item), append(each[n], one)
			}
		}
		weights, worth, err := weigh(model.Person{Index: people[n], Known: known}, list, items)
		for k, w := range weights {
			each[n][k].weights, each[n][k].worth = w, worth
		}
		return err
	})
	return slices.Concat(each...), err
}

// fitCorrections fits both corrections, from those that there are.
func (c *Calibration) fitCorrections(all []held, jobs int) error {
	return parallel.Each(context.Background(), 2, jobs, func(_, k int) error { return c.fitOne(all, k == 0) })
}

// fitOne fits one of the corrections: that of tiers whose ratings are known, or the other.
func (c *Calibration) fitOne(all []held, rated bool) (err error) {
	if rated {
		c.Rated, err = fitCorrection(all, c.Rated, func(h held) []float64 { return h.rated })
	} else {
		c.Plain, err = fitCorrection(all, c.Plain, func(h held) []float64 { return h.bare })
	}
	return err
}

// fitCorrection finds the correction under which held-back ratings are likeliest. The prior mean is no correction. See
// docs/maths.md#calibration.
func fitCorrection(all []held, from Correction, shares func(held) []float64) (Correction, error) {
	if len(all) < fewestHeld {
		return Correction{}, fmt.Errorf("odds: %w by %d held-back ratings; at least %d are needed", errUncalibrated, len(all), fewestHeld)
	}
	choices := make([]choice, len(all))
	for n, each := range all {
		choices[n] = choice{slotFeatures(each.weights, each.sizes, shares(each)), each.slot}
	}
	none, start := uncorrected.vector(), from.vector()
	p, err := fitLogit(choices, none[:], start[:])
	if err != nil {
		return Correction{}, err
	}
	c := correctionOf([correctionSize]float64(p))
	if !(c.Power > 0) {
		return c, fmt.Errorf("odds: %w: ratings are likelier where the model makes them less probable (power %g)", errUncalibrated, c.Power)
	}
	return c, nil
}

// rater is a person whose ratings are known: those of their tiers, best first, the sizes of the tiers, and the mean
// worth of the items.
type rater struct {
	ratings []float64
	sizes   []int
	worth   float64
}

// ratersOf are the people of a set.
func ratersOf(c *latent.Catalogue, set *ratings.Set, jobs int) []rater {
	all := make([]rater, set.Users().Len())
	parallel.Do(len(all), jobs, func(_, u int) {
		row := set.Row(u)
		if row.Len() == 0 {
			return
		}
		tiers := tierRatings(row)
		all[u] = rater{ratings: tiers, worth: meanWorth(c, row.Items), sizes: make([]int, len(tiers))}
		for _, v := range row.Values {
			all[u].sizes[slotOf(tiers, float64(v))/2]++
		}
	})
	return slices.DeleteFunc(all, func(r rater) bool { return r.sizes == nil })
}

// fitGuess estimates which levels bare tiers stand for from people of whom it is known. The prior mean follows how
// often sets are used alone. It returns nil where there are too many levels, or too few people who leave some out.
func fitGuess(c *Calibration, people []rater) (*Guess, error) {
	if len(c.Levels) > mostGuessed {
		return nil, nil
	}
	counted := *c
	counted.Guess = &Guess{People: make([]float64, 1<<len(c.Levels)), Parameters: [guessSize]float64{1}}
	for _, each := range people {
		if set, known := c.setOf(each.ratings); known {
			counted.Guess.People[set]++
		}
	}
	var choices []choice
	for _, each := range people {
		sets := c.sets(len(each.ratings))
		own, known := c.setOf(each.ratings)
		if len(sets) < 2 || !known { // all levels, or more
			continue
		}
		choices = append(choices, choice{counted.setFeatures(sets, each.sizes, each.worth), slices.Index(sets, own)})
	}
	if len(choices) < fewestRaters {
		return nil, nil
	}
	p, err := fitLogit(choices, counted.Guess.Parameters[:], counted.Guess.Parameters[:])
	if err != nil {
		return nil, err
	}
	counted.Guess.Parameters = [guessSize]float64(p)
	return counted.Guess, nil
}

// crossValidate is the reliability of the odds of bare tiers, each half of the held-back ratings corrected as fitted to
// the other. Held-back ratings come by user. The guess was fitted to ratings that were not held back; with it bare tiers are corrected
// as if their ratings were known.
func crossValidate(made *Calibration, all []held, jobs int) (*Reliability, error) {
	halves := [][]held{all[:len(all)/2], all[len(all)/2:]}
	corrected := make([][]float64, len(all))
	err := parallel.Each(context.Background(), len(halves), jobs, func(_, k int) error {
		other := *made
		if err := other.fitOne(halves[1-k], made.Guess != nil); err != nil {
			return err
		}
		for n, each := range halves[k] {
			weights := slices.Clone(each.weights)
			other.correct(weights, each.sizes, nil, other.guesses(each.sizes, each.worth))
			normalise(weights)
			corrected[k*len(halves[0])+n] = weights
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var events record
	for n, weights := range corrected {
		events.add(weights, all[n].slot)
	}
	reliability := equalMass(events.all, Bins)
	return &reliability, nil
}
