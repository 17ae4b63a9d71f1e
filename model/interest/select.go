package interest

import "slices"

// Select returns a model in which item i has the parameters of item from[i], or zeros if that is negative, as an item that
// was in no list. No two items have those of the same.
func (m *Model) Select(from []int) *Model {
	next := *m
	next.Average, next.Gain, next.Factor = make([]float64, len(from)), make([]float64, len(from)), make([]float64, len(from))
	next.In = make([]float64, len(from)*m.Units)
	next.Near = Weights{Start: make([]int64, 1, len(from)+1)}
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
			targets, values := m.Near.row(uint32(at))
			for k, target := range targets {
				if j := to[target]; j >= 0 {
					next.Near.Target, next.Near.Value = append(next.Near.Target, uint32(j)), append(next.Near.Value, values[k])
				}
			}
		}
		next.Near.Start = append(next.Near.Start, int64(len(next.Near.Target)))
	}
	next.Prepare()
	return &next
}
