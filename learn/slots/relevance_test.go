package slots

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/learn/ascent"
	"fubini/model/latent"
	"fubini/model/latent/planted"
	"fubini/model/osm"
)

// Other axes of the units change no probability of a slot. A twin that forgets the weights of presence does.
func TestTurnedUnits(t *testing.T) {
	const items, units = 12, 3
	lists, _ := planted.Circles(20, items, 3, 0.5, 1)
	o := Defaults()
	o.Hidden, o.CoOccurrence, o.Seed, o.Jobs = units, 2, 1, 1
	f, err := newFit(t.Context(), items, osm.Pack(lists), o)
	if err != nil {
		t.Fatal(err)
	}
	r := rng.Stream(1, "parameters")
	for k := range f.State.Now.Values {
		f.State.Now.Values[k] = 0.5 * r.NormFloat64()
	}
	for _, coefficients := range [][]float64{f.regression.W, f.regression.V} {
		for k := range coefficients {
			coefficients[k] = 0.5 * r.NormFloat64()
		}
	}
	f.regression.predictAll()
	likelihood := func() (sum float64) {
		var model latent.Model
		var slots latent.SlotLikelihood
		for _, list := range lists {
			f.State.Now.Refill(&model, list.Items)
			sum += slots.Evaluate(&model, list.Order)
		}
		return sum
	}
	distance := func() (sum float64) {
		for i := range items {
			for k := range units {
				d := f.relevance.deviation(i, k)
				sum += d * d
			}
		}
		return sum
	}
	axes, ok := f.relevance.axes()
	if !ok {
		t.Fatal("no axes")
	}
	was, apart, v := likelihood(), distance(), append([]float64(nil), f.State.Now.V...)
	f.State.Mean, f.State.Best = f.State.Now.Clone(), f.State.Now.Clone() // of a run that is validated, or resumed with more epochs
	f.relevance.turn(axes)
	if !slices.Equal(f.State.Mean.Values, f.State.Now.Values) || !slices.Equal(f.State.Best.Values, f.State.Now.Values) {
		t.Error("the mean and the best point are on other axes than the current one")
	}
	if now := likelihood(); !(math.Abs(now-was) <= 1e-9*math.Abs(was)) {
		t.Errorf("the log likelihood is %.12g on other axes, %.12g before", now, was)
	}
	if now := distance(); !(math.Abs(now-apart) <= 1e-9*apart) {
		t.Errorf("the weights are %.12g from their prior means on other axes, %.12g before", now, apart)
	}
	second := mat.NewSymDense(units, nil)
	for i := range items {
		d := make([]float64, units)
		for k := range d {
			d[k] = f.relevance.deviation(i, k)
		}
		second.SymRankOne(second, 1, mat.NewVecDense(units, d))
	}
	for a := range units {
		for b := range a {
			if !(math.Abs(second.At(a, b)) <= 1e-9*apart) || second.At(a, a) > second.At(b, b) {
				t.Errorf("the second moments are %v: not principal axes, the largest first", mat.Formatted(second))
			}
		}
	}
	copy(f.State.Now.V, v)
	if now := likelihood(); math.Abs(now-was) <= 1e-3 {
		t.Errorf("weights of presence on the old axes change nothing: %g and %g", now, was)
	}
}

// worlds draws lists of people with tastes of two dimensions, of all of which the weights vary with this standard deviation.
func worlds(t *testing.T, people, items, length int, spread float64) []osm.List {
	t.Helper()
	r := rng.Stream(1, "relevance")
	qualities := make([][2]float64, items)
	for i := range qualities {
		qualities[i] = [2]float64{spread * r.NormFloat64(), spread * r.NormFloat64()}
	}
	lists := make([]osm.List, people)
	order := make([]int, items)
	for l := range lists {
		tastes := [2]float64{r.NormFloat64(), r.NormFloat64()}
		rng.Permutation(r, order)
		values := make([]float64, length)
		for n, i := range order[:length] {
			q := qualities[i]
			values[n] = math.Round(1.5 * (tastes[0]*q[0] + tastes[1]*q[1] + 0.7*r.NormFloat64()))
		}
		lists[l].Items = append(lists[l].Items, order[:length]...)
		var err error
		if lists[l].Order, err = partition.FromScores(values); err != nil {
			t.Fatal(err)
		}
	}
	return lists
}

// Of eight units on lists with two tastes, the precisions of two fall and the others keep that of the prior, whichever precision the prior
// begins with. Where lists have no tastes none falls.
func TestRelevance(t *testing.T) {
	if testing.Short() {
		t.Skip("whole fits: not with -short")
	}
	const items, most = 60, 2
	for _, c := range []struct {
		spread, prior float64
		few           int
	}{{1, 40, 2}, {1, 100, 2}, {0, 40, 0}} {
		lists := worlds(t, 400, items, 20, c.spread)
		o := Defaults()
		o.Hidden, o.Prior.W, o.Epochs, o.Seed, o.Jobs = 8, c.prior, 40, 1, 1
		var end *ascent.State
		o.Save = func(s *ascent.State) error {
			end = s
			return nil
		}
		if _, err := o.Fit(t.Context(), items, osm.Pack(lists)); err != nil {
			t.Fatal(err)
		}
		few := 0
		for k, factor := range end.Units {
			if factor > most { // a prior that counts for 0.3 of the items allows 1.3/0.3
				t.Errorf("weights of spread %g, prior of precision %g: unit %d has a factor of %g", c.spread, c.prior, k, factor)
			}
			if factor < 0.5 {
				few++
			}
		}
		if few != c.few {
			t.Errorf("weights of spread %g, prior of precision %g: factors %.3g, %d of them low, want %d", c.spread, c.prior, end.Units, few, c.few)
		}
	}
}

// Under half the precision at first, two weak tastes have grown before their relevance is learned. Under all of it one of them never grows, though
// the lists show it.
func TestWeakUnitsGrow(t *testing.T) {
	if testing.Short() {
		t.Skip("whole fits: not with -short")
	}
	const items = 60
	lists := osm.Pack(worlds(t, 400, items, 20, 0.3))
	for name, c := range map[string]struct {
		early float64 // factor on the precision at first; 0 for that of a fit
		few   int     // relevant units
	}{"a fit": {0, 2}, "the whole precision from the beginning": {1, 1}} {
		o := Defaults()
		o.Hidden, o.Prior.W, o.Epochs, o.Seed, o.Jobs = 8, 200, 40, 1, 1
		f, err := newFit(t.Context(), items, lists, o)
		if err != nil {
			t.Fatal(err)
		}
		if c.early > 0 {
			for k := range f.State.Units {
				f.State.Units[k] = c.early
			}
		}
		if _, err := f.Train(t.Context(), ascent.Method{Objective: f, Rule: ascent.Newton}); err != nil {
			t.Fatal(err)
		}
		few := 0
		for _, factor := range f.State.Units {
			switch {
			case factor < 0.5:
				few++
			case !(factor > 0.9):
				t.Errorf("%s: a unit is neither relevant nor noise: factors %.3g", name, f.State.Units)
			}
		}
		if few != c.few {
			t.Errorf("%s: factors %.3g, %d of them low, want %d", name, f.State.Units, few, c.few)
		}
	}
}

// Where no step of relevance is to come, in few epochs or from the second half on, units have the whole precision of the prior: half of it would
// stay to the end.
func TestNoEarlyFactorWithoutSteps(t *testing.T) {
	const items, people = 12, 900 // items are in many lists
	lists, _ := planted.Circles(people, items, 3, 0.5, 1)
	for _, c := range []struct {
		epochs, resumed int
		want            float64
	}{{5, 0, 1}, {6, 0, earlyFactor}, {40, 19, earlyFactor}, {40, 20, 1}} {
		o := plainly(c.epochs, people/10)
		o.Relevance = true
		o.Resume = ascent.NewState(o.Shape(items, 0), 1)
		o.Resume.Epoch = c.resumed
		f, err := newFit(t.Context(), items, osm.Pack(lists), o)
		if err != nil {
			t.Fatal(err)
		}
		if !f.many || f.State.Units[0] != c.want {
			t.Errorf("epoch %d of %d: a factor of %g, want %g", c.resumed, c.epochs, f.State.Units[0], c.want)
		}
	}
}

// Where training ends the lists pull at the weights of each unit as strongly as a prior of its own precision.
func TestRelevanceComesToRest(t *testing.T) {
	const items = 12
	lists, _ := planted.Circles(30, items, 3, 0.5, 1)
	o := plainly(600, len(lists))
	o.Relevance = true
	end, slope := atRest(t, items, lists, o)
	if factor := end.Units[0]; math.Abs(factor-1) < 0.1 {
		t.Errorf("the factor of the unit is %g: the test shows nothing", factor)
	}
	pull := make([]float64, items)
	for i, w := range end.Now.W {
		pull[i] = o.Prior.W * end.Units[0] * w
	}
	balanced(t, "w of item", slope.W, pull)
}

// Only normal units without a point to start from, of all lists at once, have precisions of their own.
func TestNoRelevance(t *testing.T) {
	const items = 12
	lists, _ := planted.Circles(20, items, 3, 0.5, 1)
	for name, change := range map[string]func(o *Options){
		"switched off": func(o *Options) { o.Relevance = false },
		"binary units": func(o *Options) { o.Units = latent.Binary },
		"no units":     func(o *Options) { o.Hidden, o.Presence, o.CoOccurrence = 0, false, 0 },
		"flat prior":   func(o *Options) { o.Prior.W = 0 },
		"a shard": func(o *Options) {
			o.Prior.Shares = make([]float64, items)
		},
		"a start": func(o *Options) {
			o.CoOccurrence = 0
			o.WarmStart(o.Shape(items, 0).New(), make([]uint32, items))
		},
	} {
		o := Defaults()
		o.Hidden, o.Seed, o.Jobs = 2, 1, 1
		change(&o)
		f, err := newFit(t.Context(), items, osm.Pack(lists), o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if f.relevance != nil || f.Prior.Units != nil {
			t.Errorf("%s: precisions of units are learned", name)
		}
	}
}
