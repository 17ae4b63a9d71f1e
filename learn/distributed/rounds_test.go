package distributed_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/learn/ascent"
	"fubini/learn/distributed"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/model/latent"
)

// with is a request with something changed.
func with(r distributed.Request, change func(o *distributed.Request)) distributed.Request {
	change(&r)
	return r
}

// must is the value of a call that should not fail.
func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// divided deals the users of a set out to some parts, each with a vocabulary of its own.
func divided(t testing.TB, set *ratings.Set, parts int) []*ratings.Set {
	t.Helper()
	sets := make([]*ratings.Set, parts)
	for k := range sets {
		b := ratings.NewBuilder()
		for u := k; u < set.Users().Len(); u += parts {
			row := set.Row(u)
			for n, i := range row.Items {
				if err := b.Add([]byte(set.Users().ID(uint32(u))), []byte(set.Items().ID(i)), row.Values[n], ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
		var err error
		if sets[k], _, err = b.Build(ratings.Refuse); err != nil {
			t.Fatal(err)
		}
	}
	return sets
}

// planted has two tastes: each half of the users likes one half of the items.
func planted(t testing.TB, users, items int) *ratings.Set {
	t.Helper()
	r := rng.Stream(1, "planted rounds")
	b := ratings.NewBuilder()
	for u := range users {
		for i := range items {
			if r.Float64() > 0.5 {
				continue
			}
			v := 3 + 1.2*r.NormFloat64()
			if u%2 == i%2 {
				v++
			}
			if err := b.Add(fmt.Append(nil, u), fmt.Appendf(nil, "%03d", i), float32(math.Round(min(5, max(1, v)))), ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// plan prepares some parts for training.
func plan(t testing.TB, sets []*ratings.Set, r distributed.Request) (*distributed.Plan, []*distributed.Part) {
	t.Helper()
	all := distributed.Nobody()
	for _, set := range sets {
		all.Add(distributed.NewCensus(set, must[distributed.Kind](t)(r.Kind()).Longest))
	}
	p := must[*distributed.Plan](t)(distributed.NewPlan(all, r))
	var parts []*distributed.Part
	for k, set := range sets {
		parts = append(parts, must[*distributed.Part](t)(p.NewPart(k, set)))
	}
	return p, parts
}

// add adds up the sums of some parts.
func add(t testing.TB, sums ...*distributed.Sum) *distributed.Sum {
	t.Helper()
	total := &distributed.Sum{}
	for _, s := range sums {
		if s == nil {
			continue
		}
		if err := total.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	return total
}

// shares are the contributions of all parts to a step.
func shares(t testing.TB, p *distributed.Plan, parts []*distributed.Part, step int, from *ascent.State) []*distributed.Sum {
	t.Helper()
	sums := make([]*distributed.Sum, len(parts))
	for k, part := range parts {
		sums[k] = must[*distributed.Sum](t)(p.Map(t.Context(), step, from, part, 1))
	}
	return sums
}

// passes is the number of steps before the first round.
func passes(p *distributed.Plan) int { return p.Steps - p.Rounds }

// afterPasses is the state before the first round.
func afterPasses(t testing.TB, p *distributed.Plan, parts []*distributed.Part) *ascent.State {
	t.Helper()
	state := p.Start()
	for step := range passes(p) {
		state = must[*ascent.State](t)(p.Reduce(step, state, add(t, shares(t, p, parts, step, state)...)))
	}
	return state
}

// What depends on how much there is to learn from comes from all parts, however many.
func TestPartsAreCountedTogether(t *testing.T) {
	set := planted(t, 60, 20)
	whole, _ := plan(t, []*ratings.Set{set}, distributed.Defaults())
	parts, _ := plan(t, divided(t, set, 3), distributed.Defaults())
	if !reflect.DeepEqual(whole.Options, parts.Options) || !slices.Equal(whole.Lists, parts.Lists) || whole.All.Fingerprint() != parts.All.Fingerprint() {
		t.Errorf("one part: %+v, %s; three: %+v, %s", whole.Options, whole.All.Fingerprint(), parts.Options, parts.All.Fingerprint())
	}
	lists := 0.0
	for _, n := range whole.Lists {
		lists += n
	}
	if want := 20 + lists/float64(len(whole.IDs)); !(math.Abs(whole.Options.Prior.W-want) < 1e-9) {
		t.Errorf("prior %g, not %g", whole.Options.Prior.W, want)
	}
	other, _ := plan(t, []*ratings.Set{planted(t, 61, 20)}, distributed.Defaults())
	if other.All.Fingerprint() == whole.All.Fingerprint() {
		t.Error("other data have the same fingerprint")
	}
}

// The average is the same to the last bit in whatever order parts come, and whichever of
// them were added up before.
func TestSumsAreExact(t *testing.T) {
	p, parts := plan(t, divided(t, planted(t, 40, 15), 4), with(distributed.Defaults(), func(o *distributed.Request) { o.Model, o.Local = "latent-osm", 1 }))
	sums := shares(t, p, parts, passes(p), afterPasses(t, p, parts))
	first := add(t, sums...)
	for name, other := range map[string]*distributed.Sum{
		"backwards": add(t, sums[3], sums[2], sums[1], sums[0]),
		"in pairs":  add(t, add(t, sums[0], sums[2]), add(t, sums[3], sums[1])),
	} {
		if !slices.Equal(first.Values, other.Values) {
			t.Errorf("%s: another sum", name)
		}
	}
	if err := add(t, sums[0]).Add(&distributed.Sum{Epoch: 9, Values: sums[1].Values}); err == nil {
		t.Error("sums of two epochs go together")
	}
}

// An item that one part alone has met stands where that part put it. The plain mean,
// which this test could not do without, would draw it back to where it was.
func TestItemsAreWeightedByHowOftenTheyWereSeen(t *testing.T) {
	build := func(users int, items ...string) *ratings.Set {
		b := ratings.NewBuilder()
		for u := range users {
			for k, id := range items {
				if err := b.Add(fmt.Appendf(nil, "%s%d", items[0], u), []byte(id), float32(k), ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
		set, _, err := b.Build(ratings.Refuse)
		return must[*ratings.Set](t)(set, err)
	}
	p, parts := plan(t, []*ratings.Set{build(9, "a", "b", "only"), build(27, "b", "c")}, with(distributed.Defaults(), func(o *distributed.Request) { o.Model, o.Rounds, o.Local = "osm", 1, 4 }))
	from, at := p.Start(), slices.Index(p.IDs, "only")
	sums := shares(t, p, parts, 0, from)
	learned := must[*ascent.State](t)(p.Reduce(0, from, sums[0])).Now.U[at] // its share is all of it
	mean := learned / 2
	got := must[*ascent.State](t)(p.Reduce(0, from, add(t, sums...))).Now.U[at]
	if !(math.Abs(learned) > 0.05) || !(math.Abs(got-learned) < 1e-11) {
		t.Errorf("the part that knows it has %g, the average %g", learned, got)
	}
	if !(math.Abs(mean-learned) > 0.02) {
		t.Errorf("the test cannot see a plain mean: %g and %g", mean, learned)
	}
}

// Chains stay with their lists from round to round; the slot likelihood has none.
func TestChainsTravelWithTheirLists(t *testing.T) {
	for model, chains := range map[string]bool{"osm": true, "latent-osm": false} {
		p, parts := plan(t, divided(t, planted(t, 20, 10), 2), with(distributed.Defaults(), func(o *distributed.Request) { o.Model, o.Local = model, 1 }))
		from := afterPasses(t, p, parts)
		shares(t, p, parts, passes(p), from)
		if (parts[0].Ranks != nil) != chains || chains && len(parts[0].Ranks) != len(parts[0].Lists) {
			t.Errorf("%s: %d chains of %d lists", model, len(parts[0].Ranks), len(parts[0].Lists))
		}
		before := fmt.Sprint(parts[0].Ranks)
		from.Epoch = 1
		shares(t, p, parts, passes(p), from)
		if moved := fmt.Sprint(parts[0].Ranks) != before; moved != chains {
			t.Errorf("%s: chains moved: %v", model, moved)
		}
	}
}

// Divided or not, a planted world is learned about as well; and the result is the same
// for any number of goroutines.
func TestRoundsLearn(t *testing.T) {
	split := must[ratings.Split](t)(planted(t, 240, 24).Given(8, 2, 1))
	set := split.Training.Set()
	judge := func(m model.Model) float64 {
		return must[*evaluate.Result](t)(evaluate.Judge(t.Context(), m, split.Holdout, evaluate.Options{})).Average("ndcg@5")
	}
	request := with(distributed.Defaults(), func(o *distributed.Request) { o.Model, o.Seed, o.Local = "latent-osm", 3, 10 })
	one := must[*modelstore.Saved](t)(distributed.Run(t.Context(), divided(t, set, 3), request, 1))
	two := must[*modelstore.Saved](t)(distributed.Run(t.Context(), divided(t, set, 3), request, 2))
	if !reflect.DeepEqual(one.Model, two.Model) {
		t.Error("one goroutine and two learn different models")
	}
	recipe := must[model.Recipe](t)(registry.New("latent-osm"))
	alone := judge(must[model.Model](t)(recipe.Fit(t.Context(), set, model.Run{Seed: 3})))
	// Users number two hundred: their mean has a standard error of about 0.01.
	if got := judge(must[*registry.Latent](t)(one.For(set.Items()))); !(got > alone-0.02) {
		t.Errorf("NDCG@5 %.4f in rounds, %.4f on one machine", got, alone)
	}
}

func TestWhatCannotBeTrained(t *testing.T) {
	set := planted(t, 10, 5)
	for name, r := range map[string]distributed.Request{"a rival": with(distributed.Defaults(), func(o *distributed.Request) { o.Model = "pmf" }), "no such model": with(distributed.Defaults(), func(o *distributed.Request) { o.Model = "svd" }), "no rounds": with(distributed.Defaults(), func(o *distributed.Request) { o.Model, o.Rounds = "osm", -1 })} {
		if _, err := distributed.Run(t.Context(), []*ratings.Set{set}, r, 1); err == nil {
			t.Errorf("%s: trained", name)
		}
	}
	if _, err := distributed.NewPlan(distributed.Nobody(), with(distributed.Defaults(), func(o *distributed.Request) { o.Model = "osm" })); err == nil {
		t.Error("learned from nobody")
	}
}

// Weights by tier size are learned in parts as on one machine: where people have habits in the
// sizes of their tiers, the weights of both agree in what they are for.
func TestSizesInParts(t *testing.T) {
	set := planted(t, 200, 12)
	for _, name := range []string{"latent-osm", "osm"} {
		settings := []registry.Assignment{{Name: "sizes", Value: "1"}, {Name: "epochs", Value: "40"}}
		recipe := must[[]model.Recipe](t)(registry.Configure([]string{name}, settings))[0]
		request := with(distributed.Defaults(), func(o *distributed.Request) {
			o.Model, o.Settings, o.Seed, o.Rounds, o.Local = name, settings, 1, 4, 10
		})
		whole := must[*modelstore.Saved](t)(modelstore.Train(t.Context(), set, modelstore.Request{Model: name, Recipe: recipe, Seed: 1}))
		parts := must[*modelstore.Saved](t)(distributed.Run(t.Context(), divided(t, set, 3), request, 1))
		a, b := must[*latent.Catalogue](t)(whole.Catalogue()), must[*latent.Catalogue](t)(parts.Catalogue())
		if a.Largest != b.Largest || len(b.Sizes) == 0 {
			t.Fatalf("%s: sizes up to %d and %d", name, a.Largest, b.Largest)
		}
		var product, one, other float64
		for k, v := range a.Sizes {
			product, one, other = product+v*b.Sizes[k], one+v*v, other+b.Sizes[k]*b.Sizes[k]
		}
		if c := product / math.Sqrt(one*other); !(c > 0.9) || !(one > 0.1) {
			t.Errorf("%s: weights correlate by %.3f:\n%.2f\n%.2f", name, c, a.Sizes, b.Sizes)
		}
	}
}
