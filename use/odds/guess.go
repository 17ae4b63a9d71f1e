package odds

import (
	"math"
	"math/bits"
	"slices"
)

// Guess is a distribution over the ratings that tiers without ratings stand for. A person with
// four tiers on a scale of five levels leaves one out, and that decides which gap has room. A
// set of levels has the log odds
//
//	p_0 log(share of it) + p_1 sum_t n_t log f_t + p_2 m + p_3 m^2 + p_4 m v
//
// with the share of people with as many tiers who use just these levels, n_t items in tier t,
// f_t the share of its level among all ratings, m the standardised mean of the person's ratings
// under this set, and v the mean worth of their items. See docs/maths.md#calibration.
type Guess struct {
	// People[s] is the number of people who use exactly the levels of set s, which has a bit for
	// each level from the lowest on.
	People     []float64          `json:"people"`
	Parameters [guessSize]float64 `json:"parameters"`
}

const (
	guessSize   = 5    // parameters of a guess
	mostGuessed = 10   // levels of which sets are guessed: the number of sets doubles with each
	rare        = 1e-3 // the least probability of a set that is kept
)

// Guesses are the ratings that a person's tiers may stand for, with their probabilities. The zero value has none.
type Guesses struct {
	Ratings [][]float64
	Odds    []float64
}

// guesses returns what bare tiers of these sizes may stand for, for a person whose items have this mean worth. Without
// a guess, or with more tiers than levels, there are none.
func (c *Calibration) guesses(sizes []int, worth float64) Guesses {
	if c.Guess == nil || len(sizes) == 0 || len(sizes) > len(c.Levels) {
		return Guesses{}
	}
	sets := c.sets(len(sizes))
	odds := make([]float64, len(sets))
	for s, row := range c.setFeatures(sets, sizes, worth) {
		for k, v := range row {
			odds[s] += c.Guess.Parameters[k] * v
		}
	}
	all := expBelow(odds)
	var g Guesses
	var kept float64
	for s, v := range odds {
		if v >= rare*all {
			g.Ratings, g.Odds = append(g.Ratings, c.ratingsOf(sets[s])), append(g.Odds, v)
			kept += v
		}
	}
	for s := range g.Odds {
		g.Odds[s] /= kept
	}
	return g
}

// sets are all sets of n levels.
func (c *Calibration) sets(n int) (sets []uint) {
	for s := uint(0); s < 1<<len(c.Levels); s++ {
		if bits.OnesCount(s) == n {
			sets = append(sets, s)
		}
	}
	return sets
}

// ratingsOf are the levels of a set, best first.
func (c *Calibration) ratingsOf(set uint) (ratings []float64) {
	for k := len(c.Levels) - 1; k >= 0; k-- {
		if set>>k&1 == 1 {
			ratings = append(ratings, c.Levels[k])
		}
	}
	return ratings
}

// setFeatures are the regressors of a guess, for each of the sets of as many levels as there are tiers.
func (c *Calibration) setFeatures(sets []uint, sizes []int, worth float64) [][]float64 {
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

// setOf is the set of a person's ratings, and whether all are levels.
func (c *Calibration) setOf(ratings []float64) (set uint, known bool) {
	for _, v := range ratings {
		k, there := slices.BinarySearch(c.Levels, v)
		if !there {
			return 0, false
		}
		set |= 1 << k
	}
	return set, true
}

// mix replaces log weights by those of the mean odds over the guesses.
func (c *Calibration) mix(weights []float64, sizes []int, guesses Guesses) {
	mixed, one := make([]float64, len(weights)), make([]float64, len(weights))
	for g, ratings := range guesses.Ratings {
		copy(one, weights)
		c.Rated.apply(one, sizes, c.slotShares(len(sizes), ratings))
		sum := expBelow(one)
		for s, w := range one {
			mixed[s] += guesses.Odds[g] * w / sum
		}
	}
	logarithms(mixed)
	copy(weights, mixed)
}

// expBelow replaces log weights by weights, the highest of which is 1, and returns their sum.
func expBelow(logs []float64) (sum float64) {
	most := slices.Max(logs)
	for s, v := range logs {
		logs[s] = math.Exp(v - most)
		sum += logs[s]
	}
	return sum
}
