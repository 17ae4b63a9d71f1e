package slots

import (
	"math"
	"reflect"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/learn/ascent"
	"fubini/model/osm"
)

// with are options with some of them changed.
func with[T any](o T, change func(o *T)) T {
	change(&o)
	return o
}

// starred draws people who give a few of many items stars, by a worth that all share
// and noise of their own, and the levels of these stars: an item's mean, shrunk, by
// all lists and by all but one.
func starred(people, items, each int, seed uint64) (lists []osm.List, levels *Levels, worths []float64) {
	r := rng.Stream(seed, "starred")
	worths = make([]float64, items)
	for i := range worths {
		worths[i] = 0.7 * r.NormFloat64()
	}
	sum, count := make([]float64, items), make([]float64, items)
	stars := make([][]float64, people)
	order := make([]int, items)
	for u := range people {
		rng.Permutation(r, order)
		list := osm.List{Items: append([]int(nil), order[:each]...)}
		for _, i := range list.Items {
			v := math.Round(worths[i] + r.NormFloat64())
			stars[u] = append(stars[u], v)
			sum[i] += v
			count[i]++
		}
		x, err := partition.FromScores(stars[u])
		if err != nil {
			panic(err)
		}
		list.Order = x
		lists = append(lists, list)
	}
	const shrinkage = 2
	levels = &Levels{Items: make([]float64, items)}
	for i := range sum {
		levels.Items[i] = sum[i] / (count[i] + shrinkage)
	}
	for u, list := range lists {
		var others []float64
		for k, i := range list.Items {
			others = append(others, (sum[i]-stars[u][k])/(count[i]-1+shrinkage))
		}
		levels.Others = append(levels.Others, others)
	}
	return lists, levels, worths
}

// The gradient of the slope is that of the objective, worths moving with it.
func TestGradientOfTheSlope(t *testing.T) {
	lists, levels, _ := starred(1, 12, 6, 1)
	for k := range levels.Others[0] {
		levels.Others[0][k] += 0.1 * float64(k) // another list's word, not the item's own level
	}
	f, err := newFit(t.Context(), 12, osm.Pack(lists), with(Defaults(), func(o *Options) { o.Hidden, o.Levels = 2, levels }))
	if err != nil {
		t.Fatal(err)
	}
	task := &ascent.Task{List: lists[0]}
	r := rng.Stream(2, "beside levels")
	beside := make([]float64, 12)
	for i := range beside {
		beside[i] = r.NormFloat64()
	}
	at := func(slope float64) (value, gradient float64) {
		f.State.Slope = slope
		for i := range beside {
			f.State.Now.U[i] = beside[i] + slope*levels.Items[i]
		}
		f.Gradient(0, task)
		for n, g := range task.Gradient.WithoutW().U {
			gradient += g * f.tasks[0].levels[n]
		}
		return task.LogLikelihood, gradient
	}
	const step = 1e-5
	up, _ := at(0.8 + step)
	down, _ := at(0.8 - step)
	_, gradient := at(0.8)
	if numeric := (up - down) / (2 * step); !(math.Abs(numeric-gradient) < 1e-6*(1+math.Abs(numeric))) || math.Abs(gradient) < 1e-3 {
		t.Errorf("gradient %g, by differences %g", gradient, numeric)
	}
}

// Where items have few ratings levels bring worths nearer to the truth. Levels in
// which every list had its own part, the broken twin, promise more than they keep:
// their slope is steeper.
func TestLevelsTellOfWorths(t *testing.T) {
	lists, levels, worths := starred(150, 200, 5, 3)
	fit := func(v *Levels) (near, slope float64) {
		c, err := with(Defaults(), func(o *Options) {
			o.Hidden, o.Levels, o.Seed = 0, v, 1
			o.Save = func(s *ascent.State) error {
				slope = s.Slope
				return nil
			}
		}).Fit(t.Context(), 200, osm.Pack(lists))
		if err != nil {
			t.Fatal(err)
		}
		return correlation(c.U, worths), slope
	}
	without, none := fit(nil)
	with, slope := fit(levels)
	twin := &Levels{Items: levels.Items}
	for _, list := range lists {
		var own []float64
		for _, i := range list.Items {
			own = append(own, levels.Items[i])
		}
		twin.Others = append(twin.Others, own)
	}
	_, steep := fit(twin)
	if none != 0 || !(with > without+0.02) {
		t.Errorf("worths correlate with the truth by %.3f with levels and %.3f without (slope %g)", with, without, none)
	}
	if !(slope > 0.5 && steep > 1.5*slope) {
		t.Errorf("slope %.3f, and %.3f where lists have their own part in levels", slope, steep)
	}
}

func correlation(a, b []float64) float64 {
	var ma, mb, ab, aa, bb float64
	for i := range a {
		ma += a[i] / float64(len(a))
		mb += b[i] / float64(len(b))
	}
	for i := range a {
		ab += (a[i] - ma) * (b[i] - mb)
		aa += (a[i] - ma) * (a[i] - ma)
		bb += (b[i] - mb) * (b[i] - mb)
	}
	return ab / math.Sqrt(aa*bb)
}

// A run with levels that is broken off and goes on ends in the same numbers as an
// unbroken one, with any number of workers and with lists cut into parts.
func TestLevelsResume(t *testing.T) {
	lists, levels, _ := starred(60, 40, 8, 4)
	options := with(Defaults(), func(o *Options) {
		o.Hidden, o.Levels, o.Epochs, o.Longest, o.Batch, o.Seed, o.Jobs = 3, levels, 6, 6, 20, 5, 1
	})
	var half *ascent.State
	first := options
	first.Save = func(s *ascent.State) error {
		if s.Epoch == 3 {
			half = s.Clone()
		}
		return nil
	}
	whole, err := first.Fit(t.Context(), 40, osm.Pack(lists))
	if err != nil {
		t.Fatal(err)
	}
	if half == nil || half.Slope == 0 {
		t.Fatalf("no state with a slope: %+v", half)
	}
	second := options
	second.Resume, second.Jobs = half, 2
	again, err := second.Fit(t.Context(), 40, osm.Pack(lists))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(whole, again) {
		t.Error("the resumed run ended elsewhere")
	}
}

func TestLevelsRefused(t *testing.T) {
	lists, levels, _ := starred(5, 12, 4, 6)
	short := &Levels{Items: levels.Items, Others: append([][]float64{{1}}, levels.Others[1:]...)}
	for name, o := range map[string]Options{
		"too few items": with(Defaults(), func(o *Options) { o.Levels = &Levels{Items: levels.Items[1:], Others: levels.Others} }),
		"too few lists": with(Defaults(), func(o *Options) { o.Levels = &Levels{Items: levels.Items, Others: levels.Others[1:]} }),
		"a short list":  with(Defaults(), func(o *Options) { o.Levels = short }),
		"a start":       with(Defaults(), func(o *Options) { o.Levels = levels; o.WarmStart(o.Shape(12, 0).New(), make([]uint32, 12)) }),
	} {
		if _, err := o.Fit(t.Context(), 12, osm.Pack(lists)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// With next to no gradient, of lists with one tier, the slope stays where it is. Worths have a little of it, from units that do not
// start at zero.
func TestSlopeWithoutAGradient(t *testing.T) {
	lists, levels, _ := starred(4, 6, 3, 2)
	for l := range lists {
		lists[l].Order = partition.OneBlock(3)
	}
	for _, hidden := range []int{0, 2} {
		c, err := with(Defaults(), func(o *Options) { o.Hidden, o.Levels, o.Epochs = hidden, levels, 2 }).Fit(t.Context(), 6, osm.Pack(lists))
		if err != nil {
			t.Fatal(err)
		}
		for i, u := range c.U { // hundreds with a slope of small gradients divided by their squares
			if !(math.Abs(u) < 1e-3) {
				t.Errorf("%d units: item %d has the worth %g, by lists that order nothing", hidden, i, u)
			}
		}
	}
}

// Of a list that is trained on in parts, levels count by the share of it that is used, as their gradient does.
func TestCurvatureOfTheSlope(t *testing.T) {
	lists, levels, _ := starred(8, 20, 10, 4)
	f, err := newFit(t.Context(), 20, osm.Pack(lists), with(Defaults(), func(o *Options) { o.Levels, o.Longest = levels, 4 }))
	if err != nil {
		t.Fatal(err)
	}
	var want float64
	for _, list := range levels.Others {
		for _, v := range list {
			want += 0.4 * v * v
		}
	}
	if !(math.Abs(f.levels.square-want) <= 1e-12*want) {
		t.Errorf("sum of squares %g, want %g", f.levels.square, want)
	}
}
