package likelihood

import (
	"fmt"
	"math"

	"fubini/core/cholesky"
	"fubini/model/osm"
)

// Ties is the form of the log weight of a tie of items i and j, relative to the geometric mean
// of the weights of the two orders.
type Ties int

// The forms are nu, one number for all pairs; nu + (n_i + n_j)/2, with a deviation n_i for each
// item; and nu + delta log cosh((u_i - u_j)/2). The last is Davidson's model at delta = 0; at delta = 1
// pairs of any distance tie equally often.
const (
	CommonTies Ties = iota
	ItemTies
	DistanceTies
)

// Space is the sample space of a vote on n items.
type Space = osm.Space

// The spaces are those of the paper: all ordered partitions, orders without ties (T = N), and
// two tiers (T = 2).
const (
	AllOrders   = osm.AllOrders
	WithoutTies = osm.WithoutTies
	TwoTiers    = osm.TwoTiers
)

// Design is the parameters of a fit. In a vote the item at place k has the worth
//
//	v_k = s_r (u_i + c_i beta + x_k gamma)
//
// with the worth u_i of the item, its covariates c_i, the covariates x_k of the place (a home
// side, a length), and the reliability s_r of the rater. Item k above item l has the log
// potential (v_k - v_l)/2 + sum of b_b g_b(i, j), a tie that of [Ties] + z alpha + sum of
// a_a f_a(i, j), with the covariates z of the vote.
type Design struct {
	Items  int
	Ties   Ties
	Space  Space
	Item   Columns // of items: covariates c
	Places []string
	Votes  []string
	Pairs  osm.Features // f_a and g_b
	Raters int          // with a reliability each; 0: all are equal
	// Cluster keeps the votes of a rater together without giving raters a reliability, for errors that allow for
	// votes of one rater to be alike.
	Cluster bool
	// Units is the number of hidden units of a rater, as in the latent model: unit k, where a
	// rater has it, adds its weight w_ki to the worth of item i. See [Data.Tastes].
	Units int
}

// Columns are named covariates, a row for each item.
type Columns struct {
	Names  []string
	Values []float64 // rows times names
}

// Precision is the precision of normal priors, 0 for none: of worths around 0 (with covariates
// of items, around their regression), of tie deviations of items around 0, of reliabilities
// around 1, and of the weights of units around 0.
type Precision struct{ Worth, Tie, Reliability, Unit float64 }

// layout has the first index of every kind of parameter.
type layout struct {
	nu, tie, distance, beta, gamma, alpha, f, g, w, global, all int
}

func (d *Design) layout() (l layout) {
	at := d.Items
	take := func(n int) int { at += n; return at - n }
	one := func(there bool) int {
		if there {
			return 1
		}
		return 0
	}
	ties := d.Space != WithoutTies
	l.nu = take(one(ties))
	l.tie = take(d.Items * one(ties && d.Ties == ItemTies))
	l.distance = take(one(ties && d.Ties == DistanceTies))
	l.beta = take(len(d.Item.Names))
	l.gamma = take(len(d.Places))
	l.alpha = take(len(d.Votes) * one(ties))
	l.f = take(len(d.Pairs.Ties) * one(ties))
	l.g = take(len(d.Pairs.Orders))
	l.w = take(d.Units * d.Items)
	l.global = at
	l.all = at + d.Raters
	return l
}

// Dim is the number of parameters, reliabilities included.
func (d *Design) Dim() int { return d.layout().all }

// Name is the name of parameter k.
func (d *Design) Name(k int) string {
	l := d.layout()
	switch {
	case k < l.nu:
		return fmt.Sprintf("worth[%d]", k)
	case k < l.tie:
		return "nu"
	case k < l.distance:
		return fmt.Sprintf("tie[%d]", k-l.tie)
	case k < l.beta:
		return "distance"
	case k < l.gamma:
		return d.Item.Names[k-l.beta]
	case k < l.alpha:
		return d.Places[k-l.gamma]
	case k < l.f:
		return d.Votes[k-l.alpha]
	case k < l.g:
		return "tie " + d.Pairs.Ties[k-l.f].Name
	case k < l.w:
		return "order " + d.Pairs.Orders[k-l.g].Name
	case k < l.global:
		return fmt.Sprintf("unit %d of worth[%d]", (k-l.w)/d.Items+1, (k-l.w)%d.Items)
	}
	return fmt.Sprintf("reliability[%d]", k-l.global)
}

// start is the point at which a fit starts: equal worths, equal raters.
func (d *Design) start() []float64 {
	l := d.layout()
	theta := make([]float64, l.all)
	for k := l.global; k < l.all; k++ {
		theta[k] = 1
	}
	return theta
}

// redundant are ranges of parameters to which a constant can be added without a change of any
// distribution.
func (d *Design) redundant() [][2]int {
	l := d.layout()
	ranges := [][2]int{{0, d.Items}}
	if l.distance > l.tie {
		ranges = append(ranges, [2]int{l.tie, l.distance})
	}
	for k := range d.Units {
		ranges = append(ranges, [2]int{l.w + k*d.Items, l.w + (k+1)*d.Items})
	}
	return ranges
}

// check refuses covariates of items that are not finite, constant, or linear combinations of others, and centres the
// others: a constant on all worths changes nothing.
func (d *Design) check(p Precision) error {
	for _, v := range []float64{p.Worth, p.Tie, p.Reliability, p.Unit} {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("fit: a prior of precision %g; it must be 0 for none, or positive", v)
		}
	}
	if d.Items < 2 {
		return fmt.Errorf("fit: %d items; there is nothing to compare", d.Items)
	}
	if d.Raters > 0 && p.Reliability == 0 {
		return fmt.Errorf("fit: reliabilities need a prior: the scale of all of them and that of the worths are one")
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
