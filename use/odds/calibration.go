package odds

import (
	"fmt"
	"math"
)

// Calibration corrects the log weights of slots. In a model of orders every gap is a possible
// place, and ties have one common weight; people rarely open a new tier. The log weight w of a
// slot becomes
//
//	Power w + Share log(n + 4 f) + Ties n/N + Gap [a gap] + Place q + Middle q^2
//
// with n of the person's N items in the slot (0 in a gap), f the slot's share of all training
// ratings, and q its position, from -1/2 at the top to 1/2 at the bottom. See
// docs/maths.md#calibration.
type Calibration struct {
	// Levels are the ratings of the training data, ascending, and Shares their relative frequencies.
	Levels []float64 `json:"levels"`
	Shares []float64 `json:"shares"`
	// BySlots[T-1] are the mean shares of the 2T+1 slots of people with T tiers, for tiers without ratings.
	BySlots [][]float64 `json:"by_slots"`
	Rated   Correction  `json:"rated"` // where the rating of each tier is known
	Plain   Correction  `json:"plain"` // where it is neither known nor guessed
	// Guess estimates the ratings of bare tiers; nil means that they are not guessed.
	Guess *Guess `json:"guess,omitempty"`
}

// Correction holds the parameters of a calibration.
type Correction struct {
	Power  float64 `json:"power"`
	Share  float64 `json:"share"`
	Ties   float64 `json:"ties"`
	Gap    float64 `json:"gap"`
	Place  float64 `json:"place"`
	Middle float64 `json:"middle"`
}

// uncorrected leaves log weights as they are.
var uncorrected = Correction{Power: 1}

// correctionSize is the number of parameters of a correction.
const correctionSize = 6

// vector lists the parameters.
func (c Correction) vector() [correctionSize]float64 {
	return [...]float64{c.Power, c.Share, c.Ties, c.Gap, c.Place, c.Middle}
}

// correctionOf is the correction of a vector of parameters.
func correctionOf(p [correctionSize]float64) Correction {
	return Correction{Power: p[0], Share: p[1], Ties: p[2], Gap: p[3], Place: p[4], Middle: p[5]}
}

const (
	// others is the number of ratings by everybody that are added to the person's own in a share. On MovieLens 1M the
	// calibration was the same with 2 to 8.
	others = 4
	// never is the share of a slot without ratings: a gap between neighbouring levels.
	never = 1e-9
)

// slotFeatures are the regressors of each slot, one for each parameter, given log weights, the sizes of the tiers, best
// first, and the shares of the slots.
func slotFeatures(weights []float64, sizes []int, shares []float64) [][]float64 {
	all := 0.0
	for _, n := range sizes {
		all += float64(n)
	}
	features, flat := make([][]float64, len(weights)), make([]float64, 0, correctionSize*len(weights))
	above := 0.0
	for s, w := range weights {
		var n, gap float64
		if s%2 == 0 {
			gap = 1
		} else {
			n = float64(sizes[s/2])
		}
		q := (above+n/2)/all - 0.5
		above += n
		flat = append(flat, w, math.Log(n+others*max(shares[s], never)), n/all, gap, q, q*q)
		features[s] = flat[s*correctionSize : (s+1)*correctionSize]
	}
	return features
}

// correct replaces the log weights of slots by corrected ones. Ratings are those of the tiers, best first, or nil where
// they are not known: then the guesses are mixed, and without any guess slots have their mean shares. Without tiers
// there is one slot and nothing to correct.
func (c *Calibration) correct(weights []float64, sizes []int, ratings []float64, guesses Guesses) {
	switch {
	case len(sizes) == 0:
	case ratings != nil:
		c.Rated.apply(weights, sizes, c.slotShares(len(sizes), ratings))
	case len(guesses.Ratings) > 0:
		c.mix(weights, sizes, guesses)
	default:
		c.Plain.apply(weights, sizes, c.slotShares(len(sizes), nil))
	}
}

// apply corrects the log weights of slots that have these shares.
func (c Correction) apply(weights []float64, sizes []int, shares []float64) {
	p := c.vector()
	for s, features := range slotFeatures(weights, sizes, shares) {
		weights[s] = 0
		for k, v := range features {
			weights[s] += p[k] * v
		}
	}
}

// slotShares are the shares of the slots of n tiers: the sums over the levels in each slot where the ratings of the
// tiers are known, otherwise the means. Nobody in the training data had more tiers than levels: with more, the tiers
// share everything evenly.
func (c *Calibration) slotShares(n int, ratings []float64) []float64 {
	shares := make([]float64, 2*n+1)
	switch {
	case ratings != nil:
		for k, level := range c.Levels {
			shares[slotOf(ratings, level)] += c.Shares[k]
		}
	case n <= len(c.BySlots):
		copy(shares, c.BySlots[n-1])
	default:
		for t := range n {
			shares[2*t+1] = 1 / float64(n)
		}
	}
	return shares
}

// Check returns an error for a calibration whose parts do not fit, such as one from a damaged file.
func (c *Calibration) Check() error {
	if len(c.Shares) != len(c.Levels) {
		return fmt.Errorf("odds: the calibration has shares of %d levels, and %d levels", len(c.Shares), len(c.Levels))
	}
	for t, shares := range c.BySlots {
		if len(shares) != 2*t+3 {
			return fmt.Errorf("odds: the calibration has %d slots for %d tiers", len(shares), t+1)
		}
	}
	if c.Guess != nil {
		if len(c.Levels) > mostGuessed || len(c.Guess.People) != 1<<len(c.Levels) {
			return fmt.Errorf("odds: the calibration counts %d sets of %d levels", len(c.Guess.People), len(c.Levels))
		}
		for _, n := range c.Guess.People {
			if !(n >= 0) {
				return fmt.Errorf("odds: the calibration has %g people with a set of levels", n)
			}
		}
	}
	for _, r := range []Correction{c.Rated, c.Plain} {
		if !(r.Power > 0) {
			return fmt.Errorf("odds: the calibration has power %g; it must be positive", r.Power)
		}
	}
	return nil
}
