package reliability

import "math"

// Prior is the distribution of reliabilities before any vote, log-normal of mean 1, by its spread: the standard deviation of the
// logarithms.
type Prior struct{ Spread float64 }

// Place is the mean and the standard deviation of a log reliability.
type Place struct{ Mean, SD float64 }

// Place is the mean and the standard deviation of the log reliability of a rater without votes.
func (p Prior) Place() Place { return Place{-p.Spread * p.Spread / 2, p.Spread} }

// Variance is the variance of a reliability under the prior.
func (p Prior) Variance() float64 { return math.Expm1(p.Spread * p.Spread) }

// log is the log density of a log reliability.
func (p Prior) log(t float64) float64 {
	a := t/p.Spread + p.Spread/2
	return -a*a/2 - math.Log(p.Spread) - math.Log(2*math.Pi)/2
}

// score is the derivative of the log density by the log spread.
func (p Prior) score(t float64) float64 {
	a := t/p.Spread + p.Spread/2
	return a*a - a*p.Spread - 1
}

// information is minus the derivative of the score by the log spread.
func (p Prior) information(t float64) float64 {
	a := t/p.Spread + p.Spread/2
	return 2*a*a - 2*a*p.Spread + p.Spread*p.Spread
}
