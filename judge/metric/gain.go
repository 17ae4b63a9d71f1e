package metric

import (
	"fmt"
	"math"
)

// Gain is the gain of an item of a level in [Ranking.DCG]: from 0 to
// 1e300, which leaves room for sums, and never less for a higher level. A
// metric panics on any other.
type Gain func(level float64) float64

// Exp2 is the gain 2^r − 1 of level r, as in the paper. Levels below 0 gain nothing.
func Exp2(level float64) float64 { return math.Exp2(max(level, 0)) - 1 }

// Linear is the gain r of level r, as in trec_eval. Levels below 0 gain nothing.
func Linear(level float64) float64 { return max(level, 0) }

// AtLeast is the lowest level that counts as relevant.
type AtLeast float64

// Gain is 1 for relevant levels and 0 for others: metric.AtLeast(4).Gain is a [Gain].
func (a AtLeast) Gain(level float64) float64 {
	if a.relevant(level) {
		return 1
	}
	return 0
}

func (a AtLeast) relevant(level float64) bool { return level >= float64(a) }

// Stop is the probability that a reader who goes through a list from the top and
// comes to an item of this level has found enough, for [Ranking.ERR]. A metric
// panics when it is not between 0 and 1.
type Stop func(level float64) float64

// Graded stops at level r with probability
//
//	V(r) = (2^(r − lowest) − 1) / 2^(highest − lowest)
//
// Graded(1, 5) is the paper's (2^(r−1) − 1)/16, and Graded(0, 4) that of gdeval
// for judgments from 0 to 4. Nobody stops at levels below the lowest. A level
// above the highest panics: it comes from another scale.
func Graded(lowest, highest float64) Stop {
	if span := highest - lowest; !(span >= 0 && span <= math.MaxFloat64) {
		panic(fmt.Sprintf("metric: grades from %g to %g", lowest, highest))
	}
	return func(level float64) float64 {
		if !(level <= highest) {
			panic(fmt.Sprintf("metric: level %g above the highest, %g", level, highest))
		}
		return math.Exp2(max(level, lowest)-highest) - math.Exp2(lowest-highest)
	}
}

func (gain Gain) of(level float64) float64 {
	g := gain(level)
	if !(g >= 0 && g <= 1e300) {
		panic(fmt.Sprintf("metric: a gain of %g for level %g", g, level))
	}
	return g
}

func (stop Stop) of(level float64) float64 {
	v := stop(level)
	if !(v >= 0 && v <= 1) {
		panic(fmt.Sprintf("metric: a probability of %g to stop at level %g", v, level))
	}
	return v
}
