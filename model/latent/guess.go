package latent

import (
	"math"
	"math/bits"
	"slices"
)

// Guess says which ratings bare tiers may stand for. Somebody with four tiers on a
// scale of five leaves out one level, and which one decides where there is room for
// more. What is known of that: how often people leave out which levels, how large
// tiers are that stand for a level, and how good the items are that they placed. A set
// of levels has a log odds of
//
//	p_0 log(share of it) + p_1 sum_t n_t log f_t + p_2 m + p_3 m^2 + p_4 m v
//
// with the share of people with as many tiers who use just these levels, n_t items in
// tier t, f_t the share of its level among all ratings, m the mean of the person's
// ratings if this is the set, in deviations from everybody's, and v the mean worth of
// their items. See docs/maths.md#calibration.
type Guess struct {
	// People[s] is how many use just the levels in set s, a bit for each from the
	// lowest level on.
	People     []float64          `json:"people"`
	Parameters [GuessSize]float64 `json:"parameters"`
}

const (
	// GuessSize is the number of parameters of a guess.
	GuessSize = 5
	// MostGuessed is the largest number of levels of which sets are guessed: the sets
	// double with each.
	MostGuessed = 10
	// rare is how likely a set must be to be looked at.
	rare = 1e-3
)

// Guessed are the ratings that somebody's tiers may stand for, best first, each with
// its odds. The zero value knows nothing.
type Guessed struct {
	Values [][]float64
	Odds   []float64
}

// Guessed returns what bare tiers of these sizes may stand for, for somebody whose items
// have this mean worth. Without a guess, or with more tiers than levels, it is nothing.
func (c *Calibration) Guessed(sizes []int, worth float64) Guessed {
	if c.Guess == nil || len(sizes) == 0 || len(sizes) > len(c.Levels) {
		return Guessed{}
	}
	sets := c.Sets(len(sizes))
	features := c.SetFeatures(sets, sizes, worth)
	odds := make([]float64, len(sets))
	most := math.Inf(-1)
	for s, row := range features {
		for k, v := range row {
			odds[s] += c.Guess.Parameters[k] * v
		}
		most = max(most, odds[s])
	}
	var all float64
	for s, v := range odds {
		odds[s] = math.Exp(v - most)
		all += odds[s]
	}
	var g Guessed
	var kept float64
	for s, v := range odds {
		if v >= rare*all {
			g.Values, g.Odds = append(g.Values, c.valuesOf(sets[s])), append(g.Odds, v)
			kept += v
		}
	}
	for s := range g.Odds {
		g.Odds[s] /= kept
	}
	return g
}

// Sets are all sets of so many levels.
func (c *Calibration) Sets(size int) (sets []uint) {
	for s := uint(0); s < 1<<len(c.Levels); s++ {
		if bits.OnesCount(s) == size {
			sets = append(sets, s)
		}
	}
	return sets
}

// valuesOf are the levels of a set, best first.
func (c *Calibration) valuesOf(set uint) (values []float64) {
	for k := len(c.Levels) - 1; k >= 0; k-- {
		if set>>k&1 == 1 {
			values = append(values, c.Levels[k])
		}
	}
	return values
}

// SetFeatures are what the parameters of a guess are multiplied with, for each of the
// sets of as many levels as there are tiers.
func (c *Calibration) SetFeatures(sets []uint, sizes []int, worth float64) [][]float64 {
	var people, mean, square float64
	for _, s := range sets {
		people += c.Guess.People[s] + 0.5
	}
	for k, level := range c.Levels {
		mean += c.Shares[k] * level
		square += c.Shares[k] * level * level
	}
	deviation := math.Sqrt(max(square-mean*mean, never))
	features := make([][]float64, len(sets))
	for n, s := range sets {
		var fit, own, all float64
		t := len(sizes) - 1 // the lowest level is that of the last tier
		for k := range c.Levels {
			if s>>k&1 == 1 {
				size := float64(sizes[t])
				fit += size * math.Log(max(c.Shares[k], never))
				own += size * c.Levels[k]
				all += size
				t--
			}
		}
		m := (own/all - mean) / deviation
		features[n] = []float64{math.Log((c.Guess.People[s] + 0.5) / people), fit, m, m * m, m * worth}
	}
	return features
}

// SetOf is the set of a person's ratings, best first, and whether all are levels.
func (c *Calibration) SetOf(values []float64) (set uint, known bool) {
	for _, v := range values {
		k, there := slices.BinarySearch(c.Levels, v)
		if !there {
			return 0, false
		}
		set |= 1 << k
	}
	return set, true
}

// readGuessed mixes the odds that each of the guessed ratings would give.
func (c *Calibration) readGuessed(weights []float64, sizes []int, guess Guessed) {
	mixed, one := make([]float64, len(weights)), make([]float64, len(weights))
	for g, values := range guess.Values {
		copy(one, weights)
		c.Rated.Read(one, sizes, c.SlotShares(len(sizes), values))
		most := slices.Max(one)
		var sum float64
		for s, w := range one {
			one[s] = math.Exp(w - most)
			sum += one[s]
		}
		for s, w := range one {
			mixed[s] += guess.Odds[g] * w / sum
		}
	}
	for s, p := range mixed {
		weights[s] = math.Log(max(p, never*never))
	}
}
