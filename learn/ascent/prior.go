package ascent

import (
	"fmt"

	"fubini/core/vec"
	"fubini/model/latent"
)

// Kinds has one number for each kind of parameter of an item: worth U, unit weights W, presence
// weights V.
type Kinds [3]float64

// Prior is a normal prior on the parameters of items, independent given its mean: a mean and a
// precision for each parameter.
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
}

func (p *Prior) check(shape latent.Shape) error {
	switch {
	case p.Shares != nil && len(p.Shares) != shape.Items:
		return fmt.Errorf("train: shares of %d items in a catalogue of %d", len(p.Shares), shape.Items)
	case p.Lists != nil && len(p.Lists) != shape.Items:
		return fmt.Errorf("train: a start of %d items with counts of %d", shape.Items, len(p.Lists))
	case p.Mean != nil && p.Mean.Shape != shape:
		return fmt.Errorf("train: the mean of the prior is of another model or other data")
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
