package logprob

import "math"

// Zero is the logarithm of probability zero.
var Zero = math.Inf(-1)

// Add returns log(e^a + e^b) without leaving the range of float64.
func Add(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(a, 0) { // two zeros, or an infinite weight
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// SumExp returns log(sum of e^v) over vs, and Zero for no terms.
func SumExp(vs []float64) float64 {
	largest := Zero
	for _, v := range vs {
		if v > largest || math.IsNaN(v) {
			largest = v
		}
	}
	if math.IsInf(largest, 0) || math.IsNaN(largest) {
		return largest
	}
	var total float64
	for _, v := range vs {
		total += math.Exp(v - largest)
	}
	return largest + math.Log(total)
}

// MeanExp returns log(mean of e^v) over vs, and Zero for no terms.
func MeanExp(vs []float64) float64 {
	if len(vs) == 0 {
		return Zero
	}
	return SumExp(vs) - math.Log(float64(len(vs)))
}

// Logistic returns 1/(1+e^-x).
func Logistic(x float64) float64 {
	if x >= 0 {
		return 1 / (1 + math.Exp(-x))
	}
	e := math.Exp(x)
	return e / (1 + e)
}

// Log1pExp returns log(1+e^x), the free energy of one binary unit.
func Log1pExp(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}
