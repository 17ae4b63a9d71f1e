package ascent

import (
	"fmt"
	"slices"

	"fubini/core/rng"
	"fubini/learn/cooccurrence"
	"fubini/model/latent"
)

// State is the state of a run between epochs. With the same options a run resumed from it gives
// the same result.
type State struct {
	Epoch         int               // number of finished epochs
	Now           *latent.Catalogue // current parameters
	Mean          *latent.Catalogue // mean of the parameters over the epochs of the second half
	Averaged      int               // number of epochs in Mean
	Curvature     Curvature
	SizeCurvature []float64 // curvature for every weight by tier size; nil for none

	Ranks        [][]uint16             // states of the Markov chains: the tier of each item of each list
	Slope        float64                // coefficient of worths on rating levels
	Units        []float64              // factors on the precision of the prior on W, by unit; nil for none
	Precisions   []float64              // of the prior on U, W and V, Auto for that of the rule, where the lists chose; nil where they had no choice
	CoOccurrence *cooccurrence.Features // features and coefficients; nil for none
	Tastes       *Tastes                // nil for none

	// Parameters, epoch and value of the best epoch by Validate; Best is nil before the first.
	Best           *latent.Catalogue
	BestAt         int
	BestValidation float64
}

// Tastes are additions to the prior means of the worths and of the weights of units, by item. The first units, as many as there are ridges, stand for directions of
// tastes; each has the precision of people's coordinates along it, as a share of the precision of a value.
type Tastes struct{ U, W, Ridge []float64 }

// Clone returns a copy; nil of nil.
func (t *Tastes) Clone() *Tastes {
	if t == nil {
		return nil
	}
	return &Tastes{slices.Clone(t.U), slices.Clone(t.W), slices.Clone(t.Ridge)}
}

// Estimate is the result of a run: the parameters, and the co-occurrence features and
// coefficients of their prior mean, nil for none.
type Estimate struct {
	*latent.Catalogue
	CoOccurrence *cooccurrence.Features
}

// Clone returns a copy that shares nothing with s.
func (s *State) Clone() *State {
	copied := *s
	copied.Now, copied.Mean, copied.CoOccurrence = s.Now.Clone(), s.Mean.Clone(), s.CoOccurrence.Clone()
	copied.Tastes = s.Tastes.Clone()
	if s.Best != nil {
		copied.Best = s.Best.Clone()
	}
	copied.SizeCurvature = slices.Clone(s.SizeCurvature)
	copied.Units, copied.Precisions = slices.Clone(s.Units), slices.Clone(s.Precisions)
	copied.Ranks = make([][]uint16, len(s.Ranks))
	for l, ranks := range s.Ranks {
		copied.Ranks[l] = slices.Clone(ranks)
	}
	return &copied
}

// NewState returns the initial state: all parameters zero but W, which is small and random,
// because its gradient vanishes at zero.
func NewState(shape latent.Shape, seed uint64) *State {
	s := &State{Now: shape.New(), Mean: shape.New()}
	if shape.Largest > 0 {
		s.SizeCurvature = make([]float64, len(s.Now.Sizes))
	}
	r := rng.Stream(seed, "hidden units")
	for i := range s.Now.W {
		s.Now.W[i] = 0.05 * r.NormFloat64()
	}
	return s
}

// check refuses a state of another shape or run.
func (s *State) check(shape latent.Shape, epochs int) error {
	for _, c := range []*latent.Catalogue{s.Now, s.Mean} {
		if c == nil || c.Shape != shape {
			return fmt.Errorf("ascent: the state to resume from is of another model or other data")
		}
	}
	if len(s.SizeCurvature) != len(s.Now.Sizes) {
		return fmt.Errorf("ascent: the state to resume from has %d weights by tier size and the curvature of %d", len(s.Now.Sizes), len(s.SizeCurvature))
	}
	if len(s.Units) != 0 && len(s.Units) != shape.K {
		return fmt.Errorf("ascent: the state to resume from has precisions of %d units, where there are %d", len(s.Units), shape.K)
	}
	if t := s.Tastes; t != nil && (len(t.U) != shape.Items || len(t.W) != shape.Items*shape.K || len(t.Ridge) > shape.K) {
		return fmt.Errorf("ascent: the state to resume from has tastes of other items or units")
	}
	if s.Epoch < 0 || s.Epoch > epochs {
		return fmt.Errorf("ascent: the state to resume from is at epoch %d of %d", s.Epoch, epochs)
	}
	return nil
}

// Point is the estimate: the best epoch with validation, else the mean over the second half of
// the epochs. With last set, or before the second half, it is the current point.
func (s *State) Point(last bool) *latent.Catalogue {
	if s.Best != nil {
		return s.Best
	}
	return s.current(last)
}

// current is the point of this epoch, the best or not.
func (s *State) current(last bool) *latent.Catalogue {
	if last || s.Averaged == 0 {
		return s.Now
	}
	return s.Mean
}
