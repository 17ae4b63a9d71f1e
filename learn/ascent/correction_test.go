package ascent_test

import (
	"math"
	"testing"

	"fubini/learn/ascent"
	"fubini/learn/chains"
	"fubini/learn/slots"
	"fubini/model/latent"
	"fubini/model/osm"
)

// reached trains and returns the state it ends in.
func reached(t *testing.T, items int, lists []osm.List, o slots.Options) *ascent.State {
	t.Helper()
	var end *ascent.State
	o.Save = func(s *ascent.State) error {
		end = s
		return nil
	}
	must[*latent.Catalogue](t)(o.Fit(t.Context(), items, lists))
	return end
}

// A gradient is that of finite differences of the slot likelihood.
func TestGradientAgainstDifferences(t *testing.T) {
	lists, items := tastes(t, 12)
	o := with(slots.Defaults(), func(o *slots.Options) { o.Hidden, o.Epochs, o.Seed = 2, 4, 1 })
	at := reached(t, items, lists, o)
	slope := must[*ascent.Gradient](t)(o.GradientAt(t.Context(), items, lists, at))
	likelihood := func() (sum float64) {
		var slots latent.SlotLikelihood
		for _, list := range lists {
			sum += slots.Add(must[*latent.Model](t)(at.Now.Model(list.Items)), list.Order)
		}
		return sum
	}
	largest := 0.0
	for name, c := range map[string]struct{ point, slope []float64 }{"u": {at.Now.U, slope.U}, "w": {at.Now.W, slope.W}, "v": {at.Now.V, slope.V}} {
		if len(c.point) != len(c.slope) {
			t.Fatalf("%s: a slope of %d numbers for %d", name, len(c.slope), len(c.point))
		}
		for k, v := range c.point {
			const h = 1e-5
			c.point[k] = v + h
			up := likelihood()
			c.point[k] = v - h
			down := likelihood()
			c.point[k] = v
			if want := (up - down) / (2 * h); !(math.Abs(c.slope[k]-want) < 1e-5*(1+math.Abs(want))) {
				t.Errorf("%s %d: slope %g, differences %g", name, k, c.slope[k], want)
			}
			largest = math.Max(largest, math.Abs(c.slope[k]))
		}
	}
	if !(largest > 0.1) {
		t.Errorf("slopes of at most %g tell nothing", largest)
	}
	times := 0.0
	for _, n := range slope.Lists {
		times += n
	}
	places := 0
	for _, list := range lists {
		places += len(list.Items)
	}
	if times != float64(places) {
		t.Errorf("items seen %g times on %d places", times, places)
	}
}

// At the maximum for all lists a few of them stay with the correction for the others, though
// they are no more than a sixth of all; without it they leave for a maximum of their own.
func TestCorrectionHoldsAPointOfRest(t *testing.T) {
	lists, items := tastes(t, 240)
	few, rest := lists[:40], lists[40:]
	o := with(slots.Defaults(), func(o *slots.Options) {
		o.Hidden, o.Epochs, o.Batch, o.Seed, o.Prior.W, o.Prior.U = 1, 300, 240, 2, 20, 20
	})
	all := reached(t, items, lists, o)
	travel := func(others *ascent.Correction, shares []float64) (square float64) {
		from := all.Clone()
		from.Epoch = 0
		p := o
		p.Batch, p.Resume, p.Prior.Correction, p.Prior.Shares = 40, from, others, shares
		end := reached(t, items, few, p)
		for k, v := range end.Now.W {
			square += (v - all.Now.W[k]) * (v - all.Now.W[k])
		}
		return math.Sqrt(square)
	}
	slope := must[*ascent.Gradient](t)(o.GradientAt(t.Context(), items, rest, all))
	share := make([]float64, items)
	for i := range share {
		share[i] = 1. / 6
	}
	corrected, alone := travel(&ascent.Correction{At: all.Now.Clone(), Gradient: slope}, nil), travel(nil, share)
	if !(alone > 0.1) || !(corrected < alone/10) {
		t.Errorf("weights move by %.3g with the correction, by %.3g without", corrected, alone)
	}
}

func TestCorrectionsRefused(t *testing.T) {
	lists, items := tastes(t, 10)
	o := with(slots.Defaults(), func(o *slots.Options) { o.Hidden, o.Epochs, o.Seed = 2, 1, 1 })
	at := reached(t, items, lists, o)
	gradient := must[*ascent.Gradient](t)(o.GradientAt(t.Context(), items, lists, at))
	o.Prior.Correction = &ascent.Correction{At: at.Now, Gradient: gradient}
	for name, change := range map[string]func(o *slots.Options){
		"another model": func(o *slots.Options) { o.Hidden = 3 },
		"other items": func(o *slots.Options) {
			o.Prior.Correction = &ascent.Correction{At: at.Now, Gradient: ascent.NewGradient(o.Shape(items-1, 0))}
		},
		"other counts": func(o *slots.Options) {
			o.Prior.Correction = &ascent.Correction{At: at.Now, Gradient: &ascent.Gradient{Catalogue: gradient.Catalogue, Lists: gradient.Lists[1:]}}
		},
		"a start": func(o *slots.Options) { o.CoOccurrence = 0; o.WarmStart(at.Now, make([]uint32, items)) },
	} {
		if _, err := with(o, change).Fit(t.Context(), items, lists); err == nil {
			t.Errorf("%s: trained", name)
		}
	}
	if _, err := (chains.Options{Options: o.Options, Sweeps: 1, Count: 1}).Fit(t.Context(), items, lists); err == nil {
		t.Error("chains have a gradient")
	}
}
