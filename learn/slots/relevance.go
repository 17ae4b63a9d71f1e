package slots

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"fubini/core/vec"
	"fubini/learn/ascent"
	"fubini/model/latent"
)

// relevance learns how much the weights of each unit vary between items: automatic relevance determination. The precision of the
// prior on the weights of a unit is the one whose second moment equals the posterior's, by one step of EM after every
// epoch of the first half but the first ones. Before each step the units are turned to the principal axes of the weights, which
// changes no probability. See docs/maths.md#relevance.
type relevance struct {
	*fit
	precision float64    // of the prior, before anything is learned
	first     int        // epochs before the first step
	moments   *mat.Dense // of the gradients of the units' means, over the places of lists of this epoch
	lists     int        // of this epoch
}

const (
	firstEpochs = 2 // before the first step, or firstShare of all where items are in many lists
	firstShare  = 1. / 12
	priorItems  = 0.3 // weight of the prior's own precision, as a share of the number of items
	// earlyFactor is that of the precision before the first step where items are in many lists. Under the whole precision a unit that
	// is a little too weak never grows, and nothing is left by which to learn that it is relevant; a unit of noise has time to shrink.
	earlyFactor = 0.5
	// Every comparison of two items enters the slot likelihood twice, once for either item: gradients are twice those of the
	// likelihood, the second derivative is twice as large, and squared gradients are four times the information.
	twice = 2.0
)

// newRelevance prepares the learning for a fit. The prior of the run gets the factors that the state has.
func newRelevance(f *fit) *relevance {
	first, factor := firstEpochs, 1.0
	if f.many {
		first = max(first, int(firstShare*float64(f.Epochs)))
		if 2*(max(first, f.State.Epoch)+1) <= f.Epochs { // a step is to come
			factor = earlyFactor
		}
	}
	if f.State.Units == nil {
		f.State.Units = make([]float64, f.Hidden)
		for k := range f.State.Units {
			f.State.Units[k] = factor
		}
	}
	f.Prior.Units = f.State.Units
	return &relevance{fit: f, precision: f.Prior.W, first: first, moments: mat.NewDense(f.Hidden, f.Hidden, nil)}
}

// add counts the lists of a batch, and makes a step after the last of an epoch in which precisions are learned.
func (r *relevance) add(tasks []*ascent.Task) {
	if done := r.State.Epoch + 1; done <= r.first || 2*done > r.Epochs {
		return
	}
	k := r.Hidden
	sums := r.moments.RawMatrix().Data
	for _, t := range tasks {
		mean := t.Gradient.WithoutW().B
		for a, v := range mean {
			vec.AddTimes(sums[a*k:(a+1)*k], mean, v*float64(len(t.List.Items)))
		}
	}
	if r.lists += len(tasks); r.lists < len(r.Lists) {
		return
	}
	r.lists = 0
	r.step()
	r.moments.Zero()
}

// step turns the units and learns their precisions.
func (r *relevance) step() {
	turn, ok := r.axes()
	if !ok { // a parameter is not finite; the run says so after the epoch
		return
	}
	r.turn(turn)
	var moments mat.Dense
	moments.Product(turn.T(), r.moments, turn)
	var all float64
	for k := range r.Hidden {
		all += moments.At(k, k)
	}
	if all == 0 {
		return
	}
	for k, factor := range r.State.Units {
		// The curvature of W is the sum over units; a unit's share is that of its squared gradients.
		information := r.State.Curvature.W * moments.At(k, k) / all / (twice * twice)
		precision := r.precision * factor / twice
		var square, items float64
		for i, n := range r.Times() {
			if n > 0 {
				d := r.deviation(i, k)
				square += d*d + 1/(precision+n*information)
				items++
			}
		}
		variance := (square + priorItems*items*twice/r.precision) / (items + priorItems*items)
		r.State.Units[k] = twice / variance / r.precision
	}
}

// deviation is that of an item's weight of a unit from its prior mean.
func (r *relevance) deviation(item, unit int) float64 {
	at := item*r.Hidden + unit
	if r.Prior.Mean == nil {
		return r.State.Now.W[at]
	}
	return r.State.Now.W[at] - r.Prior.Mean.W[at]
}

// axes returns the principal axes of the deviations as columns, those with most variance first.
func (r *relevance) axes() (*mat.Dense, bool) {
	k := r.Hidden
	sums, d := make([]float64, k*k), make([]float64, k)
	for i, n := range r.Times() {
		if n == 0 {
			continue
		}
		for j := range d {
			d[j] = r.deviation(i, j)
		}
		for a, v := range d {
			vec.AddTimes(sums[a*k:(a+1)*k], d, v)
		}
	}
	for _, v := range sums {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, false
		}
	}
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(k, sums), true) {
		return nil, false
	}
	var ascending mat.Dense
	e.VectorsTo(&ascending)
	turn := mat.NewDense(k, k, nil)
	for j := range k {
		turn.SetCol(j, mat.Col(nil, k-1-j, &ascending))
	}
	return turn, true
}

// turn expresses everything that has a number for each unit in new units. Units are normal with equal variance, so that no
// probability of an order depends on the axes.
func (r *relevance) turn(by *mat.Dense) {
	for _, c := range []*latent.Catalogue{r.State.Now, r.State.Mean, r.State.Best} {
		if c != nil {
			turnRows(c.W, by)
			turnRows(c.V, by)
			turnRows(c.B, by)
			turnRows(c.NuK, by)
		}
	}
	if r.regression != nil {
		turnRows(r.regression.W, by)
		turnRows(r.regression.V, by)
		r.regression.predictAll()
	}
}

// turnRows multiplies rows of numbers of units by a matrix.
func turnRows(rows []float64, by *mat.Dense) {
	k, _ := by.Dims()
	matrix, row := by.RawMatrix().Data, make([]float64, k)
	for ; len(rows) > 0; rows = rows[k:] {
		copy(row, rows[:k])
		clear(rows[:k])
		vec.AddRows(rows[:k], matrix, row)
	}
}
