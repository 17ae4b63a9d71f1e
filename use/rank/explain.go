package rank

import (
	"fmt"
	"math"

	"fubini/core/vec"
	"fubini/model/latent"
)

// Explanation is a score as a sum: what the item has of its own, and what each
// placement of the person adds.
type Explanation struct {
	Base  float64   // the item's worth, and what the units say of a stranger
	Parts []float64 // of each placed item, in the order of the list
	Ties  float64   // of the number of ties in the list, where units have tie weights
	Rest  float64   // what placements say together and none by itself; 0 of our models
	Score float64   // the sum of all: that of Score
	// Approximate says that the score is not linear in the placements. Parts still sum
	// to the score; of binary units each one's change is shared out in proportion to
	// what the placements add to its activation.
	Approximate bool
}

// Explain takes the score of an item apart. Gaussian units are linear in the
// scores of placements, so the parts are exact: with s_i the scaled score of placed
// item i, part i is s_i W_j.W_i + W_j.V_i / root n. Binary units are not, see
// [Explanation].
func (p *Person) Explain(item int) (Explanation, error) {
	c, n, k := p.catalogue, len(p.list.Items), p.catalogue.K
	if item < 0 || item >= len(c.U) {
		return Explanation{}, fmt.Errorf("rank: item %d is outside the catalogue of %d", item, len(c.U))
	}
	e := Explanation{Base: c.U[item], Parts: make([]float64, n), Approximate: c.Units == latent.Binary && k > 0}
	one := make([]float64, 1)
	p.Score([]int{item}, one)
	e.Score = one[0]
	w := c.W[item*k : (item+1)*k]
	stranger := c.Unknown()
	e.Base += vec.Dot(w, stranger)
	if n == 0 {
		return e, nil
	}
	if c.V != nil {
		e.Base += latent.Presence(n) * vec.Dot(w, c.V[item*k:(item+1)*k])
	}
	// What each placement adds to the activation of each unit, and so to the score.
	slope := p.slopes(stranger)
	c.Refill(p.model, p.list.Items)
	scale, centre := p.model.Scoring()
	x := p.list.Order
	for t := range x.Len() {
		score := scale * (float64(x.Below(t)) + float64(x.Size(t)-1)/2 - centre)
		for _, at := range x.Block(t) {
			i := p.list.Items[at]
			for j := range k {
				part := score * c.W[i*k+j]
				if c.V != nil {
					part += latent.Presence(n) * c.V[i*k+j]
				}
				e.Parts[at] += w[j] * slope[j] * part
			}
		}
	}
	ties := scale * float64(x.TiedPairs())
	for j, v := range c.NuK {
		e.Ties += w[j] * slope[j] * v * ties
	}
	return e, nil
}

// slopes is how much the mean of each unit changes with its activation, between
// that of a stranger and that of the person.
func (p *Person) slopes(stranger []float64) []float64 {
	c := p.catalogue
	slope := make([]float64, c.K)
	c.Refill(p.model, p.list.Items)
	a := make([]float64, c.K)
	p.model.Activations(p.list.Order, a)
	for j := range slope {
		slope[j] = 1
		if c.Units != latent.Binary {
			continue
		}
		if d := a[j] - c.B[j]; math.Abs(d) > 1e-9 {
			slope[j] = (p.taste[j] - stranger[j]) / d
		} else {
			slope[j] = stranger[j] * (1 - stranger[j])
		}
	}
	return slope
}
