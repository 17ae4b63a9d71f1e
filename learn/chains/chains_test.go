package chains_test

import (
	"math"
	"strings"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/learn/ascent"
	"fubini/learn/chains"
	"fubini/model/latent"
	"fubini/model/osm"
)

// planted draws tier lists of all four items from a latent model.
func plantedUnits(t testing.TB, units latent.Units, people int) []osm.List {
	t.Helper()
	c := latent.NewCatalogue(4, 1, units, latent.Options{Size: 2, Centred: true})
	copy(c.U, []float64{0.6, -0.2, 0.1, -0.5})
	copy(c.W, []float64{1.5, 1.2, -1.3, -1.4})
	all := []int{0, 1, 2, 3}
	m := must[*latent.Model](t)(c.Model(all))
	list := must[*exact.Listing](t)(exact.List(m, partition.Space{}))
	r := rng.Stream(1, "planted units")
	lists := make([]osm.List, people)
	for l := range lists {
		lists[l] = osm.List{Items: all, Order: partition.OneBlock(4)}
		list.Draw(r, lists[l].Order)
	}
	return lists
}

// ascend climbs the penalised log likelihood by its exact gradient, a sum over all
// 75 tier lists, to where it is flat.
func ascend(t testing.TB, lists []osm.List, units latent.Units, priorW, priorU float64) *latent.Catalogue {
	t.Helper()
	c := latent.NewCatalogue(4, 1, units, latent.Options{Size: 2, Centred: true})
	copy(c.W, []float64{0.1, 0.1, -0.1, -0.1})
	all := []int{0, 1, 2, 3}
	total := float64(len(lists))
	var contrast latent.Contrast
	const steps, rate = 5000, 0.3
	for step := range steps {
		m := must[*latent.Model](t)(c.Model(all))
		list := must[*exact.Listing](t)(exact.List(m, partition.Space{}))
		weight := map[string]float64{} // of each tier list: how often it was seen more than expected
		for x, p := range list.All() {
			weight[x.String()] -= total * p
		}
		for _, l := range lists {
			weight[l.Order.String()]++
		}
		reference := partition.OneBlock(4) // weights sum to zero, so it does not matter
		var nu, slope float64
		u, w := make([]float64, 4), make([]float64, 4)
		for x := range list.All() {
			contrast.Observe(m, x, 1)
			contrast.Draw(m, reference)
			nu += weight[x.String()] * contrast.Nu
			for i := range u {
				u[i] += weight[x.String()] * contrast.U[i]
				contrast.AddWeights(i, weight[x.String()], w[i:i+1])
			}
		}
		for i := range u {
			u[i] -= priorU * c.U[i]
			w[i] -= priorW * c.W[i]
			c.U[i] += rate * u[i] / total
			c.W[i] += rate * w[i] / total
			slope = math.Max(slope, math.Max(math.Abs(u[i]), math.Abs(w[i])))
		}
		*c.Nu += rate * nu / total
		if slope = math.Max(slope, math.Abs(nu)); slope < 1e-4*total {
			return c
		}
		if step == steps-1 {
			t.Fatalf("no flat point was found: slope %g", slope)
		}
	}
	return c
}

// Stochastic approximation goes where exact gradients go, by one sample a visit or by four. Units have no sign of
// their own (Gaussian ones), so products of weights are compared; the planted
// weights are 1.2 to 1.5.
func TestChainsReachTheExactMaximum(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	for _, units := range []latent.Units{latent.Gaussian, latent.Binary} {
		lists := plantedUnits(t, units, 500)
		want := ascend(t, lists, units, 2, 2)
		if !(math.Abs(want.W[0]) > 0.5) {
			t.Errorf("%v: the maximum has no taste in it: W %.3f", units, want.W)
		}
		o := chains.Defaults()
		o.Units, o.Hidden, o.Prior.W, o.Prior.U, o.Presence, o.Epochs, o.Schedule, o.Sweeps, o.Seed = units, 1, 2, 2, false, 1000, ascent.Inverse, 4, 1
		if units == latent.Binary {
			o.Samples, o.Sweeps = 4, 1
		}
		got := must[*ascent.Estimate](t)(o.Fit(t.Context(), 4, osm.Pack(lists)))
		// 500 lists hold a worth to about 0.06; chains add noise of the last 500 epochs,
		// averaged, and a good deal less than that.
		const tolerance = 0.06
		near := func(what string, a, b float64) {
			if !(math.Abs(a-b) <= tolerance*math.Max(1, math.Abs(b))) {
				t.Errorf("%v: %s is %.3f by chains, %.3f by exact gradients", units, what, a, b)
			}
		}
		near("nu", *got.Nu, *want.Nu)
		for i := range 4 {
			near("u", got.U[i], want.U[i])
			for j := range 4 {
				near("W W'", got.W[i]*got.W[j], want.W[i]*want.W[j])
			}
		}
	}
}

// What chains cannot do is refused.
func TestBadRequests(t *testing.T) {
	lists := plantedUnits(t, latent.Binary, 3)
	for name, change := range map[string]func(o *chains.Options){
		"samples": func(o *chains.Options) { o.Samples = 0 },
		"sweeps":  func(o *chains.Options) { o.Sweeps = 0 },
		"count":   func(o *chains.Options) { o.Count = 0 },
		"chains":  func(o *chains.Options) { o.Resume = ascent.NewState(o.Shape(4, 0), 1) },
		"list 1": func(o *chains.Options) {
			o.Resume = ascent.NewState(o.Shape(4, 0), 1)
			o.Resume.Ranks = chains.Start(osm.Pack(lists), 200, 1)
			o.Resume.Ranks[1] = o.Resume.Ranks[1][:2]
		},
	} {
		o := chains.Defaults()
		o.Hidden, o.Presence = 2, false
		change(&o)
		if _, err := o.Fit(t.Context(), 4, osm.Pack(lists)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func must[V any](t testing.TB) func(v V, err error) V {
	return func(v V, err error) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
