package latent_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"fubini/model/latent"
	"fubini/model/latent/planted"
)

// What a list says of units that are read together is the posterior mean of the coordinates in a normal linear model of what people say of items beyond a
// mean of their own, where each unit by itself has what lists have of it on average: by conditioning in the joint normal distribution of coordinates and values. Units
// that are not read together stay as they are.
func TestUnitsTogether(t *testing.T) {
	const units = 2
	by := planted.WithPopulation(t, planted.Full(latent.Gaussian, 9, 3), 6)
	c := planted.WithTogether(t, by, 0.7, 2)
	for name, text := range map[string]string{"short": "0~2 > 1 > 3", "long": "0 > 1 > 2 > 3~4 > 5 > 6"} {
		items := []int{5, 1, 0, 7, 3, 8, 2}
		if name == "short" {
			items = items[:4]
		}
		list := planted.List(t, text, items...)
		embed := func(c *latent.Catalogue) []float64 {
			out := make([]float64, c.K)
			c.Embed(new(latent.Model), list.Items, list.Order, out)
			return out
		}
		alone, got, average := embed(by), embed(c), c.PriorMeans()
		if got[2] != alone[2] {
			t.Errorf("%s: a unit that is read by itself is %g, before %g", name, got[2], alone[2])
		}
		// Values y = A x + e about their mean, A the centred weights, with the precision of e that makes a long list one of six items. The items that a
		// short one lacks are known as well: their part of the precision of x is that of all lists.
		n := len(items)
		missing := max(0, 1-float64(n)/6)
		a := mat.NewDense(n, units, nil)
		for k := range units {
			mean := 0.0
			for _, i := range items {
				mean += c.W[i*c.K+k] / float64(n)
			}
			for at, i := range items {
				a.Set(at, k, (c.W[i*c.K+k]-mean)*math.Sqrt(min(1, 6/float64(n))))
			}
		}
		cov := mat.NewDense(n, n, nil) // of the values: A H^-1 A' + 1
		s := c.Population.Together.Scatter
		h, all := mat.NewDense(units, units, []float64{0.7 + missing*s[0], missing * s[2], missing * s[2], 2 + missing*s[3]}), mat.NewSymDense(units, nil)
		var inverse, ah, d mat.Dense
		if err := inverse.Inverse(h); err != nil {
			t.Fatal(err)
		}
		ah.Mul(a, &inverse)
		cov.Mul(&ah, a.T())
		for at := range n {
			cov.Set(at, at, cov.At(at, at)+1)
		}
		for k := range units {
			for j := range k + 1 {
				all.SetSym(k, j, s[k*units+j]+h.At(k, j)-missing*s[k*units+j])
			}
		}
		// Values with A'y = (H + T) d: y = A (A'A)^-1 (H + T) d.
		beyond := mat.NewVecDense(units, []float64{alone[0] - average[0], alone[1] - average[1]})
		var square mat.Dense
		var says, coordinates, y, solved, x mat.VecDense
		square.Mul(a.T(), a)
		says.MulVec(all, beyond)
		if err := coordinates.SolveVec(&square, &says); err != nil {
			t.Fatal(err)
		}
		y.MulVec(a, &coordinates)
		if err := solved.SolveVec(cov, &y); err != nil {
			t.Fatal(err)
		}
		d.Mul(&inverse, a.T())
		x.MulVec(&d, &solved)
		for k := range units {
			if want := average[k] + x.AtVec(k); !(math.Abs(got[k]-want) <= 1e-9) || !(math.Abs(alone[k]-want) > 1e-3) {
				t.Errorf("%s, unit %d: %g, by conditioning %g, by itself %g", name, k, got[k], want, alone[k])
			}
		}
	}
	// Where the list is as lists are on average, units are read as each by itself.
	same := *c.Population
	list := planted.List(t, "0~2 > 1 > 3", 5, 1, 0, 7)
	sum := make([]float64, units*units)
	c.Scatter(list.Items, 6./4, make([]float64, units), sum)
	var err error
	if same.Together, err = latent.NewTogether(c.K, []float64{0.7, 2}, sum); err != nil {
		t.Fatal(err)
	}
	c.Population = &same
	want, got := make([]float64, c.K), make([]float64, c.K)
	by.Embed(new(latent.Model), list.Items, list.Order, want)
	c.Embed(new(latent.Model), list.Items, list.Order, got)
	for k := range want {
		if !(math.Abs(got[k]-want[k]) <= 1e-12) {
			t.Errorf("unit %d of an average list: %g, by itself %g", k, got[k], want[k])
		}
	}
}

// Units that cannot be read together are refused.
func TestNoSuchTogether(t *testing.T) {
	for name, try := range map[string]struct{ ridge, scatter []float64 }{
		"none":         {nil, nil},
		"too many":     {[]float64{1, 1, 1}, make([]float64, 9)},
		"too few":      {[]float64{1, 1}, make([]float64, 3)},
		"no prior":     {[]float64{1, 0}, make([]float64, 4)},
		"endless":      {[]float64{1, math.Inf(1)}, make([]float64, 4)},
		"not a number": {[]float64{1, 1}, []float64{1, 0, math.NaN(), 1}},
	} {
		if _, err := latent.NewTogether(2, try.ridge, try.scatter); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if _, err := latent.NewTogether(2, []float64{1, 2}, slices.Repeat([]float64{1}, 4)); err != nil {
		t.Error(err)
	}
}
