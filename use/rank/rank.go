package rank

import (
	"cmp"
	"fmt"
	"slices"

	"fubini/core/vec"
	"fubini/model"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Fold returns the embedding of a tier list: the posterior means of the hidden units. Without items they are those of an
// average person.
func Fold(c *latent.Catalogue, list osm.List) ([]float64, error) {
	embedding := make([]float64, c.K)
	return embedding, fold(c, &latent.Model{}, list, embedding)
}

// fold writes an embedding, in the memory of a model that may have been another list's.
func fold(c *latent.Catalogue, scratch *latent.Model, list osm.List, embedding []float64) error {
	if len(list.Items) == 0 {
		copy(embedding, c.PriorMeans())
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
	c.Refill(scratch, list.Items)
	scratch.Posterior(list.Order, embedding)
	return nil
}

// Complete writes the mean-field score of each item given an embedding of n listed items, u_j + sum of W_jk E[h_k]: the
// paper's rank completion. The presence of the new item adds its own term where the model has presence weights. Items
// must be of the catalogue, and not of the list.
func Complete[I int | uint32](c *latent.Catalogue, embedding []float64, n int, items []I, scores []float64) {
	for at, item := range items {
		i := int(item)
		w := c.W[i*c.K : (i+1)*c.K]
		scores[at] = c.U[i] + vec.Dot(w, embedding)
		if c.V != nil && n > 0 {
			scores[at] += float64(latent.Presence(n) * vec.Dot(w, c.V[i*c.K:(i+1)*c.K]))
		}
	}
}

// Folded is a person whose preferences were folded into a catalogue.
type Folded struct {
	Catalogue *latent.Catalogue
	List      osm.List
	Embedding []float64 // posterior means of the hidden units
}

// Read folds a person's preferences into a catalogue. A person without items has the embedding of an average person.
func Read(c *latent.Catalogue, person model.Person) (*Folded, error) {
	list, err := osm.ListOf(person.Known)
	if err != nil {
		return nil, err
	}
	embedding, err := Fold(c, list)
	if err != nil {
		return nil, err
	}
	return &Folded{c, list, embedding}, nil
}

// Score writes the score of each item, none of which the person placed.
func (f *Folded) Score(items []int, scores []float64) {
	Complete(f.Catalogue, f.Embedding, len(f.List.Items), items, scores)
}

// Best returns the positions of the n highest scores, best first; equal scores in the order of
// their positions.
func Best(scores []float64, n int) []int {
	positions := make([]int, len(scores))
	for k := range positions {
		positions[k] = k
	}
	slices.SortFunc(positions, func(a, b int) int { return Compare(Scored{a, scores[a]}, Scored{b, scores[b]}) })
	return positions[:min(n, len(positions))]
}

// Scored is an item with its score.
type Scored struct {
	Item  int
	Score float64
}

// Compare orders recommendations: by falling score, equal scores by item number.
func Compare(a, b Scored) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Item, b.Item))
}
