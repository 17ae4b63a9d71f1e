package interest

import (
	"math"
	"slices"

	"fubini/core/vec"
	"fubini/data/ratings"
)

// Folded is a list folded into a model, by which single items are scored. It may be used again for another list. The zero
// value is ready.
type Folded struct {
	Model  *Model
	Items  []uint32
	Weight []float64 // of each placement
	Units  []float64 // sum of the rows of Q, each times its weight, and unit by unit times the filter
}

// Fold folds in a list of different items.
func (m *Model) Fold(list ratings.Row, f *Folded) error {
	if err := m.check(list); err != nil {
		return err
	}
	f.Model, f.Items = m, append(f.Items[:0], list.Items...)
	f.Weight = f.Weight[:0]
	f.Units = slices.Grow(f.Units[:0], m.Units)[:m.Units]
	clear(f.Units)
	for k, i := range list.Items {
		x := m.weight(list, k)
		f.Weight = append(f.Weight, x)
		vec.AddTimes(f.Units, m.factors(i), x)
	}
	for k, factor := range m.filter(list.Len()) {
		f.Units[k] *= factor
	}
	return nil
}

// Factors is the row of Q of an item.
func (m *Model) Factors(item int) []float64 { return m.factors(uint32(item)) }

// At is the score of an item that is not listed, to the bit that of [Model.Score].
func (f *Folded) At(item uint32) float64 {
	m := f.Model
	if len(f.Items) == 0 {
		return m.Average[item]
	}
	var score [1]float64
	vec.DotRows(score[:], f.Units, m.factors(item))
	score[0] *= m.Gain[item]
	for k, i := range f.Items {
		targets, values := m.Near.row(i)
		if at, there := slices.BinarySearch(targets, item); there {
			score[0] += float64(f.Weight[k] * float64(values[at]))
		}
	}
	return score[0]
}

// Least is the score below which [Log] is a line.
const Least = least

// Unlog is the inverse of [Log].
func Unlog(y float64) float64 {
	if lowest := math.Log(least); y < lowest {
		return least + (y-lowest)*least
	}
	return math.Exp(y)
}
