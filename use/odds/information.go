package odds

import (
	"math"

	"fubini/model/latent"
)

// Information returns the expected information, in nats, of each answer to "where does this item belong?": the entropy of
// its place among the person's tiers, corrected by the calibration. Part of it is information on
// the person's hidden units, part on how they use their tiers. For a person without tiers, who has no places yet, it is the information of a measurement
// of the item's worth with noise of variance 1. See docs/maths.md#deal.
func (p *Placer) Information(items []int) []float64 {
	out := make([]float64, len(items))
	for k, item := range items {
		if len(p.sizes) == 0 {
			out[k] = math.Log1p(p.spread(item)) / 2
			continue
		}
		for _, probability := range p.Place(item).Slots() {
			if probability > 0 {
				out[k] -= probability * math.Log(probability)
			}
		}
	}
	return out
}

// spread is the variance of an item's worth over people.
func (p *Placer) spread(item int) (variance float64) {
	c := p.Catalogue
	for k, w := range c.W[item*c.K : (item+1)*c.K] {
		unit := 1.0
		if c.Units != latent.Gaussian {
			unit = p.Embedding[k] * (1 - p.Embedding[k])
		}
		variance += w * w * unit
	}
	return variance
}
