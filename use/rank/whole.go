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

// Whole finds the best items of a whole catalogue by interest, or by interest and taste together. Interest is scored for
// all items. Taste moves the score by a bounded amount, so that only items whose interest alone might bring them among the
// best have theirs computed. Scores are those of [interest.Model.Score], [Complete] and [interest.Model.Balanced] to the
// bit. Several goroutines may use it, each with its own [WholeScratch].
type Whole struct {
	picks     *interest.Model
	catalogue *latent.Catalogue // of taste; nil where interest alone is asked for
	handicap  []float64

	// The score of taste is at most worth + reach * the length of an embedding + presence.
	worth, reach, presence float64
}

// NewWhole builds the index. Without a catalogue of taste it finds items by interest alone. handicap is subtracted from
// the score of each item; it is not negative, and +Inf for an item that is never recommended.
func NewWhole(picks *interest.Model, taste *latent.Catalogue, handicap []float64) (*Whole, error) {
	items := picks.Items()
	if len(handicap) != items || taste != nil && len(taste.U) != items {
		return nil, fmt.Errorf("rank: an index of %d items with handicaps of %d", items, len(handicap))
	}
	x := &Whole{picks: picks, catalogue: taste, handicap: handicap, worth: math.Inf(-1)}
	if c := taste; c != nil {
		for i := range items {
			w := c.W[i*c.K : (i+1)*c.K]
			x.worth, x.reach = max(x.worth, c.U[i]), max(x.reach, math.Sqrt(vec.Dot(w, w)))
			if c.V != nil {
				x.presence = max(x.presence, vec.Dot(w, c.V[i*c.K:(i+1)*c.K]))
			}
		}
	}
	return x, nil
}

// WholeScratch is memory that [Whole] reuses between calls. The zero value is ready.
type WholeScratch struct {
	model     latent.Model
	folded    interest.Folded
	embedding []float64
	best      []Scored // best first
	answers   [][]Scored
	picks     [][]float64
}

// Interest has the interest in each item of an answer of the last call of [Whole.ForLists].
func (s *WholeScratch) Interest(list int) []float64 { return s.picks[list] }

// ForLists returns, for each person, the n best items that are neither in their list nor among those to hide. Each has a
// list for taste, which is not used by an index without one, and their ratings for interest, sorted by item. The
// answers are valid until the next call.
func (x *Whole) ForLists(lists []osm.List, known []ratings.Row, n int, hide []int, s *WholeScratch) ([][]Scored, error) {
	for len(s.answers) < len(known) {
		s.answers, s.picks = append(s.answers, nil), append(s.picks, nil)
	}
	for p := range known {
		if s.answers[p], s.picks[p] = s.answers[p][:0], s.picks[p][:0]; n == 0 {
			continue
		}
		var list osm.List
		if x.catalogue != nil {
			list = lists[p]
		}
		if err := x.find(list, known[p], n, hide, s); err != nil {
			return nil, fmt.Errorf("%w, in list %d", err, p)
		}
		s.answers[p] = append(s.answers[p], s.best...)
		for _, each := range s.best {
			s.picks[p] = append(s.picks[p], s.folded.Scores[each.Item])
		}
	}
	return s.answers[:len(known)], nil
}

// find puts the n best items for a list into the scratch.
func (x *Whole) find(list osm.List, known ratings.Row, n int, hide []int, s *WholeScratch) error {
	if err := x.picks.Fold(known, &s.folded); err != nil {
		return err
	}
	most := 0.0 // bound on the score of taste
	if c := x.catalogue; c != nil {
		s.embedding = slices.Grow(s.embedding[:0], c.K)[:c.K]
		if err := fold(c, &s.model, list, s.embedding); err != nil {
			return err
		}
		most = x.worth + x.reach*math.Sqrt(vec.Dot(s.embedding, s.embedding)) + x.presence
	}
	for _, i := range known.Items {
		s.folded.Scores[i] = math.Inf(-1)
	}
	for _, i := range hide {
		s.folded.Scores[i] = math.Inf(-1)
	}
	s.best = s.best[:0]
	least := math.Inf(-1) // interest that it takes to be looked at
	for i, picks := range s.folded.Scores {
		if picks < least || math.IsInf(picks, -1) || math.IsInf(x.handicap[i], 1) {
			continue
		}
		score := x.at(s.embedding, known.Len(), i, picks)
		if len(s.best) == n && !(score > s.best[n-1].Score) {
			continue
		}
		if len(s.best) < n {
			s.best = append(s.best, Scored{})
		}
		at := len(s.best) - 1
		for ; at > 0 && s.best[at-1].Score < score; at-- {
			s.best[at] = s.best[at-1]
		}
		s.best[at] = Scored{i, score}
		if len(s.best) == n {
			// An item with less interest is below n others, whatever its taste. A little less, for the rounding of the logarithm.
			if least = s.best[n-1].Score; x.catalogue != nil {
				least = interest.Unlog(least - x.picks.Taste*most)
				least -= 1e-9 * math.Abs(least)
			}
		}
	}
	return nil
}

// at is the score of an item by its interest.
func (x *Whole) at(embedding []float64, length, i int, picks float64) float64 {
	if x.catalogue == nil {
		return picks - x.handicap[i]
	}
	item, taste := [1]int{i}, [1]float64{}
	Complete(x.catalogue, embedding, length, item[:], taste[:])
	return x.picks.Balanced(picks, taste[0]) - x.handicap[i]
}
