package ballot

import (
	"fmt"
	"math"

	"fubini/core/cholesky"
)

// Check refuses covariates of items that are not finite, constant, or linear combinations of others, and centres the
// others: a constant on all worths changes nothing.
func (d *Design) Check(p Precision) error {
	for _, v := range []float64{p.Worth, p.Tie, p.Spread, p.Unit, p.Size} {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("fit: a prior of precision %g; it must be 0 for none, or positive", v)
		}
	}
	if err := d.checkChoices(); err != nil {
		return err
	}
	if d.Items < 2 {
		return fmt.Errorf("fit: %d items; there is nothing to compare", d.Items)
	}
	if d.Raters > 0 && p.Spread == 0 {
		return fmt.Errorf("fit: the spread of reliabilities needs a prior: where raters have one vote each, only the scale of worths tells of it")
	}
	if d.Raters > 0 && d.Ties == DistanceTies && d.Space != WithoutTies {
		return fmt.Errorf("fit: ties by the distance of worths and reliabilities of raters do not go together: both bend the curve of chances over distances; use one tie weight, or one an item, or leave out raters")
	}
	if d.Sizes > 0 && d.Space == WithoutTies {
		return fmt.Errorf("fit: orders without ties have tiers of one item; leave out the weights of tier sizes")
	}
	if d.Sizes > 0 && p.Size == 0 {
		return fmt.Errorf("fit: weights of tier sizes need a prior: many sizes are rare, and some of the weights explain the same")
	}
	n := len(d.Item.Names)
	if n == 0 {
		return nil
	}
	if p.Worth == 0 {
		return fmt.Errorf("fit: covariates of items and a free worth for each item explain the same: give the worths a prior")
	}
	if len(d.Item.Values) != n*d.Items {
		return fmt.Errorf("fit: %d values of %d covariates of %d items", len(d.Item.Values), n, d.Items)
	}
	squares := make([]float64, n*n)
	centred := make([]float64, len(d.Item.Values))
	for c, name := range d.Item.Names {
		var mean, square float64
		for i := range d.Items {
			mean += d.Item.Values[i*n+c] / float64(d.Items)
		}
		for i := range d.Items {
			centred[i*n+c] = d.Item.Values[i*n+c] - mean
			square += centred[i*n+c] * centred[i*n+c]
		}
		if !(square > 1e-24*mean*mean*float64(d.Items)) || math.IsInf(square, 1) {
			return fmt.Errorf("fit: covariate %s of items is constant or not finite; leave it out", name)
		}
		unit := math.Sqrt(square)
		for i := range d.Items {
			centred[i*n+c] /= unit
		}
	}
	for i := range d.Items {
		cholesky.AddOuter(squares, 1, centred[i*n:(i+1)*n])
	}
	for c := range n {
		squares[c*n+c] -= 1e-9 // of the unit length of each
	}
	for c, name := range d.Item.Names {
		part := make([]float64, (c+1)*(c+1))
		for r := range c + 1 {
			copy(part[r*(c+1):], squares[r*n:r*n+r+1])
		}
		if !cholesky.Factorise(part, c+1) {
			return fmt.Errorf("fit: covariate %s of items is a combination of those before it (%d items cannot keep them apart); leave it out", name, d.Items)
		}
	}
	return nil
}

// checkChoices refuses what a sequence of choices has no parameters for.
func (d *Design) checkChoices() error {
	if !d.Choices {
		return nil
	}
	var what string
	switch {
	case d.Ties != CommonTies:
		what = "have one tie weight for each size of tier, and none by items or by distance"
	case d.Space == TwoTiers:
		what = "have no sample space of two tiers"
	case d.Pairs.Dim() > 0:
		what = "have no features of pairs"
	case d.Units > 0:
		what = "have no hidden units of raters"
	case d.Sizes > 0:
		what = "have a tie weight for each size of tier already, and none of the last tier"
	case d.Slots:
		what = "have no slot likelihood: they are fitted exactly at any length"
	default:
		return nil
	}
	return fmt.Errorf("fit: sequences of choices %s; leave that out, or use the Ordered Set Model", what)
}

// checkChoice refuses a vote from which too many sets can be chosen.
func (d *Design) checkChoice(n int) error {
	sets := float64(n)
	for _, size := range d.tieSizes {
		all, _ := math.Lgamma(float64(n + 1))
		in, _ := math.Lgamma(float64(size + 1))
		out, _ := math.Lgamma(float64(max(n-size, 0) + 1))
		if size <= n {
			sets += math.Exp(all - in - out)
		}
	}
	if sets > maxSets {
		return fmt.Errorf("%.0f sets of %d items can be chosen first, with ties of up to %d; the limit is %d: use the Ordered Set Model", sets, n, d.tieSizes[len(d.tieSizes)-1], maxSets)
	}
	return nil
}

// maxSets is the largest number of sets that may be chosen from the items of a vote.
const maxSets = 1 << 17
