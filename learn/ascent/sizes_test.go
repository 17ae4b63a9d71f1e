package ascent_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/learn/ascent"
	"fubini/learn/chains"
	"fubini/learn/slots"
	"fubini/model/latent"
	"fubini/model/osm"
)

// approvals draws tier lists of four items from people who make two tiers, now and then
// three, and seldom put all into one.
func approvals(t testing.TB, people int) []osm.List {
	t.Helper()
	c := latent.Shape{Items: 4, Units: latent.Gaussian, Options: latent.Options{Size: 2, Centred: true}, Largest: 4}.New()
	copy(c.U, []float64{0.8, 0.2, -0.3, -0.7})
	copy(c.Sizes, []float64{0, -1.5, 0.5, 1.5, -1, 0, 0.5, -1, 1, 0})
	all := []int{0, 1, 2, 3}
	list := must[*exact.Listing](t)(exact.List(must[*latent.Model](t)(c.Model(all)), partition.Space{}))
	r := rng.Stream(1, "approvals")
	lists := make([]osm.List, people)
	for l := range lists {
		lists[l] = osm.List{Items: all, Order: partition.OneBlock(4)}
		list.Draw(r, lists[l].Order)
	}
	return lists
}

// slopes is the gradient of the penalised objective by the weights of tier sizes at a
// point, divided by the number of lists: exactly, over all 75 tier lists, or that of
// the slot likelihood.
func slopes(t testing.TB, c *latent.Catalogue, lists []osm.List, chains bool, prior float64) osm.SizeWeights {
	t.Helper()
	slope := osm.NewSizeWeights(4)
	m := must[*latent.Model](t)(c.Model(lists[0].Items))
	listing := must[*exact.Listing](t)(exact.List(m, partition.Space{}))
	var l latent.SlotLikelihood
	for _, list := range lists {
		if chains {
			slope.Count(list.Order, 1/float64(len(lists)))
			continue
		}
		l.Evaluate(m, list.Order)
		for k, v := range l.Sizes {
			slope[k] += v / float64(len(lists))
		}
	}
	if chains {
		for x, p := range listing.All() {
			slope.Count(x, -p)
		}
	}
	for k, g := range c.Sizes {
		slope[k] -= prior * g / float64(len(lists))
	}
	return slope
}

// Learning ends where the penalised objective is flat in the weights by tier size, for
// both objectives; without them the likelihood is not flat there at all.
func TestSizesReachTheMaximum(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	const prior = 3
	lists := approvals(t, 500)
	steepest := func(s osm.SizeWeights) (most float64) {
		for _, v := range s {
			most = math.Max(most, math.Abs(v))
		}
		return most
	}
	for name, v := range map[string]func() trainer{"chains": byChains(func(*chains.Options) {}), "slots": bySlots(func(o *slots.Options) { o.Batch = 100 })} {
		fit := func(sizes bool, epochs int) *latent.Catalogue {
			return must[*latent.Catalogue](t)(fitted(t.Context(), v, 4, lists, func(o *ascent.Options) {
				o.Hidden, o.Units, o.Prior.U, o.Sizes, o.Prior.Sizes, o.Epochs, o.Seed = 0, latent.Binary, 1, sizes, prior, epochs, 1
			}))
		}
		c := fit(true, 800)
		if c.Sizes.Most() != 4 {
			t.Fatalf("weights of tiers of up to %d items", c.Sizes.Most())
		}
		// The counts of 500 lists are known to about 0.02 each; five times the epochs leave a
		// third of the slope.
		if slope := steepest(slopes(t, c, lists, name == "chains", prior)); !(slope <= 0.006) {
			t.Errorf("%s: a slope of %.4f a list at %.2f", name, slope, c.Sizes)
		}
		bare := fit(false, 100)
		if bare.Sizes != nil {
			t.Errorf("%s: weights %.2f that nobody asked for", name, bare.Sizes)
		}
		shape := bare.Shape
		shape.Largest = 4
		sized := shape.New()
		copy(sized.U, bare.U)
		*sized.Nu = *bare.Nu
		if slope := steepest(slopes(t, sized, lists, name == "chains", prior)); !(slope > 0.05) {
			t.Errorf("%s: the test cannot see that sizes were not learned: slope %.4f", name, slope)
		}
	}
}

// New people are found likelier by weights of tier sizes, where tiers have habits.
func TestSizesGeneralise(t *testing.T) {
	lists := approvals(t, 700)
	seen, others := lists[:500], lists[500:]
	o := with(chains.Defaults(), func(o *chains.Options) { o.Hidden, o.Prior.U, o.Seed = 0, 1, 1 })
	bare := heldOut(t, must[*ascent.Estimate](t)(o.Fit(t.Context(), 4, osm.Pack(seen))).Catalogue, others)
	o.Sizes = true
	if got := heldOut(t, must[*ascent.Estimate](t)(o.Fit(t.Context(), 4, osm.Pack(seen))).Catalogue, others); !(got > bare+0.2) {
		t.Errorf("%.3f a list, without weights by tier size %.3f", got, bare)
	}
}

// A strong prior holds the weights at zero, and from a start they stay as they are.
func TestSizesAreHeld(t *testing.T) {
	lists := approvals(t, 100)
	o := with(chains.Defaults(), func(o *chains.Options) {
		o.Hidden, o.Sizes, o.Prior.Sizes, o.Epochs, o.Seed = 0, true, 1e6, 20, 1
	})
	c := must[*ascent.Estimate](t)(o.Fit(t.Context(), 4, osm.Pack(lists))).Catalogue
	for s, g := range c.Sizes {
		if !(math.Abs(g) < 0.01) {
			t.Errorf("number %d is %g with a prior of precision a million", s, g)
		}
	}
	var state *ascent.State
	o.Prior.Sizes, o.Save = 0, func(s *ascent.State) error { state = s.Clone(); return nil }
	start := must[*ascent.Estimate](t)(o.Fit(t.Context(), 4, osm.Pack(lists))).Catalogue
	state.SizeCurvature, o.Resume, o.Save = nil, state, nil
	if _, err := o.Fit(t.Context(), 4, osm.Pack(lists)); err == nil || !strings.Contains(err.Error(), "curvature of 0") {
		t.Errorf("half a state was taken: %v", err)
	}
	o.Resume = nil
	o.WarmStart(start, []uint32{9, 9, 9, 9})
	next := must[*ascent.Estimate](t)(o.Fit(t.Context(), 4, osm.Pack(lists[:20]))).Catalogue
	if !slices.Equal(next.Sizes, start.Sizes) {
		t.Errorf("%.3f from a start with %.3f", next.Sizes, start.Sizes)
	}
	if slices.Equal(next.U, start.U) {
		t.Error("nothing was learned from the start on")
	}
}
