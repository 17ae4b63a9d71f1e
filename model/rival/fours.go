package rival

// dots are inner products with four vectors, each the same as of dot to the bit.
// Sums wait for each other less that way, and x is read once.
func dots(x []float64, y [4][]float64) [4]float64 {
	y0, y1, y2, y3 := y[0][:len(x)], y[1][:len(x)], y[2][:len(x)], y[3][:len(x)]
	var a0, a1, a2, a3, b0, b1, b2, b3 float64
	d := 0
	for ; d+1 < len(x); d += 2 {
		even, odd := x[d], x[d+1]
		a0 += even * y0[d]
		b0 += odd * y0[d+1]
		a1 += even * y1[d]
		b1 += odd * y1[d+1]
		a2 += even * y2[d]
		b2 += odd * y2[d+1]
		a3 += even * y3[d]
		b3 += odd * y3[d+1]
	}
	if d < len(x) {
		a0 += x[d] * y0[d]
		a1 += x[d] * y1[d]
		a2 += x[d] * y2[d]
		a3 += x[d] * y3[d]
	}
	return [4]float64{a0 + b0, a1 + b1, a2 + b2, a3 + b3}
}

// fours adds multiples of vectors to a sum, four at a time: the sum is read and
// written once for them. It is the same as by add, to the bit, after finish.
type fours struct {
	count  int
	factor [4]float64
	vector [4][]float64
}

// add adds c y to x, by and by.
func (f *fours) add(x []float64, c float64, y []float64) {
	f.factor[f.count], f.vector[f.count] = c, y
	if f.count++; f.count < 4 {
		return
	}
	f.count = 0
	c0, c1, c2, c3 := f.factor[0], f.factor[1], f.factor[2], f.factor[3]
	y0, y1, y2, y3 := f.vector[0][:len(x)], f.vector[1][:len(x)], f.vector[2][:len(x)], f.vector[3][:len(x)]
	for d, sum := range x {
		sum += c0 * y0[d]
		sum += c1 * y1[d]
		sum += c2 * y2[d]
		sum += c3 * y3[d]
		x[d] = sum
	}
}

// finish adds to x what is left.
func (f *fours) finish(x []float64) {
	for k := range f.count {
		add(x, f.factor[k], f.vector[k])
	}
	f.count = 0
}
