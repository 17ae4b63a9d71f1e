package rank

import (
	"fmt"
	"math"
	"slices"

	"fubini/core/vec"
	"fubini/data/ratings"
	"fubini/model/interest"
	"fubini/model/latent"
	"fubini/model/osm"
)

// CatalogueIndex finds the best items of a whole catalogue by interest, or by interest and taste together. The near part of
// interest is computed exactly for all items and the low-rank part roughly, by vector instructions. Taste moves the
// score by a bounded amount, so that only items whose interest alone might bring them among the best are scored in full,
// in float64: scores are those of [interest.Model.Score], [Complete] and [interest.Model.Balanced] to the bit, on every
// processor. Several goroutines may use it, each with its own [CatalogueScratch].
type CatalogueIndex struct {
	picks     *interest.Model
	catalogue *latent.Catalogue // of taste; nil where interest alone is asked for
	handicap  []float64

	// For the bound on a score by interest: what the near part is multiplied by, and rows for the low-rank part, both with
	// the factor of the item and the discount e^-handicap. log(s) - h is at most that of s e^-h, which is the same where
	// the logarithm is not continued by its tangent.
	scale            []float32
	tiles            []*vec.Coarse
	tallest, rounded float64 // scale, and error of a product with a vector of length 1

	tastes []taste // of each item
	most   taste   // the largest of each number
}

// taste is what bounds the score of an item by taste: worth + reach * length of the embedding + presence times that of
// the list.
type taste struct{ worth, reach, presence float64 }

// NewCatalogueIndex builds the index. Without a catalogue of taste it finds items by interest alone. handicap is subtracted from
// the score of each item; it is not negative, and +Inf for an item that is never recommended.
func NewCatalogueIndex(picks *interest.Model, taste *latent.Catalogue, handicap []float64) (*CatalogueIndex, error) {
	items, k := picks.Items(), picks.Units
	if len(handicap) != items || taste != nil && len(taste.U) != items {
		return nil, fmt.Errorf("rank: an index of %d items with handicaps of %d", items, len(handicap))
	}
	x := &CatalogueIndex{picks: picks, catalogue: taste, handicap: handicap, scale: make([]float32, items)}
	rows, base := make([]float64, min(items, tileRows)*k), make([]float64, min(items, tileRows))
	for from := 0; from < items; from += tileRows {
		to := min(from+tileRows, items)
		for i := from; i < to; i++ {
			scale := picks.Factor[i]
			if taste != nil {
				scale *= math.Exp(-handicap[i])
			}
			row := rows[(i-from)*k : (i-from+1)*k]
			copy(row, picks.In[i*k:(i+1)*k])
			vec.Scale(row, scale*picks.Gain[i])
			length := math.Sqrt(vec.Dot(row, row))
			if !(length <= math.MaxFloat32 && math.Abs(scale) <= math.MaxFloat32) {
				return nil, fmt.Errorf("rank: item %d has a factor of %g and a row of length %g; interest is computed in float32, which ends at %g", i, scale, length, math.MaxFloat32)
			}
			x.tallest = max(x.tallest, math.Abs(scale), 1)
			x.scale[i], base[i-from] = float32(scale), 0
			if math.IsInf(handicap[i], 1) {
				base[i-from] = math.Inf(-1)
			}
		}
		tile := vec.NewCoarse(rows[:(to-from)*k], base[:to-from], k)
		x.tiles, x.rounded = append(x.tiles, tile), max(x.rounded, tile.Error())
	}
	if taste != nil {
		x.boundTaste()
	}
	return x, nil
}

// CatalogueScratch is memory that [CatalogueIndex] reuses between calls. The zero value is ready.
type CatalogueScratch struct {
	model     latent.Model
	folded    interest.Folded
	embedding []float64 // of taste
	embedded  []float64 // embeddings of interest of a block of people
	vectors   []int16   // the same, rounded
	scales    []float32 // of the rounded vectors
	scores    []float32 // low-rank part of all items for each person of a block, tile by tile
	bounds    []float32 // interest in all items, about
	highest   []float32 // the largest bound of each run of items
	seeds     []candidate
	best      []Scored // best first
	answers   [][]Scored
	interest  [][]float64
}

// Interest has the interest in each item of an answer of the last call of [CatalogueIndex.ForLists].
func (s *CatalogueScratch) Interest(list int) []float64 { return s.interest[list] }

// ForLists returns, for each person, the n best items that are neither in their list nor among those to hide. Each has a
// list for taste, which is not used by an index without one, and their ratings for interest. The answers are valid
// until the next call.
func (x *CatalogueIndex) ForLists(lists []osm.List, known []ratings.Row, n int, hide []int, s *CatalogueScratch) ([][]Scored, error) {
	for len(s.answers) < len(known) {
		s.answers, s.interest = append(s.answers, nil), append(s.interest, nil)
	}
	for p := range known {
		s.answers[p], s.interest[p] = s.answers[p][:0], s.interest[p][:0]
	}
	for from := 0; from < len(known) && n > 0; from += together {
		to := min(from+together, len(known))
		if err := x.smooth(known[from:to], s); err != nil {
			return nil, fmt.Errorf("%w, after list %d", err, from)
		}
		for p := from; p < to; p++ {
			var list osm.List
			if x.catalogue != nil {
				list = lists[p]
			}
			at, k := p-from, x.picks.Units
			s.folded.Embedding = append(s.folded.Embedding[:0], s.embedded[at*k:(at+1)*k]...)
			if err := x.find(list, known[p], s.scores[at*x.stride():(at+1)*x.stride()], n, hide, s); err != nil {
				return nil, fmt.Errorf("%w, in list %d", err, p)
			}
			s.answers[p] = append(s.answers[p], s.best...)
			for _, each := range s.best {
				s.interest[p] = append(s.interest[p], s.folded.At(x.picks, each.Item))
			}
		}
	}
	return s.answers[:len(known)], nil
}

// stride is the number of places that the scores of a person take.
func (x *CatalogueIndex) stride() int { return len(x.tiles) * tileRows }

// smooth computes the low-rank part of all items for a block of people, roughly.
func (x *CatalogueIndex) smooth(known []ratings.Row, s *CatalogueScratch) error {
	s.embedded, s.vectors, s.scales = s.embedded[:0], s.vectors[:0], s.scales[:0]
	for _, list := range known {
		if err := x.picks.Embed(list, &s.folded); err != nil {
			return err
		}
		s.embedded = append(s.embedded, s.folded.Embedding...)
		var scale float32
		s.vectors, scale = x.tiles[0].Vector(s.vectors, s.folded.Embedding)
		s.scales = append(s.scales, scale)
	}
	stride := x.stride()
	s.scores = slices.Grow(s.scores[:0], len(known)*stride)[:len(known)*stride]
	for t, panels := range x.tiles {
		panels.Scores(s.scores[t*tileRows:], s.vectors, s.scales, stride)
	}
	return nil
}

// at is the score of an item by its interest and taste.
func (x *CatalogueIndex) at(item int, picks, taste float64) float64 {
	if x.catalogue == nil {
		return picks - x.handicap[item]
	}
	return x.picks.Balanced(picks, taste) - x.handicap[item]
}
