package interest

import "slices"

// Select returns a model in which item i has the parameters of item from[i], or zeros if that is negative, as an item that
// was in no list. No two items have those of the same.
func (m *Model) Select(from []int) *Model {
	next := *m
	next.Average, next.Gain, next.Factor = make([]float64, len(from)), make([]float64, len(from)), make([]float64, len(from))
	next.In = make([]float64, len(from)*m.Units)
	to := slices.Repeat([]int{-1}, m.Items())
	for i, at := range from {
		if at >= 0 {
			to[at] = i
		}
	}
	for i, at := range from {
		if at >= 0 {
			next.Average[i], next.Gain[i], next.Factor[i] = m.Average[at], m.Gain[at], m.Factor[at]
			copy(next.factors(uint32(i)), m.factors(uint32(at)))
		}
	}
	next.Near = m.Near.choose(from, to)
	if m.Next != nil {
		later := *m.Next
		later.Weights = m.Next.Weights.choose(from, to)
		next.Next = &later
	}
	next.Prepare()
	return &next
}

// choose returns the matrix in which row i is row from[i], or empty if that is negative, and column to[j] is column j, left out
// if that is negative.
func (w *Weights) choose(from, to []int) Weights {
	chosen := Weights{Start: make([]int64, 1, len(from)+1)}
	for _, at := range from {
		if at >= 0 {
			targets, values := w.row(uint32(at))
			for k, target := range targets {
				if j := to[target]; j >= 0 {
					chosen.Target, chosen.Value = append(chosen.Target, uint32(j)), append(chosen.Value, values[k])
				}
			}
		}
		chosen.Start = append(chosen.Start, int64(len(chosen.Target)))
	}
	return chosen
}
