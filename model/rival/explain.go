package rival

import (
	"math"

	"fubini/core/cholesky"
	"fubini/data/ratings"
)

// Explainer is a model that may tell what each rating of a person adds to a score,
// because folding in is linear in them, or close to it.
type Explainer interface {
	Model
	// Explain writes the part of each known rating in the score that somebody who is
	// folded in has for an item, and returns the base to which they add up.
	Explain(known ratings.Row, item uint32, parts []float64) (base float64, how Explained)
}

// Explained says what the parts of a score are worth.
type Explained int

// Unexplained parts were not written; others add up to the score, exactly what each
// rating adds, or shares of what they add together where that is not linear.
const (
	Unexplained Explained = iota
	Approximately
	Exactly
)

// Explain implements [Explainer]. The least squares of folding in set the free
// coordinates of a person to
//
//	x = c + M^-1 sum_k v_k (r_k - mean - x0 . v_k),   M = prior + sum_k v_k v_k',
//
// with c the centre of the prior and x0 the person there; so rating k adds
// v_j' M^-1 v_k times what it is above its prediction at the centre. Exact.
func (s ridgeScorer) Explain(known ratings.Row, item uint32, parts []float64) (base float64, how Explained) {
	if known.Len() == 0 {
		return dot(s.mean, s.itemVector(int(item))), Exactly
	}
	var free []int
	start := append([]float64{}, s.mean...)
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
	rows, above := make([][]float64, known.Len()), make([]float64, known.Len())
	for k, i := range known.Items {
		rows[k] = pick(i)
		above[k] = float64(known.Values[k]) - s.fit.Mean - dot(start, s.itemVector(int(i)))
	}
	v := pick(item)
	divide(matrix, rows, 1, v)
	for k, row := range rows {
		parts[k] = dot(v, row) * above[k]
	}
	return dot(start, s.itemVector(int(item))), Exactly
}

// divide replaces v by M^-1 v, with M the matrix and so much times all row row'.
func divide(matrix []float64, rows [][]float64, times float64, v []float64) {
	n := len(v)
	for _, row := range rows {
		for c, a := range row {
			add(matrix[c*n:c*n+c+1], times*a, row)
		}
	}
	cholesky.MustFactorise(matrix, n)
	cholesky.SolveLower(matrix, v)
	cholesky.SolveUpper(matrix, v)
}

// Explain implements [Explainer]: with the squared loss exactly, as for least squares.
// The other losses look at all ratings of a list at once, and have no such parts.
func (m *cofiModel) Explain(known ratings.Row, item uint32, parts []float64) (base float64, how Explained) {
	if m.loss != CoFiSquared {
		return 0, Unexplained
	}
	pick := func(i uint32) (row []float64, offset float64) {
		at := m.item[m.itemRow[i]*m.stride():][:m.stride()]
		return append(append([]float64{}, at[:m.Hidden]...), 1), at[m.Hidden]
	}
	v, offset := pick(item)
	if known.Len() == 0 {
		return m.Mean + offset, Exactly
	}
	n := len(v)
	matrix := make([]float64, n*n)
	for d := range m.Hidden {
		matrix[d*n+d] = m.userPrior(known.Len())
	}
	matrix[n*n-1] = m.Offset
	rows, above := make([][]float64, known.Len()), make([]float64, known.Len())
	for k, i := range known.Items {
		row, other := pick(i)
		rows[k], above[k] = row, float64(known.Values[k])-m.Mean-other
	}
	divide(matrix, rows, 1, v)
	for k, row := range rows {
		parts[k] = dot(v, row) * above[k]
	}
	return m.Mean + offset, Exactly
}

// Explain implements [Explainer]. In every draw the value of an item before it becomes
// a rating is a sum: with normal ratings as for least squares; with an ordered probit
// the gradient vanishes at the mode, so that x - mu = P^-1 sum_k g_k v_k, with P the
// prior precision and g_k the slope of the k-th log likelihood there. The expected
// rating of a probit rises with the value, and what it changes is shared out in
// proportion. Ratings of items that nobody rated in training have no part.
func (f *bayesModel) Explain(known ratings.Row, item uint32, parts []float64) (base float64, how Explained) {
	p := Person{Index: -1, Known: known}
	t := f.enter(p)
	defer f.tastes.Put(t)
	clear(parts)
	v := make([]float64, f.width)
	for draw := range f.kept {
		row := f.vector(f.items, int(item), draw)
		v[0] = 1
		for k, x := range row[1:] {
			v[k+1] = float64(x)
		}
		from := float64(row[0]) + dot(f.userPrior[draw].mean, v)
		each := t.pulls(f, p, draw, v)
		to, scale := from, f.scale.deviation
		for _, part := range each {
			to += part
		}
		if f.response == OrderedProbit {
			scale = f.slopeBetween(t, draw, item, from, to)
		}
		for k, part := range each {
			parts[t.which[k]] += scale * part / float64(f.kept)
		}
	}
	// What is left is the base, and what rounding of draws to float32 leaves.
	one := make([]float64, 1)
	f.Score(p, []uint32{item}, one)
	base, how = one[0], Exactly
	for _, part := range parts {
		base -= part
	}
	if f.response == OrderedProbit {
		how = Approximately
	}
	return base, how
}

// pulls are what each gathered rating adds to the value of an item in a draw. The
// item's (1, factors) are overwritten.
func (t *taste) pulls(f *bayesModel, p Person, draw int, v []float64) []float64 {
	t.gather(f, p, draw)
	prior, person := f.userPrior[draw], t.vectors[draw*f.width:(draw+1)*f.width]
	rows, pull := make([][]float64, len(t.targets)), make([]float64, len(t.targets))
	for k, target := range t.targets {
		rows[k] = t.rows[k*f.width : (k+1)*f.width]
		if f.response == GaussianResponse {
			pull[k] = f.noise[draw] * (target - dot(prior.mean, rows[k]))
			continue
		}
		mean := t.offsets[k]
		for d, x := range person {
			mean += float64(x) * rows[k][d]
		}
		low, high := interval(f.cuts[draw], int(target))
		_, pull[k], _ = intervalCurve(low-mean, high-mean)
	}
	matrix := append([]float64{}, prior.precision...)
	if f.response == GaussianResponse {
		divide(matrix, rows, f.noise[draw], v)
	} else {
		divide(matrix, nil, 0, v)
	}
	for k, row := range rows {
		pull[k] *= dot(v, row)
	}
	return pull
}

// slopeBetween is how fast the expected rating of an item rises from one value to
// another, in a draw.
func (f *bayesModel) slopeBetween(t *taste, draw int, item uint32, from, to float64) float64 {
	deviation := math.Sqrt(1 + t.variance(f, draw, item))
	const near = 1e-6
	if math.Abs(to-from) < near {
		to = from + near
	}
	return (f.scale.expected(f.cuts[draw], to, deviation) - f.scale.expected(f.cuts[draw], from, deviation)) / (to - from)
}
