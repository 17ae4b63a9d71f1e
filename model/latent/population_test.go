package latent_test

import (
	"bytes"
	"encoding/gob"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"fubini/model/latent"
	"fubini/model/latent/planted"
)

// A list is read as its units are expected by conditioning in the joint normal distribution of the terms of all items that the
// person would have placed: those of the list and those to come.
func TestShortListsAreReadByConditioning(t *testing.T) {
	const length, terms = 7, latent.Terms
	c := planted.WithPopulation(t, planted.Full(latent.Gaussian, 9, 3), length)
	list := planted.List(t, "0~2 > 1 > 3", 5, 1, 0, 7)
	n := len(list.Items)
	got, raw := make([]float64, c.K), make([]float64, c.K)
	var m latent.Model
	c.Embed(&m, list.Items, list.Order, got)
	c.Refill(&m, list.Items)
	m.Posterior(list.Order, raw)
	surplus := c.Surplus(list.Items, nil, nil)
	for k := range c.K {
		p := c.Population
		b := mat.NewDense(terms, terms, p.Between[k*terms*terms:(k+1)*terms*terms])
		w := mat.NewDense(terms, terms, p.Within[k*terms*terms:(k+1)*terms*terms])
		// The covariance of the terms of all items, and what the known ones are above their means.
		cov, known := mat.NewDense(length*terms, length*terms, nil), mat.NewVecDense(n*terms, nil)
		for i := range length {
			for j := range length {
				to := cov.Slice(i*terms, (i+1)*terms, j*terms, (j+1)*terms).(*mat.Dense)
				to.Copy(b)
				if i == j {
					to.Add(to, w)
				}
			}
		}
		sums := make([]float64, terms) // of the terms over all items
		for at, i := range list.Items {
			weight := c.W[i*c.K+k]
			for term, v := range []float64{c.ItemScore(list.Order, list.Order.BlockOf(at)) * weight, c.V[i*c.K+k], surplus[at] * weight} {
				sums[term] += v
				known.SetVec(at*terms+term, v-p.Mean[k*terms+term])
			}
		}
		before := sums[0] + sums[1]*latent.Presence(n)
		var solved mat.VecDense
		if err := solved.SolveVec(cov.Slice(0, n*terms, 0, n*terms), known); err != nil {
			t.Fatal(err)
		}
		for i := n; i < length; i++ {
			for term := range terms {
				at := i*terms + term
				sums[term] += p.Mean[k*terms+term] + mat.Dot(cov.RowView(at).(*mat.VecDense).SliceVec(0, n*terms), &solved)
			}
		}
		want := raw[k] - before + sums[0] + sums[1]/math.Sqrt(length)
		if !(math.Abs(got[k]-want) <= 1e-6) {
			t.Errorf("unit %d: %g, by conditioning %g, as it stands %g", k, got[k], want, raw[k])
		}
	}
}

// A list as long as those in training, or longer, is read as it stands, to the bit; with fewer items it is not. A person without a list has
// the means over people.
func TestListsOfTheUsualLength(t *testing.T) {
	plain := planted.Full(latent.Gaussian, 9, 3)
	list := planted.List(t, "0~2 > 1 > 3", 5, 1, 0, 7)
	embed := func(c *latent.Catalogue) []float64 {
		units := make([]float64, c.K)
		c.Embed(new(latent.Model), list.Items, list.Order, units)
		return units
	}
	for _, length := range []float64{3, 4, 5} {
		c := planted.WithPopulation(t, plain, length)
		if same := slices.Equal(embed(c), embed(plain)); same != (length <= 4) {
			t.Errorf("lists of %g in training: four items are read %v, as they stand %v", length, embed(c), embed(plain))
		}
		for k, mean := range c.PriorMeans() {
			p := c.Population
			if want := c.B[k] + length*p.Mean[k*latent.Terms] + math.Sqrt(length)*p.Mean[k*latent.Terms+1]; !(math.Abs(mean-want) <= 1e-12) {
				t.Errorf("unit %d of a person without a list: %g, over people %g", k, mean, want)
			}
		}
	}
}

// Moments that cannot be are refused.
func TestNoSuchPopulation(t *testing.T) {
	good := func() [3][]float64 { return [3][]float64{make([]float64, 6), make([]float64, 18), make([]float64, 18)} }
	if m := good(); true {
		if _, err := latent.NewPopulation(2, 5, m[0], m[1], m[2]); err != nil {
			t.Error(err)
		}
	}
	for name, spoil := range map[string]func(m *[3][]float64, length *float64){
		"too few":      func(m *[3][]float64, _ *float64) { m[1] = m[1][:17] },
		"not a number": func(m *[3][]float64, _ *float64) { m[2][3] = math.NaN() },
		"no length":    func(_ *[3][]float64, length *float64) { *length = 0 },
		"endless":      func(_ *[3][]float64, length *float64) { *length = math.Inf(1) },
	} {
		m, length := good(), 5.0
		spoil(&m, &length)
		if _, err := latent.NewPopulation(2, length, m[0], m[1], m[2]); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

// A catalogue that went through gob reads lists as before, and so does a selection of all its items.
func TestPopulationTravels(t *testing.T) {
	c := planted.WithTogether(t, planted.WithPopulation(t, planted.Full(latent.Gaussian, 9, 3), 6), 1, 2)
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(c); err != nil {
		t.Fatal(err)
	}
	var sent latent.Catalogue
	if err := gob.NewDecoder(&b).Decode(&sent); err != nil {
		t.Fatal(err)
	}
	list := planted.List(t, "0~2 > 1 > 3", 5, 1, 0, 7)
	want := make([]float64, c.K)
	c.Embed(new(latent.Model), list.Items, list.Order, want)
	for _, other := range []*latent.Catalogue{&sent, c.Select([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}), c.Clone()} {
		got := make([]float64, c.K)
		other.Embed(new(latent.Model), list.Items, list.Order, got)
		if !slices.Equal(got, want) {
			t.Errorf("units %v, before %v", got, want)
		}
	}
}
