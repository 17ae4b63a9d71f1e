package modelstore

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fubini/learn/registry"
	"fubini/model"
)

// Aim is what recommendations are ordered by.
type Aim int

// The aims. [Saved.Resolve] turns AimAuto into one of the others.
const (
	AimAuto     Aim = iota // balanced for a model with interest and taste whose interest is informative, else what the model has
	AimTaste               // where the person would place an item, if they picked it
	AimBalanced            // both: how much they would gain from an item
	AimInterest            // whether the person would pick an item
	AimNext                // whether the person would pick an item next, by the order of their list in time as well
)

// aimNames are in the order of the constants.
var aimNames = []string{"", "taste", "balanced", "interest", "next"}

// Aims are the names that [ParseAim] reads.
func Aims() []string { return slices.Clone(aimNames[AimTaste:]) }

// ParseAim reads the name of an aim; nothing is AimAuto.
func ParseAim(name string) (Aim, error) {
	if at := slices.Index(aimNames, name); at >= 0 {
		return Aim(at), nil
	}
	return AimAuto, fmt.Errorf("modelstore: there is no aim %q; there are %s", name, strings.Join(Aims(), ", "))
}

// String is the name of an aim.
func (a Aim) String() string { return aimNames[a] }

// Picks reports whether items are ordered by picks alone, without taste.
func (a Aim) Picks() bool { return a == AimInterest || a == AimNext }

// MarshalText implements [encoding.TextMarshaler].
func (a Aim) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (a *Aim) UnmarshalText(text []byte) (err error) {
	*a, err = ParseAim(string(text))
	return err
}

// Errors for an aim that a model cannot serve.
var (
	ErrNoInterest = errors.New("the model has no interest, which is whether people would pick an item: ask for the aim taste, or train the model anew (fubini train fits both)")
	ErrNoOrder    = errors.New("the model was not trained on ratings with times, and has nothing of what people pick after what: ask for another aim, or train it on ratings with times")
	ErrNoTaste    = errors.New("the model has interest alone and no taste, which is how people would place an item: ask for the aim interest, or train a model on ratings")
)

// Combines reports whether interest is by default fitted beside the taste of a model. The paper's
// model is trained as in the paper, and baselines have no place for it.
func Combines(name string, r model.Recipe) bool {
	_, ours := r.(registry.OrderedSetRecipe)
	return ours && name != "latent-osm-paper"
}

// Resolve returns the aim by which the model recommends when it is asked for one; an error if it cannot.
func (s *Saved) Resolve(aim Aim) (Aim, error) {
	switch {
	case aim == AimAuto && s.Interest == nil:
		return AimTaste, nil
	case aim == AimAuto && !s.HasTaste():
		return AimInterest, nil
	case aim == AimAuto && !s.Interest.Informative():
		return AimTaste, nil
	case aim == AimAuto:
		return AimBalanced, nil
	case aim != AimTaste && s.Interest == nil:
		return aim, fmt.Errorf("modelstore: %w", ErrNoInterest)
	case aim == AimNext && s.Interest.Next == nil:
		return aim, fmt.Errorf("modelstore: %w", ErrNoOrder)
	case !aim.Picks() && !s.HasTaste():
		return aim, fmt.Errorf("modelstore: %w", ErrNoTaste)
	}
	return aim, nil
}

// ScoreFor writes the score of each item for a new person under an aim. For taste the scores are those of
// [Saved.Score].
func (s *Saved) ScoreFor(aim Aim, p model.Person, items []uint32, scores []float64) error {
	aim, err := s.Resolve(aim)
	if err != nil {
		return err
	}
	if aim == AimTaste {
		s.Score(p, items, scores)
		return nil
	}
	picks := make([]float64, s.Interest.Items())
	of := s.Interest.Score
	if aim == AimNext {
		of = s.Interest.ScoreNext
	}
	if err := of(s.Rated(p), picks); err != nil {
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
