package modelstore

import (
	"fmt"

	"fubini/model"
)

// Aim is what recommendations are ordered by.
type Aim int

// The aims.
const (
	AimTaste    Aim = iota // where the person would place an item, if they picked it
	AimBalanced            // both: how much they would gain from an item
	AimInterest            // whether the person would pick an item
)

// ScoreFor writes the score of each item for a new person under an aim. For taste the scores are those of
// [Saved.Score]; the others need a model of picks.
func (s *Saved) ScoreFor(aim Aim, p model.Person, items []uint32, scores []float64) error {
	if aim == AimTaste {
		s.Score(p, items, scores)
		return nil
	}
	if s.Interest == nil {
		return fmt.Errorf("modelstore: the model has no interest, only taste; train it with interest")
	}
	picks := make([]float64, s.Interest.Items())
	if err := s.Interest.Score(s.Rated(p), picks); err != nil {
		return err
	}
	if aim == AimBalanced {
		s.Score(p, items, scores)
	}
	for k, i := range items {
		if aim == AimBalanced {
			scores[k] = s.Interest.Balanced(picks[i], scores[k])
		} else {
			scores[k] = picks[i]
		}
	}
	return nil
}
