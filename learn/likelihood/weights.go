package likelihood

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"fubini/core/rng"
)

// reweighted is the data with other weights of its orders.
func (d *Data) reweighted(weight []float64) *Data {
	r := *d
	r.groups, r.orders, r.Weight = append([]group{}, d.groups...), append([]order{}, d.orders...), 0
	for g := range len(r.groups) - 1 {
		r.groups[g].weight = 0
		for o := r.groups[g].first; o < r.groups[g+1].first; o++ {
			r.orders[o].weight = weight[o]
			r.groups[g].weight += weight[o]
		}
		r.Weight += r.groups[g].weight
	}
	return &r
}

// pooled is the votes of all raters put together whoever cast them, and the new order of each order of d.
func (d *Data) pooled() (pooled *Data, of []int32) {
	p := *d
	p.Cluster, p.votes.Rater = false, nil
	of = p.gather(d.orders)
	return &p, of
}

// withoutUnits is the data of the same votes where raters have no hidden units.
func (d *Data) withoutUnits() *Data {
	one := *d
	one.Units = 0
	one.layout = one.Design.layout()
	return &one
}

// Split draws whole votes apart: each goes to the first part with the given probability. Weights
// count votes and must be whole numbers.
func (d *Data) Split(share float64, seed uint64) (first, second *Data, err error) {
	r := rng.Stream(seed, "split")
	parts := [2]Votes{{Start: []int32{0}}, {Start: []int32{0}}}
	for _, o := range d.orders {
		if o.weight != math.Round(o.weight) {
			return nil, nil, fmt.Errorf("fit: weight %g; only whole votes can be held out", o.weight)
		}
		n := distuv.Binomial{N: o.weight, P: share, Src: r}.Rand()
		for k, weight := range [2]float64{n, o.weight - n} {
			if weight == 0 {
				continue
			}
			v := &parts[k]
			v.Item, v.Tier = append(v.Item, d.items(o.vote)...), append(v.Tier, d.tiers(o.vote)...)
			v.Place, v.Vote = append(v.Place, d.place(o.vote)...), append(v.Vote, d.vote(o.vote)...)
			v.Start, v.Weight = append(v.Start, int32(len(v.Item))), append(v.Weight, weight)
			if d.votes.Rater != nil {
				v.Rater = append(v.Rater, d.votes.Rater[o.vote])
			}
		}
	}
	if first, err = Group(d.Design, parts[0]); err != nil {
		return nil, nil, err
	}
	if second, err = Group(d.Design, parts[1]); err != nil {
		return nil, nil, err
	}
	return first, second, nil
}
