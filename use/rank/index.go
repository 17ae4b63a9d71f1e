package rank

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"fubini/core/vec"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Index finds the best items of a whole catalogue. It scores all items in float32 by vector instructions, and the
// candidates for the best again in float64, so that scores are those of [Complete] on every processor. Several
// goroutines may use it, each with its own [Scratch].
type Index struct {
	catalogue *latent.Catalogue
	handicap  []float64 // nil for none
	k         int       // units, and one more for presence
	items     int
	tiles     []*vec.Panels // of tileRows rows each, but for the last

	// For the bound on the error of float32: the longest row, and the largest finite worth.
	longest, tallest float64
}

// NewIndex builds the index of a catalogue. handicap, if not nil, is subtracted from the score
// of each item: a penalty, or +Inf for an item that is never recommended.
func NewIndex(c *latent.Catalogue, handicap []float64) (*Index, error) {
	items, k := len(c.U), c.K+1
	if handicap != nil && len(handicap) != items {
		return nil, fmt.Errorf("rank: handicaps of %d items for a catalogue of %d", len(handicap), items)
	}
	x := &Index{catalogue: c, handicap: handicap, k: k, items: items}
	base, rows := make([]float64, items), make([]float64, items*k)
	for i := range items {
		base[i] = c.U[i]
		if handicap != nil {
			base[i] -= handicap[i]
		}
		row := rows[i*k : (i+1)*k]
		w := c.W[i*c.K : (i+1)*c.K]
		copy(row, w)
		if c.V != nil {
			row[c.K] = vec.Dot(w, c.V[i*c.K:(i+1)*c.K])
		}
		length := math.Sqrt(vec.Dot(row, row))
		if !(length <= math.MaxFloat32) {
			return nil, fmt.Errorf("rank: item %d has a row of length %g; scores are computed in float32, which ends at %g", i, length, math.MaxFloat32)
		}
		x.longest = max(x.longest, length)
		if !math.IsInf(base[i], -1) { // which is what a handicap of +Inf makes of it
			if !(math.Abs(base[i]) <= math.MaxFloat32) {
				return nil, fmt.Errorf("rank: item %d has the worth %g; scores are computed in float32, which ends at %g", i, base[i], math.MaxFloat32)
			}
			x.tallest = max(x.tallest, math.Abs(base[i]))
		}
	}
	for from := 0; from < items; from += tileRows {
		to := min(from+tileRows, items)
		x.tiles = append(x.tiles, vec.NewPanels(rows[from*k:to*k], base[from:to], k))
	}
	return x, nil
}

// Query is a person for whom the best items are searched: their embedding, the number of items
// of their list, and the items to leave out.
type Query struct {
	Embedding []float64
	Listed    int
	Hide      []int
}

// Scratch is memory that [Index] reuses between calls. The zero value is ready.
type Scratch struct {
	model      latent.Model
	embeddings []float64
	queries    []Query
	answers    [][]Scored

	vectors []float32
	scores  []float32
	near    [together][]candidate // of each query
}

// candidate is an item that may be among the best.
type candidate struct {
	Scored
	narrow float32
}

const (
	// together is the number of queries scored at a time, tileRows that of rows: a tile stays in the cache of a core
	// for all of them, as do their scores for it.
	together = 64
	tileRows = 1024
	// spare is the number of candidates kept beyond those asked for. Where float32 does not separate them from the
	// best, all items are looked at.
	spare = 4
	// mostInOrder is the largest number of best items that are kept in order while scores go by; more are sorted.
	mostInOrder = 256
)

// Best appends the n best items for each query to its slice of answers, in the order of
// [Compare]; fewer if there are fewer. It allocates nothing once scratch and answers have
// grown.
func (x *Index) Best(queries []Query, n int, scratch *Scratch, answers [][]Scored) {
	if n < 1 {
		return
	}
	for from := 0; from < len(queries); from += together {
		to := min(from+together, len(queries))
		x.block(queries[from:to], n, scratch, answers[from:to])
	}
}

// ForLists folds in lists and returns for each the n best items that are neither on it nor
// among those to hide. The answer for a list does not depend on the other lists; a list without
// items is that of an average person. The answers are valid until the next call, which
// allocates only for more or longer lists than before, or for items to hide.
func (x *Index) ForLists(lists []osm.List, n int, hide []int, scratch *Scratch) ([][]Scored, error) {
	c, s := x.catalogue, scratch
	if need := len(lists) * c.K; cap(s.embeddings) < need {
		s.embeddings = make([]float64, need)
	}
	for len(s.answers) < len(lists) {
		s.answers = append(s.answers, nil)
	}
	s.queries = s.queries[:0]
	for l, list := range lists {
		embedding := s.embeddings[l*c.K : (l+1)*c.K]
		if err := fold(c, &s.model, list, embedding); err != nil {
			return nil, fmt.Errorf("%w, in list %d", err, l)
		}
		query := Query{Embedding: embedding, Listed: len(list.Items), Hide: list.Items}
		if len(hide) > 0 {
			query.Hide = slices.Concat(list.Items, hide)
		}
		s.queries = append(s.queries, query)
		s.answers[l] = s.answers[l][:0]
	}
	answers := s.answers[:len(lists)]
	x.Best(s.queries, n, scratch, answers)
	return answers, nil
}

// Embedding returns the embedding of the l-th list of the last call of [Index.ForLists]; the next call overwrites it.
func (s *Scratch) Embedding(l int) []float64 { return s.queries[l].Embedding }

// block answers at most together queries.
func (x *Index) block(queries []Query, n int, scratch *Scratch, answers [][]Scored) {
	scratch.vectors = slices.Grow(scratch.vectors[:0], len(queries)*x.k)[:len(queries)*x.k]
	for q, query := range queries {
		vector := scratch.vectors[q*x.k : (q+1)*x.k]
		for j, v := range query.Embedding {
			vector[j] = float32(v)
		}
		vector[x.k-1] = float32(x.catalogue.OwnPresence(query.Listed))
		scratch.near[q] = scratch.near[q][:0]
	}
	if n+spare <= mostInOrder {
		for t := range x.tiles {
			x.tile(t, queries, n+spare, scratch)
		}
	}
	for q, query := range queries {
		near, off := scratch.near[q], float32(2*x.error(query))
		if m := len(near); n+spare > mostInOrder || m == n+spare && near[m-1].narrow >= near[n-1].narrow-off {
			x.allCandidates(q, query, n, off, scratch)
		}
		answers[q] = x.rescore(query, scratch.near[q], n, answers[q])
	}
}

// tile scores one tile for all queries and keeps the best so far of each.
func (x *Index) tile(t int, queries []Query, n int, scratch *Scratch) {
	panels, from := x.tiles[t], t*tileRows
	stride, rows := panels.Stride(), panels.Rows()
	scratch.scores = slices.Grow(scratch.scores[:0], len(queries)*stride)[:len(queries)*stride]
	panels.Scores(scratch.scores, scratch.vectors)
	for q, query := range queries {
		scores := scratch.scores[q*stride : q*stride+rows]
		for _, i := range query.Hide {
			if r := i - from; r >= 0 && r < rows {
				scores[r] = float32(math.Inf(-1))
			}
		}
		scratch.near[q] = top(scores, from, n, scratch.near[q])
	}
}

// allCandidates finds every row that may be among the best of a query, by sorting all rows. With every float32 score off
// by at most e, n items score the n-th best less e or more, so an item among the best has a float32 score of at least
// that less 2e.
func (x *Index) allCandidates(q int, query Query, n int, off float32, scratch *Scratch) {
	near := scratch.near[q][:0]
	for t, panels := range x.tiles {
		scratch.scores = slices.Grow(scratch.scores[:0], panels.Stride())[:panels.Stride()]
		panels.Scores(scratch.scores, scratch.vectors[q*x.k:(q+1)*x.k])
		for r, v := range scratch.scores[:panels.Rows()] {
			near = append(near, candidate{Scored{Item: t*tileRows + r}, v})
		}
	}
	for _, i := range query.Hide {
		near[i].narrow = float32(math.Inf(-1))
	}
	slices.SortFunc(near, func(a, b candidate) int { return cmp.Compare(b.narrow, a.narrow) })
	least := float32(math.Inf(-1))
	if n < len(near) {
		least = near[n-1].narrow - off
	}
	end := 0
	for end < len(near) && near[end].narrow >= least && !math.IsInf(float64(near[end].narrow), -1) {
		end++
	}
	scratch.near[q] = near[:end]
}

// rescore scores candidates in float64, sorts them and appends the n best.
func (x *Index) rescore(query Query, candidates []candidate, n int, found []Scored) []Scored {
	var item [1]int
	var score [1]float64
	for k := range candidates {
		item[0] = candidates[k].Item
		Complete(x.catalogue, query.Embedding, x.catalogue.OwnPresence(query.Listed), item[:], score[:])
		if x.handicap != nil {
			score[0] -= x.handicap[item[0]]
		}
		candidates[k].Score = score[0]
	}
	slices.SortFunc(candidates, func(a, b candidate) int { return Compare(a.Scored, b.Scored) })
	for _, near := range candidates[:min(n, len(candidates))] {
		found = append(found, near.Scored)
	}
	return found
}

// error bounds the error of a float32 score: half a unit in the last place of the sum of all terms, for each of the k
// products and sums and for what was rounded before; twice that, to be safe.
func (x *Index) error(query Query) float64 {
	size := vec.Dot(query.Embedding, query.Embedding) + 1 // presence is at most 1
	return float64(x.k+4) * 0x1p-23 * (x.tallest + x.longest*math.Sqrt(size))
}

// top merges the scores of rows, the first of which is number from, into the n highest so far, best first. Scores of
// minus infinity are left out.
func top(scores []float32, from, n int, found []candidate) []candidate {
	least := float32(math.Inf(-1)) // what it takes to get in
	if len(found) == n {
		least = found[n-1].narrow
	}
	for r, v := range scores {
		if !(v > least) {
			continue
		}
		if len(found) < n {
			found = append(found, candidate{})
		}
		at := len(found) - 1
		for ; at > 0 && found[at-1].narrow < v; at-- {
			found[at] = found[at-1]
		}
		found[at] = candidate{Scored{Item: from + r}, v}
		if len(found) == n {
			least = found[n-1].narrow
		}
	}
	return found
}
