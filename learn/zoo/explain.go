package zoo

import (
	"fmt"
	"slices"

	"fubini/data/ratings"
	"fubini/model/osm"
	"fubini/use/rank"
)

// mostLeftOut is how many placements a score is explained by where each of them takes
// folding in once more.
const mostLeftOut = 1000

// Explainer is a model that has the part of each rating of a person in a score.
type Explainer interface {
	// Explain writes the part of each known rating in the score of an item for somebody who is folded in, and returns
	// the base to which they add up. The parts are exact where folding in is linear in the ratings, else approximate.
	// Without parts ok is false.
	Explain(known ratings.Row, item uint32, parts []float64) (base float64, exact, ok bool)
}

// Explain takes the score apart that an item has for somebody with these tiers, and
// the ratings they stand for, which may be nil. The item must not be among them. Our
// models and those that fold in by least squares have parts of their own; of others a
// part is what the score would lose without the placement, and Rest what placements
// say only together.
func (s *Saved) Explain(list osm.List, values []float64, item int) (rank.Explanation, error) {
	if m, is := s.Model.(OrderedSet); is {
		person, err := rank.Read(m.Parameters(), list)
		if err != nil {
			return rank.Explanation{}, err
		}
		return person.Explain(item)
	}
	known := s.Rated(list, values)
	e := rank.Explanation{Parts: make([]float64, len(list.Items)), Score: s.scoreOf(known, item)}
	parts := make([]float64, known.Len())
	exact, ok := true, false
	if m, can := s.Model.(Explainer); can {
		e.Base, exact, ok = m.Explain(known, uint32(item), parts)
	}
	if !ok {
		if known.Len() > mostLeftOut {
			return e, fmt.Errorf("zoo: a model %s is explained by leaving out one placement after another, at most %d, and there are %d; "+
				"osm, latent-osm, latent-osm-paper, pmf, biased-mf, bayesian-mf and cofirank-regress take any number", s.Name, mostLeftOut, known.Len())
		}
		e.Base = s.scoreOf(ratings.Row{}, item)
		e.Rest = e.Score - e.Base
		for k := range parts {
			parts[k] = e.Score - s.scoreOf(leftOut(known, k), item)
			e.Rest -= parts[k]
		}
		exact = e.Rest == 0
	}
	e.Approximate = !exact
	for k, i := range list.Items { // ratings stand in the order of items
		at, _ := slices.BinarySearch(known.Items, uint32(i))
		e.Parts[k] = parts[at]
	}
	return e, nil
}

// scoreOf is that of one item for somebody who is folded in.
func (s *Saved) scoreOf(known ratings.Row, item int) float64 {
	score := make([]float64, 1)
	s.Model.Score(Person{Index: -1, Known: known}, []uint32{uint32(item)}, score)
	return score[0]
}

// leftOut is a row without its k-th rating.
func leftOut(row ratings.Row, k int) ratings.Row {
	return ratings.Row{Items: slices.Delete(slices.Clone(row.Items), k, k+1), Values: slices.Delete(slices.Clone(row.Values), k, k+1)}
}
