package odds

import (
	"fmt"
	"math"

	"fubini/core/logprob"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/model/latent"
	"fubini/use/rank"
)

// Chances has the probability that each of some items belongs in the best tier or above it, for
// each of some draws of a person's hidden units. A set of items is chosen by the probability
// that at least one belongs there. That probability is reported from other draws, because it is
// biased upwards on those that chose the set. See docs/maths.md#sets.
type Chances struct {
	items int
	given [][]float64 // [draw][item]
}

// Chances draws the person's hidden units n times. The mean over draws is the probability by
// [Placer.Place], calibrated if the placer is; the dependence between items is that of the
// model. It is an error for a person without tiers, who has no best tier.
func (p *Placer) Chances(items []int, n int, r *rng.Rand) (*Chances, error) {
	if len(p.sizes) == 0 {
		return nil, fmt.Errorf("odds: a set is chosen for a best tier, and the person has no tiers")
	}
	if n < 1 {
		return nil, fmt.Errorf("odds: %d draws; at least one is needed", n)
	}
	c := &Chances{items: len(items), given: make([][]float64, n)}
	h := make([]float64, p.Catalogue.K)
	for d := range c.given {
		p.draw(h, r)
		c.given[d] = make([]float64, len(items))
		p.onTop(h, items, c.given[d])
	}
	for k, item := range items {
		odds := p.Place(item)
		c.shift(k, odds.Gaps[0]+odds.Tiers[0])
	}
	return c, nil
}

// draw draws the person's hidden units.
func (p *Placer) draw(h []float64, r *rng.Rand) {
	for k, mean := range p.Embedding {
		switch {
		case p.Catalogue.Units == latent.Gaussian:
			h[k] = mean + r.NormFloat64()
		case r.Float64() < mean:
			h[k] = 1
		default:
			h[k] = 0
		}
	}
}

// Independent returns chances of items that do not depend on the hidden units.
func Independent(chances []float64) *Chances {
	return &Chances{items: len(chances), given: [][]float64{chances}}
}

// Times multiplies the chances of each item by a probability that does not depend on the hidden units: the chance that
// the item belongs in the best tier and that the person would pick it, say.
func (c *Chances) Times(probabilities []float64) {
	for _, given := range c.given {
		for k, p := range probabilities {
			given[k] *= p
		}
	}
}

// shift multiplies the odds p/(1-p) of an item by one factor in all draws, such that the mean chance is the one wanted.
// The mean rises with the logarithm of the factor: Newton's method finds it, with bisection where that leaves the
// interval.
func (c *Chances) shift(item int, want float64) {
	const most, enough = 200, 1e-12
	low, high, shift := -80.0, 80.0, 0.0 // e^80 turns any odds into certainty
	for range most {
		factor := math.Exp(shift)
		var mean, slope float64
		for _, given := range c.given {
			p := timesOdds(given[item], factor)
			mean += p / float64(len(c.given))
			slope += p * (1 - p) / float64(len(c.given))
		}
		if math.Abs(mean-want) <= enough {
			break
		}
		if mean < want {
			low = shift
		} else {
			high = shift
		}
		if next := shift + (want-mean)/slope; next > low && next < high {
			shift = next
		} else {
			shift = (low + high) / 2
		}
	}
	factor := math.Exp(shift)
	for _, given := range c.given {
		given[item] = timesOdds(given[item], factor)
	}
}

// timesOdds is a probability whose odds p/(1-p) are multiplied by a factor.
func timesOdds(p, factor float64) float64 { return p * factor / (1 - p + p*factor) }

// onTop writes for each item the probability of the best tier or above it given the hidden units h, before any correction.
func (p *Placer) onTop(h []float64, items []int, out []float64) {
	given := p.given(h)
	rank.Complete(p.Catalogue, h, p.Catalogue.OwnPresence(len(p.List.Items)), items, out)
	logs := make([]float64, len(given.times))
	for k, v := range out {
		given.weigh(v, logs)
		out[k] = math.Exp(logprob.SumExp(logs[:2]) - logprob.SumExp(logs))
	}
}

// slotLine has the log weights of the slots for given hidden units: that of slot s for an item of worth v is
// times[s] v + plus[s]. See docs/maths.md#reinsertion.
type slotLine struct{ times, plus []float64 }

func (l slotLine) weigh(worth float64, logs []float64) {
	for s := range logs {
		logs[s] = l.times[s]*worth + l.plus[s]
	}
}

// given computes the log weights of the slots given the hidden units h.
func (p *Placer) given(h []float64) slotLine {
	c, x := p.Catalogue, p.List.Order
	p.Catalogue.Refill(p.model, p.items) // one item more than placed, whichever
	scale, _ := p.model.Scoring()
	ties := *c.Nu + vec.Dot(c.NuK, h)
	slots := 2*x.Len() + 1
	times, plus := make([]float64, slots), make([]float64, slots)
	worths := make([]float64, len(p.List.Items))
	rank.Complete(c, h, 0, p.List.Items, worths) // the effect of their presence is in h
	var above float64                            // sum of worths
	below := float64(x.N())
	times[0] = scale * below
	for t := range x.Len() {
		var sum float64
		for _, at := range x.Block(t) {
			sum += worths[at]
		}
		size := float64(x.Size(t))
		times[2*t+1] = scale * (below - size/2)
		plus[2*t+1] = scale * (above + sum/2 + ties*size)
		above, below = above+sum, below-size
		times[2*t+2] = scale * below
		plus[2*t+2] = scale * above
	}
	c.Sizes.AddGains(x, 1, plus)
	return slotLine{times, plus}
}

// Of returns the probability that at least one item of a set, given by positions, belongs in
// the best tier or above it: one minus the mean over draws of the probability that none does.
func (c *Chances) Of(set []int) float64 {
	var none float64
	for _, given := range c.given {
		miss := 1.0
		for _, k := range set {
			miss *= 1 - given[k]
		}
		none += miss
	}
	return 1 - none/float64(len(c.given))
}

// Choose picks n items greedily, each the one that adds most to the probability of the set; of
// equal ones the first. It returns their positions and the additions. The probability of any
// set of n is at most 1/(1-1/e), about 1.58, times that of this set.
func (c *Chances) Choose(n int) (set []int, gains []float64) {
	miss := make([]float64, len(c.given)) // probability that none so far is on top
	for d := range miss {
		miss[d] = 1
	}
	gain := make([]float64, c.items)
	taken := make([]bool, c.items)
	for range min(n, c.items) {
		clear(gain)
		for d, given := range c.given {
			vec.AddTimes(gain, given, miss[d]/float64(len(c.given)))
		}
		best := -1
		for k, v := range gain {
			if !taken[k] && (best < 0 || v > gain[best]) {
				best = k
			}
		}
		taken[best] = true
		set, gains = append(set, best), append(gains, gain[best])
		for d, given := range c.given {
			miss[d] *= 1 - given[best]
		}
	}
	return set, gains
}
