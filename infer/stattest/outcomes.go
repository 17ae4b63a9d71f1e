package stattest

import (
	"iter"
	"math"

	"fubini/core/rng"
)

// Outcomes runs play once for every way the dice can fall and yields, after
// each run, the probability of that way. The probabilities sum to one. Every
// run must be the same but for the dice: reset what play changes.
func Outcomes(play func(d rng.Dice)) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		d := &everyDice{}
		for more := true; more; more = d.advance() {
			d.depth = 0
			play(d)
			if !yield(d.probability()) {
				return
			}
		}
	}
}

// everyDice follows the decisions on its path and, past the end, takes the
// first possible one and writes it down.
type everyDice struct {
	path  []decision
	depth int
}

type decision struct {
	chances []float64 // they sum to one
	taken   int
}

// next returns the first choice at or after i that can happen, or -1.
func (c decision) next(i int) int {
	for ; i < len(c.chances); i++ {
		if c.chances[i] > 0 {
			return i
		}
	}
	return -1
}

func (d *everyDice) choose(chances []float64) int {
	if d.depth == len(d.path) {
		c := decision{chances: chances}
		c.taken = c.next(0)
		d.path = append(d.path, c)
	}
	d.depth++
	return d.path[d.depth-1].taken
}

// advance turns the last decision that has another choice, and forgets those after it.
func (d *everyDice) advance() bool {
	for last := len(d.path) - 1; last >= 0; last-- {
		c := &d.path[last]
		if c.taken = c.next(c.taken + 1); c.taken >= 0 {
			d.path = d.path[:last+1]
			return true
		}
	}
	return false
}

func (d *everyDice) probability() float64 {
	p := 1.0
	for _, c := range d.path {
		p *= c.chances[c.taken]
	}
	return p
}

func equal(n int) []float64 {
	chances := make([]float64, n)
	for i := range chances {
		chances[i] = 1 / float64(n)
	}
	return chances
}

func (d *everyDice) IntN(n int) int     { return d.choose(equal(n)) }
func (d *everyDice) Coins(n int) uint64 { return uint64(d.choose(equal(1 << n))) }

func (d *everyDice) Accept(logRatio float64) bool {
	p := math.Min(1, math.Exp(logRatio))
	return d.choose([]float64{p, 1 - p}) == 0
}

func (d *everyDice) Pick(weights []float64) int {
	chances := make([]float64, len(weights))
	var total float64
	for _, w := range weights {
		total += w
	}
	for i, w := range weights {
		chances[i] = w / total
	}
	return d.choose(chances)
}
