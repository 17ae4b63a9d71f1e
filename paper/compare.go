package paper

import (
	"errors"
	"math"
	"slices"

	"fubini/judge/evaluate"
)

var errNotPaired = errors.New("no users in common")

// Minus is how much a value is above another, with a 95 % interval: for new splits, with a training each, and new users where
// both are means over several splits; for new users alone where both are of one. It is an error where they are not of the same users.
func (v Value) Minus(other Value) (evaluate.Difference, error) {
	if len(v.runs) > 1 && len(other.runs) > 1 {
		return evaluate.Crossed(v.runs, other.runs, v.metric, 1)
	}
	if len(v.each) == 0 || !slices.Equal(v.users, other.users) {
		return evaluate.Difference{}, errNotPaired
	}
	return evaluate.Paired(v.each, other.each, "value", 1), nil
}

// Change is how much higher the second of two values with errors is, and whether it is up (1) or down (-1) by more than two
// standard errors, or neither.
func Change(before, after Value) (difference, stdErr float64, way int) {
	difference, stdErr = after.Number()-before.Number(), math.NaN()
	if before.StdErr != nil && after.StdErr != nil {
		stdErr = math.Hypot(*before.StdErr, *after.StdErr)
	}
	switch {
	case difference > 2*stdErr:
		way = 1
	case difference < -2*stdErr:
		way = -1
	}
	return difference, stdErr, way
}
