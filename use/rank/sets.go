package rank

import (
	"fmt"
	"math"

	"fubini/core/logprob"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/model/latent"
)

// Chances are, for some draws of a person's hidden units, the probabilities that
// each of some items would stand in their best tier or above it. From them a set is
// chosen: items that please together, rather than each by itself. Whoever tells the
// chance of the chosen set takes it from other draws: of many sets, that which these
// draws like best is not quite as good as they say. See docs/maths.md#sets.
type Chances struct {
	items int
	given [][]float64 // [draw][item]
}

// Chances draws the person's hidden units so many times. On average over the draws
// every item has the chance that its odds say ([Person.Place]), which are calibrated
// where the model is; how chances rise and fall together is the model's. Somebody
// without tiers has no best one, which is an error.
func (p *Person) Chances(items []int, draws int, r *rng.Rand) (*Chances, error) {
	if p.Tiers() == 0 {
		return nil, fmt.Errorf("rank: a set is chosen for a best tier, and the person has no tiers")
	}
	if draws < 1 {
		return nil, fmt.Errorf("rank: %d draws; at least one is needed", draws)
	}
	c := &Chances{items: len(items), given: make([][]float64, draws)}
	h := make([]float64, p.catalogue.K)
	for d := range c.given {
		for k, mean := range p.taste {
			switch {
			case p.catalogue.Units == latent.Gaussian:
				h[k] = mean + r.NormFloat64()
			case r.Float64() < mean:
				h[k] = 1
			default:
				h[k] = 0
			}
		}
		c.given[d] = make([]float64, len(items))
		p.OnTop(h, items, c.given[d])
	}
	for k, item := range items {
		odds := p.Place(item)
		c.level(k, odds.Gaps[0]+odds.Tiers[0])
	}
	return c, nil
}

// level multiplies the odds of an item, chance over what is left to 1, by the same
// factor in every draw, such that the mean chance is the one wanted. The mean rises
// with the logarithm of the factor, so bisection finds it, and Newton's steps sooner.
func (c *Chances) level(item int, want float64) {
	const most, enough = 200, 1e-12
	low, high, shift := -80.0, 80.0, 0.0 // e^80 makes any odds there are one or none
	for range most {
		factor := math.Exp(shift)
		var mean, slope float64
		for _, given := range c.given {
			p := given[item]
			p = p * factor / (1 - p + p*factor)
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
		p := given[item]
		given[item] = p * factor / (1 - p + p*factor)
	}
}

// OnTop writes for each item the probability that it would stand in the person's
// best tier or above it, if their hidden units were h: of the slots of
// docs/maths.md#reinsertion the first two, before any calibration.
func (p *Person) OnTop(h []float64, items []int, out []float64) {
	c, x := p.catalogue, p.list.Order
	p.catalogue.Refill(p.model, p.items) // one item more than placed, whichever
	scale, _ := p.model.Scoring()
	ties := *c.Nu + vec.Dot(c.NuK, h)
	// The log weight of slot s for an item of worth v is times[s] v + plus[s].
	slots := 2*x.Len() + 1
	times, plus := make([]float64, slots), make([]float64, slots)
	worths := make([]float64, len(p.list.Items))
	Complete(c, h, 0, p.list.Items, worths) // what their presence says is in h
	var above float64                       // sum of worths
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
	Complete(c, h, len(p.list.Items), items, out)
	logs := make([]float64, slots)
	for k, v := range out {
		for s := range logs {
			logs[s] = times[s]*v + plus[s]
		}
		out[k] = math.Exp(logprob.SumExp(logs[:2]) - logprob.SumExp(logs))
	}
}

// Of returns the chance that at least one of a set is on top: one less the mean,
// over the draws, of the probability that none is. Items of the set are given by
// their places.
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

// Choose picks n items, one after another, each the one that adds most to the
// chance of the set; of equal ones the first. It returns their places and what each
// added. No set of n has more than 1/(1-1/e) times the chance of this one, about
// 1.58 times; mostly it is the best.
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
