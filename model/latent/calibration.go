package latent

import (
	"fmt"
	"math"
	"slices"
)

// Calibration says how the log weights of slots are read as odds. A model of orders
// takes every gap for a place where an item may stand, and weighs ties by one
// number, while people keep to the tiers they have. So the log weight w of a slot
// becomes
//
//	Power w + Share log(n + 4 f) + Ties n/N + Gap [a gap] + Place q + Middle q^2
//
// with n of the person's N items there (none in a gap), f the share that the slot
// would have among everybody's ratings, and q its place, from -1/2 at the top to
// 1/2 at the bottom. See docs/maths.md#calibration.
type Calibration struct {
	// Levels are the ratings of the training data, ascending, and Shares how often
	// each was given.
	Levels []float64 `json:"levels"`
	Shares []float64 `json:"shares"`
	// BySlots[T-1] are the shares of the 2T+1 slots of people with T tiers, on
	// average: what is known where tiers come without ratings.
	BySlots [][]float64 `json:"by_slots"`
	Rated   Reading     `json:"rated"` // where the rating of each tier is known
	Plain   Reading     `json:"plain"` // where it is not, and cannot be guessed
	// Guess is how the ratings of bare tiers are guessed; nil for not at all.
	Guess *Guess `json:"guess,omitempty"`
}

// Reading is the parameters of a calibration.
type Reading struct {
	Power  float64 `json:"power"`
	Share  float64 `json:"share"`
	Ties   float64 `json:"ties"`
	Gap    float64 `json:"gap"`
	Place  float64 `json:"place"`
	Middle float64 `json:"middle"`
}

// ReadingSize is the number of parameters of a reading.
const ReadingSize = 6

// Parameters are those of the reading as a vector.
func (r Reading) Parameters() [ReadingSize]float64 {
	return [...]float64{r.Power, r.Share, r.Ties, r.Gap, r.Place, r.Middle}
}

// ReadingOf is the reading of a vector of parameters.
func ReadingOf(p [ReadingSize]float64) Reading {
	return Reading{Power: p[0], Share: p[1], Ties: p[2], Gap: p[3], Place: p[4], Middle: p[5]}
}

const (
	// others is how many ratings of everybody's stand beside the person's own in a
	// share. Calibration on MovieLens 1M was the same with 2 to 8.
	others = 4
	// never is the share of what has not been seen: a gap between neighbouring
	// levels.
	never = 1e-9
)

// SlotFeatures writes what the parameters are multiplied with at each slot, given
// log weights, the sizes of the tiers, best first, and the shares of the slots.
func SlotFeatures(weights []float64, sizes []int, shares []float64, features [][ReadingSize]float64) {
	all := 0.0
	for _, n := range sizes {
		all += float64(n)
	}
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
		features[s] = [...]float64{w, math.Log(n + others*max(shares[s], never)), n / all, gap, q, q * q}
	}
}

// Read turns the log weights of slots into calibrated ones. Values are the ratings
// of the tiers, best first, or nil where they are not known: then those that may be
// guessed are taken, each with its odds, and where there is no guess what slots are on
// average. Without tiers there is one slot, and nothing to say.
func (c *Calibration) Read(weights []float64, sizes []int, values []float64, guess Guessed) {
	switch {
	case len(sizes) == 0:
	case values != nil:
		c.Rated.Read(weights, sizes, c.SlotShares(len(sizes), values))
	case len(guess.Values) > 0:
		c.readGuessed(weights, sizes, guess)
	default:
		c.Plain.Read(weights, sizes, c.SlotShares(len(sizes), nil))
	}
}

// Read turns the log weights of slots into calibrated ones, given the shares of the
// slots.
func (r Reading) Read(weights []float64, sizes []int, shares []float64) {
	features := make([][ReadingSize]float64, len(weights))
	SlotFeatures(weights, sizes, shares, features)
	p := r.Parameters()
	for s, f := range features {
		weights[s] = 0
		for k, v := range f {
			weights[s] += p[k] * v
		}
	}
}

// SlotShares are the shares of the slots of so many tiers: of the levels that
// belong there where values are known, otherwise what they are on average. Nobody
// in the training data had more tiers than levels; whoever has keeps to them.
func (c *Calibration) SlotShares(tiers int, values []float64) []float64 {
	shares := make([]float64, 2*tiers+1)
	switch {
	case values != nil:
		for k, level := range c.Levels {
			at, exact := slices.BinarySearchFunc(values, level, func(v, level float64) int {
				switch {
				case v > level:
					return -1
				case v < level:
					return 1
				}
				return 0
			})
			if at *= 2; exact {
				at++
			}
			shares[at] += c.Shares[k]
		}
	case tiers <= len(c.BySlots):
		copy(shares, c.BySlots[tiers-1])
	default:
		for t := range tiers {
			shares[2*t+1] = 1 / float64(tiers)
		}
	}
	return shares
}

// Check says what is wrong with a calibration that was read from a file.
func (c *Calibration) Check() error {
	if len(c.Shares) != len(c.Levels) {
		return fmt.Errorf("latent: the calibration has shares of %d levels, of %d there are", len(c.Shares), len(c.Levels))
	}
	numbers := slices.Concat(c.Levels, c.Shares)
	for t, shares := range c.BySlots {
		if len(shares) != 2*t+3 {
			return fmt.Errorf("latent: the calibration has %d slots for %d tiers", len(shares), t+1)
		}
		numbers = append(numbers, shares...)
	}
	if c.Guess != nil {
		if len(c.Levels) > MostGuessed || len(c.Guess.People) != 1<<len(c.Levels) {
			return fmt.Errorf("latent: the calibration guesses among %d sets of %d levels", len(c.Guess.People), len(c.Levels))
		}
		for _, n := range c.Guess.People {
			if !(n >= 0) {
				return fmt.Errorf("latent: the calibration has %g people with a set of levels", n)
			}
		}
		numbers = slices.Concat(numbers, c.Guess.People, c.Guess.Parameters[:])
	}
	for _, r := range []Reading{c.Rated, c.Plain} {
		p := r.Parameters()
		numbers = append(numbers, p[:]...)
		if !(r.Power > 0) {
			return fmt.Errorf("latent: the calibration has power %g; it must be positive", r.Power)
		}
	}
	for _, v := range numbers {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("latent: the calibration holds %g; all numbers must be finite", v)
		}
	}
	return nil
}
