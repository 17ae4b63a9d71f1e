package rank

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"fubini/core/vec"
	"fubini/model/latent"
)

// Shelf is a catalogue packed for ranking all of it for many people: scored in
// float32 by vector instructions, and what may be among the best once more in
// float64, so that answers are those of [Complete], on every processor. It may be
// used by several goroutines, each with its own [Room].
type Shelf struct {
	catalogue *latent.Catalogue
	handicap  []float64 // nil for none
	presence  []float64 // W.V of each item; nil where presence says nothing
	k         int       // units, and one more for presence
	items     int
	tiles     []*vec.Panels // of tileRows rows each, but for the last

	// What bounds the error of float32: the longest row, and the largest finite
	// number beside one.
	longest, tallest float64
}

// NewShelf packs a catalogue. Handicap, which may be nil, is taken from the score
// of each item: a trade-off with popularity, say, or +Inf for an item that nobody
// is to get.
func NewShelf(c *latent.Catalogue, handicap []float64) (*Shelf, error) {
	items, k := len(c.U), c.K+1
	if handicap != nil && len(handicap) != items {
		return nil, fmt.Errorf("rank: handicaps of %d items for a catalogue of %d", len(handicap), items)
	}
	s := &Shelf{catalogue: c, handicap: handicap, k: k, items: items}
	if c.V != nil {
		s.presence = make([]float64, items)
	}
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
			s.presence[i] = vec.Dot(w, c.V[i*c.K:(i+1)*c.K])
			row[c.K] = s.presence[i]
		}
		length := math.Sqrt(vec.Dot(row, row))
		if !(length <= math.MaxFloat32) {
			return nil, fmt.Errorf("rank: item %d has a row of length %g; scores are computed in float32, which ends at %g", i, length, math.MaxFloat32)
		}
		s.longest = max(s.longest, length)
		if !math.IsInf(base[i], -1) { // which is what a handicap of +Inf makes of it
			if !(math.Abs(base[i]) <= math.MaxFloat32) {
				return nil, fmt.Errorf("rank: item %d has the worth %g; scores are computed in float32, which ends at %g", i, base[i], math.MaxFloat32)
			}
			s.tallest = max(s.tallest, math.Abs(base[i]))
		}
	}
	for from := 0; from < items; from += tileRows {
		to := min(from+tileRows, items)
		s.tiles = append(s.tiles, vec.NewPanels(rows[from*k:to*k], base[from:to], k))
	}
	return s, nil
}

// Query is what somebody's list says: their taste, how many items it comes from,
// and which of all items they are not to get (those they placed).
type Query struct {
	Taste  []float64
	Listed int
	Hide   []int
}

// Room is the memory for the answers to some queries. The zero value is ready.
type Room struct {
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
	// together is how many queries are scored at a time, tileRows how many rows: a
	// tile stays in the cache of a core for all of them, as do their scores for it.
	together = 64
	tileRows = 1024
	// spare is how many candidates are kept beyond those asked for. Where scores lie
	// so close that float32 cannot tell who is among the best, it does not do.
	spare = 4
	// fewEnough is up to how many of the best are kept in order while scores go by;
	// more are sorted.
	fewEnough = 256
)

// Best appends to each of answers, one for every query, the n best items in order,
// as [Compare] has it. It allocates nothing once room and answers
// have grown. Fewer than n come where there are not as many items.
func (s *Shelf) Best(queries []Query, n int, room *Room, answers [][]Scored) {
	if n < 1 {
		return
	}
	for from := 0; from < len(queries); from += together {
		to := min(from+together, len(queries))
		s.some(queries[from:to], n, room, answers[from:to])
	}
}

func (s *Shelf) some(queries []Query, n int, room *Room, answers [][]Scored) {
	room.vectors = resize(room.vectors, len(queries)*s.k)
	for q, query := range queries {
		vector := room.vectors[q*s.k : (q+1)*s.k]
		for j, v := range query.Taste {
			vector[j] = float32(v)
		}
		vector[s.k-1] = 0
		if query.Listed > 0 {
			vector[s.k-1] = float32(latent.Presence(query.Listed))
		}
		room.near[q] = room.near[q][:0]
	}
	if n+spare <= fewEnough {
		for t := range s.tiles {
			s.tile(t, queries, n+spare, room)
		}
	}
	for q, query := range queries {
		near, off := room.near[q], float32(2*s.error(query))
		if m := len(near); n+spare > fewEnough || m == n+spare && near[m-1].narrow >= near[n-1].narrow-off {
			s.closer(q, query, n, off, room)
		}
		answers[q] = s.settle(query, room.near[q], n, answers[q])
	}
}

// tile scores one tile for all queries and keeps the best so far of each.
func (s *Shelf) tile(t int, queries []Query, n int, room *Room) {
	panels, from := s.tiles[t], t*tileRows
	stride, rows := panels.Stride(), panels.Rows()
	room.scores = resize(room.scores, len(queries)*stride)
	panels.Scores(room.scores, room.vectors)
	for q, query := range queries {
		scores := room.scores[q*stride : q*stride+rows]
		for _, i := range query.Hide {
			if r := i - from; r >= 0 && r < rows {
				scores[r] = float32(math.Inf(-1))
			}
		}
		room.near[q] = top(scores, from, n, room.near[q])
	}
}

// closer takes all rows that may be among the best of a query, by sorting all of
// them. With every float32 score off by at most e, n items score the n-th best of
// them less e or more, so whoever is among the best has a float32 score of at least
// that less 2e.
func (s *Shelf) closer(q int, query Query, n int, off float32, room *Room) {
	near := room.near[q][:0]
	for t, panels := range s.tiles {
		room.scores = resize(room.scores, panels.Stride())
		panels.Scores(room.scores, room.vectors[q*s.k:(q+1)*s.k])
		for r, v := range room.scores[:panels.Rows()] {
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
	room.near[q] = near[:end]
}

// settle scores candidates in float64, sorts them and appends the n best.
func (s *Shelf) settle(query Query, candidates []candidate, n int, found []Scored) []Scored {
	c := s.catalogue
	share := 0.0
	if query.Listed > 0 {
		share = latent.Presence(query.Listed)
	}
	for k := range candidates {
		near := &candidates[k]
		i := near.Item
		near.Score = c.U[i] + vec.Dot(c.W[i*c.K:(i+1)*c.K], query.Taste)
		if s.presence != nil && share > 0 {
			near.Score += share * s.presence[i]
		}
		if s.handicap != nil {
			near.Score -= s.handicap[i]
		}
	}
	slices.SortFunc(candidates, func(a, b candidate) int { return Compare(a.Scored, b.Scored) })
	for _, near := range candidates[:min(n, len(candidates))] {
		found = append(found, near.Scored)
	}
	return found
}

// error bounds how far a float32 score may be off: each of the k products and
// sums, and what was rounded before, by half a unit in the last place of at most
// all terms together; twice that, to be safe.
func (s *Shelf) error(query Query) float64 {
	size := vec.Dot(query.Taste, query.Taste) + 1 // presence is at most 1
	return float64(s.k+4) * 0x1p-23 * (s.tallest + s.longest*math.Sqrt(size))
}

// top keeps in found, best first, the n highest of those that are there and of the
// scores of rows from a place on. Scores of minus infinity are left out.
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

func resize(old []float32, n int) []float32 {
	if cap(old) < n {
		return make([]float32, n)
	}
	return old[:n]
}
