package distributed

import (
	"fmt"
	"math"

	"fubini/learn/ascent"
	"fubini/model/latent"
)

// Sum is a weighted sum of the parameters of parts: over all parts it is their average. It can
// also be an unweighted sum of gradients. Values are integers, in units of 2^-40 (gradients
// 2^-20), so that addition is exact and associative.
type Sum struct {
	Epoch    int
	Averaged int
	Features int // co-occurrence features of each item in it; 0 without
	Values   []int64
}

const (
	unit  = 1 << 40
	limit = 1 << 20 // larger parameters mean divergence
)

// newSum is the sum of one point.
func newSum(s *ascent.State, shares []float64, weight float64) (*Sum, error) {
	sum := &Sum{Epoch: s.Epoch, Averaged: s.Averaged}
	if s.CoOccurrence != nil {
		sum.Features = s.CoOccurrence.Dims
	}
	var failed error
	each(s, func(item int, v *float64) {
		share := weight
		if item >= 0 {
			share = shares[item]
		}
		if !(math.Abs(*v) < limit) {
			failed = fmt.Errorf("%w: a parameter is %g after epoch %d; lower the rate or raise the priors", ascent.ErrDiverged, *v, s.Epoch)
			return
		}
		sum.Values = append(sum.Values, int64(math.Round(share**v*unit)))
	})
	return sum, failed
}

// Add adds the sum of other parts.
func (s *Sum) Add(other *Sum) error {
	if s.Values == nil {
		s.Epoch, s.Averaged, s.Features, s.Values = other.Epoch, other.Averaged, other.Features, make([]int64, len(other.Values))
	}
	if len(s.Values) != len(other.Values) || s.Epoch != other.Epoch || s.Averaged != other.Averaged || s.Features != other.Features {
		return fmt.Errorf("distributed: sums of %d and %d parameters, at epochs %d and %d, or with unlike features, do not go together", len(s.Values), len(other.Values), s.Epoch, other.Epoch)
	}
	for k, v := range other.Values {
		s.Values[k] += v
	}
	return nil
}

// Point returns the state with the averaged parameters, from the sum over all parts.
func (p *Plan) Point(s *Sum) (*ascent.State, error) {
	point := p.Start()
	point.Epoch, point.Averaged = s.Epoch, s.Averaged
	if s.Features > 0 {
		point.CoOccurrence = zeroFeatures(point.Now, s.Features)
	}
	k := 0
	each(point, func(_ int, v *float64) {
		if k < len(s.Values) {
			*v = float64(s.Values[k]) / unit
		}
		k++
	})
	if k != len(s.Values) {
		return nil, fmt.Errorf("distributed: a sum of %d parameters for a model of %d", len(s.Values), k)
	}
	return point, nil
}

// each visits all numbers of a point, with the item that they belong to, or -1 for what
// all lists share.
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
	for k := range s.SizeCurvature {
		visit(-1, &s.SizeCurvature[k])
	}
	if c := s.CoOccurrence; c != nil {
		for k := range c.Items {
			visit(k/c.Dims, &c.Items[k])
		}
		for _, list := range [][]float64{c.U, c.W, c.V} {
			for k := range list {
				visit(-1, &list[k])
			}
		}
	}
}
