package ascent

import (
	"fmt"

	"fubini/core/vec"
	"fubini/model/latent"
)

// Kinds has one number for each kind of parameter of an item: worth U, unit weights W, presence
// weights V.
type Kinds [3]float64

// Prior is a normal prior on the parameters of items, independent given its mean: a mean, a
// precision and, in distributed training, a linear term for each parameter.
type Prior struct {
	U, W, V float64 // precision of each worth, unit weight and presence weight; 0 means flat. W may be Auto
	Sizes   float64 // precision of each weight by tier size; 0 means flat

	Mean   *latent.Catalogue // prior means; nil means zero
	Levels []float64         // addition to the prior mean of each worth; nil means zero

	// Shares is a factor on the precision for each item; nil means 1. In distributed training it
	// is the share of the item's lists that a shard has.
	Shares []float64
	// Lists is the number of earlier lists of each item that are summarised by the prior; nil
	// means 0. Each adds the curvature of one list to the precision.
	Lists []float64
	// Correction approximates the objective of the lists of other shards; nil for none.
	Correction *Correction
}

// Correction is the second-order approximation of the objective of the lists of other shards
// around a point: their gradient there, and a diagonal curvature, for each item its number of
// those lists times the curvature of one list. See docs/maths.md#distributed.
type Correction struct {
	At       *latent.Catalogue // the point
	Gradient *Gradient
}

// Gradient is the gradient of the objective of some lists, without the prior, in the shape of a
// catalogue. It has the parameters of items alone.
type Gradient struct {
	*latent.Catalogue
	Lists []float64 // number of lists that each item is in
}

// NewGradient returns a zero gradient.
func NewGradient(shape latent.Shape) *Gradient {
	return &Gradient{shape.New(), make([]float64, shape.Items)}
}

// weightCurvature is the share of the curvature of W in a correction. The curvature adds up
// over units (see Curvature) while gradients of lists differ in direction: with K units
// and to second order it would be 1/K. But units and weights move together. Below a
// fifth points swing from round to round; up to a half makes no difference on MovieLens 1M,
// and with the whole rounds converge slowly.
const weightCurvature = 0.3

func (p *Prior) check(shape latent.Shape) error {
	fits := func(c *latent.Catalogue) bool { return c == nil || c.Shape == shape }
	switch {
	case p.Shares != nil && len(p.Shares) != shape.Items:
		return fmt.Errorf("train: shares of %d items in a catalogue of %d", len(p.Shares), shape.Items)
	case p.Lists != nil && len(p.Lists) != shape.Items:
		return fmt.Errorf("train: a start of %d items with counts of %d", shape.Items, len(p.Lists))
	case !fits(p.Mean):
		return fmt.Errorf("train: the mean of the prior is of another model or other data")
	}
	if c := p.Correction; c != nil && (c.At == nil || !fits(c.At) || !fits(c.Gradient.Catalogue) || len(c.Gradient.Lists) != shape.Items) {
		return fmt.Errorf("train: the gradient of other lists is of another model or other data")
	}
	return nil
}

// precision is that of an item's parameters.
func (p *Prior) precision(i int, h *Curvature) Kinds {
	a := Kinds{p.U, p.W, p.V}
	if p.Shares != nil {
		a = Kinds{p.Shares[i] * a[0], p.Shares[i] * a[1], p.Shares[i] * a[2]}
	}
	if p.Lists != nil {
		a[0] += p.Lists[i] * h.U
		a[1] += p.Lists[i] * h.W
		a[2] += p.Lists[i] * h.V
	}
	return a
}

// elsewhere is the number of lists of the correction that an item is in.
func (p *Prior) elsewhere(i int) float64 {
	if p.Correction == nil {
		return 0
	}
	return p.Correction.Gradient.Lists[i]
}

// pull moves the parameters of an item a share of the way to the mean.
func (p *Prior) pull(c *latent.Catalogue, i int, share Kinds) {
	from, to, level := i*c.K, (i+1)*c.K, 0.0
	if p.Levels != nil {
		level = p.Levels[i]
	}
	c.U[i] -= share[0] * (c.U[i] - level)
	vec.Scale(c.W[from:to], 1-share[1])
	if c.V != nil {
		vec.Scale(c.V[from:to], 1-share[2])
	}
	if p.Mean == nil {
		return
	}
	c.U[i] += share[0] * p.Mean.U[i]
	vec.AddTimes(c.W[from:to], p.Mean.W[from:to], share[1])
	if c.V != nil {
		vec.AddTimes(c.V[from:to], p.Mean.V[from:to], share[2])
	}
}

// ascend moves the parameters of an item along the gradient of lists elsewhere.
func (p *Correction) ascend(c *latent.Catalogue, i int, step Kinds, h *Curvature) {
	from, to, n := i*c.K, (i+1)*c.K, p.Gradient.Lists[i]
	move := func(now, at, gradient []float64, step, curvature float64) {
		for k, v := range now {
			now[k] += step * (gradient[k] - curvature*(v-at[k]))
		}
	}
	move(c.U[i:i+1], p.At.U[i:i+1], p.Gradient.U[i:i+1], step[0], n*h.U)
	move(c.W[from:to], p.At.W[from:to], p.Gradient.W[from:to], step[1], weightCurvature*n*h.W)
	if c.V != nil {
		move(c.V[from:to], p.At.V[from:to], p.Gradient.V[from:to], step[2], n*h.V)
	}
}
