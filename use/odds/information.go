package odds

import (
	"fmt"
	"math"

	"fubini/core/logprob"
	"fubini/core/rng"
	"fubini/model/latent"
	"fubini/use/rank"
)

// Information returns for each item the mutual information, in nats, between its place among the person's tiers and the
// person's hidden units: how much the answer to "where does it belong?" is expected to tell of their taste. It is the
// entropy of the mean of the slot probabilities over n draws of the hidden units, less the mean of their entropies, before
// any calibration. For a person without tiers, who has no places yet, it is the information of a measurement of the item's
// worth with noise of variance 1. See docs/maths.md#deal.
func (p *Placer) Information(items []int, n int, r *rng.Rand) ([]float64, error) {
	if n < 1 {
		return nil, fmt.Errorf("odds: %d draws; at least one is needed", n)
	}
	out := make([]float64, len(items))
	if p.Visible != nil || p.Catalogue.K == 0 { // without hidden units there is nothing to learn of a person
		return out, nil
	}
	if len(p.sizes) == 0 {
		for k, item := range items {
			out[k] = math.Log1p(p.spread(item)) / 2
		}
		return out, nil
	}
	slots := 2*len(p.sizes) + 1
	mean := make([]float64, len(items)*slots)
	h, worths, logs := make([]float64, p.Catalogue.K), make([]float64, len(items)), make([]float64, slots)
	for range n {
		p.draw(h, r)
		given := p.given(h)
		rank.Complete(p.Catalogue, h, len(p.List.Items), items, worths)
		for k, worth := range worths {
			given.weigh(worth, logs)
			norm := logprob.SumExp(logs)
			for s, w := range logs {
				probability := math.Exp(w - norm)
				mean[k*slots+s] += probability / float64(n)
				out[k] += probability * (w - norm) / float64(n) // less the entropy
			}
		}
	}
	for k := range items {
		for _, probability := range mean[k*slots : (k+1)*slots] {
			if probability > 0 {
				out[k] -= probability * math.Log(probability)
			}
		}
		out[k] = max(out[k], 0) // rounding
	}
	return out, nil
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
