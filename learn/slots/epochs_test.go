package slots

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"fubini/core/partition"
	"fubini/learn/ascent"
	"fubini/model/latent"
	"fubini/model/latent/planted"
	"fubini/model/osm"
)

// numbered has lists of the same length, each of items of its own.
func numbered(t testing.TB, count, length int) []osm.List {
	t.Helper()
	lists := make([]osm.List, count)
	for l := range lists {
		levels := make([]int, length)
		for k := range length {
			lists[l].Items = append(lists[l].Items, l*length+k)
			levels[k] = length - k
		}
		order, err := partition.FromLevels(levels)
		if err != nil {
			t.Fatal(err)
		}
		lists[l].Order = order
	}
	return lists
}

// Coefficients of co-occurrence make a step after the last block of an epoch too: no gradient
// is left over, whether the blocks divide into sixteen steps or not.
func TestNoGradientIsLeftAfterAnEpoch(t *testing.T) {
	const items = 12
	lists, _ := planted.Circles(50, items, 3, 0.5, 1)
	for _, blocks := range []int{1, 3, 16, 17, 20, 33, 50} {
		own := osm.Pack(lists[:blocks])
		o := plainly(1, 1)
		o.CoOccurrence = 2
		f, err := newFit(t.Context(), items, own, o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Train(t.Context(), ascent.Method{Objective: f, Rule: ascent.Newton}); err != nil {
			t.Fatal(err)
		}
		left := 0.0
		for _, g := range f.regression.gradient.Values {
			left = math.Max(left, math.Abs(g))
		}
		if f.regression.lists != 0 || left != 0 {
			t.Errorf("%d blocks: gradients of %d lists are left over, up to %g", blocks, f.regression.lists, left)
		}
	}
}

// The factor of a feature in the curvature of its coefficient: the
// sum of its squares over all places for worths and weights, and for presence, which adds
// up, the square of its sum over each list; of a list that is trained on in parts, by the
// share of it that is used.
func TestCurvatureOfCoefficients(t *testing.T) {
	const items, numbers, longest = 12, 3, 5
	lists, _ := planted.Circles(20, items, 3, 0.5, 1) // of 5 to 7 items
	o := plainly(1, len(lists))
	o.CoOccurrence, o.Longest = numbers, longest
	f, err := newFit(t.Context(), items, osm.Pack(lists), o)
	if err != nil {
		t.Fatal(err)
	}
	c := f.regression
	for d := range numbers {
		var single, both float64
		for _, list := range lists {
			var sum, square float64
			for _, i := range list.Items {
				v := c.Items[i*numbers+d]
				sum += v
				square += v * v
			}
			n := float64(len(list.Items))
			single += square * min(1, longest/n)
			both += math.Pow(sum*min(1, longest/n), 2)
		}
		for name, each := range map[string][2]float64{"u": {c.kinds[0].squares[d], single}, "w": {c.kinds[1].squares[d], single}, "v": {c.kinds[2].squares[d], both}} {
			if !(math.Abs(each[0]-each[1]) <= 1e-12*(1+each[1])) || !(each[1] > 0) {
				t.Errorf("number %d of %s: %g, added up %g", d, name, each[0], each[1])
			}
		}
		if !(math.Abs(single-both) > 1e-3*single) {
			t.Errorf("number %d: %g and %g: this test cannot tell one from the other", d, single, both)
		}
	}
}

// A list that is too long trains on another part of it in every epoch, each place as
// often as any other, and on other places than another list; the times that an item is
// seen are counted by its share.
func TestPartsOfLongLists(t *testing.T) {
	const length, longest, epochs, items = 10, 4, 400, 20
	lists := numbered(t, 2, length)
	o := plainly(epochs, len(lists))
	o.Longest = longest
	seen := make([]float64, items)
	var before, first, second []int
	same, alike := 0, 0
	at := ascent.NewState(o.Shape(items, 0), o.Seed)
	for epoch := range epochs {
		at.Epoch = epoch
		slope, times := gradientAt(t, o, items, lists, at)
		first, second = nil, nil
		for i, g := range slope.U { // every item of a part has a slope: none is where it would be by chance
			if g == 0 {
				continue
			}
			seen[i]++
			if i < length {
				first = append(first, i)
			} else {
				second = append(second, i-length)
			}
		}
		if len(first) != longest || len(second) != longest {
			t.Fatalf("epoch %d: parts %v and %v, want %d places", epoch, first, second, longest)
		}
		if slices.Equal(first, before) {
			same++
		}
		if slices.Equal(first, second) {
			alike++
		}
		before = first
		for i, n := range times {
			if n != float64(longest)/length {
				t.Fatalf("item %d is seen in %g of a list, want %g", i, n, float64(longest)/length)
			}
		}
	}
	// Of 210 parts two are the same about twice in 400 epochs.
	if same > 15 || alike > 15 {
		t.Errorf("in %d of %d epochs the part was that of the epoch before, in %d that of the other list", same, epochs, alike)
	}
	p := float64(longest) / length
	for i, n := range seen {
		if z := (n - epochs*p) / math.Sqrt(epochs*p*(1-p)); !(math.Abs(z) < 5) {
			t.Errorf("item %d is in the part of %g of %d epochs (z = %.1f)", i, n, epochs, z)
		}
	}
}

// recorded is an objective that keeps the number of the last list.
type recorded struct {
	*fit
	number int
}

func (r *recorded) Gradient(worker int, t *ascent.Task) {
	r.number = t.Number
	r.fit.Gradient(worker, t)
}

// Lists come in another order in every epoch.
func TestAnotherOrderInEveryEpoch(t *testing.T) {
	const count, epochs = 12, 24
	lists := numbered(t, count, 3)
	f, err := newFit(t.Context(), 3*count, osm.Pack(lists), plainly(epochs, 1))
	if err != nil {
		t.Fatal(err)
	}
	o, last := &recorded{fit: f}, map[int]int{}
	f.Save = func(*ascent.State) error {
		last[o.number]++ // of the last block, which is one list
		return nil
	}
	if _, err := f.Train(t.Context(), ascent.Method{Objective: o, Rule: ascent.Newton}); err != nil {
		t.Fatal(err)
	}
	// Of twelve lists 24 epochs leave out one and a half on average.
	if len(last) < 6 {
		t.Errorf("the last list of %d epochs was one of %d in all", epochs, len(last))
	}
}

// The result is the mean of the points after the epochs of the second half, in every
// parameter.
func TestTheResultIsTheMeanOfTheSecondHalf(t *testing.T) {
	lists, _ := planted.Circles(30, 12, 3, 0.5, 1)
	for _, epochs := range []int{1, 2, 7, 8} {
		o := plainly(epochs, 10)
		o.Biases, o.Sizes, o.Discount = true, true, false
		var points []*latent.Catalogue
		o.Save = func(s *ascent.State) error {
			points = append(points, s.Now.Clone())
			return nil
		}
		got, err := o.Fit(t.Context(), 12, osm.Pack(lists))
		if err != nil {
			t.Fatal(err)
		}
		if len(points) != epochs {
			t.Fatalf("%d points of %d epochs", len(points), epochs)
		}
		used := points[(epochs+1)/2:]
		if epochs == 1 { // there is no second half, and the only point is the result
			used = points
		}
		fields, moved := reflect.ValueOf(got.Catalogue).Elem(), 0
		for k := range fields.NumField() {
			name := fields.Type().Field(k).Name
			for n, v := range numbersIn(fields.Field(k)) {
				var mean float64
				for _, p := range used {
					mean += numbersIn(reflect.ValueOf(p).Elem().Field(k))[n] / float64(len(used))
				}
				if !(math.Abs(v-mean) <= 1e-12) {
					t.Fatalf("%d epochs: number %d of %s is %g, the mean of the last %d points %g", epochs, n, name, v, len(used), mean)
				}
				if v != numbersIn(reflect.ValueOf(points[0]).Elem().Field(k))[n] {
					moved++
				}
			}
		}
		if epochs > 1 && moved < 50 {
			t.Errorf("%d epochs: only %d numbers moved after the first", epochs, moved)
		}
	}
}

// numbersIn are the parameters that a field of a catalogue holds.
func numbersIn(f reflect.Value) []float64 {
	switch {
	case f.Kind() == reflect.Slice && f.Type().Elem().Kind() == reflect.Float64:
		return f.Convert(reflect.TypeFor[[]float64]()).Interface().([]float64)
	case f.Type() == reflect.TypeFor[*float64]():
		return []float64{f.Elem().Float()}
	}
	return nil
}

// Fifteen epochs, or more where these make few updates for what the lists have to say of an item; with thousands of lists smaller batches.
func TestEpochsByTheLists(t *testing.T) {
	for _, c := range []struct {
		name                  string
		people, items, length int
		batch, epochs         int
	}{
		{"many lists, an item in forty", 6000, 3000, 20, 50, 15},          // 120 updates an epoch, 600 wanted
		{"many lists, an item in a hundred", 6000, 3000, 50, 25, 10},      // 4,167 updates wanted, smaller batches
		{"twelve thousand lists", 12000, 3000, 50, 60, 15},                // a batch is a two-hundredth of them
		{"few lists, an item in five", 400, 800, 10, 32, 16},              // 13 updates an epoch, 200 wanted
		{"a thousand lists, an item in a hundred", 1200, 600, 50, 30, 75}, // 40 updates an epoch, 4,167 wanted; 90,000 visits
		{"five hundred lists, an item in 83", 500, 300, 50, 25, 121},      // 20 updates an epoch, 2,411 wanted
		{"five thousand short lists, an item in 250", 5000, 100, 5, 25, 12},
		{"whole lists of many, an item in 270", 6000, 3700, 166, 25, 10},
		{"a handful of lists", 20, 10, 5, 25, 50}, // one update an epoch
	} {
		lists := make([]osm.Packed, c.people)
		for l := range lists {
			for k := range c.length {
				lists[l].Items = append(lists[l].Items, uint32((l*c.length+k)%c.items))
			}
		}
		o := Defaults()
		o.onLists(lists)
		if o.Batch != c.batch || o.Epochs != c.epochs {
			t.Errorf("%s: %d epochs of batches of %d, want %d of %d", c.name, o.Epochs, o.Batch, c.epochs, c.batch)
		}
	}
}

// The prior's steps are put together where items are in many lists and epochs are few only. Four at once end near one after every update; near, because
// a prior of a third of the precision, as if steps were lost, ends ten times as far.
func TestPullsTogether(t *testing.T) {
	const items, people = 12, 900
	fitOf := func(people, epochs int, weaker float64) *fit {
		lists, _ := planted.Circles(people, items, 3, 0.5, 1)
		o := plainly(epochs, people/10) // ten updates an epoch: pulls of four, four and two steps
		o.Rate, o.Prior.U = 0.1, 60/weaker
		f, err := newFit(t.Context(), items, osm.Pack(lists), o)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	few, many, long := fitOf(60, 15, 1).pullEvery(), fitOf(people, 15, 1).pullEvery(), fitOf(people, 16, 1).pullEvery()
	if few != 1 || many != 4 || long != 1 {
		t.Errorf("pulls every %d updates of few lists, every %d of many, every %d in more epochs; want 1, 4 and 1", few, many, long)
	}
	fitted := func(every int, weaker float64) []float64 {
		f := fitOf(people, 30, weaker)
		c, err := f.Train(t.Context(), ascent.Method{Objective: f, Rule: ascent.Newton, PullEvery: every})
		if err != nil {
			t.Fatal(err)
		}
		return c.U
	}
	apart := func(a, b []float64) (square float64) {
		for i := range a {
			square += (a[i] - b[i]) * (a[i] - b[i])
		}
		return math.Sqrt(square)
	}
	each := fitted(1, 1)
	near, far := apart(each, fitted(4, 1)), apart(each, fitted(1, 3))
	if !(10*near < far) {
		t.Errorf("four steps at once end %g apart, a third of the prior %g", near, far)
	}
}
