package reliability

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"fubini/core/logprob"
)

// MeanSquareSpread is the mean of the squared spread of reliabilities over its posterior, relative to the square of the estimate, by
// the variance of the logarithm of the estimate, the precision of its prior, and the number of raters. The votes are taken to say as
// much of the spread as log reliabilities of all raters that were seen with errors of one variance, their mean unknown: the variance of
// the errors is that which leaves the information of the votes. Where there are no errors and no prior the result is n/(n-3), the
// variance of Student's distribution; where errors are large beside the spread it is 1: the likelihood is symmetric in the square.
func MeanSquareSpread(variance, precision float64, raters int) float64 {
	n := float64(raters)
	// Seen without errors, n log reliabilities have the information 2n of the log spread; with them, times the square of this share.
	share := math.Sqrt(min(n, max(0.01, (1/variance-precision)/2)) / n)
	var logs, squares []float64
	const low, high, step = -8, 8, 0.01 // of the logarithm of the spread relative to the estimate
	for x := float64(low); x <= high; x += step {
		square := math.Exp(2 * x)
		both := share*square + 1 - share // variance of what is seen, relative to that at the estimate
		logs = append(logs, -precision*x*x/2-(n-1)/2*math.Log(both)-n/2/both)
		squares = append(squares, square)
	}
	whole := logprob.SumExp(logs)
	var mean float64
	for k, v := range logs {
		mean += math.Exp(v-whole) * squares[k]
	}
	return max(1, mean)
}

// Spreads are equally likely values of the logarithm of the spread of reliabilities relative to the estimate, by the variance of the
// logarithm of the estimate: a normal distribution in few numbers.
func Spreads(variance float64) []float64 {
	const parts = 16
	values := make([]float64, parts)
	for k := range values {
		values[k] = math.Sqrt(variance) * distuv.UnitNormal.Quantile((float64(k)+0.5)/parts)
	}
	return values
}

// Interval is the interval of a reliability where the logarithm of the spread is not known: the estimate of the spread is given, and
// values that are equally likely, as logarithms relative to it. Given the spread, the logarithm of the reliability is normal. Its mean
// moves with the log spread by moves, by way of the other parameters, and open is the variance that these add. The distribution
// of the log reliability is then a mixture of normal ones, one for each spread; see docs/maths.md#raters.
func (p Posterior) Interval(spread float64, spreads []float64, moves, open, level float64) (low, high float64) {
	prior := 1 / (spread * spread)
	votes := max(0, 1/(p.Place.SD*p.Place.SD)-prior) // precision that votes add
	score := p.Place.Mean * (votes + prior)          // precision times mean; the prior's part is -1/2 for any spread
	parts := make([]Place, len(spreads))
	from, to := math.Inf(1), math.Inf(-1)
	for k, x := range spreads {
		variance := 1 / (votes + prior*math.Exp(-2*x))
		parts[k] = Place{score*variance + moves*x, math.Sqrt(variance + open)}
		from, to = min(from, parts[k].Mean-8*parts[k].SD), max(to, parts[k].Mean+8*parts[k].SD)
	}
	quantile := func(share float64) float64 {
		low, high := from, to
		for range 30 { // halves of the range, to a part in 1e9
			var below float64
			middle := (low + high) / 2
			for _, part := range parts {
				below += math.Erfc((part.Mean-middle)/(part.SD*math.Sqrt2)) / float64(2*len(parts))
			}
			if below < share {
				low = middle
			} else {
				high = middle
			}
		}
		return math.Exp((low + high) / 2)
	}
	return quantile((1 - level) / 2), quantile((1 + level) / 2)
}
