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
	order     []int     // item of each row; nil where rows are items
	place     []int     // row of each item
	k         int       // units, and one more for presence
	panels    *vec.Panels

	// What bounds the error of float32: the longest row, and the largest finite
	// number beside one.
	longest, tallest float64
}

// NewShelf packs a catalogue. Handicap, which may be nil, is taken from the score
// of each item: a trade-off with popularity, say, or +Inf for an item that nobody
// is to get. Items of equal score come in the order of their numbers.
func NewShelf(c *latent.Catalogue, handicap []float64) (*Shelf, error) {
	return NewOrderedShelf(c, handicap, nil)
}

// NewOrderedShelf is NewShelf for items whose order in ties is another than that
// of their numbers: order lists all of them.
func NewOrderedShelf(c *latent.Catalogue, handicap []float64, order []int) (*Shelf, error) {
	items, k := len(c.U), c.K+1
	if handicap != nil && len(handicap) != items {
		return nil, fmt.Errorf("rank: handicaps of %d items for a catalogue of %d", len(handicap), items)
	}
	s := &Shelf{catalogue: c, handicap: handicap, k: k, order: order}
	if order != nil {
		s.place = make([]int, items)
		for r, i := range order {
			if len(order) != items || i < 0 || i >= items || s.place[i] != 0 {
				return nil, fmt.Errorf("rank: an order of %d items that does not name each of %d once", len(order), items)
			}
			s.place[i] = r + 1
		}
		for i := range s.place {
			s.place[i]--
		}
	}
	if c.V != nil {
		s.presence = make([]float64, items)
	}
	base, rows := make([]float64, items), make([]float64, items*k)
	for r := range items {
		i := s.item(r)
		base[r] = c.U[i]
		if handicap != nil {
			base[r] -= handicap[i]
		}
		row := rows[r*k : (r+1)*k]
		w := c.W[i*c.K : (i+1)*c.K]
		copy(row, w)
		if c.V != nil {
			s.presence[i] = vec.Dot(w, c.V[i*c.K:(i+1)*c.K])
			row[c.K] = s.presence[i]
		}
		s.longest = max(s.longest, math.Sqrt(vec.Dot(row, row)))
		if !math.IsInf(base[r], 0) {
			s.tallest = max(s.tallest, math.Abs(base[r]))
		}
	}
	s.panels = vec.NewPanels(rows, base, k)
	return s, nil
}

func (s *Shelf) item(row int) int {
	if s.order == nil {
		return row
	}
	return s.order[row]
}

// Query is what somebody's list says: their taste, how many items it comes from,
// and which of all items they are not to get (those they placed).
type Query struct {
	Taste  []float64
	Listed int
	Hide   []int
}

// Scored is an item with its score.
type Scored struct {
	Item  int
	Score float64
}

// Room is the memory for the answers to some queries. The zero value is ready.
type Room struct {
	vectors []float32
	scores  []float32
	near    []candidate
}

// candidate is a row that may be among the best.
type candidate struct {
	row    int
	narrow float32
	score  float64
}

// together is how many queries are scored at a time: a multiple of the four that
// share a panel, and so few that their scores stay in the cache of a core.
const together = 16

// Best appends to each of answers, one for every query, the n best items in order,
// equal scores in the order of ties. It allocates nothing once room and answers
// have grown. Fewer than n come where there are not as many items.
func (s *Shelf) Best(queries []Query, n int, room *Room, answers [][]Scored) {
	for from := 0; from < len(queries); from += together {
		to := min(from+together, len(queries))
		s.some(queries[from:to], n, room, answers[from:to])
	}
}

func (s *Shelf) some(queries []Query, n int, room *Room, answers [][]Scored) {
	stride, items := s.panels.Stride(), s.panels.Rows()
	room.vectors = resize(room.vectors, len(queries)*s.k)
	room.scores = resize(room.scores, len(queries)*stride)
	for q, query := range queries {
		vector := room.vectors[q*s.k : (q+1)*s.k]
		for j, v := range query.Taste {
			vector[j] = float32(v)
		}
		vector[s.k-1] = 0
		if query.Listed > 0 {
			vector[s.k-1] = float32(latent.Presence(query.Listed))
		}
	}
	s.panels.Scores(room.scores, room.vectors)
	for q, query := range queries {
		scores := room.scores[q*stride : q*stride+items]
		for _, i := range query.Hide {
			if s.place != nil {
				i = s.place[i]
			}
			scores[i] = float32(math.Inf(-1))
		}
		answers[q] = s.settle(query, scores, n, room, answers[q])
	}
}

// settle finds the n best by their float64 scores. With every float32 score off by
// at most e, n items score the n-th best of them less e or more, so whoever is
// among the best has a float32 score of at least that less 2e.
func (s *Shelf) settle(query Query, scores []float32, n int, room *Room, found []Scored) []Scored {
	if n < 1 {
		return found
	}
	off := float32(2 * s.error(query))
	for extra := 4; ; extra *= 4 {
		room.near = top(scores, n+extra, room.near[:0])
		if m := len(room.near); m < n+extra || room.near[m-1].narrow < room.near[n-1].narrow-off {
			break
		}
	}
	c := s.catalogue
	share := 0.0
	if query.Listed > 0 {
		share = latent.Presence(query.Listed)
	}
	for k := range room.near {
		near := &room.near[k]
		i := s.item(near.row)
		near.score = c.U[i] + vec.Dot(c.W[i*c.K:(i+1)*c.K], query.Taste)
		if s.presence != nil && share > 0 {
			near.score += share * s.presence[i]
		}
		if s.handicap != nil {
			near.score -= s.handicap[i]
		}
	}
	slices.SortFunc(room.near, func(a, b candidate) int {
		if a.score != b.score {
			return cmp.Compare(b.score, a.score)
		}
		return a.row - b.row
	})
	for _, near := range room.near[:min(n, len(room.near))] {
		found = append(found, Scored{s.item(near.row), near.score})
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

// fewEnough is up to how many of the best are kept in order while scores go by;
// more are sorted.
const fewEnough = 256

// top appends the rows of the n highest scores, best first. Scores of minus
// infinity are left out.
func top(scores []float32, n int, found []candidate) []candidate {
	least := float32(math.Inf(-1)) // what it takes to get in
	if n > fewEnough {
		for r, v := range scores {
			if v > least {
				found = append(found, candidate{row: r, narrow: v})
			}
		}
		slices.SortFunc(found, func(a, b candidate) int {
			if a.narrow != b.narrow {
				return cmp.Compare(b.narrow, a.narrow)
			}
			return a.row - b.row
		})
		return found[:min(n, len(found))]
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
		found[at] = candidate{row: r, narrow: v}
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
