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

// Interval is the interval of a reliability by its posterior mean and standard error, as those of a log-normal
// distribution.
func Interval(mean, stdError, level float64) (low, high float64) {
	spread := math.Sqrt(math.Log1p(stdError * stdError / (mean * mean)))
	reach := distuv.UnitNormal.Quantile((1+level)/2) * spread
	middle := mean * math.Exp(-spread*spread/2)
	return middle * math.Exp(-reach), middle * math.Exp(reach)
}
