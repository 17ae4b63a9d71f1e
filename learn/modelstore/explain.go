package modelstore

import (
	"fmt"
	"slices"

	"fubini/core/parallel"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/rank"
)

// mostLeftOut is the largest number of placements that are left out in turn.
const mostLeftOut = 1000

// Explainer is a fitted model that decomposes a score into contributions of a person's ratings.
type Explainer interface {
	// Explain writes the part of each known rating in the score of an item for somebody who is folded in, and returns
	// the base to which they add up. The parts are exact where folding in is linear in the ratings, else approximate.
	// Without parts ok is false.
	Explain(known ratings.Row, item uint32, parts []float64) (base float64, exact, ok bool)
}

// Explain decomposes the score of an item that the person has not placed into contributions of
// their placements. Ordered Set Models, and models that implement [Explainer], have
// contributions of their own. For others a contribution is the difference of the score without
// the placement, and Rest the joint effect of placements.
func (s *Saved) Explain(p model.Person, item int) (rank.Explanation, error) {
	if c, err := s.Catalogue(); err == nil {
		folded, err := rank.Read(c, p)
		if err != nil {
			return rank.Explanation{}, err
		}
		return folded.Explain(item)
	}
	known := s.Rated(p)
	e := rank.Explanation{Parts: make([]float64, known.Len()), Score: s.scoreOf(known, item)}
	parts := make([]float64, known.Len())
	exact, ok := true, false
	if m, can := s.Model.(Explainer); can {
		e.Base, exact, ok = m.Explain(known, uint32(item), parts)
	}
	if !ok {
		if known.Len() > mostLeftOut {
			return e, fmt.Errorf("modelstore: a model %s is explained by leaving out one placement after another, at most %d, and there are %d; "+
				"osm, latent-osm, latent-osm-paper, pmf, biased-mf, bayesian-mf and cofirank-regress take any number", s.Name, mostLeftOut, known.Len())
		}
		e.Base = s.scoreOf(ratings.Row{}, item)
		e.Rest = e.Score - e.Base
		for k, placed := range known.Items {
			parts[k] = e.Score - s.scoreOf(model.Person{Known: known}.Without(placed).Known, item)
			e.Rest -= parts[k]
		}
		exact = e.Rest == 0
	}
	e.Approximate = !exact
	for k, i := range p.Known.Items { // the ratings are sorted by item
		at, _ := slices.BinarySearch(known.Items, i)
		e.Parts[k] = parts[at]
	}
	return e, nil
}

// scoreOf is the score of one item for a new person with these ratings.
func (s *Saved) scoreOf(known ratings.Row, item int) float64 {
	score := make([]float64, 1)
	s.Model.Score(model.Person{Index: -1, Known: known}, []uint32{uint32(item)}, score)
	return score[0]
}

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
func shares(c *latent.Catalogue, lists []osm.Packed, jobs int) []float64 {
	if c.K == 0 {
		return nil
	}
	const block = 1000 // lists whose sum one goroutine makes; the order of all sums is fixed
	type scratch struct {
		osm.Unpacker
		model     latent.Model
		embedding []float64
	}
	own := make([]scratch, parallel.Size(len(lists), jobs))
	sums := make([]float64, (len(lists)+block-1)/block*c.K)
	parallel.Do(len(sums)/c.K, jobs, func(worker, b int) {
		s, found := &own[worker], sums[b*c.K:(b+1)*c.K]
		s.embedding = slices.Grow(s.embedding[:0], c.K)[:c.K]
		for _, packed := range lists[b*block : min((b+1)*block, len(lists))] {
			list := s.List(packed)
			c.Refill(&s.model, list.Items)
			s.model.Posterior(list.Order, s.embedding)
			for k, v := range s.embedding {
				switch {
				case c.Units == latent.Binary:
					found[k] += v
				case v > 0:
					found[k]++
				}
			}
		}
	})
	found := make([]float64, c.K)
	for at, v := range sums {
		found[at%c.K] += v
	}
	for k := range found {
		found[k] = min(1, found[k]/float64(len(lists)))
	}
	return found
}
