package train_test

import (
	"math"
	"testing"

	"fubini/learn/train"
	"fubini/model/latent"
	"fubini/model/osm"
)

// reached trains and returns the state it ends in.
func reached(t *testing.T, items int, lists []osm.List, o train.LatentOptions) *train.LatentState {
	t.Helper()
	var end *train.LatentState
	o.Save = func(s *train.LatentState) error {
		end = s
		return nil
	}
	must[*latent.Catalogue](t)(train.FitLatent(t.Context(), items, lists, o))
	return end
}

// A slope is what finite differences of the slot likelihood say.
func TestSlopeAgainstDifferences(t *testing.T) {
	lists, items := tastes(t, 12)
	o := with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Units, o.Hidden, o.Epochs, o.Seed = latent.Gaussian, 2, 4, 1 })
	at := reached(t, items, lists, o)
	slope := must[*train.Slope](t)(train.SlopeAt(t.Context(), items, lists, o, at))
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
	for _, n := range slope.Times {
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

// Where all lists together are at rest, a few of them stay there if they are told the
// slope of the others, though they hold no more than a sixth of all; untold they leave for
// an optimum of their own.
func TestOthersHoldAPointOfRest(t *testing.T) {
	lists, items := tastes(t, 240)
	few, rest := lists[:40], lists[40:]
	o := with(train.LatentDefaults(), func(o *train.LatentOptions) {
		o.Units, o.Hidden, o.Epochs, o.Batch, o.Seed, o.PriorW, o.PriorU, o.Last = latent.Gaussian, 1, 300, 240, 2, 20, 20, true
	})
	all := reached(t, items, lists, o)
	travel := func(others *train.Others, shares []float64) (square float64) {
		from := all.Clone()
		from.Epoch = 0
		p := o
		p.Batch, p.Resume, p.Others, p.Shares = 40, from, others, shares
		end := reached(t, items, few, p)
		for k, v := range end.Now.W {
			square += (v - all.Now.W[k]) * (v - all.Now.W[k])
		}
		return math.Sqrt(square)
	}
	slope := must[*train.Slope](t)(train.SlopeAt(t.Context(), items, rest, o, all))
	share := make([]float64, items)
	for i := range share {
		share[i] = 1. / 6
	}
	told, untold := travel(&train.Others{At: all.Now.Clone(), Slope: slope}, nil), travel(nil, share)
	if !(untold > 0.1) || !(told < untold/10) {
		t.Errorf("told of the others weights move by %.3g, untold by %.3g", told, untold)
	}
}

func TestOthersRefused(t *testing.T) {
	lists, items := tastes(t, 10)
	o := with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Units, o.Hidden, o.Epochs, o.Seed = latent.Gaussian, 2, 1, 1 })
	at := reached(t, items, lists, o)
	slope := must[*train.Slope](t)(train.SlopeAt(t.Context(), items, lists, o, at))
	for name, change := range map[string]func(o *train.LatentOptions){
		"chains":         func(o *train.LatentOptions) { o.Objective = train.Chains },
		"absolute steps": func(o *train.LatentOptions) { o.Absolute = true },
		"another model":  func(o *train.LatentOptions) { o.Hidden = 3 },
		"other items": func(o *train.LatentOptions) {
			o.Others = &train.Others{At: at.Now, Slope: &train.Slope{U: slope.U[1:], W: slope.W, V: slope.V, Times: slope.Times}}
		},
	} {
		p := o
		p.Others = &train.Others{At: at.Now, Slope: slope}
		if change(&p); p.Hidden == o.Hidden {
			p.Resume = at.Clone()
		}
		if _, err := train.FitLatent(t.Context(), items, lists, p); err == nil {
			t.Errorf("%s: trained", name)
		}
	}
	o.Objective = train.Chains
	if _, err := train.SlopeAt(t.Context(), items, lists, o, at); err == nil {
		t.Error("chains have a slope")
	}
}
