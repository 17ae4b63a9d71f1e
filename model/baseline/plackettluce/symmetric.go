package plackettluce

// symmetricMeans computes elementary symmetric polynomials of a growing list of numbers, each over the number of its
// terms: with e_j(x_1..x_m) the sum over all sets of j of the m numbers of their product,
//
//	M[m][j] = e_j(x_1..x_m) / C(m, j) = (1 - j/m) M[m-1][j] + j/m x_m M[m-1][j-1].
//
// Means of products of numbers up to 1 neither overflow nor cancel, whatever m.
type symmetricMeans struct {
	degree int
	table  []float64 // row m has degree+1 numbers
	down   []float64 // derivative of what is asked for by a row of the table
}

// newSymmetricMeans makes room for this number of numbers, and degrees.
func newSymmetricMeans(numbers, degree int) symmetricMeans {
	return symmetricMeans{table: make([]float64, (numbers+1)*(degree+1)), down: make([]float64, degree+2)}
}

// band is what matters of row m out of n: no set is larger than m, and one that is too small cannot grow to the degree
// any more.
func (s *symmetricMeans) band(m, n int) (low, high int) {
	return max(1, s.degree-(n-m)), min(m, s.degree)
}

// fill computes M of a degree, and of lower ones as far as it takes, for all beginnings of x.
func (s *symmetricMeans) fill(x []float64, degree int) {
	s.degree = degree
	width := degree + 1
	s.table[0] = 1
	for m := 1; m <= len(x); m++ {
		low, high := s.band(m, len(x))
		now := s.table[m*width:][:width]
		now[0] = 1
		if m <= degree {
			s.table[(m-1)*width+m] = 0 // no set of m among m-1
		}
		if low > high {
			continue
		}
		v, share := x[m-1], 1/float64(m)
		// Shifted by one place, so that here[k] and last[k] make now[k].
		here, last := s.table[(m-1)*width+low:][:high-low+1], s.table[(m-1)*width+low-1:][:high-low+1]
		now = now[low:][:len(here)]
		part := float64(low) * share
		for k, h := range here {
			now[k] = h + part*(v*last[k]-h)
			part += share
		}
	}
}

// at is the mean over the sets of as many as the degree of the first m numbers.
func (s *symmetricMeans) at(m int) float64 {
	if m < s.degree {
		return 0
	}
	return s.table[m*(s.degree+1)+s.degree]
}

// back adds to slope the derivative of sum over m of weight[m] at(m) by x.
func (s *symmetricMeans) back(x, weight, slope []float64) {
	width := s.degree + 1
	down := s.down[:width+1] // one more, always zero
	clear(down)
	for m := len(x); m > 0; m-- {
		down[s.degree] += weight[m]
		low, high := s.band(m, len(x))
		if low > high {
			continue
		}
		v, share := x[m-1], 1/float64(m)
		// down of row m becomes that of row m-1 in place: j hands (1 - j/m) to j, and j/m x_m to j-1.
		before := s.table[(m-1)*width+low-1:][:high-low+1]
		at, next := down[low:][:len(before)], down[low-1:][:len(before)]
		part := float64(low) * share
		var by float64
		for k, b := range before {
			g := part * at[k]
			next[k] += v * g
			by += b * g
			at[k] -= g
			part += share
		}
		slope[m-1] += by
	}
}
