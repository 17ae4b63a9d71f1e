package bayes

import (
	"math"

	"fubini/core/rng"
)

// normalBelow is the probability that a standard normal lies below x.
func normalBelow(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

func normalDensity(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }

// normalBetween is the probability that a standard normal lies between low and high, from the tail that does not cancel.
func normalBetween(low, high float64) float64 {
	if low > 0 {
		low, high = -high, -low
	}
	return normalBelow(high) - normalBelow(low)
}

// intervalCurve returns the log probability of an interval around the mean of a standard normal, and how it changes as
// the mean moves: the slope, and the negative of the second derivative.
func intervalCurve(low, high float64) (log, slope, curvature float64) {
	probability := max(normalBetween(low, high), 1e-300)
	if !math.IsInf(low, -1) {
		density := normalDensity(low) / probability
		slope += density
		curvature -= low * density
	}
	if !math.IsInf(high, 1) {
		density := normalDensity(high) / probability
		slope -= density
		curvature += high * density
	}
	return math.Log(probability), slope, max(0, curvature+slope*slope)
}

// truncatedNormal draws a standard normal that is known to lie between low and high, by rejection (Robert 1995): from
// the normal itself where the interval is wide and around zero, from an exponential in a tail, and from the uniform
// distribution in a narrow interval. At least about two draws in five are taken.
func truncatedNormal(r *rng.Rand, low, high float64) float64 {
	if high < -low { // more of the interval is on the left: turn it round
		return -truncatedNormal(r, -high, -low)
	}
	if low <= 0 {
		if high-low > 2.2 {
			for {
				if x := r.NormFloat64(); x > low && x < high {
					return x
				}
			}
		}
		return uniformRejection(r, low, high, 0)
	}
	rate := (low + math.Sqrt(low*low+4)) / 2 // Robert's best
	if (high-low)*rate < 1.2 {
		return uniformRejection(r, low, high, low)
	}
	for {
		x := low + r.ExpFloat64()/rate
		if x < high && r.ExpFloat64() > (x-rate)*(x-rate)/2 {
			return x
		}
	}
}

// uniformRejection draws from an interval in which the density is largest at top.
func uniformRejection(r *rng.Rand, low, high, top float64) float64 {
	for {
		x := low + (high-low)*r.Float64()
		if r.ExpFloat64() > (x*x-top*top)/2 {
			return x
		}
	}
}
