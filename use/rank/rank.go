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

// Fold returns the embedding of a tier list ([latent.Catalogue.Embed]). Without items it is that of an average person.
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
	c.Embed(scratch, list.Items, list.Order, embedding)
	return nil
}

// Complete writes the mean-field score of each item given an embedding, u_j + sum of W_jk E[h_k]: the paper's rank
// completion. The presence of a new item adds a term of its own, with the factor [latent.Catalogue.OwnPresence]; 0 is for items of the list,
// whose presence is in the embedding. Items must be of the catalogue.
func Complete[I int | uint32](c *latent.Catalogue, embedding []float64, presence float64, items []I, scores []float64) {
	for at, item := range items {
		i := int(item)
		w := c.W[i*c.K : (i+1)*c.K]
		scores[at] = c.U[i] + vec.Dot(w, embedding)
		if presence > 0 {
			scores[at] += float64(presence * vec.Dot(w, c.V[i*c.K:(i+1)*c.K]))
		}
	}
}

// Folded is a person whose preferences were folded into a catalogue.
type Folded struct {
	Catalogue *latent.Catalogue
	List      osm.List
	Embedding []float64 // expected values of the hidden units
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
	Complete(f.Catalogue, f.Embedding, f.Catalogue.OwnPresence(len(f.List.Items)), items, scores)
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
