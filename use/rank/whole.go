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

// Whole finds the best items of a whole catalogue by interest, or by interest and taste together. The low-rank part of
// interest is scored in float32 by vector instructions, and the weights between items are added to it. Taste moves the
// score by a bounded amount, so that only items whose interest alone might bring them among the best have theirs
// computed. The candidates are scored again in float64: scores are those of [interest.Model.Score], [Complete] and
// [interest.Model.Balanced] to the bit. Several goroutines may use it, each with its own [WholeScratch].
type Whole struct {
	picks     *interest.Model
	catalogue *latent.Catalogue // of taste; nil where interest alone is asked for
	handicap  []float64
	tiles     []*vec.Panels // of the low-rank part, tileRows rows each, but for the last
	longest   float64       // row of it

	// The score of taste is at most worth + reach * the length of an embedding + presence.
	worth, reach, presence float64
}

// NewWhole builds the index. Without a catalogue of taste it finds items by interest alone. handicap is subtracted from
// the score of each item; it is not negative, and +Inf for an item that is never recommended.
func NewWhole(picks *interest.Model, taste *latent.Catalogue, handicap []float64) (*Whole, error) {
	items, k := picks.Items(), picks.Units
	if len(handicap) != items || taste != nil && len(taste.U) != items {
		return nil, fmt.Errorf("rank: an index of %d items with handicaps of %d", items, len(handicap))
	}
	x := &Whole{picks: picks, catalogue: taste, handicap: handicap, worth: math.Inf(-1)}
	base, rows := make([]float64, items), make([]float64, items*k)
	for i := range items {
		row := rows[i*k : (i+1)*k]
		vec.AddTimes(row, picks.Factors(i), picks.Gain[i])
		length := math.Sqrt(vec.Dot(row, row))
		if !(length <= math.MaxFloat32) {
			return nil, fmt.Errorf("rank: item %d has a row of length %g in the low-rank part of interest; it is computed in float32, which ends at %g", i, length, math.MaxFloat32)
		}
		x.longest = max(x.longest, length)
		if math.IsInf(handicap[i], 1) {
			base[i] = math.Inf(-1)
		}
	}
	for from := 0; from < items; from += tileRows {
		to := min(from+tileRows, items)
		x.tiles = append(x.tiles, vec.NewPanels(rows[from*k:to*k], base[from:to], k))
	}
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
	model   latent.Model
	queries [together]wholeQuery
	vectors []float32
	scores  []float32
	near    [tileRows]float64
	answers [][]Scored
}

// wholeQuery is one person of a block.
type wholeQuery struct {
	folded    interest.Folded
	known     ratings.Row
	embedding []float64
	hide      []int
	next      []int64  // of each placement, the first of its weights that has not been added
	best      []Scored // so far, best first
	most      float64  // bound on the score of taste
	err       float64  // bound on the error of a score of interest
	least     float64  // score of interest that it takes to be looked at
	off       float64  // bound on the error of the scores of items that are looked at
}

// ForLists returns, for each person, the n best items that are neither in their list nor among those to hide. Each has a
// list for taste, which is not used by an index without one, and their ratings for interest, sorted by item. The
// answers are valid until the next call.
func (x *Whole) ForLists(lists []osm.List, known []ratings.Row, n int, hide []int, s *WholeScratch) ([][]Scored, error) {
	for len(s.answers) < len(known) {
		s.answers = append(s.answers, nil)
	}
	for p := range known {
		s.answers[p] = s.answers[p][:0]
	}
	for from := 0; from < len(known) && n > 0; from += together {
		to := min(from+together, len(known))
		for p := from; p < to; p++ {
			var list osm.List
			if x.catalogue != nil {
				list = lists[p]
			}
			if err := x.begin(&s.queries[p-from], &s.model, list, known[p], hide); err != nil {
				return nil, fmt.Errorf("%w, in list %d", err, p)
			}
		}
		if err := x.block(s.queries[:to-from], n, s, s.answers[from:to]); err != nil {
			return nil, err
		}
	}
	return s.answers[:len(known)], nil
}

// begin prepares a query.
func (x *Whole) begin(q *wholeQuery, scratch *latent.Model, list osm.List, known ratings.Row, hide []int) error {
	if err := x.picks.Fold(known, &q.folded); err != nil {
		return err
	}
	q.known, q.hide, q.best, q.next = known, q.hide[:0], q.best[:0], q.next[:0]
	for _, i := range known.Items {
		q.hide, q.next = append(q.hide, int(i)), append(q.next, x.picks.Near.Start[i])
	}
	q.hide = append(q.hide, hide...)
	q.least, q.err, q.most = math.Inf(-1), 0, 0
	if known.Len() > 0 { // half a unit in the last place for each product and sum, and twice that to be safe, as in Index
		q.err = float64(x.picks.Units+4) * 0x1p-23 * x.longest * math.Sqrt(vec.Dot(q.folded.Units, q.folded.Units))
	}
	q.off = x.offBy(q)
	if c := x.catalogue; c != nil {
		q.embedding = slices.Grow(q.embedding[:0], c.K)[:c.K]
		if err := fold(c, scratch, list, q.embedding); err != nil {
			return err
		}
		q.most = x.worth + x.reach*math.Sqrt(vec.Dot(q.embedding, q.embedding)) + x.presence
	}
	return nil
}

// offBy bounds the error of the score of an item whose interest is above the least: that of interest itself, or of its
// logarithm.
func (x *Whole) offBy(q *wholeQuery) float64 {
	if x.catalogue == nil {
		return q.err
	}
	return q.err / max(q.least-q.err, interest.Least)
}

// block answers at most together queries.
func (x *Whole) block(queries []wholeQuery, n int, s *WholeScratch, answers [][]Scored) error {
	k, kept := x.picks.Units, n+spare
	s.vectors = slices.Grow(s.vectors[:0], len(queries)*k)[:len(queries)*k]
	for q := range queries {
		for j, v := range queries[q].folded.Units {
			s.vectors[q*k+j] = float32(v)
		}
	}
	for t, panels := range x.tiles {
		if kept > mostInOrder {
			break
		}
		stride := panels.Stride()
		s.scores = slices.Grow(s.scores[:0], len(queries)*stride)[:len(queries)*stride]
		panels.Scores(s.scores, s.vectors)
		for q := range queries {
			x.tile(&queries[q], t*tileRows, s.scores[q*stride:q*stride+panels.Rows()], kept, n, &s.near)
		}
	}
	for at := range queries {
		q := &queries[at]
		m := len(q.best)
		if kept > mostInOrder || m == kept && q.best[m-1].Score >= q.best[n-1].Score-2*q.off {
			var err error
			if answers[at], err = x.scan(q, n, answers[at]); err != nil {
				return err
			}
			continue
		}
		for k := range q.best {
			q.best[k].Score = x.at(q, q.best[k].Item, q.folded.At(uint32(q.best[k].Item)))
		}
		slices.SortFunc(q.best, Compare)
		answers[at] = append(answers[at], q.best[:min(n, m)]...)
	}
	return nil
}

// tile looks at the items of one tile, of which the low-rank scores are given.
func (x *Whole) tile(q *wholeQuery, from int, smooth []float32, kept, n int, room *[tileRows]float64) {
	near := room[:len(smooth)]
	clear(near)
	end := uint32(from + len(smooth))
	w := &x.picks.Near
	for k, i := range q.folded.Items {
		at, stop, weight := q.next[k], w.Start[i+1], q.folded.Weight[k]
		targets, values := w.Target[at:stop], w.Value[at:stop]
		done := 0
		for done < len(targets) && targets[done] < end {
			near[targets[done]-uint32(from)] += float64(weight * float64(values[done]))
			done++
		}
		q.next[k] = at + int64(done)
	}
	for _, i := range q.hide {
		if r := i - from; r >= 0 && r < len(near) {
			near[r] = math.Inf(-1)
		}
	}
	if len(q.folded.Items) == 0 {
		for r, excluded := range x.handicap[from:end] {
			if near[r] += x.picks.Average[from+r]; math.IsInf(excluded, 1) {
				near[r] = math.Inf(-1)
			}
		}
		for r, v := range near {
			if v > q.least {
				x.consider(q, from+r, v, kept, n)
			}
		}
		return
	}
	for r, v := range smooth {
		if score := float64(v) + near[r]; score > q.least {
			x.consider(q, from+r, score, kept, n)
		}
	}
}

// at is the score of an item by its interest.
func (x *Whole) at(q *wholeQuery, i int, picks float64) float64 {
	if x.catalogue == nil {
		return picks - x.handicap[i]
	}
	item, taste := [1]int{i}, [1]float64{}
	Complete(x.catalogue, q.embedding, q.known.Len(), item[:], taste[:])
	return x.picks.Balanced(picks, taste[0]) - x.handicap[i]
}

// consider puts an item among the best so far, if it belongs there, and raises the interest that it takes to be looked
// at: an item with less than that is below n others, whatever its taste.
func (x *Whole) consider(q *wholeQuery, i int, picks float64, kept, n int) {
	score := x.at(q, i, picks)
	if len(q.best) == kept && !(score > q.best[kept-1].Score) {
		return
	}
	if len(q.best) < kept {
		q.best = append(q.best, Scored{})
	}
	at := len(q.best) - 1
	for ; at > 0 && q.best[at-1].Score < score; at-- {
		q.best[at] = q.best[at-1]
	}
	q.best[at] = Scored{i, score}
	if len(q.best) < n || at >= n {
		return
	}
	sure := q.best[n-1].Score - q.off // n items have at least this
	if x.catalogue != nil {
		sure = interest.Unlog(sure - x.picks.Taste*q.most)
	}
	q.least = max(q.least, sure-q.err)
	q.off = x.offBy(q)
}

// scan answers by the exact scores of all items: where float32 does not separate the best from the others, or there are
// very many of them.
func (x *Whole) scan(q *wholeQuery, n int, answer []Scored) ([]Scored, error) {
	picks := make([]float64, x.picks.Items())
	if err := x.picks.Score(q.known, picks); err != nil {
		return nil, err
	}
	hidden := make([]bool, len(picks))
	for _, i := range q.hide {
		hidden[i] = true
	}
	all := make([]Scored, 0, len(picks))
	for i, v := range picks {
		if !hidden[i] && !math.IsInf(x.handicap[i], 1) {
			all = append(all, Scored{i, x.at(q, i, v)})
		}
	}
	slices.SortFunc(all, Compare)
	return append(answer, all[:min(n, len(all))]...), nil
}
