package interest

import (
	"errors"
	"fmt"
	"math"

	"fubini/core/vec"
	"fubini/data/ratings"
)

// Next is what people pick soon after what: a part of the scores by the order in time of a list, for the question what
// comes after it. The scores of the other parts do not depend on that order.
type Next struct {
	Weights  Weights // the row of an item has what its place near the end of a list adds to the scores of other items
	Recent   float64 // weight of a placement, over that of the next later one
	Strength float64 // length of this part of the scores as a vector, over that of the near part
}

// ErrNoOrder is the error for a list without times of which it is asked what comes next.
var ErrNoOrder = errors.New("interest: what comes next follows from the order of a list in time, and this list has no times: give ratings with times, or ask for another aim")

// Faded is the weight at which a placement counts no more: the next scores would change by a thousandth.
const Faded = 1e-3

// check returns an error for a decay with which older placements would count for more, or a negative strength.
func (n *Next) check() error {
	if !(n.Recent >= 0 && n.Recent <= 1) || !(n.Strength >= 0) {
		return fmt.Errorf("interest: tensor %q has %g and %g: a decay from 0 to 1 and a strength that is not negative are wanted", tensorOrder, n.Recent, n.Strength)
	}
	return nil
}

// Add adds to scores what the last placements of a list say of what comes next.
func (n *Next) Add(list ratings.Row, scores []float64) {
	for k, age := range list.Ages() {
		weight := math.Pow(n.Recent, age)
		if weight < Faded {
			continue
		}
		targets, values := n.Weights.row(list.Items[k])
		vec.AddAt(scores, targets, values, weight, 0)
	}
}

// FoldNext folds in a list of different items with the order in time: the scores are those of what comes after it. The model must have
// [Next], and the list times.
func (m *Model) FoldNext(list ratings.Row, f *Folded) error {
	if m.Next == nil {
		return fmt.Errorf("interest: the model was fitted to lists without times")
	}
	if list.Len() > 0 && list.Times == nil {
		return ErrNoOrder
	}
	if err := m.Fold(list, f); err != nil || list.Len() == 0 {
		return err
	}
	f.next = resize(f.next, m.Items())
	clear(f.next)
	m.Next.Add(list, f.next)
	for _, i := range list.Items {
		f.next[i] = 0
	}
	if size := math.Sqrt(vec.Dot(f.next, f.next)); size > 0 {
		strength := m.Next.Strength * f.Length / size / f.First
		for j, v := range f.next {
			if v != 0 && m.Factor[j] != 0 {
				f.Near[j] += strength * v / m.Factor[j] // the power of popularity is for the other parts
			}
		}
		f.Length = math.Sqrt(f.nearSquare(list))
	}
	return nil
}

// ScoreNext writes the score of every item of the catalogue as what comes after a list, by its order in time: that of
// [Model.Score], with Next added to the near part.
func (m *Model) ScoreNext(list ratings.Row, scores []float64) error {
	var f Folded
	if err := m.FoldNext(list, &f); err != nil {
		return err
	}
	m.write(list, &f, scores)
	return nil
}
