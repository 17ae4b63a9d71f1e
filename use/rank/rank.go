package rank

import (
	"cmp"
	"fmt"
	"slices"

	"fubini/core/vec"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Fold returns the posterior means of the hidden units given a tier list, or
// without items what the model believes of a stranger.
func Fold(c *latent.Catalogue, list osm.List) ([]float64, error) {
	taste := make([]float64, c.K)
	return taste, fold(c, &latent.Model{}, list, taste)
}

// fold writes a taste, in the room of a model that may have been another list's.
func fold(c *latent.Catalogue, room *latent.Model, list osm.List, taste []float64) error {
	if len(list.Items) == 0 {
		copy(taste, c.Unknown())
		return nil
	}
	for _, i := range list.Items {
		if i < 0 || i >= len(c.U) {
			return fmt.Errorf("rank: item %d is outside the catalogue of %d", i, len(c.U))
		}
	}
	if list.Order == nil || list.Order.N() != len(list.Items) {
		return fmt.Errorf("rank: %d items without an order of theirs", len(list.Items))
	}
	c.Refill(room, list.Items)
	room.Posterior(list.Order, taste)
	return nil
}

// Complete writes the mean-field score of each item for a taste that comes from a
// list of so many items, u_j + sum of W_jk E[h_k]: the paper's rank completion.
// Where presence speaks, that of the new item joins in. Items must be of the
// catalogue, and not of the list.
func Complete[I int | uint32](c *latent.Catalogue, taste []float64, listed int, items []I, scores []float64) {
	for n, item := range items {
		i := int(item)
		w := c.W[i*c.K : (i+1)*c.K]
		scores[n] = c.U[i] + vec.Dot(w, taste)
		if c.V != nil && listed > 0 {
			scores[n] += latent.Presence(listed) * vec.Dot(w, c.V[i*c.K:(i+1)*c.K])
		}
	}
}

// Best returns the places of the n highest scores, best first; equal scores in
// the order of their places.
func Best(scores []float64, n int) []int {
	places := make([]int, len(scores))
	for k := range places {
		places[k] = k
	}
	slices.SortFunc(places, func(a, b int) int { return Compare(Scored{a, scores[a]}, Scored{b, scores[b]}) })
	return places[:min(n, len(places))]
}

// Scored is an item with its score.
type Scored struct {
	Item  int
	Score float64
}

// Compare is the order of every list of recommendations: the higher score first, and
// equal scores in the order of the catalogue, which is that of the items' numbers.
func Compare(a, b Scored) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Item, b.Item))
}
