package rank

import (
	"fmt"
	"math"

	"fubini/core/vec"
	"fubini/model/latent"
)

// Shelf is a catalogue packed for ranking all of it for many people, in float32.
// It may be used by several goroutines, each with its own [Room].
type Shelf struct {
	items  int
	k      int // units, and one more for presence
	panels *vec.Panels
}

// NewShelf packs a catalogue. Handicap, which may be nil, is taken from the score
// of each item: a trade-off with popularity, say, or +Inf for an item that nobody
// is to get.
func NewShelf(c *latent.Catalogue, handicap []float64) (*Shelf, error) {
	items, k := len(c.U), c.K+1
	if handicap != nil && len(handicap) != items {
		return nil, fmt.Errorf("rank: handicaps of %d items for a catalogue of %d", len(handicap), items)
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
			row[c.K] = vec.Dot(w, c.V[i*c.K:(i+1)*c.K])
		}
	}
	return &Shelf{items: items, k: k, panels: vec.NewPanels(rows, base, k)}, nil
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
	Score float32
}

// Room is the memory for the answers to some queries. The zero value is ready.
type Room struct {
	vectors []float32
	scores  []float32
}

// Best appends to each of answers, one for every query, the n best items in order,
// equal scores in the order of their numbers. It allocates nothing once room and
// answers have grown. Fewer than n come where there are not as many items.
func (s *Shelf) Best(queries []Query, n int, room *Room, answers [][]Scored) {
	stride := s.panels.Stride()
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
		scores := room.scores[q*stride : q*stride+s.items]
		for _, i := range query.Hide {
			scores[i] = float32(math.Inf(-1))
		}
		answers[q] = top(scores, n, answers[q])
	}
}

// top appends the places of the n highest scores, best first. Scores of minus
// infinity are left out.
func top(scores []float32, n int, found []Scored) []Scored {
	if n < 1 {
		return found
	}
	start := len(found)
	least := float32(math.Inf(-1)) // what it takes to get in
	for i, v := range scores {
		if !(v > least) {
			continue
		}
		best := found[start:]
		if len(best) < n {
			found = append(found, Scored{})
			best = found[start:]
		}
		at := len(best) - 1
		for ; at > 0 && best[at-1].Score < v; at-- {
			best[at] = best[at-1]
		}
		best[at] = Scored{i, v}
		if len(best) == n {
			least = best[n-1].Score
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
