package odds

import (
	"fmt"
	"math"
	"slices"

	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Forecaster computes the odds of slots. Several goroutines may use it at once.
type Forecaster interface {
	// Forecast writes, for each of the items, the odds of the 2T+1 slots around the tiers of the person.
	Forecast(person model.Person, items []uint32, odds [][]float64) error
}

// Slots forecasts by a latent model.
type Slots struct {
	Catalogue   *latent.Catalogue
	Calibration *Calibration // nil for the odds as the model has them
	TiersOnly   bool         // hides the ratings of the tiers from the model
}

// Forecast implements [Forecaster].
func (s Slots) Forecast(person model.Person, items []uint32, odds [][]float64) error {
	person.TiersOnly = s.TiersOnly
	placer, err := NewPlacer(s.Catalogue, s.Calibration, person)
	if err != nil {
		return err
	}
	for k, item := range items {
		copy(odds[k], placer.Place(int(item)).Slots())
	}
	return nil
}

// Guesses returns the distribution over the ratings of the tiers of a row, treated as unknown;
// none if it cannot be folded in.
func (s Slots) Guesses(row ratings.Row) Guesses {
	placer, err := NewPlacer(s.Catalogue, s.Calibration, model.Person{Index: -1, Known: row, TiersOnly: true})
	if err != nil {
		return Guesses{}
	}
	return placer.guesses
}

// Frequencies is a reference forecast without a model: the relative frequencies of the person's
// own tiers, with half an item added to each, and half an item spread evenly over the gaps.
type Frequencies struct{}

// Forecast implements [Forecaster].
func (Frequencies) Forecast(person model.Person, _ []uint32, odds [][]float64) error {
	tiers := tierRatings(person.Known)
	count := make([]float64, len(tiers))
	for _, v := range person.Known.Values {
		count[slotOf(tiers, float64(v))/2]++
	}
	total := float64(person.Known.Len()) + float64(len(tiers))/2 + 0.5
	for _, each := range odds {
		for s := range each {
			if s%2 == 1 {
				each[s] = (count[s/2] + 0.5) / total
			} else {
				each[s] = 0.5 / float64(len(tiers)+1) / total
			}
		}
	}
	return nil
}

// LevelModel is a model with a probability for every rating.
type LevelModel interface {
	// Levels are the ratings, ascending.
	Levels() []float64
	// LevelProbs writes the probabilities of the levels, for each of the items.
	LevelProbs(p model.Person, items []uint32, probs [][]float64)
}

// Levels forecasts by a model of ratings: the odds of a tier are the probability of its rating,
// those of a gap the sum over the ratings between its neighbours.
type Levels struct {
	Model LevelModel
	// Guess, if not nil, returns a distribution over the ratings of the tiers, which are then
	// treated as unknown: the odds are means over it.
	Guess func(known ratings.Row) Guesses
}

// Forecast implements [Forecaster].
func (l Levels) Forecast(person model.Person, items []uint32, odds [][]float64) error {
	levels := l.Model.Levels()
	probs := make([][]float64, len(items))
	for k := range probs {
		probs[k] = make([]float64, len(levels))
		clear(odds[k])
	}
	add := func(p model.Person, weight float64) {
		tiers := tierRatings(p.Known)
		l.Model.LevelProbs(p, items, probs)
		for k := range items {
			for v, p := range probs[k] {
				odds[k][slotOf(tiers, float64(float32(levels[v])))] += weight * p // tiers are of float32 too
			}
		}
	}
	if l.Guess == nil {
		add(person, 1)
		return nil
	}
	tiers, guesses := tierRatings(person.Known), l.Guess(person.Known)
	if len(guesses.Ratings) == 0 {
		return fmt.Errorf("odds: no guess of the ratings of %d tiers", len(tiers))
	}
	for g, values := range guesses.Ratings { // as a new person: the parameters of a known one would give the ratings away
		guessed := ratings.Row{Items: person.Known.Items, Values: slices.Clone(person.Known.Values)}
		for k, v := range guessed.Values {
			guessed.Values[k] = float32(values[slotOf(tiers, float64(v))/2])
		}
		add(model.Person{Index: -1, Known: guessed}, guesses.Odds[g])
	}
	return nil
}

// Corrected forecasts by another forecaster, corrected by a calibration that [FitForecast] made for it.
type Corrected struct {
	Forecaster
	Calibration *Calibration
}

// Forecast implements [Forecaster].
func (c Corrected) Forecast(person model.Person, items []uint32, odds [][]float64) error {
	list, err := osm.ListOf(person.Known)
	if err != nil {
		return err
	}
	if err := c.Forecaster.Forecast(person, items, odds); err != nil {
		return err
	}
	sizes, tiers := sizesOf(list.Order), tierRatings(person.Known)
	for _, each := range odds {
		logarithms(each)
		c.Calibration.correct(each, sizes, tiers, Guesses{})
		normalise(each)
	}
	return nil
}

// logarithms replaces odds by their logarithms; those of slots where nothing can stand are finite.
func logarithms(odds []float64) {
	for s, p := range odds {
		odds[s] = math.Log(max(p, never*never))
	}
}
