package exact

import (
	"math"
	"math/bits"

	"fubini/core/logprob"
)

// logs holds the logarithms of weights.
type logs struct{}

func (logs) zero() float64                   { return logprob.Zero }
func (logs) one() float64                    { return 0 }
func (logs) add(a, b float64) float64        { return logprob.Add(a, b) }
func (logs) divide(a, b float64) float64     { return a - b }
func (logs) log(a float64) float64           { return a }
func (logs) number(a, scale float64) float64 { return math.Exp(a + scale) }

func (logs) timesExp(out, weights []float64, x float64) {
	for k, w := range weights {
		out[k] = w + x
	}
}

func (logs) timesBlocks(weights, block []float64, others int) {
	sub := 0
	for k := 1; k < len(weights); k++ {
		sub = next(sub, others)
		weights[k] += block[sub]
	}
}

func (logs) terms(out, weights []float64, s, others int, outside []float64) (scale float64) {
	out[0], scale = logprob.Zero, logprob.Zero
	sub := 0
	for k := 1; k < len(out); k++ {
		sub = next(sub, others)
		out[k] = weights[k] + outside[s|sub]
		scale = math.Max(scale, out[k])
	}
	if math.IsInf(scale, -1) {
		clear(out)
		return scale
	}
	for k := range out {
		out[k] = math.Exp(out[k] - scale)
	}
	return scale
}

func (l logs) total(t *Table, s, others int, outside []float64) float64 {
	terms := t.term[:1<<bits.OnesCount(uint(others))]
	scale := l.terms(terms, t.weight, s, others, outside)
	var total float64
	for _, term := range terms {
		total += term
	}
	return scale + math.Log(total)
}

func (logs) spread(to, weights []float64, from float64, s, others int) {
	sub := 0
	for _, w := range weights {
		sub = next(sub, others)
		to[s|sub] = logprob.Add(to[s|sub], w+from)
	}
}
