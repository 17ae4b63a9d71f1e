package slots

import (
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/learn/ascent"
	"fubini/model/latent"
	"fubini/model/latent/planted"
	"fubini/model/osm"
)

// over integrates a function of independent normal numbers with these means and variances, by three points of
// Gauss and Hermite for each: exact for polynomials of degree five in each number.
func over(means, variances []float64, f func(x []float64) float64) float64 {
	x := make([]float64, len(means))
	var at func(k int) float64
	at = func(k int) (sum float64) {
		if k == len(x) {
			return f(x)
		}
		far := math.Sqrt(3 * variances[k])
		for _, p := range []struct{ by, weight float64 }{{-far, 1. / 6}, {0, 2. / 3}, {far, 1. / 6}} {
			x[k] = means[k] + p.by
			sum += p.weight * at(k+1)
		}
		return sum
	}
	return at(0)
}

// With the weights of two listed items and of a third uncertain, the mean of its score is the score at the means: to integrate
// over the parameters changes no score by itself. Its variance, given the embedding, is that by scoreVariance.
func TestUncertainParameters(t *testing.T) {
	prior, h := &ascent.Prior{U: 3, W: 2}, ascent.Curvature{U: 0.5, W: 1.3}
	activations := []float64{1.1, math.Sqrt(h.W/h.U - 1.1*1.1)} // their square is the ratio of the curvatures
	const n = 4
	u, w := 1/(prior.U+n*h.U), 1/(prior.W+n*h.W/2)
	means, variances := []float64{0.3, -0.4, 0.8}, []float64{u, w, w}
	score := func(x []float64) float64 { return x[0] + vec.Dot(x[1:], activations) }
	mean := over(means, variances, score)
	square := over(means, variances, func(x []float64) float64 { return (score(x) - mean) * (score(x) - mean) })
	if got := scoreVariance(2, prior, h, n); !(math.Abs(got-square) < 1e-12) {
		t.Errorf("the variance of a score is %g, by quadrature %g", got, square)
	}
	// One unit, scores 1 and -0.5 of the listed items: u + w (w1 - w2/2).
	whole := func(x []float64) float64 { return x[0] + x[1]*(x[2]-x[3]/2) }
	means, variances = []float64{0.3, -0.4, 0.8, 0.2}, []float64{u, w, 0.7, 0.2}
	if got, want := over(means, variances, whole), whole(means); !(math.Abs(got-want) < 1e-12) {
		t.Errorf("the mean of a score is %g, the score at the means %g", got, want)
	}
}

// The log odds of a logistic average over a normal score, by quadrature, are those with the factor, to within 3 %; without it they
// are up to 30 % too high.
func TestFlattened(t *testing.T) {
	for _, variance := range []float64{0.01, 0.1, 0.3} {
		const size, score = 2, 0.6
		var above, total float64
		for x := -8.0; x <= 8; x += 1e-3 {
			weight := math.Exp(-x * x / 2)
			above += weight / (1 + math.Exp(-size*(score+x*math.Sqrt(2*variance))))
			total += weight
		}
		p := above / total
		want := math.Log(p / (1 - p))
		if got := size * score * flattened(size, variance); !(math.Abs(got-want) < 0.03*want) {
			t.Errorf("variance %g: log odds %g, by quadrature %g", variance, got, want)
		}
		if variance == 0.3 && !(size*score > 1.2*want) {
			t.Errorf("variance %g: the factor does nothing", variance)
		}
	}
}

// A rare item comes nearer to the middle, a frequent one does not; the mean factor over places is 1; nothing else changes, and
// the given parameters stay. Items in equally many lists keep all parameters.
func TestDiscounted(t *testing.T) {
	c := latent.Shape{Items: 3, K: 2, Units: latent.Gaussian, Presence: true, Options: latent.Options{Size: 2, Centred: true}}.New()
	r := rng.Stream(1, "discount")
	for k := range c.Values {
		c.Values[k] = r.NormFloat64()
	}
	before := c.Clone()
	prior, h := &ascent.Prior{U: 3, W: 2}, ascent.Curvature{U: 0.5, W: 1.3}
	times := []float64{1, 10, 100}
	d := Discounted(c, prior, h, times)
	var mean, sum float64
	for i, n := range times {
		mean += n / 111 * c.U[i]
		sum += n / 111 * d.W[2*i] / c.W[2*i]
	}
	if !(math.Abs(sum-1) < 1e-12) {
		t.Errorf("the mean factor is %g", sum)
	}
	last := 0.0
	for i := range times {
		f := d.W[2*i] / c.W[2*i]
		if !(f > last) || !(math.Abs(d.W[2*i+1]-f*c.W[2*i+1]) < 1e-12) || !(math.Abs(d.U[i]-mean-f*(c.U[i]-mean)) < 1e-12) {
			t.Errorf("item %d: factor %g, after %g; worth %g of %g", i, f, last, d.U[i], c.U[i])
		}
		last = f
	}
	if !(math.Abs(d.W[0]/c.W[0]*flattened(2, scoreVariance(2, prior, h, 10))-d.W[2]/c.W[2]*flattened(2, scoreVariance(2, prior, h, 1))) < 1e-12) {
		t.Error("factors are not in proportion")
	}
	copy(d.U, c.U)
	copy(d.W, c.W)
	for k, v := range c.Values {
		if v != before.Values[k] || v != d.Values[k] {
			t.Fatalf("parameter %d changed", k)
		}
	}
	for k, v := range Discounted(c, prior, h, []float64{7, 7, 7}).Values {
		if !(math.Abs(v-c.Values[k]) < 1e-12) {
			t.Errorf("parameter %d of items in equally many lists: %g becomes %g", k, c.Values[k], v)
		}
	}
	// Without a prior an item in no list has no posterior, and is not moved to the middle.
	d = Discounted(c, &ascent.Prior{}, h, []float64{0, 5, 5})
	if !(d.W[0]/c.W[0] >= 1) || !(math.Abs(d.W[2]-c.W[2]) < 1e-12) {
		t.Errorf("no prior, no list: factors %g and %g", d.W[0]/c.W[0], d.W[2]/c.W[2])
	}
}

// A fit is discounted by its own curvature, unless told not to; one from a point to start from is not.
func TestFitDiscounts(t *testing.T) {
	const items = 12
	lists, _ := planted.Circles(12, items, 3, 0.5, 1)
	lists = append(lists[:10:10], lists[0], lists[0]) // some items more often than others
	o := plainly(4, 5)
	var end *ascent.State
	o.Save = func(s *ascent.State) error { end = s.Clone(); return nil }
	fit := func() *latent.Catalogue {
		fitted, err := o.Fit(t.Context(), items, osm.Pack(lists))
		if err != nil {
			t.Fatal(err)
		}
		return fitted.Catalogue
	}
	same := func(a, b *latent.Catalogue) bool {
		for k, v := range a.Values {
			if v != b.Values[k] {
				return false
			}
		}
		return true
	}
	got := fit()
	times := make([]float64, items)
	for _, list := range lists {
		for _, i := range list.Items {
			times[i]++
		}
	}
	point := end.Point(false)
	if !same(got, Discounted(point, &o.Prior, end.Curvature, times)) || same(got, point) {
		t.Error("the fit is not its point, discounted")
	}
	o.Discount = false
	if !same(fit(), point) {
		t.Error("discounted without Discount")
	}
	o.Discount, o.Save = true, nil
	o.WarmStart(point, make([]uint32, items))
	with := fit()
	o.Discount = false
	if !same(with, fit()) {
		t.Error("discounted once more from a point to start from")
	}
}
