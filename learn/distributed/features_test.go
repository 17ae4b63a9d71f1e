package distributed_test

import (
	"errors"
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
	"fubini/model/osm"
)

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

// The shares of parts in a pass add up to that of all lists, and after all passes features are
// near those that one machine finds. What the largest part finds by itself is not.
func TestPartsFindTheFeaturesInAllLists(t *testing.T) {
	const numbers = 3
	settings := []registry.Assignment{{Name: "co-occurrence", Value: fmt.Sprint(numbers)}}
	p, parts := plan(t, circles(t), with(distributed.Defaults(), func(o *distributed.Request) { o.Model, o.Settings, o.Seed = "latent-osm", settings, 5 }))
	var lists []osm.Packed
	for _, part := range parts {
		lists = append(lists, part.Lists...)
	}
	one := cooccurrence.Compute(len(p.IDs), lists, numbers, 9, 1)
	alone := cooccurrence.Compute(len(p.IDs), parts[0].Lists, numbers, 9, 1)
	start := p.Start()
	guess := start.CoOccurrence
	all, sums, times := *guess, guess.ListSums(lists, 1), make([]float64, len(p.IDs))
	for _, list := range lists {
		for _, i := range list.Items {
			times[i]++
		}
	}
	all.SetItems(sums, times)
	direct := append(all.Items, guess.Moments(sums, times)...)
	added, partAlone := make([]float64, len(direct)), 0.0
	for k, one := range shares(t, p, parts, 0, start) {
		if one == nil {
			continue
		}
		for n, v := range one.Values {
			if added[n] += float64(v) / (1 << 40); k == 0 {
				partAlone = max(partAlone, math.Abs(float64(v)/(1<<40)-direct[n]))
			}
		}
	}
	if off := far(t, added, direct); !(off < 1e-11) || !(partAlone > 0.1) { // each of four is rounded to 2^-40
		t.Errorf("the sum over parts is %g from that over all lists, and the largest part %g", off, partAlone)
	}
	got := afterPasses(t, p, parts).CoOccurrence
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
	first := afterPasses(t, p, parts)
	backwards := slices.Clone(parts)
	slices.Reverse(backwards)
	if other := afterPasses(t, p, backwards); !reflect.DeepEqual(first.CoOccurrence, other.CoOccurrence) {
		t.Error("backwards: other features")
	}
	if other := afterPasses(t, p, parts[1:]); reflect.DeepEqual(first.CoOccurrence, other.CoOccurrence) {
		t.Error("the test cannot see a part that is missing")
	}
}

// A state takes features along: those of items through all rounds as they are, the
// coefficients as the average of parts by their lists.
func TestStatesKeepTheirFeatures(t *testing.T) {
	p, parts := plan(t, circles(t), with(distributed.Defaults(), func(o *distributed.Request) { o.Model, o.Seed, o.Rounds, o.Local = "latent-osm", 5, 2, 4 }))
	from, step := afterPasses(t, p, parts), passes(p)
	sums := shares(t, p, parts, step, from)
	var mean, plain []float64 // by lists, and with the same weight for each part
	for k, one := range sums {
		if one == nil {
			continue
		}
		share := must[*ascent.State](t)(p.Reduce(step, from, one)).CoOccurrence.U
		if mean == nil {
			mean, plain = make([]float64, len(share)), make([]float64, len(share))
		}
		vec.AddTimes(mean, share, 1)
		vec.AddTimes(plain, share, float64(p.All.Lists)/float64(len(parts[k].Lists))/4)
	}
	next := must[*ascent.State](t)(p.Reduce(step, from, add(t, sums...)))
	if off, twin := far(t, next.CoOccurrence.U, mean), far(t, next.CoOccurrence.U, plain); !(off < 1e-11) || !(twin > 1e-5) {
		t.Errorf("coefficients are %g from the average of parts, %g from the plain mean", off, twin)
	}
	if moved := far(t, next.CoOccurrence.W, from.CoOccurrence.W); !(moved > 1e-5) {
		t.Errorf("coefficients moved by %g in the first round", moved)
	}
	if !slices.Equal(next.CoOccurrence.Items, from.CoOccurrence.Items) {
		t.Error("a round changed the features of items")
	}
}

// Rounds begin where training on one machine with these features does: at what the first coefficients predict of the weights of items, beside a fifth of
// the random ones. From the random weights alone, 50 rounds are too few.
func TestRoundsBeginAsOneMachine(t *testing.T) {
	p, parts := plan(t, circles(t), with(distributed.Defaults(), func(o *distributed.Request) { o.Model, o.Seed = "latent-osm", 5 }))
	random, from := p.Start().Now, afterPasses(t, p, parts)
	c := from.CoOccurrence
	if !slices.Equal(c.W, c.V) || !(far(t, c.W, make([]float64, len(c.W))) > 0.03) {
		t.Errorf("coefficients of %v and %v", c.W[:3], c.V[:3])
	}
	w := make([]float64, len(random.W))
	for i := range random.Items {
		row := w[i*random.K : (i+1)*random.K]
		vec.AddTimes(row, random.W[i*random.K:(i+1)*random.K], 0.2)
		for d, v := range c.Of(i) {
			vec.AddTimes(row, c.W[d*random.K:(d+1)*random.K], v)
		}
	}
	if off, twin := far(t, from.Now.W, w), far(t, from.Now.W, random.W); !(off < 1e-12) || !(twin > 1e-3) {
		t.Errorf("weights are %g from those of one machine, %g from random ones", off, twin)
	}
}

// One part is enough, and co-occurrence can be left out.
func TestRoundsWithAndWithoutCoOccurrence(t *testing.T) {
	sets := circles(t)
	run := func(sets []*ratings.Set, features string) *modelstore.Saved {
		settings := []registry.Assignment{{Name: "co-occurrence", Value: features}}
		return must[*modelstore.Saved](t)(distributed.Run(t.Context(), sets, with(distributed.Defaults(), func(o *distributed.Request) {
			o.Model, o.Settings, o.Seed, o.Rounds, o.Local = "latent-osm", settings, 2, 2, 2
		}), 1))
	}
	for name, some := range map[string][]*ratings.Set{"all": sets, "one part": sets[:1]} {
		with, without := run(some, "16"), run(some, "0")
		if reflect.DeepEqual(with.Model, without.Model) {
			t.Errorf("%s: co-occurrence makes no difference", name)
		}
	}
}

func TestSumsThatDoNotFit(t *testing.T) {
	p, parts := plan(t, circles(t), with(distributed.Defaults(), func(o *distributed.Request) { o.Model, o.Local = "latent-osm", 1 }))
	from := p.Start()
	sum := add(t, shares(t, p, parts, 0, from)...)
	if err := sum.Add(&distributed.Sum{Values: sum.Values[1:]}); err == nil {
		t.Error("sums of unlike features go together")
	}
	for _, step := range []int{0, passes(p)} {
		if _, err := p.Reduce(step, from, &distributed.Sum{Values: sum.Values[1:]}); err == nil {
			t.Errorf("step %d: a sum of other items", step)
		}
	}
}

// A number that is too large for a sum of whole numbers is divergence.
func TestLargeNumbersAreDivergence(t *testing.T) {
	p, parts := plan(t, divided(t, planted(t, 20, 10), 2), with(distributed.Defaults(), func(o *distributed.Request) { o.Model = "osm" }))
	for _, large := range []float64{1e7, 1e300} {
		from := p.Start()
		from.Mean.U[0] = large
		if sum, err := p.Map(t.Context(), 0, from, parts[0], 1); !errors.Is(err, ascent.ErrDiverged) {
			t.Errorf("a parameter of %g: %v, %v", large, sum != nil, err)
		}
	}
}
