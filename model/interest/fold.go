package interest

import (
	"math"
	"slices"

	"fubini/data/ratings"
)

// Folded has the scores of all items for a list. It may be used again for another list. The zero value is ready.
type Folded struct{ Scores, smooth []float64 }

// Fold scores all items for a list of different items, as [Model.Score] does, in memory that is used again.
func (m *Model) Fold(list ratings.Row, f *Folded) error {
	items := m.Items()
	f.Scores = slices.Grow(f.Scores[:0], items)[:items]
	f.smooth = slices.Grow(f.smooth[:0], items)[:items]
	return m.score(list, f.Scores, f.smooth)
}

// Unlog is the inverse of [Log].
func Unlog(y float64) float64 {
	if lowest := math.Log(least); y < lowest {
		return least + (y-lowest)*least
	}
	return math.Exp(y)
}
