package factor

import (
	"slices"

	"fubini/core/cholesky"
	"fubini/data/ratings"
	"fubini/model/baseline/fitting"
)

// Dim is the number of factors.
func (s *Scorer) Dim() int { return s.hidden }

// ItemVector writes the factors of an item and returns its bias.
func (s *Scorer) ItemVector(item uint32, vector []float64) float64 {
	row := s.itemVector(int(item))
	copy(vector, row[:s.hidden])
	return row[s.hidden+1] * one(s.has.Item)
}

// PersonVector writes the factors of somebody who is folded in.
func (s *Scorer) PersonVector(known ratings.Row, vector []float64) {
	copy(vector, s.personVector(known)[:s.hidden])
}

// Explain writes the part of each rating in the score of an item, and returns the base to which they add up. Least
// squares set the free coordinates of a person to
//
//	x = c + M^-1 sum_k v_k (r_k - mean - x0 . v_k),   M = prior + sum_k v_k v_k',
//
// with c the centre of the prior and x0 the person there. So rating k adds v_j' M^-1 v_k times its difference from the
// prediction at the centre. This is exact.
func (s leastSquares) Explain(known ratings.Row, item uint32, parts []float64) (base float64, exact, ok bool) {
	if known.Len() == 0 {
		return fitting.Dot(s.mean, s.itemVector(int(item))), true, true
	}
	var free []int
	start := slices.Clone(s.mean)
	for d, prior := range s.userPrior {
		if prior >= 0 {
			free = append(free, d)
			start[d] = s.userCentre[d]
		}
	}
	pick := func(i uint32) []float64 {
		row := make([]float64, len(free))
		for c, d := range free {
			row[c] = s.itemVector(int(i))[d]
		}
		return row
	}
	matrix := make([]float64, len(free)*len(free))
	for c, d := range free {
		matrix[c*len(free)+c] = max(s.userPrior[d], leastPrior)
	}
	for _, i := range known.Items {
		cholesky.AddOuter(matrix, 1, pick(i))
	}
	v := pick(item)
	cholesky.MustSolve(matrix, v)
	for k, i := range known.Items {
		parts[k] = fitting.Dot(v, pick(i)) * (float64(known.Values[k]) - s.fit.Mean - fitting.Dot(start, s.itemVector(int(i))))
	}
	return fitting.Dot(start, s.itemVector(int(item))), true, true
}
