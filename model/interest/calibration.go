package interest

import (
	"fmt"
	"math"
	"slices"
)

// Calibration turns scores into probabilities: by a curve through knots, straight between them and constant outside, and by the length of the list. It is the probability that the
// item is in the whole list of a person of whom the items of the list are known; docs/interest.md#probability says of which person. Without knots there are no probabilities.
type Calibration struct {
	Scores []float64 // ascending
	Chance []float64 // not descending, from 0 to 1
	Length *Length   // nil in files of models whose curve is for whole lists, whatever their length
}

// Length is how a probability follows from the number n of items that are known: the curve is at s (20/n)^Power for a score s, and with its logit g and l = log(n/20) the
// logit of the probability is a + b g + c l + d g l.
type Length struct {
	Power      float64
	A, B, C, D float64
}

const leastChance, mostChance = 1e-6, 1 - 1e-6

// Logit is the logarithm of the odds for a probability, 0.000001 at least and 0.999999 at most.
func Logit(p float64) float64 {
	p = min(max(p, leastChance), mostChance)
	return math.Log(p / (1 - p))
}

// Scaled is what a score for a list of n items is multiplied by before the curve.
func (l *Length) Scaled(n int) float64 { return math.Pow(Typical/float64(n), l.Power) }

// bend returns the probability for n items of the one by the curve; 0 and 1 stay.
func (l *Length) bend(p float64, n int) float64 {
	if p <= 0 || p >= 1 {
		return p
	}
	g, x := Logit(p), math.Log(float64(n)/Typical)
	return 1 / (1 + math.Exp(-(l.A + float64(l.C*x) + float64(max(0, l.B+float64(l.D*x))*g))))
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

// at returns the probability for a score for a list of n items; ok is false without knots.
func (c Calibration) at(score float64, n int) (p float64, ok bool) {
	if len(c.Scores) == 0 {
		return 0, false
	}
	if c.Length == nil {
		return c.Curve(score), true
	}
	return c.Length.bend(c.Curve(score*c.Length.Scaled(n)), n), true
}

// Curve is the curve, which must have knots.
func (c Calibration) Curve(score float64) float64 {
	n := len(c.Scores)
	at, _ := slices.BinarySearch(c.Scores, score)
	if at == 0 || at == n {
		return c.Chance[min(at, n-1)]
	}
	low, high := c.Scores[at-1], c.Scores[at]
	part := (score - low) / (high - low)
	return c.Chance[at-1] + part*(c.Chance[at]-c.Chance[at-1])
}
