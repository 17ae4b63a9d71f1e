package distributed_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/data/ratings"
	"fubini/learn/ascent"
	"fubini/learn/cooccurrence"
	"fubini/learn/distributed"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/model/osm"
)

// findFeatures finds the co-occurrence features of items in some parts, in their order.
func findFeatures(t testing.TB, p *distributed.Plan, parts []*distributed.Part, largest int) *cooccurrence.Features {
	t.Helper()
	c := p.FirstFeatures(parts[largest], 1)
	for pass := range p.Passes {
		total := &distributed.Sum{}
		for _, part := range parts {
			one := must[*distributed.Sum](t)(p.FeatureSum(c, part, 2))
			if one == nil {
				continue
			}
			if err := total.Add(one); err != nil {
				t.Fatal(err)
			}
		}
		c = must[*cooccurrence.Features](t)(p.FeaturesOf(total, pass))
	}
	return c
}

// circles are people of four circles, each of whom places a few items, mostly such as
// their circle has, in parts of unlike sizes: one has nobody, one a single circle, and the
// largest has never seen the last items.
func circles(t testing.TB) []*ratings.Set {
	t.Helper()
	const count, items, late = 4, 40, 36
	r := rng.Stream(1, "circles of rounds")
	builders := make([]*ratings.Builder, 5)
	for k := range builders {
		builders[k] = ratings.NewBuilder()
	}
	for u := range 300 {
		part := []int{0, 0, 0, 1, 1, 3}[u%6] // 2 has nobody
		if u%count == 3 && u%3 == 0 {
			part = 4
		}
		in := map[int]bool{}
		for len(in) < 6 {
			i := r.IntN(items)
			if in[i] || i%count != u%count && r.Float64() < 0.9 || part == 0 && i >= late {
				continue
			}
			in[i] = true
			if err := builders[part].Add(fmt.Append(nil, u), fmt.Appendf(nil, "%02d", i), float32(r.IntN(3)), ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	sets := make([]*ratings.Set, len(builders))
	for k, b := range builders {
		set, _, err := b.Build(ratings.Refuse)
		sets[k] = must[*ratings.Set](t)(set, err)
	}
	return sets
}

// far is the largest difference of numbers.
func far(t testing.TB, a, b []float64) (most float64) {
	t.Helper()
	if len(a) != len(b) || len(a) == 0 {
		t.Fatalf("%d numbers, not %d", len(a), len(b))
	}
	for k, v := range a {
		most = max(most, math.Abs(v-b[k]))
	}
	return most
}

// apart is how far the inner products of items' features are from those of others.
func apart(a, b *cooccurrence.Features) (most float64) {
	items := len(a.Items) / a.Dims
	product := func(c *cooccurrence.Features, i, j int) float64 {
		return vec.Dot(c.Items[i*c.Dims:(i+1)*c.Dims], c.Items[j*c.Dims:(j+1)*c.Dims])
	}
	for i := range items {
		for j := range items {
			most = max(most, math.Abs(product(a, i, j)-product(b, i, j)))
		}
	}
	return most
}

// The shares of parts in a pass add up to that of all lists, and after two passes features are
// near those that one machine finds. What the largest part finds by itself is not.
func TestPartsFindTheFeaturesInAllLists(t *testing.T) {
	const numbers = 3
	recipe := must[[]model.Recipe](t)(registry.Configure([]string{"latent-osm"}, []registry.Assignment{must[registry.Assignment](t)(registry.ParseAssignment(fmt.Sprintf("latent-osm.co-occurrence=%d", numbers)))}))[0]
	p, parts := plan(t, circles(t), with(distributed.Defaults(), func(o *distributed.Request) { o.Model, o.Recipe, o.Seed = "latent-osm", recipe, 5 }))
	var lists []osm.List
	for _, part := range parts {
		lists = append(lists, part.Lists...)
	}
	largest := p.All.Largest.Part
	one := cooccurrence.Find(len(p.IDs), lists, numbers, 9, 1)
	alone := cooccurrence.Find(len(p.IDs), parts[largest].Lists, numbers, 9, 1)
	guess := p.FirstFeatures(parts[largest], 1)
	all, sums, times := *guess, guess.ListSums(lists, 1), make([]float64, len(p.IDs))
	for _, list := range lists {
		for _, i := range list.Items {
			times[i]++
		}
	}
	all.SetItems(sums, times)
	direct := append(all.Items, guess.Moments(sums, times)...)
	added, largestAlone := make([]float64, len(direct)), 0.0
	for k, part := range parts {
		if one := must[*distributed.Sum](t)(p.FeatureSum(guess, part, 1)); one != nil {
			for n, v := range one.Values {
				if added[n] += float64(v) / (1 << 40); k == largest {
					largestAlone = max(largestAlone, math.Abs(float64(v)/(1<<40)-direct[n]))
				}
			}
		}
	}
	if off := far(t, added, direct); !(off < 1e-11) || !(largestAlone > 0.1) { // each of four is rounded to 2^-40
		t.Errorf("what parts say is %g from what all lists say, and the largest part %g", off, largestAlone)
	}
	got := findFeatures(t, p, parts, largest)
	if got.Dims != numbers || len(got.Items) != len(p.IDs)*numbers {
		t.Fatalf("%d features, %d numbers in all", got.Dims, len(got.Items))
	}
	if off, twin := apart(got, one), apart(alone, one); !(off < twin/5) {
		t.Errorf("inner products of numbers are %g from those of one machine, and %g in the largest part", off, twin)
	}
}

// Features have the same bits in whatever order parts come.
func TestFeaturesAreExact(t *testing.T) {
	p, parts := plan(t, circles(t), with(distributed.Defaults(), func(o *distributed.Request) { o.Model, o.Seed = "latent-osm", 5 }))
	first := findFeatures(t, p, parts, 0)
	backwards := slices.Clone(parts)
	slices.Reverse(backwards)
	if other := findFeatures(t, p, backwards, len(parts)-1); !reflect.DeepEqual(first, other) {
		t.Error("backwards: other features")
	}
	if other := findFeatures(t, p, parts, 1); reflect.DeepEqual(first, other) {
		t.Error("the test cannot see who made the guess")
	}
}

// A point takes features along: those of items through all rounds as they are, the
// coefficients as the average of parts by their lists. After the first round they stay.
func TestPointsKeepTheirFeatures(t *testing.T) {
	p, parts := plan(t, circles(t), with(distributed.Defaults(), func(o *distributed.Request) { o.Model, o.Seed, o.Rounds, o.Local = "latent-osm", 5, 2, 4 }))
	from := warmStart(t, p, parts, 0)
	sum := func(say func(part *distributed.Part) (*distributed.Sum, error)) *distributed.Sum {
		total := &distributed.Sum{}
		for _, part := range parts {
			if one := must[*distributed.Sum](t)(say(part)); one != nil {
				if err := total.Add(one); err != nil {
					t.Fatal(err)
				}
			}
		}
		return total
	}
	var mean, plain []float64 // by lists, and with the same weight for each part
	first := must[*ascent.State](t)(p.Point(sum(func(part *distributed.Part) (*distributed.Sum, error) {
		one, err := p.Round(t.Context(), from, nil, part, 1)
		if one != nil {
			share := must[*ascent.State](t)(p.Point(one)).CoOccurrence.U
			if mean == nil {
				mean, plain = make([]float64, len(share)), make([]float64, len(share))
			}
			vec.AddTimes(mean, share, 1)
			vec.AddTimes(plain, share, float64(p.All.Lists)/float64(len(part.Lists))/4)
		}
		return one, err
	})))
	if off, twin := far(t, first.CoOccurrence.U, mean), far(t, first.CoOccurrence.U, plain); !(off < 1e-11) || !(twin > 1e-5) {
		t.Errorf("coefficients are %g from the average of parts, %g from the plain mean", off, twin)
	}
	if moved := far(t, first.CoOccurrence.W, from.CoOccurrence.W); !(moved > 1e-5) {
		t.Errorf("coefficients moved by %g in the first round", moved)
	}
	gradient := sum(func(part *distributed.Part) (*distributed.Sum, error) { return p.Gradient(t.Context(), first, part, 1) })
	second := must[*ascent.State](t)(p.Point(sum(func(part *distributed.Part) (*distributed.Sum, error) {
		return p.Round(t.Context(), first, gradient, part, 1)
	})))
	if moved := far(t, second.CoOccurrence.W, first.CoOccurrence.W); !(moved < 1e-11) {
		t.Errorf("coefficients moved by %g in a round with corrections", moved)
	}
	for _, point := range []*ascent.State{first, second} {
		if moved := far(t, point.CoOccurrence.Items, from.CoOccurrence.Items); !(moved < 1e-11) { // four parts, each rounded to 2^-40
			t.Errorf("features moved by %g until epoch %d", moved, point.Epoch)
		}
	}
}

// One part is enough, and co-occurrence can be left out.
func TestRoundsWithAndWithoutCoOccurrence(t *testing.T) {
	sets := circles(t)
	run := func(sets []*ratings.Set, features string) *modelstore.Saved {
		recipes := must[[]model.Recipe](t)(registry.Configure([]string{"latent-osm"}, []registry.Assignment{must[registry.Assignment](t)(registry.ParseAssignment("latent-osm.co-occurrence=" + features))}))
		return must[*modelstore.Saved](t)(distributed.Run(t.Context(), sets, with(distributed.Defaults(), func(o *distributed.Request) {
			o.Model, o.Recipe, o.Seed, o.Rounds, o.Local = "latent-osm", recipes[0], 2, 2, 2
		}), 1))
	}
	for name, some := range map[string][]*ratings.Set{"all": sets, "one part": sets[:1]} {
		with, without := run(some, "16"), run(some, "0")
		if reflect.DeepEqual(with.Model, without.Model) {
			t.Errorf("%s: co-occurrence makes no difference", name)
		}
	}
}

func TestFeaturesThatDoNotFit(t *testing.T) {
	p, parts := plan(t, circles(t), with(distributed.Defaults(), func(o *distributed.Request) { o.Model, o.Local = "latent-osm", 1 }))
	if _, err := p.WarmStart(t.Context(), nil, parts[0], 1); err == nil {
		t.Error("a warm start without features")
	}
	if _, err := p.Round(t.Context(), p.Start(), nil, parts[0], 1); err == nil {
		t.Error("a round without features")
	}
	sum := must[*distributed.Sum](t)(p.FeatureSum(p.FirstFeatures(parts[0], 1), parts[0], 1))
	if err := sum.Add(&distributed.Sum{Features: 1, Values: sum.Values}); err == nil {
		t.Error("sums of unlike features go together")
	}
	if _, err := p.FeaturesOf(&distributed.Sum{Features: sum.Features, Values: sum.Values[1:]}, 0); err == nil {
		t.Error("a sum of other items")
	}
}
