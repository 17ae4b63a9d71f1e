package train

import (
	"context"
	"fmt"

	"fubini/model/latent"
	"fubini/model/osm"
)

// Slope is the gradient of the objective of some lists at a point, without the
// prior, and in how many of them each item is.
type Slope struct {
	U, W, V []float64
	Times   []float64
}

// Others stands in for lists that are elsewhere. Near At their objective is taken for a
// parabola: its slope there is known, and its curvature is a share of what so many sights
// of an item tell in the lists at hand. With Others training looks for the optimum of all
// lists, here and elsewhere; the prior is to be given in full. See docs/maths.md#rounds.
type Others struct {
	At    *latent.Catalogue
	Slope *Slope
}

// hold is the share of the sight of a weight that counts as curvature. A sight adds up
// over units (see Sight), and lists pull in all directions, so that with K units and no
// more than second order it would be 1/K. But units and weights move together, and with
// less than a fifth points swing from round to round; up to a half makes no difference on
// MovieLens 1M, and with the whole rounds come forward slowly.
const hold = 0.3

// SlopeAt is the slope of lists at a point. It is that of the slot likelihood: chains
// have none without moving.
func SlopeAt(ctx context.Context, items int, lists []osm.List, options LatentOptions, at *LatentState) (*Slope, error) {
	options, err := options.resolved(lists)
	if err != nil {
		return nil, err
	}
	if options.Objective != Slots {
		return nil, fmt.Errorf("train: slopes are of the slot likelihood alone")
	}
	options.Resume, options.Company = at, 0 // which is of the prior
	f, err := newLatentFit(ctx, items, lists, options)
	if err != nil {
		return nil, err
	}
	k := at.Now.K
	s := &Slope{U: make([]float64, items), W: make([]float64, items*k), V: make([]float64, len(at.Now.V)), Times: f.times}
	block := make([]int, 0, f.Batch)
	for first := 0; first < len(lists); first += f.Batch {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		block = block[:0]
		for l := first; l < min(first+f.Batch, len(lists)); l++ {
			block = append(block, l)
		}
		f.visit(block, at.Epoch)
		for _, t := range f.tasks[:len(block)] {
			for n, i := range t.list.Items {
				t.addTo(n, i, k, s.U, s.W, s.V)
			}
		}
	}
	return s, nil
}

// times is in how many lists elsewhere an item is; of nobody in none.
func (o *Others) times(i int) float64 {
	if o == nil {
		return 0
	}
	return o.Slope.Times[i]
}

// check refuses others of another model.
func (o *Others) check(f *latentFit, items int) error {
	if !f.fits(o.At, items) || len(o.Slope.U) != items || len(o.Slope.Times) != items || len(o.Slope.W) != len(o.At.W) || len(o.Slope.V) != len(o.At.V) {
		return fmt.Errorf("train: the slope of other lists is of another model or other data")
	}
	return nil
}

// draw lets the lists elsewhere draw at the parameters of an item, by steps of one share
// of a Newton step.
func (o *Others) draw(c *latent.Catalogue, i int, step each, sight Sight) {
	from, to, n := i*c.K, (i+1)*c.K, o.Slope.Times[i]
	towards := func(now, at, slope []float64, step, curvature float64) {
		for k, v := range now {
			now[k] += step * (slope[k] - curvature*(v-at[k]))
		}
	}
	towards(c.U[i:i+1], o.At.U[i:i+1], o.Slope.U[i:i+1], step.u, n*sight.U)
	towards(c.W[from:to], o.At.W[from:to], o.Slope.W[from:to], step.w, hold*n*sight.W)
	if c.V != nil {
		towards(c.V[from:to], o.At.V[from:to], o.Slope.V[from:to], step.v, n*sight.V)
	}
}
