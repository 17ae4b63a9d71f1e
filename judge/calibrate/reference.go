package calibrate

import (
	"fubini/judge/evaluate"
	"fubini/model/rival"
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

// Levels are the odds of a model that gives a probability to every rating: a tier
// has that of its own value, a gap those of the values in it.
type Levels struct{ Model rival.LevelModel }

// Place implements [Placer].
func (l Levels) Place(user evaluate.User, items []uint32, odds [][]float64) error {
	tiers := Tiers(user.Known)
	levels := l.Model.Levels()
	probs := make([]float64, len(levels))
	for k, item := range items {
		l.Model.LevelProbs(rival.Person{Index: user.Index, Known: user.Known}, item, probs)
		clear(odds[k])
		for v, p := range probs {
			odds[k][Slot(tiers, float32(levels[v]))] += p
		}
	}
	return nil
}
