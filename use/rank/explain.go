package rank

import (
	"fmt"
	"math"

	"fubini/core/vec"
	"fubini/model/latent"
)

// Explanation is the decomposition of a score into a base, which is the same for everybody, and
// a contribution of each placement of the person.
type Explanation struct {
	Base  float64   // the item's score for an average person
	Parts []float64 // of each placed item, in the order of the list
	Ties  float64   // effect of the number of ties in the list, where units have tie weights
	Rest  float64   // joint effect of placements that no part has; 0 for latent models
	Score float64   // the sum of all
	// Approximate is set where the score is not linear in the placements. Parts still sum to the score: the change of
	// each binary unit is divided in proportion to what the placements add to its activation.
	Approximate bool
}

// Largest returns the positions of the contributions by falling absolute value.
func (e Explanation) Largest() []int {
	sizes := make([]float64, len(e.Parts))
	for k, part := range e.Parts {
		sizes[k] = math.Abs(part)
	}
	return Best(sizes, len(sizes))
}

// Explain decomposes the score of an item. Gaussian units are linear in the scores of placements, so the parts are
// exact: with s_i the scaled score of placed item i, part i is s_i W_j.W_i + W_j.V_i / root n. With a population
// ([latent.Population]) a part is the effect of the placement less that of an average one, both as a list of this length is read, and of these items where units are read together. For
// binary units see [Explanation].
func (f *Folded) Explain(item int) (Explanation, error) {
	c, n, k := f.Catalogue, len(f.List.Items), f.Catalogue.K
	if item < 0 || item >= len(c.U) {
		return Explanation{}, fmt.Errorf("rank: item %d is outside the catalogue of %d", item, len(c.U))
	}
	e := Explanation{Base: c.U[item], Parts: make([]float64, n), Approximate: c.Units == latent.Binary && k > 0}
	one := make([]float64, 1)
	f.Score([]int{item}, one)
	e.Score = one[0]
	w := c.W[item*k : (item+1)*k]
	average := c.PriorMeans()
	e.Base += vec.Dot(w, average)
	if own := c.OwnPresence(n); own > 0 {
		e.Base += own * vec.Dot(w, c.V[item*k:(item+1)*k])
	}
	if n == 0 {
		return e, nil
	}
	// What each placement adds to the activation of each unit, and so to the score.
	var m latent.Model
	c.Refill(&m, f.List.Items)
	scale, _ := m.Scoring()
	x := f.List.Order
	pull := c.Pull(f.List.Items, w)
	slope, reading, surplus := f.slopes(&m, average), c.Reading(n), c.Surplus(f.List.Items, nil, nil)
	for t := range x.Len() {
		score := c.ItemScore(x, t)
		for _, at := range x.Block(t) {
			i := f.List.Items[at]
			for j := range k {
				factor := reading.Factor[j]
				part := (factor[0]*score+factor[2]*surplus[at])*c.W[i*k+j] - reading.Usual[j]
				if c.V != nil {
					part += factor[1] * c.V[i*k+j]
				}
				e.Parts[at] += pull[j] * slope[j] * part
			}
		}
	}
	ties := scale * float64(x.TiedPairs())
	for j, v := range c.NuK {
		e.Ties += pull[j] * slope[j] * v * ties
	}
	return e, nil
}

// slopes are the changes in the mean of each unit over those in its activation, from an average person to this one.
func (f *Folded) slopes(m *latent.Model, average []float64) []float64 {
	c := f.Catalogue
	slope := make([]float64, c.K)
	a := make([]float64, c.K)
	m.Activations(f.List.Order, a)
	for j := range slope {
		slope[j] = 1
		if c.Units != latent.Binary {
			continue
		}
		if d := a[j] - c.B[j]; math.Abs(d) > 1e-9 {
			slope[j] = (f.Embedding[j] - average[j]) / d
		} else {
			slope[j] = average[j] * (1 - average[j])
		}
	}
	return slope
}
