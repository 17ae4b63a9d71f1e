package rank

import (
	"fmt"

	"fubini/model/latent"
	"fubini/model/osm"
)

// Crowd folds in and ranks for many people at once, by products of whole blocks of
// tastes with the catalogue. It keeps its memory from one block to the next: one
// for each goroutine.
type Crowd struct {
	shelf   *Shelf
	model   latent.Model
	tastes  []float64
	queries []Query
	answers [][]Scored
	room    Room
}

// NewCrowd returns a crowd before a shelf.
func NewCrowd(s *Shelf) *Crowd { return &Crowd{shelf: s} }

// Best returns for every list the n best items that are not on it, as [Shelf.Best]
// does: the answer for a list does not depend on those beside it. Lists without
// items are strangers. The answers are good until the next call, which allocates
// nothing unless there are more or longer lists than ever before.
func (c *Crowd) Best(lists []osm.List, n int) ([][]Scored, error) {
	catalogue := c.shelf.catalogue
	k := catalogue.K
	if need := len(lists) * k; cap(c.tastes) < need {
		c.tastes = make([]float64, need)
	}
	for len(c.answers) < len(lists) {
		c.answers = append(c.answers, nil)
	}
	c.queries = c.queries[:0]
	for l, list := range lists {
		taste := c.tastes[l*k : (l+1)*k]
		if err := fold(catalogue, &c.model, list, taste); err != nil {
			return nil, fmt.Errorf("%w, in list %d", err, l)
		}
		c.queries = append(c.queries, Query{Taste: taste, Listed: len(list.Items), Hide: list.Items})
		c.answers[l] = c.answers[l][:0]
	}
	answers := c.answers[:len(lists)]
	c.shelf.Best(c.queries, n, &c.room, answers)
	return answers, nil
}
