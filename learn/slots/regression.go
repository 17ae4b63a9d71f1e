package slots

import (
	"fmt"

	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/learn/ascent"
	"fubini/learn/cooccurrence"
	"fubini/model/latent"
)

// Precision of the prior on the coefficients, per list. That of an item's parameters stays
// the same however many lists there are; here it grows with them, because features that
// were found on the same lists do not become more reliable with their number.
// docs/quality.md has the figures.
const (
	precisionU = 0.4
	precisionW = 0.75
	precisionV = 0.25
)

// stepsPerEpoch is the number of steps of the coefficients in an epoch: each runs over all
// items.
const stepsPerEpoch = 16

// regression is that of the parameters of items on co-occurrence features: the prior mean
// of each is a linear function of the item's features, with coefficients common to all
// items. See docs/maths.md#co-occurrence.
type regression struct {
	*cooccurrence.Features
	run      *ascent.Run
	kinds    [3]kind           // of u, W and V
	columns  []float64         // of each feature, that of all items
	gradient *latent.Catalogue // of the lists since the last step
	lists    int               // in the gradient
}

// kind is one kind of an item's parameters.
type kind struct {
	width        int       // numbers of an item
	coefficients []float64 // dims by width
	first        []float64 // addition to the mean of the prior, by item; nil for none
	precision    float64   // of the prior on them
	squares      []float64 // of each feature: factor on the curvature
	now          []float64 // parameters, by item
	mean         []float64 // of their prior
	gradient     []float64
	curvature    *float64
}

// newRegression prepares the regression on the features of the state. The prior of the run
// gets its mean.
func newRegression(run *ascent.Run) (*regression, error) {
	s := run.State
	if c := s.CoOccurrence; c.U == nil && c.W == nil && c.V == nil {
		Begin(s, run.Seed)
	}
	r := &regression{Features: s.CoOccurrence, run: run, gradient: s.Now.New()}
	if run.Prior.Mean == nil { // else it has sampled tastes
		run.Prior.Mean = s.Now.New()
	}
	r.columns = make([]float64, len(r.Items))
	for i := range s.Now.Items {
		for d, v := range r.Of(i) {
			r.columns[d*s.Now.Items+i] = v
		}
	}
	single, both := r.squares()
	now, mean, gradient, h := s.Now, run.Prior.Mean, r.gradient, &s.Curvature
	r.kinds = [3]kind{
		{width: 1, precision: precisionU, squares: single, now: now.U, mean: mean.U, gradient: gradient.U, curvature: &h.U},
		{width: now.K, precision: precisionW, squares: single, now: now.W, mean: mean.W, gradient: gradient.W, curvature: &h.W},
		{width: len(now.V) / max(1, now.Items), precision: precisionV, squares: both, now: now.V, mean: mean.V, gradient: gradient.V, curvature: &h.V}, // the presence of all items of a list adds up
	}
	for k, from := range []*[]float64{&r.U, &r.W, &r.V} {
		each := &r.kinds[k]
		if *from == nil {
			*from = make([]float64, r.Dims*each.width)
		}
		if len(*from) != r.Dims*each.width {
			return nil, fmt.Errorf("slots: %d coefficients of co-occurrence features, where there are %d", len(*from), r.Dims*each.width)
		}
		each.coefficients = *from
		each.precision *= float64(len(run.Lists))
	}
	if t := s.Tastes; t != nil {
		r.kinds[0].first, r.kinds[1].first = t.U, t.W
		r.kinds[1].precision *= tasteFactor
	}
	r.predictAll()
	return r, nil
}

// predictAll writes the mean of the prior of every item.
func (r *regression) predictAll() {
	for k := range r.kinds {
		each := &r.kinds[k]
		for i := range r.gradient.Items {
			each.meanOf(i, r.Of(i), each.row(each.mean, i))
		}
	}
}

// The start of a run: the standard deviation of the coefficients of W and V, and the factor on the random start of W.
const (
	firstCoefficient = 0.03
	lessRandom       = 0.2
)

// Begin draws the first coefficients of W and V on the co-occurrence features of a state that is at its start, the same for both, because the items that
// somebody lists say that they like such items, and adds to the weights what the coefficients predict. At zero the gradient of W vanishes, and from small random
// weights of each item it takes dozens of epochs to leave that point; the features of co-occurrence are near the directions in which training leaves it.
func Begin(s *ascent.State, seed uint64) {
	c, now := s.CoOccurrence, s.Now
	vec.Scale(now.W, lessRandom)
	c.U, c.W, c.V = make([]float64, c.Dims), make([]float64, c.Dims*now.K), make([]float64, c.Dims*len(now.V)/max(1, now.Items))
	stream := rng.Stream(seed, "coefficients")
	for k := range c.W {
		c.W[k] = firstCoefficient * stream.NormFloat64()
	}
	copy(c.V, c.W)
	mean := make([]float64, now.K)
	for _, each := range []kind{{width: now.K, coefficients: c.W, now: now.W}, {width: now.K, coefficients: c.V, now: now.V}} {
		if len(each.now) == 0 {
			continue
		}
		for i := range now.Items {
			each.predict(c.Of(i), mean)
			vec.AddTimes(each.row(each.now, i), mean, 1)
		}
	}
}

// squares returns, for each feature, the sum of its squares over all places of lists, and
// the sum over lists of the square of its sum.
func (r *regression) squares() (single, both []float64) {
	single, both = make([]float64, r.Dims), make([]float64, r.Dims)
	sum, factors := make([]float64, r.Dims), []float64(nil)
	for i, n := range r.run.Times() {
		for d, v := range r.Of(i) {
			single[d] += float64(n * v * v)
		}
	}
	for _, list := range r.run.Lists {
		clear(sum)
		used := r.run.Used(list)
		factors = factors[:0]
		for range list.Items {
			factors = append(factors, used)
		}
		vec.AddRowsAt(sum, r.Items, list.Items, factors)
		for d, v := range sum {
			both[d] += v * v
		}
	}
	return single, both
}

func (k *kind) row(of []float64, i int) []float64 { return of[i*k.width : (i+1)*k.width] }

// meanOf writes the mean of the prior of an item with these features.
func (k *kind) meanOf(i int, features, mean []float64) {
	k.predict(features, mean)
	if k.first != nil {
		vec.AddTimes(mean, k.row(k.first, i), 1)
	}
}

// predict writes what the coefficients predict for an item with these features.
func (k *kind) predict(features, mean []float64) {
	clear(mean)
	vec.AddRows(mean, k.coefficients, features)
}

// add counts the lists of a batch; its update has added their gradients. After some of the
// batches of an epoch, the last among them, the coefficients make a step.
func (r *regression) add(tasks []*ascent.Task, batch int) {
	r.lists += len(tasks)
	all := (len(r.run.Lists) + r.run.Batch - 1) / r.run.Batch
	if every := (all + stepsPerEpoch - 1) / stepsPerEpoch; batch%every == 0 || batch == all {
		r.step(r.run.CurrentRate())
	}
}

// addSlopes adds the gradients of the coefficients of every so many features, those of a worker. Every sum is in the order of the items.
func (r *regression) addSlopes(of *kind, slopes []float64, worker, jobs int) {
	const piece = 128 // items whose gradients stay in the cache while all features use them
	items, width := r.gradient.Items, of.width
	for from := 0; from < items && width > 0; from += piece {
		to := min(from+piece, items)
		for d := worker; d < r.Dims; d += jobs {
			vec.AddRows(slopes[d*width:(d+1)*width], of.gradient[from*width:to*width], r.columns[d*items+from:d*items+to])
		}
	}
}

// step makes a step of the coefficients, by the gradients since the last. All parameters
// move with them: the difference between a parameter and its prior mean stays. Features,
// and then items, are divided among the workers.
func (r *regression) step(rate float64) {
	jobs := r.run.Workers()
	whole := float64(len(r.run.Lists)) / float64(r.lists)
	r.lists = 0
	for k := range r.kinds {
		each := &r.kinds[k]
		slopes := make([]float64, len(each.coefficients))
		r.run.Together(func(w int) {
			r.addSlopes(each, slopes, w, jobs)
			for d := w; d < r.Dims; d += jobs {
				step := rate / (each.precision + each.squares[d]**each.curvature)
				for k, v := range slopes[d*each.width : (d+1)*each.width] {
					a := &each.coefficients[d*each.width+k]
					*a += step * (whole*v - each.precision**a)
				}
			}
		})
		means := make([]float64, jobs*each.width)
		r.run.EachItem(func(w, i int) {
			mean := each.row(means, w)
			each.meanOf(i, r.Of(i), mean)
			old, to := each.row(each.mean, i), each.row(each.now, i)
			for k, v := range mean {
				to[k] += v - old[k]
			}
			copy(old, mean)
			clear(each.row(each.gradient, i))
		})
	}
}
