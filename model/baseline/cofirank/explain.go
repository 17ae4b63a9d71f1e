package cofirank

import (
	"fubini/core/cholesky"
	"fubini/data/ratings"
	"fubini/model/baseline/fitting"
)

// Dim is the number of factors.
func (m *fitted) Dim() int { return m.Hidden }

// ItemVector writes the factors of an item and returns its offset.
func (m *fitted) ItemVector(item uint32, vector []float64) float64 {
	row := m.itemVector(m.itemRow[item])
	copy(vector, row[:m.Hidden])
	return row[m.Hidden]
}

// PersonVector writes the factors of somebody who is folded in.
func (m *fitted) PersonVector(known ratings.Row, vector []float64) {
	if known.Len() == 0 {
		clear(vector)
		return
	}
	copy(vector, m.foldIn(known))
}

// Explain writes the part of each rating in the score of an item, and returns the base to which they add up: exactly
// under the squared loss, by the equations of least squares. The other losses have no such parts.
func (m *fitted) Explain(known ratings.Row, item uint32, parts []float64) (base float64, exact, ok bool) {
	if m.loss != Squared {
		return 0, false, false
	}
	pick := func(i uint32) (row []float64, offset float64) {
		at := m.itemVector(m.itemRow[i])
		return append(append([]float64{}, at[:m.Hidden]...), 1), at[m.Hidden]
	}
	v, offset := pick(item)
	if known.Len() == 0 {
		return m.Mean + offset, true, true
	}
	n := len(v)
	matrix := make([]float64, n*n)
	for d := range m.Hidden {
		matrix[d*n+d] = m.userPrior(known.Len())
	}
	matrix[n*n-1] = m.Offset
	for _, i := range known.Items {
		row, _ := pick(i)
		cholesky.AddOuter(matrix, 1, row)
	}
	cholesky.MustSolve(matrix, v)
	for k, i := range known.Items {
		row, other := pick(i)
		parts[k] = fitting.Dot(v, row) * (float64(known.Values[k]) - m.Mean - other)
	}
	return m.Mean + offset, true, true
}
