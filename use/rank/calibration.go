package rank

import (
	"errors"
	"fmt"

	"fubini/model/latent"
)

// Placed is a rating that was held back: the log weights of its slots before any
// calibration, the sizes of the person's tiers, the mean worth of their items, the
// shares of the slots, and the slot it has.
type Placed struct {
	Weights []float64
	Sizes   []int
	Worth   float64
	Shares  []float64
	Slot    int
}

// FewestPlaced is how many held-back ratings a reading is fitted to at least: some
// dozens for each of its parameters.
const FewestPlaced = 300

// ErrNoReading comes from held-back ratings that say too little, or that the model
// is wrong.
var ErrNoReading = errors.New("the odds cannot be calibrated")

// FitReading finds the reading under which held-back ratings are likeliest, with a
// weak pull to the log weights as they are. See docs/maths.md#calibration.
func FitReading(placed []Placed) (latent.Reading, error) {
	if len(placed) < FewestPlaced {
		return latent.Reading{}, fmt.Errorf("rank: %w by %d held-back ratings; it takes %d", ErrNoReading, len(placed), FewestPlaced)
	}
	choices := make([]choice, len(placed))
	for n, each := range placed {
		rows := make([][latent.ReadingSize]float64, len(each.Weights))
		latent.SlotFeatures(each.Weights, each.Sizes, each.Shares, rows)
		choices[n] = choice{make([][]float64, len(rows)), each.Slot}
		for s := range rows {
			choices[n].features[s] = rows[s][:]
		}
	}
	asTheyAre := latent.Reading{Power: 1}.Parameters()
	p, err := fitChoices(choices, asTheyAre[:])
	if err != nil {
		return latent.Reading{}, err
	}
	r := latent.ReadingOf([latent.ReadingSize]float64(p))
	if !(r.Power > 0) {
		return r, fmt.Errorf("rank: %w: ratings are the likelier the less the model believes in them (power %g)", ErrNoReading, r.Power)
	}
	return r, nil
}

// FewestRaters is how many people it takes to learn which levels they leave out.
const FewestRaters = 100

// Rater is somebody whose ratings are known: those of their tiers, best first, the
// sizes of the tiers, and the mean worth of the items.
type Rater struct {
	Values []float64
	Sizes  []int
	Worth  float64
}

// FitGuess finds how to guess which levels of a calibration bare tiers stand for, by
// people of whom it is known, with a weak pull to how often sets are used. It returns
// nothing where there are too many levels, or too few people who leave some out.
func FitGuess(c *latent.Calibration, people []Rater) (*latent.Guess, error) {
	if len(c.Levels) > latent.MostGuessed {
		return nil, nil
	}
	counted := *c
	counted.Guess = &latent.Guess{People: make([]float64, 1<<len(c.Levels)), Parameters: [latent.GuessSize]float64{1}}
	for _, each := range people {
		if set, known := c.SetOf(each.Values); known {
			counted.Guess.People[set]++
		}
	}
	var choices []choice
	for _, each := range people {
		sets := c.Sets(len(each.Values))
		if len(sets) < 2 { // all levels, or more
			continue
		}
		own, known := c.SetOf(each.Values)
		if !known {
			continue
		}
		one := choice{features: counted.SetFeatures(sets, each.Sizes, each.Worth)}
		for n, s := range sets {
			if s == own {
				one.taken = n
			}
		}
		choices = append(choices, one)
	}
	if len(choices) < FewestRaters {
		return nil, nil
	}
	p, err := fitChoices(choices, counted.Guess.Parameters[:])
	if err != nil {
		return nil, err
	}
	counted.Guess.Parameters = [latent.GuessSize]float64(p)
	return counted.Guess, nil
}
