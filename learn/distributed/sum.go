package distributed

import (
	"fmt"
	"math"

	"fubini/learn/ascent"
	"fubini/model/latent"
)

// Sum is a sum over parts: of parameters with weights, which over all parts is their average, or
// of the terms of co-occurrence features. Values are integers, in units of 2^-40, so that
// addition is exact and associative.
type Sum struct {
	Epoch    int
	Averaged int // epochs in the mean of parameters
	Values   []int64
}

const (
	unit  = 1 << 40
	limit = 1 << 20 // larger numbers mean divergence
)

// newSum is the sum of the numbers of one part.
func newSum(at *ascent.State, numbers []float64) (*Sum, error) {
	s := &Sum{Epoch: at.Epoch, Averaged: at.Averaged, Values: make([]int64, len(numbers))}
	for k, v := range numbers {
		if !(math.Abs(v) < limit) {
			return nil, fmt.Errorf("%w: a parameter is %g after epoch %d; lower the rate or raise the priors", ascent.ErrDiverged, v, at.Epoch)
		}
		s.Values[k] = int64(math.Round(v * unit))
	}
	return s, nil
}

// Add adds the sum of other parts.
func (s *Sum) Add(other *Sum) error {
	if s.Values == nil {
		s.Epoch, s.Averaged, s.Values = other.Epoch, other.Averaged, make([]int64, len(other.Values))
	}
	if len(s.Values) != len(other.Values) || s.Epoch != other.Epoch || s.Averaged != other.Averaged {
		return fmt.Errorf("distributed: sums of %d and %d numbers, at epochs %d and %d, do not go together", len(s.Values), len(other.Values), s.Epoch, other.Epoch)
	}
	for k, v := range other.Values {
		s.Values[k] += v
	}
	return nil
}

// numbers are the values as numbers, of which there must be n.
func (s *Sum) numbers(n int) ([]float64, error) {
	if len(s.Values) != n {
		return nil, fmt.Errorf("distributed: a sum of %d numbers for a model of %d", len(s.Values), n)
	}
	numbers := make([]float64, n)
	for k, v := range s.Values {
		numbers[k] = float64(v) / unit
	}
	return numbers, nil
}

// each visits all numbers of a state that parts average, with the item that each belongs to, or
// -1 for what all lists share.
func each(s *ascent.State, visit func(item int, v *float64)) {
	for _, c := range []*latent.Catalogue{s.Now, s.Mean} {
		for k := range c.Values {
			visit(c.Item(k), &c.Values[k])
		}
	}
	h := &s.Curvature
	for _, v := range []*float64{&h.U, &h.W, &h.V, &h.Nu, &h.NuK, &h.B} {
		visit(-1, v)
	}
	lists := [][]float64{s.SizeCurvature}
	if c := s.CoOccurrence; c != nil {
		lists = append(lists, c.U, c.W, c.V)
	}
	for _, list := range lists {
		for k := range list {
			visit(-1, &list[k])
		}
	}
}
