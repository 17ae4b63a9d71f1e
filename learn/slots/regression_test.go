package slots

import (
	"math"
	"strings"
	"testing"

	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/learn/ascent"
	"fubini/learn/cooccurrence"
	"fubini/model/latent"
	"fubini/model/latent/planted"
	"fubini/model/osm"
	"fubini/use/rank"
)

// A step of the coefficients is along the gradient of the objective, all parameters
// moving with them.
func TestStepOfCoefficients(t *testing.T) {
	const items = 12
	lists, _ := planted.Circles(5, items, 3, 0.5, 1)
	f, err := newFit(t.Context(), items, osm.Pack(lists), with(Defaults(), func(o *Options) { o.Hidden, o.CoOccurrence, o.Jobs = 2, 3, 1 }))
	if err != nil {
		t.Fatal(err)
	}
	c, now := f.regression, f.State.Now
	r := rng.Stream(2, "beside company")
	beside := now.Clone()
	for _, of := range [][]float64{beside.U, beside.W, beside.V} {
		for k := range of {
			of[k] = 0.5 * r.NormFloat64()
		}
	}
	kinds := []struct {
		*kind
		beside []float64
	}{{&c.kinds[0], beside.U}, {&c.kinds[1], beside.W}, {&c.kinds[2], beside.V}}
	tasks := make([]*ascent.Task, len(lists))
	for l, list := range lists {
		tasks[l] = &ascent.Task{Index: l, Number: l, List: list}
	}
	value := func() (sum float64) {
		for _, kind := range kinds {
			for i := range items {
				mean := kind.row(kind.mean, i)
				kind.predict(c.Of(i), mean)
				for k, v := range mean {
					kind.row(kind.now, i)[k] = kind.row(kind.beside, i)[k] + v
				}
			}
		}
		for l := range lists {
			f.Gradient(0, tasks[l])
			sum += tasks[l].LogLikelihood
		}
		return sum
	}
	for _, kind := range kinds {
		for k := range kind.coefficients {
			kind.coefficients[k] = 0.3 * r.NormFloat64()
		}
	}
	numeric := map[*float64]float64{}
	const step = 1e-5
	for _, kind := range kinds {
		for k := range kind.coefficients {
			a := &kind.coefficients[k]
			was := *a
			*a = was + step
			up := value()
			*a = was - step
			down := value()
			*a = was
			numeric[a] = (up - down) / (2 * step)
		}
	}
	value()
	for l, list := range lists {
		for n, i := range list.Items {
			addTo(c.gradient, tasks[l], n, i)
		}
	}
	c.lists = len(lists)
	f.State.Curvature = ascent.Curvature{U: 1, W: 2, V: 3}
	var want []float64
	for n, kind := range kinds {
		for k, a := range kind.coefficients {
			curvature := kind.precision + kind.squares[k/kind.width]*float64(n+1)
			want = append(want, a+0.5*(numeric[&kind.coefficients[k]]-kind.precision*a)/curvature)
		}
	}
	c.step(0.5)
	at, most := 0, 0.0
	for _, kind := range kinds {
		for _, got := range kind.coefficients {
			if !(math.Abs(got-want[at]) < 1e-6) {
				t.Errorf("coefficient %d is %g, by differences %g", at, got, want[at])
			}
			at++
		}
		for i := range items { // the difference from the prior mean has stayed
			for k, v := range kind.row(kind.now, i) {
				most = math.Max(most, math.Abs(v-kind.row(kind.mean, i)[k]-kind.row(kind.beside, i)[k]))
			}
		}
	}
	if !(most < 1e-12) {
		t.Errorf("differences from the prior mean moved by %g", most)
	}
}

// With co-occurrence features in the prior of items that few have placed, the ratings of
// items that people have not placed are predicted better. The features of other items, the
// broken twin, do not help.
func TestCoOccurrenceHelps(t *testing.T) {
	const items, numbers = 150, 4
	lists, values := planted.Circles(600, items, numbers, 0.6, 3)
	fit := func(numbers int, mixed bool) (right float64) {
		o := with(Defaults(), func(o *Options) {
			o.Hidden, o.Prior.W, o.CoOccurrence, o.Seed = 5, 10, numbers, 1
		})
		if mixed {
			o.Resume = ascent.NewState(o.Shape(items, 0), o.Seed)
			o.Resume.CoOccurrence = cooccurrence.Compute(items, osm.Pack(lists), numbers, 1, 1)
			order := make([]int, items)
			rng.Permutation(rng.Stream(5, "mixed"), order)
			var of []float64
			for _, i := range order {
				of = append(of, o.Resume.CoOccurrence.Of(i)...)
			}
			o.Resume.CoOccurrence.Items = of
		}
		c, err := o.Fit(t.Context(), items, osm.Pack(lists))
		if err != nil {
			t.Fatal(err)
		}
		everything := make([]uint32, items)
		for i := range everything {
			everything[i] = uint32(i)
		}
		scores := make([]float64, items)
		for u, list := range lists {
			taste, err := rank.Fold(c.Catalogue, list)
			if err != nil {
				t.Fatal(err)
			}
			rank.Complete(c.Catalogue, taste, c.OwnPresence(len(list.Items)), everything, scores)
			right += correlation(scores, values[u]) / float64(len(lists))
		}
		return right
	}
	without, with, twin := fit(0, false), fit(numbers, false), fit(numbers, true)
	if !(with > without+0.02) || !(twin < without+0.015) {
		t.Errorf("correlation of scores with the truth: %.3f without co-occurrence, %.3f with, %.3f with that of other items", without, with, twin)
	}
}

// Co-occurrence features that do not fit are refused.
func TestCoOccurrenceIsRefused(t *testing.T) {
	lists, _ := planted.Circles(20, 12, 3, 0.5, 1)
	resume := func(o *Options, f *cooccurrence.Features) {
		o.CoOccurrence = 2
		o.Resume = ascent.NewState(o.Shape(12, 0), 1)
		o.Resume.CoOccurrence = f
	}
	for name, change := range map[string]func(o *Options){
		"point to start from": func(o *Options) { o.CoOccurrence = 2; o.WarmStart(o.Shape(12, 0).New(), make([]uint32, 12)) },
		"up to 1000":          func(o *Options) { o.CoOccurrence = 1001 },
		"not be negative":     func(o *Options) { o.CoOccurrence = -1 },
		"features of":         func(o *Options) { resume(o, &cooccurrence.Features{Dims: 3}) },
		"coefficients": func(o *Options) {
			resume(o, &cooccurrence.Features{Dims: 2, Items: make([]float64, 24), U: make([]float64, 3)})
		},
	} {
		if _, err := with(Defaults(), change).Fit(t.Context(), 12, osm.Pack(lists)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A state without co-occurrence features is no state to resume from with it, once it has
// learned something.
func TestFeaturesAreNotMadeUpOnResuming(t *testing.T) {
	lists, _ := planted.Circles(20, 12, 3, 0.5, 1)
	for epoch, refused := range []bool{false, true} {
		o := with(Defaults(), func(o *Options) { o.CoOccurrence, o.Hidden, o.Epochs, o.Seed = 2, 2, 2, 1 })
		o.Resume = ascent.NewState(o.Shape(12, 0), 1)
		o.Resume.Epoch = epoch
		if _, err := o.Fit(t.Context(), 12, osm.Pack(lists)); (err != nil) != refused {
			t.Errorf("at epoch %d: %v", epoch, err)
		}
	}
}

// addTo adds the gradient for the n-th item of a task's list, which is item i of the catalogue, to a catalogue of gradients.
func addTo(g *latent.Catalogue, t *ascent.Task, n, i int) {
	common, k := t.Gradient.WithoutW(), g.K
	g.U[i] += common.U[n]
	t.Gradient.AddWeights(n, 1, g.W[i*k:(i+1)*k])
	if g.V != nil {
		vec.AddTimes(g.V[i*k:(i+1)*k], common.B, latent.Presence(len(t.List.Items)))
	}
}
