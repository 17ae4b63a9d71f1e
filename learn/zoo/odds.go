package zoo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"fubini/core/logprob"
	"fubini/core/parallel"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/judge/calibrate"
	"fubini/judge/evaluate"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/rank"
)

// Placer lets a fitted model give odds to the slots around a person's tiers: ours
// by the slots themselves, models that give a probability to every rating by those.
// Plain hides from the model which rating a tier stands for; another model is then given
// the guess of the calibration of one of ours.
func Placer(m Fitted, plain bool, guess *latent.Catalogue) (calibrate.Placer, error) {
	switch m := m.(type) {
	case OrderedSet:
		return placer{m.Parameters(), plain}, nil
	case calibrate.LevelModel:
		if !plain {
			return calibrate.Levels{Model: m}, nil
		}
		if guess == nil || guess.Calibration == nil || guess.Calibration.Guess == nil {
			return nil, fmt.Errorf("zoo: this model needs ratings, and the lists have tiers only; give ratings, or a calibrated latent-osm to guess them (train --calibrate)")
		}
		return calibrate.Levels{Model: m, Guess: func(known ratings.Row) latent.Guessed {
			return guessRow(guess, known)
		}}, nil
	}
	return nil, fmt.Errorf("zoo: the model has scores alone, no odds; osm, latent-osm and bayesian-mf have odds")
}

type placer struct {
	*latent.Catalogue
	plain bool
}

func (p placer) Place(user evaluate.User, items []uint32, odds [][]float64) error {
	person, _, err := readRow(p.Catalogue, user.Known, p.plain)
	if err != nil {
		return err
	}
	for k, item := range items {
		copy(odds[k], person.Place(int(item)).Slots())
	}
	return nil
}

// readRow folds somebody's ratings in, and tells which rating each tier stands for
// unless they are to be plain tiers.
func readRow(c *latent.Catalogue, row ratings.Row, plain bool) (*rank.Person, osm.List, error) {
	list, err := TierList(row)
	if err != nil {
		return nil, list, err
	}
	person, err := rank.Read(c, list)
	if err != nil || plain {
		return person, list, err
	}
	return person, list, person.Rated(tierValues(row))
}

// tierValues are the ratings of a row, each once, best first.
func tierValues(row ratings.Row) []float64 {
	tiers := calibrate.Tiers(row)
	values := make([]float64, len(tiers))
	for t, v := range tiers {
		values[t] = float64(v)
	}
	return values
}

const (
	mostPlaced = 20000 // held-back ratings to calibrate by; more make no difference
	mostLevels = 20    // of which shares of slots are kept for every number of tiers
)

// oddsWithin is fitOdds unless the context ends.
func oddsWithin(ctx context.Context, c *latent.Catalogue, split ratings.Split) (*latent.Calibration, *evaluate.Reliability, error) {
	var made *latent.Calibration
	var reliability *evaluate.Reliability
	failed, err := parallel.Await(ctx, func() (err error) {
		made, reliability, err = fitOdds(c, split)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return made, reliability, failed
}

// fitOdds fits a calibration to ratings that were held back from a model of the
// training ratings, and tells how far odds held on them: those of plain tiers, each
// half of the ratings read as the other half has it. It returns nothing where they
// say too little ([rank.ErrNoReading]).
func fitOdds(c *latent.Catalogue, split ratings.Split) (*latent.Calibration, *evaluate.Reliability, error) {
	made := newCalibration(split.Training.Set())
	rated, plain, err := placedRatings(c, made, split.Holdout)
	if err != nil {
		return nil, nil, err
	}
	made.Rated, err = rank.FitReading(rated)
	if err == nil {
		made.Plain, err = rank.FitReading(plain)
	}
	if err == nil {
		made.Guess, err = fitGuess(c, made, split.Training.Set())
	}
	var reliability *evaluate.Reliability
	if err == nil {
		reliability, err = held(made, rated, plain)
	}
	switch {
	case errors.Is(err, rank.ErrNoReading):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	}
	return made, reliability, nil
}

// keyOdds is where a file has how odds are read.
const keyOdds = "odds"

// oddsFile is a calibration as it is kept. Files without one are read as odds that
// are taken as they are.
type oddsFile struct {
	Version int                 `json:"version"`
	Map     *latent.Calibration `json:"map"`
}

const oddsVersion = 1

// saveReading writes the calibration of a model of ours, if it has one.
func (s *Saved) saveReading(f *modelfile.File) error {
	c, err := s.Catalogue()
	if err != nil || c.Calibration == nil {
		return nil // nothing to keep
	}
	return f.SetJSON(keyOdds, oddsFile{oddsVersion, c.Calibration})
}

// loadReading reads it.
func (s *Saved) loadReading(f *modelfile.File) error {
	if f.Metadata[keyOdds] == "" {
		return nil
	}
	c, err := s.Catalogue()
	if err != nil {
		return fmt.Errorf("zoo: the file tells how to read odds that its model does not have: %w", err)
	}
	var kept oddsFile
	if err := f.JSON(keyOdds, &kept); err != nil {
		return err
	}
	if kept.Version != oddsVersion || kept.Map == nil {
		return fmt.Errorf("zoo: the file has a calibration of version %d; this program knows version %d", kept.Version, oddsVersion)
	}
	if err := kept.Map.Check(); err != nil {
		return err
	}
	c.Calibration = kept.Map
	return nil
}

// guessRow is what the ratings of a row might be if only its tiers were known.
func guessRow(c *latent.Catalogue, row ratings.Row) latent.Guessed {
	tiers := calibrate.Tiers(row)
	sizes, items := make([]int, len(tiers)), make([]int, row.Len())
	for k, v := range row.Values {
		sizes[calibrate.Slot(tiers, v)/2]++
		items[k] = int(row.Items[k])
	}
	return c.Calibration.Guessed(sizes, rank.MeanWorth(c, items))
}

// fitGuess learns from the ratings that a model was trained on which levels tiers
// stand for.
func fitGuess(c *latent.Catalogue, made *latent.Calibration, set *ratings.Set) (*latent.Guess, error) {
	var people []rank.Rater
	for u := range set.Users().Len() {
		row := set.Row(u)
		if row.Len() == 0 {
			continue
		}
		list, err := TierList(row)
		if err != nil {
			return nil, err
		}
		one := rank.Rater{Values: tierValues(row), Worth: rank.MeanWorth(c, list.Items)}
		for t := range list.Order.Len() {
			one.Sizes = append(one.Sizes, list.Order.Size(t))
		}
		people = append(people, one)
	}
	return rank.FitGuess(made, people)
}

// held is the reliability of plain tiers. Halves are of users: placed ratings come
// by user. What is guessed of tiers comes from ratings that were not held back.
func held(made *latent.Calibration, rated, plain []rank.Placed) (*evaluate.Reliability, error) {
	half := len(plain) / 2
	var events calibrate.Events
	for _, part := range []struct{ from, to int }{{0, half}, {half, len(plain)}} {
		others := func(all []rank.Placed) []rank.Placed { return slices.Concat(all[:part.from], all[part.to:]) }
		other := *made
		var err error
		if other.Rated, err = rank.FitReading(others(rated)); err != nil {
			return nil, err
		}
		if other.Plain, err = rank.FitReading(others(plain)); err != nil {
			return nil, err
		}
		for _, each := range plain[part.from:part.to] {
			weights := slices.Clone(each.Weights)
			other.Read(weights, each.Sizes, nil, other.Guessed(each.Sizes, each.Worth))
			norm := logprob.SumExp(weights)
			for s, w := range weights {
				weights[s] = math.Exp(w - norm)
			}
			events.Add(weights, each.Slot)
		}
	}
	reliability := events.Reliability()
	return &reliability, nil
}

// newCalibration counts levels and what share of all ratings falls into the slots
// of people with so many tiers.
func newCalibration(set *ratings.Set) *latent.Calibration {
	count := map[float64]float64{}
	for u := range set.Users().Len() {
		for _, v := range set.Row(u).Values {
			count[float64(v)]++
		}
	}
	c := &latent.Calibration{}
	for v := range count {
		c.Levels = append(c.Levels, v)
	}
	slices.SortFunc(c.Levels, cmp.Compare[float64])
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
		if values := tierValues(set.Row(u)); len(values) > 0 {
			people[len(values)-1]++
			for s, share := range c.SlotShares(len(values), values) {
				c.BySlots[len(values)-1][s] += share
			}
		}
	}
	for t, shares := range c.BySlots {
		for s := range shares {
			if people[t] > 0 {
				shares[s] /= people[t]
			} else {
				shares[s] = 1 / float64(len(shares)) // nobody is known to have so many
			}
		}
	}
	return c
}

// placedRatings weighs the slots of held-back ratings, with the ratings of the
// tiers known and not. Of very many it takes every so many.
func placedRatings(c *latent.Catalogue, made *latent.Calibration, holdout ratings.Holdout) (rated, plain []rank.Placed, err error) {
	stride := 1 + (holdout.Set().Len()-1)/mostPlaced
	count := 0
	for u := range holdout.Set().Users().Len() {
		known, test := holdout.Known(u), holdout.Test(u)
		if known.Len() == 0 || test.Len() == 0 {
			continue
		}
		person, list, err := readRow(c, known, true)
		if err != nil {
			return nil, nil, err
		}
		tiers, values := calibrate.Tiers(known), tierValues(known)
		one := rank.Placed{Shares: made.SlotShares(len(tiers), values), Sizes: make([]int, len(tiers)), Worth: rank.MeanWorth(c, list.Items)}
		average := made.SlotShares(len(tiers), nil)
		for t := range one.Sizes {
			one.Sizes[t] = list.Order.Size(t)
		}
		for k, item := range test.Items {
			if count++; count%stride != 0 {
				continue
			}
			one.Weights, one.Slot = person.Weigh(int(item)), calibrate.Slot(tiers, test.Values[k])
			rated = append(rated, one)
			other := one
			other.Shares = average
			plain = append(plain, other)
		}
	}
	return rated, plain, nil
}
