package vec

import "math"

// Exp replaces every value by its exponential, to three units in the last place: by 0 below -708, by +Inf above 709. Unlike
// math.Exp it gives the same bits on every processor.
func Exp(values []float64) { exp(values) }

// expPlain computes the exponential as 2^k e^r, with k the integer nearest to x/ln 2, and e^r, where |r| is at most half of
// ln 2, by its Taylor polynomial of degree 12, whose terms are added in pairs, for speed. The next term is below 2e-16.
func expPlain(values []float64) {
	for i, x := range values {
		switch {
		case x < expConstants[expLowest]:
			values[i] = 0
		case x > expConstants[expHighest]:
			values[i] = math.Inf(1)
		case x == x:
			shifted := float64(x*expConstants[expPerLog]) + expConstants[expShift] // k stands in the last bits
			k := shifted - expConstants[expShift]
			r := x - float64(k*expConstants[expLogHigh])
			r -= float64(k * expConstants[expLogLow])
			c, r2 := expConstants[expTaylor:], float64(r*r)
			r4 := float64(r2 * r2)
			pair := func(k int) float64 { return c[k] + float64(c[k+1]*r) }
			low := pair(0) + float64(pair(2)*r2) + float64((pair(4)+float64(pair(6)*r2))*r4)
			high := pair(8) + float64(pair(10)*r2) + float64(c[12]*r4)
			power := low + float64(high*float64(r4*r4))
			values[i] = math.Float64frombits(math.Float64bits(power) + math.Float64bits(shifted)<<52)
		}
	}
}

// Places in expConstants.
const (
	expLowest = iota
	expHighest
	expPerLog  // 1 / ln 2
	expShift   // 3/2 2^52: a number added to it is rounded to an integer
	expLogHigh // ln 2, the first bits: the product with any k is exact
	expLogLow  // the rest of ln 2
	expTaylor  // 1, 1, 1/2!, ..., 1/12!
)

// expConstants are shared with the assembly.
var expConstants = [expTaylor + 13]float64{
	-708, 709, math.Log2E, 3 << 51, 6.93147180369123816490e-01, 1.90821492927058770002e-10,
	1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320, 1. / 362880, 1. / 3628800, 1. / 39916800, 1. / 479001600,
}
