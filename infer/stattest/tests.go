package stattest

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// ChiSquare is Pearson's test of counts against expected counts; it returns
// the probability of a worse fit under the expectation. Small means wrong: with
// a fixed seed, p below 1e-6 is taken for a mistake. Cells expected below 5 are
// pooled, in their order, until they reach it, for the test's law to hold.
// A count where none is expected gives 0.
func ChiSquare(observed []int, expected []float64) (p float64) {
	if len(observed) != len(expected) {
		panic(fmt.Sprintf("stattest: %d observed cells, %d expected", len(observed), len(expected)))
	}
	var statistic, seen, due float64
	cells := 0
	flush := func() {
		statistic += (seen - due) * (seen - due) / due
		cells++
		seen, due = 0, 0
	}
	for i, e := range expected {
		if e == 0 && observed[i] > 0 {
			return 0
		}
		seen += float64(observed[i])
		due += e
		if due >= 5 {
			flush()
		}
	}
	if due > 0 {
		flush()
	}
	if cells < 2 {
		return 1 // one cell always fits
	}
	return ChiSquareTail(statistic, cells-1)
}

// ChiSquareTail is the probability that a chi-square variable with the given
// degrees of freedom exceeds x.
func ChiSquareTail(x float64, degrees int) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return mathext.GammaIncRegComp(float64(degrees)/2, x/2)
}

// ZScore is how many standard errors an estimate lies from the truth. An
// estimate that hits it with no error at all scores 0.
func ZScore(estimate, standardError, truth float64) float64 {
	if estimate == truth {
		return 0
	}
	return (estimate - truth) / standardError
}

// Mean is the average of all draws of all chains.
func Mean(chains [][]float64) float64 {
	var sum float64
	draws := 0
	for _, chain := range chains {
		draws += len(chain)
		for _, v := range chain {
			sum += v
		}
	}
	return sum / float64(draws)
}
