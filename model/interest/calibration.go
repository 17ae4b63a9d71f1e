package interest

import (
	"fmt"
	"slices"
)

// Calibration turns scores into probabilities: a curve through knots, straight between them and constant outside. The
// probability is that of finding the item in a list that is otherwise this one, among lists like those of the training
// data. Without knots there are no probabilities.
type Calibration struct {
	Scores []float64 // ascending
	Chance []float64 // not descending, from 0 to 1
}

// check returns an error unless this is a curve as described.
func (c Calibration) check() error {
	if len(c.Scores) != len(c.Chance) || !slices.IsSorted(c.Scores) || !slices.IsSorted(c.Chance) {
		return fmt.Errorf("interest: the calibration must have as many probabilities as scores, both ascending")
	}
	if n := len(c.Chance); n > 0 && !(c.Chance[0] >= 0 && c.Chance[n-1] <= 1) {
		return fmt.Errorf("interest: the calibration has probabilities outside of 0 to 1")
	}
	return nil
}

// at returns the probability for a score; ok is false without knots.
func (c Calibration) at(score float64) (p float64, ok bool) {
	n := len(c.Scores)
	if n == 0 {
		return 0, false
	}
	at, _ := slices.BinarySearch(c.Scores, score)
	if at == 0 || at == n {
		return c.Chance[min(at, n-1)], true
	}
	low, high := c.Scores[at-1], c.Scores[at]
	part := (score - low) / (high - low)
	return c.Chance[at-1] + part*(c.Chance[at]-c.Chance[at-1]), true
}
