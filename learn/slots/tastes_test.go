package slots

import (
	"math"
	"slices"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/learn/ascent"
	"fubini/model/latent"
	"fubini/model/osm"
)

// rated draws people who each rate 50 of 200 items, drawn at random, on a scale of five: the worth of an item, three tastes of this strength, and noise.
// It returns what everybody thinks of every item less the mean over people, too.
func rated(t *testing.T, people int, strength float64) (lists []osm.Packed, items int, own [][]float64) {
	t.Helper()
	items = 200
	r := rng.Stream(5, "rated")
	worth, quality := make([]float64, items), make([][3]float64, items)
	for i := range items {
		worth[i], quality[i] = 0.5*r.NormFloat64(), [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	}
	var plain []osm.List
	for range people {
		taste := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		order, suits := make([]int, items), make([]float64, items)
		rng.Permutation(r, order)
		list := osm.List{Items: slices.Sorted(slices.Values(order[:50]))}
		for i, q := range quality {
			suits[i] = strength * vec.Dot(taste[:], q[:])
		}
		var values []float64
		for _, i := range list.Items {
			values = append(values, max(-2, min(2, math.Round(worth[i]+suits[i]+r.NormFloat64()))))
		}
		var err error
		if list.Order, err = partition.FromScores(values); err != nil {
			t.Fatal(err)
		}
		plain, own = append(plain, list), append(own, suits)
	}
	return osm.Pack(plain), items, own
}

// found is the correlation of what a fit says of people, beyond the worths of items, with what was planted.
func found(c *latent.Catalogue, lists []osm.Packed, own [][]float64) float64 {
	var un osm.Unpacker
	var m latent.Model
	var xy, xx, yy float64
	units := make([]float64, c.K)
	for l, list := range lists {
		whole := un.List(list)
		c.Embed(&m, whole.Items, whole.Order, units)
		for i, y := range own[l] {
			x := vec.Dot(units, c.W[i*c.K:(i+1)*c.K])
			xy, xx, yy = xy+x*y, xx+x*x, yy+y*y
		}
	}
	return xy / math.Sqrt(xx*yy)
}

func fitted(t *testing.T, items int, lists []osm.Packed, o Options) *latent.Catalogue {
	t.Helper()
	e, err := o.Fit(t.Context(), items, lists)
	if err != nil {
		t.Fatal(err)
	}
	return e.Catalogue
}

// Weak tastes in long lists are chosen to be sampled, and better found by it; not so where the directions are those of other items. A fit has the
// same bits on any number of goroutines, and takes half of the epochs.
func TestSampledTastes(t *testing.T) {
	if testing.Short() {
		t.Skip("whole fits: not with -short")
	}
	lists, items, own := rated(t, 300, 0.4)
	o := resolved(t, items, lists, func(*Options) {})
	if o.Prior.Tastes != ascent.Always {
		t.Fatal("sampled tastes were not chosen")
	}
	never := resolved(t, items, lists, func(o *Options) { o.Prior.ByRule, o.Prior.Tastes = true, ascent.Never })
	if want := never.Epochs / 2; o.Epochs != want {
		t.Errorf("%d epochs, expected %d", o.Epochs, want)
	}
	with := fitted(t, items, lists, o)
	better, before := found(with, lists, own), found(fitted(t, items, lists, never), lists, own)
	if !(better > before+0.08) {
		t.Errorf("correlation with the planted tastes %.3f, without sampling %.3f", better, before)
	}
	// The units of tastes are read together, which finds more than each by itself does, and more than with other people's items.
	alone, people := with.Clone(), *with.Population
	people.Together = nil
	alone.Population = &people
	if each := found(alone, lists, own); !(better > each+0.003) {
		t.Errorf("correlation with the planted tastes %.4f by units together, each by itself %.4f", better, each)
	}
	broken := o
	tastes, err := tastesOf(t.Context(), items, o.Hidden, o.Size, lists, tasteSweeps, o.Seed, 2)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(tastes.W)
	broken.sampled = tastes
	if worse := found(fitted(t, items, lists, broken), lists, own); !(worse < before) {
		t.Errorf("correlation with the planted tastes %.3f by directions of other items, without any %.3f", worse, before)
	}
	o.Jobs = 1
	if one := fitted(t, items, lists, o); !slices.Equal(one.W, with.W) || !slices.Equal(one.U, with.U) || !slices.Equal(one.V, with.V) {
		t.Error("one goroutine fits something else than two")
	}
}

// Where there are no tastes, nothing is gained by sampling them, and where lists are short it is not tried.
func TestNoTastes(t *testing.T) {
	if testing.Short() {
		t.Skip("whole fits: not with -short")
	}
	lists, items, _ := rated(t, 300, 0)
	if o := resolved(t, items, lists, func(*Options) {}); o.Prior.Tastes != ascent.Never {
		t.Error("sampled tastes were chosen where there are none")
	}
	h := newHeldBack(items, lists, Defaults())
	short, _ := goldenPeople(t, 100, 40)
	if !h.long() || newHeldBack(40, osm.Pack(short), Defaults()).long() {
		t.Error("lists of 50 are long, lists of 12 are not")
	}
}

// The leading directions of a matrix are those that it was made of, and the rest is orthonormal.
func TestLeading(t *testing.T) {
	const rows, n = 150, 30
	r := rng.Stream(2, "leading")
	planted, m := make([]float64, 2*n), make([]float64, rows*n)
	for k := range planted {
		planted[k] = r.NormFloat64()
	}
	orthonormalise(planted, n)
	var squares [2]float64
	for p := range rows {
		for k, size := range []float64{3, 1} {
			x := size * r.NormFloat64()
			squares[k] += x * x
			vec.AddTimes(m[p*n:(p+1)*n], planted[k*n:(k+1)*n], x)
		}
	}
	axes, values, ok := leading(m, n, 3, 1, 2)
	if !ok || len(values) != 3 {
		t.Fatal(values)
	}
	for k, total := range []float64{vec.Dot(axes[:n], planted[:n]), vec.Dot(axes[n:2*n], planted[n:])} {
		if !(math.Abs(total) > 0.95) || !(math.Abs(values[k]/squares[k]-1) < 0.1) {
			t.Errorf("direction %d: cosine %.3f, square %.1f, planted %.1f", k, total, values[k], squares[k])
		}
	}
	if !(values[2] < 1e-9*values[0]) || !(math.Abs(vec.Dot(axes[:n], axes[n:2*n])) < 1e-9) {
		t.Errorf("squares %g, of a matrix of rank 2; product of the axes %g", values, vec.Dot(axes[:n], axes[n:2*n]))
	}
}

// Normal scores rise with the tier, are alike in a tier, and have mean zero; without ties they have mean square 1.
func TestNormalScores(t *testing.T) {
	scores := normalScores(osm.Packed{Items: []uint32{0, 1, 2, 3}, Tiers: []uint16{2, 0, 3, 1}})
	var sum, square float64
	for _, v := range scores {
		sum, square = sum+float64(v), square+float64(v)*float64(v)
	}
	if !(math.Abs(sum) < 1e-6) || !(math.Abs(square-4) < 1e-5) || !(scores[1] > scores[3] && scores[3] > scores[0] && scores[0] > scores[2]) {
		t.Errorf("scores %v", scores)
	}
	if tied := normalScores(osm.Packed{Items: []uint32{0, 1, 2}, Tiers: []uint16{0, 1, 0}}); tied[0] != tied[2] || !(tied[0] > tied[1]) || !(math.Abs(float64(2*tied[0]+tied[1])) < 1e-6) {
		t.Errorf("with a tie %v", tied)
	}
}
