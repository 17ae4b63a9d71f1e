package modelstore

import (
	"fmt"
	"slices"

	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/rank"
)

// Unit is a hidden unit described by the items with the largest and the smallest weights.
type Unit struct {
	Unit     int
	Opposite bool    // the complement of the unit is described, see [Saved.Units]
	Share    float64 // share of the training users with the unit; 0 if unknown
	Up, Down []int   // items with the largest and the smallest weights, the most extreme first
}

// Units describes each hidden unit by the n items with the largest weights and the n with the
// smallest. Weights are taken relative to their mean over items, because only differences
// matter.
//
// A unit and its opposite are the same model. For a binary unit: negate its weights and bias,
// and add the weights to the worths. The side with the larger positive weights is described.
func (s *Saved) Units(n int) ([]Unit, error) {
	c, err := s.Catalogue()
	if err != nil {
		return nil, err
	}
	units := make([]Unit, c.K)
	for k := range units {
		u := Unit{Unit: k}
		if s.UnitShares != nil {
			u.Share = s.UnitShares[k]
		}
		pull := pulls(c, k)
		order := rank.Best(pull, len(pull))
		if len(order) > 0 && -pull[order[len(order)-1]] > pull[order[0]] {
			slices.Reverse(order)
			u.Opposite = true
			if s.UnitShares != nil {
				u.Share = 1 - u.Share
			}
		}
		half := min(n, len(order)/2)
		u.Up = order[:half:half]
		u.Down = slices.Clone(order[len(order)-half:])
		slices.Reverse(u.Down)
		units[k] = u
	}
	return units, nil
}

// pulls are the weights of a unit less their mean.
func pulls(c *latent.Catalogue, k int) []float64 {
	pull := make([]float64, len(c.U))
	var mean float64
	for i := range pull {
		pull[i] = c.W[i*c.K+k]
		mean += pull[i] / float64(len(pull))
	}
	for i := range pull {
		pull[i] -= mean
	}
	return pull
}

// shares is, for each hidden unit, the share of lists that have it: the mean
// probability that it is on, or for Gaussian units how often its mean is positive.
func shares(c *latent.Catalogue, lists []osm.List) ([]float64, error) {
	if c.K == 0 {
		return nil, nil
	}
	found := make([]float64, c.K)
	for _, list := range lists {
		embedding, err := rank.Fold(c, list)
		if err != nil {
			return nil, fmt.Errorf("modelstore: %w", err)
		}
		for k, v := range embedding {
			switch {
			case c.Units == latent.Binary:
				found[k] += v
			case v > 0:
				found[k]++
			}
		}
	}
	for k := range found {
		found[k] = min(1, found[k]/float64(len(lists)))
	}
	return found, nil
}
