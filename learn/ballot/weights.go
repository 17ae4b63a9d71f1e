package ballot

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"fubini/core/rng"
)

// Reweighted is the data with other weights of its orders.
func (d *Data) Reweighted(weight []float64) *Data {
	r := *d
	r.Groups, r.Orders, r.Weight = append([]Group{}, d.Groups...), append([]Order{}, d.Orders...), 0
	for g := range len(r.Groups) - 1 {
		r.Groups[g].Weight = 0
		for o := r.Groups[g].First; o < r.Groups[g+1].First; o++ {
			r.Orders[o].Weight = weight[o]
			r.Groups[g].Weight += weight[o]
		}
		r.Weight += r.Groups[g].Weight
	}
	return &r
}

// Pooled is the votes of all raters put together whoever cast them, and the new order of each order of d.
func (d *Data) Pooled() (pooled *Data, of []int32) {
	p := *d
	p.Cluster, p.votes.Rater = false, nil
	of = p.gather(d.Orders)
	return &p, of
}

// WithoutUnits is the data of the same votes where raters have no hidden units.
func (d *Data) WithoutUnits() *Data {
	one := *d
	one.Units = 0
	one.Layout = one.Design.Layout()
	return &one
}

// Split divides the votes at random: each is in the first part with probability share. Weights
// count votes and must be whole numbers.
func (d *Data) Split(share float64, seed uint64) (first, second *Data, err error) {
	r := rng.Stream(seed, "split")
	parts := [2]Votes{{Start: []int32{0}}, {Start: []int32{0}}}
	for _, o := range d.Orders {
		if o.Weight != math.Round(o.Weight) {
			return nil, nil, fmt.Errorf("fit: weight %g; only whole votes can be held out", o.Weight)
		}
		n := distuv.Binomial{N: o.Weight, P: share, Src: r}.Rand()
		for k, weight := range [2]float64{n, o.Weight - n} {
			if weight == 0 {
				continue
			}
			v := &parts[k]
			v.Item, v.Tier = append(v.Item, d.ItemsOf(o.Vote)...), append(v.Tier, d.TiersOf(o.Vote)...)
			v.Place, v.Vote = append(v.Place, d.PlaceOf(o.Vote)...), append(v.Vote, d.vote(o.Vote)...)
			v.Start, v.Weight = append(v.Start, int32(len(v.Item))), append(v.Weight, weight)
			if d.votes.Rater != nil {
				v.Rater = append(v.Rater, d.votes.Rater[o.Vote])
			}
		}
	}
	if first, err = Gather(d.Design, parts[0]); err != nil {
		return nil, nil, err
	}
	if second, err = Gather(d.Design, parts[1]); err != nil {
		return nil, nil, err
	}
	return first, second, nil
}

// WithoutRaters is the data of the same votes where raters have no reliabilities.
func (d *Data) WithoutRaters() *Data {
	one := *d
	one.Raters = 0
	one.Layout = one.Design.Layout()
	return &one
}
