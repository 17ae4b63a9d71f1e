package vec

import "fmt"

// AddTimesTwo adds a times from to first, and b times from to second.
func AddTimesTwo(first, second, from []float64, a, b float64) {
	if len(first) != len(from) || len(second) != len(from) {
		panic(fmt.Sprintf("vec: %d elements added to %d and %d", len(from), len(first), len(second)))
	}
	addTimesTwo(first, second, from, a, b)
}

func addTimesTwoPlain(first, second, from []float64, a, b float64) {
	first, second = first[:len(from)], second[:len(from)]
	for i, v := range from {
		first[i] += float64(a * v)
		second[i] += float64(b * v)
	}
}

// Towards moves every element a share of the way to its mean.
func Towards(to, mean []float64, share float64) {
	if len(mean) != len(to) {
		panic(fmt.Sprintf("vec: %d elements, means of %d", len(to), len(mean)))
	}
	towards(to, mean, share)
}

func towardsPlain(to, mean []float64, share float64) {
	mean = mean[:len(to)]
	for i, v := range to {
		to[i] = float64(v*(1-share)) + float64(share*mean[i])
	}
}

// TowardsEach moves every element a share of the way to its mean: its factor times share, at most 1.
func TowardsEach(to, mean, factors []float64, share float64) {
	if len(mean) != len(to) || len(factors) != len(to) {
		panic(fmt.Sprintf("vec: %d elements, means of %d, factors of %d", len(to), len(mean), len(factors)))
	}
	towardsEach(to, mean, factors, share)
}

func towardsEachPlain(to, mean, factors []float64, share float64) {
	mean, factors = mean[:len(to)], factors[:len(to)]
	for i, v := range to {
		of := min(1, float64(share*factors[i]))
		to[i] = float64(v*(1-of)) + float64(of*mean[i])
	}
}

// Products writes the products of rows of a matrix, of k elements each, at some places, with a matrix of k rows: a row of out for each place.
// Every sum is that of [AddRows]. It is fastest where rows of out have a multiple of eight elements.
func Products(out, rows []float64, at []int, columns []float64, k int) {
	if len(at) == 0 {
		return
	}
	wide := len(out) / len(at)
	if len(out) != wide*len(at) || len(columns) != k*wide {
		panic(fmt.Sprintf("vec: %d elements for the products of %d rows with %d rows, %d elements in all", len(out), len(at), k, len(columns)))
	}
	for _, i := range at {
		_ = rows[i*k : (i+1)*k]
	}
	products(out, rows, at, columns, k, wide)
}

func productsPlain(out, rows []float64, at []int, columns []float64, k, wide int) {
	for n, i := range at {
		to := out[n*wide : (n+1)*wide]
		clear(to)
		addRowsPlain(to, columns, rows[i*k:(i+1)*k])
	}
}

// Combine writes rows of k elements at some places of a matrix: the sum of a few rows, each times a factor of the place, and then of the place's own row of
// another matrix times one. There are as many factors for each place, in a matrix with a row for each, as there are rows. Every sum is that of
// [AddRows] and [AddTimes] to zeros. It is fastest where k is 20.
func Combine(out []float64, at []int, rows, factors, own, each []float64, k int) {
	if k == 0 {
		return
	}
	count := len(rows) / k
	if len(rows) != count*k {
		panic(fmt.Sprintf("vec: rows of %d elements asked for, there are %d elements", k, len(rows)))
	}
	for _, i := range at {
		_, _, _, _ = out[i*k:(i+1)*k], factors[i*count:(i+1)*count], own[i*k:(i+1)*k], each[i]
	}
	combine(out, at, rows, factors, own, each, k)
}

func combinePlain(out []float64, at []int, rows, factors, own, each []float64, k int) {
	count := len(rows) / k
	for _, i := range at {
		to := out[i*k : (i+1)*k]
		clear(to)
		addRowsPlain(to, rows, factors[i*count:(i+1)*count])
		addTimesPlain(to, own[i*k:(i+1)*k], each[i])
	}
}
