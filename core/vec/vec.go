package vec

import "fmt"

// Products are rounded before they are added, float64(x * y), so that no compiler
// makes one fused operation of the two.

// Dot is the inner product of two vectors of one length. It adds in eight
// columns, which a processor does side by side.
func Dot(a, b []float64) float64 {
	if len(b) != len(a) {
		panic(fmt.Sprintf("vec: inner product of %d and %d elements", len(a), len(b)))
	}
	return dot(a, b)
}

func dotPlain(a, b []float64) float64 {
	var c [8]float64
	for len(a) >= 8 {
		x, y := a[:8:8], b[:8:8]
		c[0] += float64(x[0] * y[0])
		c[1] += float64(x[1] * y[1])
		c[2] += float64(x[2] * y[2])
		c[3] += float64(x[3] * y[3])
		c[4] += float64(x[4] * y[4])
		c[5] += float64(x[5] * y[5])
		c[6] += float64(x[6] * y[6])
		c[7] += float64(x[7] * y[7])
		a, b = a[8:], b[8:]
	}
	for i, v := range a {
		c[i&7] += float64(v * b[i])
	}
	return ((c[0] + c[4]) + (c[2] + c[6])) + ((c[1] + c[5]) + (c[3] + c[7]))
}

// DotRows writes the inner products of a with the rows of a matrix, one after
// another in rows, as many as out is long.
func DotRows(out, a, rows []float64) {
	if len(rows) != len(out)*len(a) {
		panic(fmt.Sprintf("vec: %d rows of %d elements asked for, there are %d elements", len(out), len(a), len(rows)))
	}
	dotRows(out, a, rows)
}

func dotRowsPlain(out, a, rows []float64) {
	n := len(a)
	for r := range out {
		out[r] = dotPlain(a, rows[r*n:(r+1)*n])
	}
}

// AddTimes adds factor times from to to.
func AddTimes(to, from []float64, factor float64) {
	if len(from) != len(to) {
		panic(fmt.Sprintf("vec: %d elements added to %d", len(from), len(to)))
	}
	addTimes(to, from, factor)
}

func addTimesPlain(to, from []float64, factor float64) {
	to = to[:len(from)]
	for i, v := range from {
		to[i] += float64(factor * v)
	}
}

// AddRows adds the rows of a matrix to to, each times its factor, in order: it
// is AddTimes for every row.
func AddRows(to, rows, factors []float64) {
	if len(rows) != len(factors)*len(to) {
		panic(fmt.Sprintf("vec: %d rows of %d elements asked for, there are %d elements", len(factors), len(to), len(rows)))
	}
	addRows(to, rows, factors)
}

func addRowsPlain(to, rows, factors []float64) {
	n := len(to)
	for r, f := range factors {
		addTimesPlain(to, rows[r*n:(r+1)*n], f)
	}
}

// AddRowsAt adds the rows of a matrix at some places to to, each times its factor, in order: it is AddTimes for each of
// these rows.
func AddRowsAt(to, rows []float64, at []uint32, factors []float64) {
	n := len(to)
	if len(factors) != len(at) {
		panic(fmt.Sprintf("vec: %d factors for %d rows", len(factors), len(at)))
	}
	for _, i := range at {
		_ = rows[int(i)*n : (int(i)+1)*n]
	}
	addRowsAt(to, rows, at, factors)
}

func addRowsAtPlain(to, rows []float64, at []uint32, factors []float64) {
	n := len(to)
	for k, i := range at {
		addTimesPlain(to, rows[int(i)*n:(int(i)+1)*n], factors[k])
	}
}

// Scale multiplies every value by a factor.
func Scale(values []float64, factor float64) { scale(values, factor) }

func scalePlain(values []float64, factor float64) {
	for i := range values {
		values[i] *= factor
	}
}

// Zeros returns a slice of n zeros, in the memory of an old one if that is large enough.
func Zeros(old []float64, n int) []float64 {
	if cap(old) < n {
		return make([]float64, n)
	}
	old = old[:n]
	clear(old)
	return old
}
