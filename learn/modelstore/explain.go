package modelstore

import (
	"fmt"
	"slices"

	"fubini/data/ratings"
	"fubini/model"
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
