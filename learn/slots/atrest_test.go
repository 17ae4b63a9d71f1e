package slots

import (
	"math"
	"testing"

	"fubini/core/vec"
	"fubini/learn/ascent"
	"fubini/learn/cooccurrence"
	"fubini/model/latent"
	"fubini/model/latent/planted"
	"fubini/model/osm"
)

// plainly are options with every number said: one Gaussian unit, priors on everything,
// and steps over all lists at once.
func plainly(epochs, batch int) Options {
	o := Defaults()
	o.Hidden, o.CoOccurrence, o.Epochs, o.Batch, o.Rate = 1, 0, epochs, batch, 0.5
	o.Prior, o.Seed, o.Jobs = ascent.Prior{U: 3, W: 2, V: 4, Sizes: 1}, 1, 1
	o.Relevance = false
	return o
}

// gradientAt returns the gradient of the lists' objective at a state, without the prior, and the
// number of lists that each item is in: those of a step over all lists at once.
func gradientAt(t *testing.T, o Options, items int, lists []osm.List, at *ascent.State) (gradient *latent.Catalogue, times []float64) {
	t.Helper()
	o.Resume, o.CoOccurrence, o.Batch, o.Save, o.Until = at.Clone(), 0, len(lists), nil, at.Epoch+1
	o.Epochs = max(o.Epochs, o.Until)
	f, err := newFit(t.Context(), items, osm.Pack(lists), o)
	if err != nil {
		t.Fatal(err)
	}
	gradient = at.Now.New()
	f.Sum = gradient
	rule := func(u *ascent.Update) ascent.Steps {
		times = u.Times
		return ascent.Newton(u)
	}
	if _, err := f.Train(t.Context(), ascent.Method{Objective: f, Rule: rule}); err != nil {
		t.Fatal(err)
	}
	return gradient, times
}

// A gradient is that of finite differences of the slot likelihood.
func TestGradientAgainstDifferences(t *testing.T) {
	const items = 12
	lists, _ := planted.Circles(12, items, 3, 0.5, 1)
	o := plainly(4, 5)
	o.Hidden = 2
	at, slope := atRest(t, items, lists, o)
	_, times := gradientAt(t, o, items, lists, at)
	likelihood := func() (sum float64) {
		var slots latent.SlotLikelihood
		for _, list := range lists {
			model, err := at.Now.Model(list.Items)
			if err != nil {
				t.Fatal(err)
			}
			sum += slots.Evaluate(model, list.Order)
		}
		return sum
	}
	largest := 0.0
	for name, c := range map[string]struct{ point, slope []float64 }{"u": {at.Now.U, slope.U}, "w": {at.Now.W, slope.W}, "v": {at.Now.V, slope.V}} {
		if len(c.point) != len(c.slope) || len(c.point) == 0 {
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
	seen, places := 0.0, 0
	for _, n := range times {
		seen += n
	}
	for _, list := range lists {
		places += len(list.Items)
	}
	if seen != float64(places) {
		t.Errorf("items seen %g times on %d places", seen, places)
	}
}

// atRest trains and returns the last state, with the gradient of the lists' objective there.
func atRest(t *testing.T, items int, lists []osm.List, o Options) (*ascent.State, *latent.Catalogue) {
	t.Helper()
	var end *ascent.State
	o.Save = func(s *ascent.State) error {
		end = s.Clone()
		return nil
	}
	if _, err := o.Fit(t.Context(), items, osm.Pack(lists)); err != nil {
		t.Fatal(err)
	}
	slope, _ := gradientAt(t, o, items, lists, end)
	return end, slope
}

// balanced fails unless two pulls are equal. The largest of all says what is small: a
// run of some hundred epochs comes to rest within a thousandth.
func balanced(t *testing.T, what string, got, want []float64) {
	t.Helper()
	largest := 0.0
	for _, v := range want {
		largest = math.Max(largest, math.Abs(v))
	}
	if !(largest > 1e-3) {
		t.Errorf("%s: pulls of at most %g tell nothing", what, largest)
	}
	for k := range want {
		if !(math.Abs(got[k]-want[k]) <= 1e-3*largest) {
			t.Errorf("%s %d: the lists pull by %g, the prior by %g", what, k, got[k], want[k])
		}
	}
}

// Where training ends the pulls of lists and priors are equal (docs/maths.md#co-occurrence):
// with numbers e_i of items, coefficients A and L lists, the gradient g_i of an item's
// parameters is their precision times their distance from e_i A, and the sum of e_i g_i
// is 0.4 L, 0.75 L and 0.25 L times the coefficients of u, W and V.
func TestCoOccurrenceComesToRest(t *testing.T) {
	const items, numbers = 13, 2
	lists, _ := planted.Circles(30, items-1, 3, 0.5, 1) // the last item is in no list
	o := plainly(600, len(lists))
	o.CoOccurrence = numbers
	o.Resume = ascent.NewState(o.Shape(items, 0), o.Seed)
	o.Resume.CoOccurrence = cooccurrence.Compute(items, osm.Pack(lists), numbers, 1, 1)
	of := o.Resume.CoOccurrence.Items
	for d := range numbers { // by its numbers it is an item like any other
		of[(items-1)*numbers+d] = of[d] + 0.5*of[numbers+d]
	}
	end, slope := atRest(t, items, lists, o)
	for _, kind := range []struct {
		name                            string
		now, slope, coefficients        []float64
		precision, precisionOfTheOthers float64
	}{
		{"u", end.Now.U, slope.U, end.CoOccurrence.U, o.Prior.U, 0.4},
		{"w", end.Now.W, slope.W, end.CoOccurrence.W, o.Prior.W, 0.75},
		{"v", end.Now.V, slope.V, end.CoOccurrence.V, o.Prior.V, 0.25},
	} {
		beside, pulled, held := make([]float64, items), make([]float64, numbers), make([]float64, numbers)
		for i := range items {
			e := of[i*numbers : (i+1)*numbers]
			beside[i] = kind.precision * (kind.now[i] - vec.Dot(e, kind.coefficients))
			for d, v := range e {
				pulled[d] += v * kind.slope[i]
			}
		}
		for d, v := range kind.coefficients {
			held[d] = kind.precisionOfTheOthers * float64(len(lists)) * v
		}
		balanced(t, kind.name+" of item", kind.slope, beside)
		balanced(t, kind.name+" of number", pulled, held)
	}
}

// The same of levels: worths rest at a distance from slope times level, and the slope,
// which has no prior, where the levels of lists and their gradients are orthogonal.
func TestLevelsComeToRest(t *testing.T) {
	const items = 14
	lists, levels, _ := starred(60, items-1, 5, 2) // the last item is in no list
	levels.Items = append(levels.Items, 0.7)
	for l, list := range lists { // every list by the items' own levels, so that gradients of items say it all
		for k, i := range list.Items {
			levels.Others[l][k] = levels.Items[i]
		}
	}
	o := plainly(600, len(lists))
	o.Levels = levels
	end, slope := atRest(t, items, lists, o)
	beside, most := make([]float64, items), 0.0
	for i := range items {
		beside[i] = o.Prior.U * (end.Now.U[i] - end.Slope*levels.Items[i])
		most = math.Max(most, math.Abs(slope.U[i]*levels.Items[i]))
	}
	balanced(t, "u of item", slope.U, beside)
	if left := vec.Dot(slope.U, levels.Items); !(math.Abs(left) <= 1e-3*most) || !(math.Abs(end.Slope) > 0.1) {
		t.Errorf("the slope is %g, and lists pull at it by %g, single items by up to %g", end.Slope, left, most)
	}
}

// A step of the slope moves every worth along: what an item has beside its level stays.
func TestWorthsMoveWithTheSlope(t *testing.T) {
	lists, levels, _ := starred(6, 12, 5, 1)
	o := plainly(10, len(lists))
	o.Levels = levels
	f, err := newFit(t.Context(), 12, osm.Pack(lists), o)
	if err != nil {
		t.Fatal(err)
	}
	f.State.Slope = 0.4
	beside, tasks := make([]float64, 12), make([]*ascent.Task, len(lists))
	var gradient float64
	for i := range beside {
		beside[i] = math.Sin(float64(i))
		f.State.Now.U[i] = beside[i] + 0.4*levels.Items[i]
	}
	for l := range lists {
		tasks[l] = &ascent.Task{Index: l, Number: l, List: lists[l]}
		f.Gradient(0, tasks[l])
		gradient += vec.Dot(tasks[l].Gradient.WithoutW().U, levels.Others[l])
	}
	var square float64
	for _, others := range levels.Others {
		square += vec.Dot(others, others)
	}
	f.Whole, f.State.Curvature.U = 2, 3
	f.Updated(tasks, 1)
	// Half a Newton step: twice the gradient of these lists over the curvature of all.
	if want := 0.4 + 0.5*2*gradient/(3*square); !(math.Abs(f.State.Slope-want) <= 1e-12) || !(math.Abs(want-0.4) > 1e-3) {
		t.Errorf("the slope is %g, want %g", f.State.Slope, want)
	}
	for i, v := range f.State.Now.U {
		if !(math.Abs(v-f.State.Slope*levels.Items[i]-beside[i]) <= 1e-12) {
			t.Errorf("item %d had %g beside its level and has %g", i, beside[i], v-f.State.Slope*levels.Items[i])
		}
	}
}

// The step rule of the paper comes to rest at the same maximum as Newton's: the lists pull at every parameter as
// strongly as the prior, whatever the number of lists in a block.
func TestAbsoluteStepsComeToRest(t *testing.T) {
	const items = 12
	lists, _ := planted.Circles(30, items, 3, 0.5, 1)
	o := plainly(400, len(lists))
	o.Rate = 2
	var end *ascent.State
	o.Save = func(s *ascent.State) error {
		end = s.Clone()
		return nil
	}
	f, err := newFit(t.Context(), items, osm.Pack(lists), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Train(t.Context(), ascent.Method{Objective: f, Rule: ascent.Absolute}); err != nil {
		t.Fatal(err)
	}
	slope, _ := gradientAt(t, o, items, lists, end)
	for _, kind := range []struct {
		name       string
		now, slope []float64
		precision  float64
	}{{"u", end.Now.U, slope.U, o.Prior.U}, {"w", end.Now.W, slope.W, o.Prior.W}, {"v", end.Now.V, slope.V, o.Prior.V}} {
		pull := make([]float64, len(kind.now))
		vec.AddTimes(pull, kind.now, kind.precision)
		balanced(t, kind.name+" of item", kind.slope, pull)
	}
	for _, block := range []float64{1, 10, 30} {
		u := &ascent.Update{Rate: 0.2, Lists: block, All: 30, State: end, Prior: &o.Prior, Times: make([]float64, items)}
		step, pull := ascent.Absolute(u).Item(0)
		for _, of := range [][3]float64{{step.U, pull.U, o.Prior.U}, {step.W, pull.W, o.Prior.W}, {step.V, pull.V, o.Prior.V}} {
			if want := of[0] * block / 30 * of[2]; !(math.Abs(of[1]-want) <= 1e-15) {
				t.Errorf("a block of %g lists: the prior pulls by %g, want %g", block, of[1], want)
			}
		}
	}
}
