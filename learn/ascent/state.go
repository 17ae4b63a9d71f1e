package ascent

import (
	"fmt"
	"slices"

	"fubini/core/rng"
	"fubini/learn/cooccurrence"
	"fubini/model/latent"
)

// State is everything that a run needs to continue, but for its options: resume with those
// it was started with.
type State struct {
	Epoch         int // finished
	Now           *latent.Catalogue
	Mean          *latent.Catalogue
	Averaged      int // points in Mean
	Curvature     Curvature
	SizeCurvature []float64 // of the weight of every tier size; nil without

	Ranks        [][]uint16             // of chains: the tier of each place of each list
	Slope        float64                // of worths on rating levels
	CoOccurrence *cooccurrence.Features // nil without

	// The best point by Validate, nil before the first.
	Best           *latent.Catalogue
	BestAt         int // epoch
	BestValidation float64
}

// Clone returns a copy that shares nothing with s.
func (s *State) Clone() *State {
	copied := *s
	copied.Now, copied.Mean, copied.CoOccurrence = s.Now.Clone(), s.Mean.Clone(), s.CoOccurrence.Clone()
	if s.Best != nil {
		copied.Best = s.Best.Clone()
	}
	copied.SizeCurvature = slices.Clone(s.SizeCurvature)
	copied.Ranks = make([][]uint16, len(s.Ranks))
	for l, ranks := range s.Ranks {
		copied.Ranks[l] = slices.Clone(ranks)
	}
	return &copied
}

// NewState is the state that a run starts from: small random weights, because the gradient
// of W vanishes at zero.
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
			return fmt.Errorf("train: the state to resume from is of another model or other data")
		}
	}
	if len(s.SizeCurvature) != len(s.Now.Sizes) {
		return fmt.Errorf("train: the state to resume from has %d weights by tier size and the curvature of %d", len(s.Now.Sizes), len(s.SizeCurvature))
	}
	if s.Epoch < 0 || s.Epoch > epochs {
		return fmt.Errorf("train: the state to resume from is at epoch %d of %d", s.Epoch, epochs)
	}
	return nil
}

// Point is the result as the state has it: the best point where epochs are validated,
// else the average over the second half of the epochs, or without one the last.
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
