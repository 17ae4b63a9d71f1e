package interest

import (
	"math"

	"fubini/model/interest"
)

// weights are the numbers that combine the parts of a score; docs/interest.md has the formula.
type weights [4]float64

// The places of the weights.
const (
	atSmooth     = iota // log of the weight of the low-rank part in a list of 20 items
	atShort             // minus its slope in the log of the length, up to 20 items
	atLong              // the same beyond
	atPopularity        // power of popularity
)

// smooth is the weight of the low-rank part in a list of n items, beside 1 for the regressions.
func (w weights) smooth(n int) float64 {
	return interest.SmoothWeight(n, math.Exp(w[atSmooth]), w[atShort], w[atLong])
}

// apply writes the weights into a model.
func (w weights) apply(m *interest.Model, l *lists) {
	m.Smooth, m.Short, m.Long = math.Exp(w[atSmooth]), w[atShort], w[atLong]
	m.Factor = make([]float64, len(l.picks))
	for i, picks := range l.picks {
		m.Factor[i] = math.Exp(w[atPopularity] * l.popularity(len(picks.people)))
	}
}

// popularity is the log of a number of picks, relative to that of an item as it is found in a list.
func (l *lists) popularity(picks int) float64 { return math.Log(max(.5, float64(picks))) - l.usual }
