package bayes

import (
	"math"

	"fubini/core/rng"
)

// gammaDraw draws from the gamma distribution of this shape and rate (Marsaglia and Tsang 2000). A shape below one is
// drawn one higher and brought back by a power of a uniform draw.
func gammaDraw(r *rng.Rand, shape, rate float64) float64 {
	boost := 1.0
	if shape < 1 {
		boost = math.Pow(1-r.Float64(), 1/shape)
		shape++
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		root := 1 + c*x
		if root <= 0 {
			continue
		}
		v := root * root * root
		if -r.ExpFloat64() < x*x/2+d*(1-v+math.Log(v)) {
			return boost * d * v / rate
		}
	}
}
