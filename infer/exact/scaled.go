package exact

import (
	"math"
	"math/bits"
)

// scaled holds weights as numbers.
type scaled struct{}

func (scaled) zero() float64               { return 0 }
func (scaled) one() float64                { return 1 }
func (scaled) add(a, b float64) float64    { return a + b }
func (scaled) divide(a, b float64) float64 { return a / b }
func (scaled) log(a float64) float64       { return math.Log(a) }
func (scaled) number(a, _ float64) float64 { return a }

func (scaled) timesExp(out, weights []float64, x float64) {
	factor := math.Exp(x)
	for k, w := range weights {
		out[k] = w * factor
	}
}

func (scaled) timesBlocks(weights, block []float64, others int) {
	sub := 0
	for k := 1; k < len(weights); k++ {
		sub = next(sub, others)
		weights[k] *= block[sub]
	}
}

func (scaled) terms(out, weights []float64, s, others int, outside []float64) (scale float64) {
	out[0] = 0
	sub := 0
	for k := 1; k < len(out); k++ {
		sub = next(sub, others)
		out[k] = weights[k] * outside[s|sub]
	}
	return 0
}

// total is the innermost loop of all.
func (scaled) total(t *Table, s, others int, outside []float64) (total float64) {
	sub := 0
	for _, w := range t.weight[1 : 1<<bits.OnesCount(uint(others))] {
		sub = next(sub, others)
		total += w * outside[s|sub]
	}
	return total
}

func (scaled) spread(to, weights []float64, from float64, s, others int) {
	sub := 0
	for _, w := range weights {
		sub = next(sub, others)
		to[s|sub] += w * from
	}
}
