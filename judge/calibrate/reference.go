package calibrate

import (
	"fmt"

	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/model"
	"fubini/model/latent"
)

// Frequencies are the odds of somebody who knows no item: the shares of the
// person's own tiers, with half an item more in each, and half an item spread evenly
// over the gaps.
type Frequencies struct{}

// Place implements [Placer].
func (Frequencies) Place(user evaluate.User, _ []uint32, odds [][]float64) error {
	tiers := Tiers(user.Known)
	count := make([]float64, len(tiers))
	for _, v := range user.Known.Values {
		count[Slot(tiers, v)/2]++
	}
	total := float64(user.Known.Len()) + float64(len(tiers))/2 + 0.5
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

// LevelModel is a model that gives a probability to every rating that a person might give an item.
type LevelModel interface {
	model.Model
	// Levels are the ratings there are, ascending.
	Levels() []float64
	// LevelProbs writes, for each of the items, the probability of each level.
	LevelProbs(p model.Person, items []uint32, probs [][]float64)
}

// Levels are the odds of a model that gives a probability to every rating: a tier
// has that of its own value, a gap those of the values in it.
type Levels struct {
	Model LevelModel
	// Guess, if not nil, hides from the model which ratings the tiers stand for, and
	// has what they may be: the model is told each of them in turn, and its odds are
	// weighed by those of the guess.
	Guess func(known ratings.Row) latent.Guessed
}

// Place implements [Placer].
func (l Levels) Place(user evaluate.User, items []uint32, odds [][]float64) error {
	levels := l.Model.Levels()
	probs := make([][]float64, len(items))
	for k := range probs {
		probs[k] = make([]float64, len(levels))
		clear(odds[k])
	}
	add := func(p model.Person, weight float64) {
		tiers := Tiers(p.Known)
		l.Model.LevelProbs(p, items, probs)
		for k := range items {
			for v, p := range probs[k] {
				odds[k][Slot(tiers, float32(levels[v]))] += weight * p
			}
		}
	}
	if l.Guess == nil {
		add(model.Person{Index: user.Index, Known: user.Known}, 1)
		return nil
	}
	tiers, guess := Tiers(user.Known), l.Guess(user.Known)
	if len(guess.Values) == 0 {
		return fmt.Errorf("calibrate: nothing is guessed of %d tiers", len(tiers))
	}
	for g, values := range guess.Values { // somebody new: who they are would tell
		told := ratings.Row{Items: user.Known.Items, Values: make([]float32, user.Known.Len())}
		for k, v := range user.Known.Values {
			told.Values[k] = float32(values[Slot(tiers, v)/2])
		}
		add(model.Person{Index: -1, Known: told}, guess.Odds[g])
	}
	return nil
}
