package slots

import (
	"math"
	"slices"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/learn/ascent"
	"fubini/model/latent"
	"fubini/model/osm"
)

// assigned draws people who each place ten items drawn at random: which items these are says nothing of anybody. What somebody gives an item is its worth
// times spread, the product of a taste and a quality times strength, and noise. There are 126 items, each in about as many lists as people are to a dozen.
func assigned(t *testing.T, people int, spread, strength float64) (lists []osm.Packed, items int) {
	t.Helper()
	const length = 10
	items = 126
	r := rng.Stream(7, "assigned")
	worth, quality := make([]float64, items), make([][3]float64, items)
	for i := range items {
		worth[i], quality[i] = r.NormFloat64(), [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	}
	var plain []osm.List
	for range people {
		taste := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		order := make([]int, items)
		rng.Permutation(r, order)
		list := osm.List{Items: slices.Sorted(slices.Values(order[:length]))}
		own := make([]float64, length)
		for n, i := range list.Items {
			q := quality[i]
			own[n] = math.Round(spread*worth[i] + strength*(taste[0]*q[0]+taste[1]*q[1]+taste[2]*q[2]) + 0.5*r.NormFloat64())
		}
		var err error
		if list.Order, err = partition.FromScores(own); err != nil {
			t.Fatal(err)
		}
		plain = append(plain, list)
	}
	return osm.Pack(plain), items
}

// resolved are the options that lists choose, after a change.
func resolved(t *testing.T, items int, lists []osm.Packed, change func(o *Options)) Options {
	t.Helper()
	o := Defaults()
	o.Seed, o.Jobs = 1, 2
	change(&o)
	if err := o.Resolve(t.Context(), items, lists); err != nil {
		t.Fatal(err)
	}
	return o
}

// Tastes that are much stronger than the rule for W expects get a weaker prior, and the same on any number of goroutines. A prior that somebody asked for stays.
func TestPriorByItemsHeldBack(t *testing.T) {
	if testing.Short() {
		t.Skip("whole fits: not with -short")
	}
	lists, items := assigned(t, 900, 0.5, 1)
	rule := Defaults()
	listed, places := ascent.Counts(lists, rule.Longest)
	rule.OnData(len(lists), float64(places)/float64(listed), float64(places)/float64(len(lists)))
	same := func(*Options) {}
	o := resolved(t, items, lists, same)
	if want := rule.Prior.W / 4; !(math.Abs(o.Prior.W-want) <= 1e-9*want) {
		t.Errorf("strong tastes: precision of W %g, expected %g", o.Prior.W, want)
	}
	if one := resolved(t, items, lists, func(o *Options) { o.Jobs = 1 }); one.Prior.U != o.Prior.U || one.Prior.W != o.Prior.W || one.Prior.V != o.Prior.V {
		t.Errorf("one goroutine chooses %+v, two %+v", one.Prior, o.Prior)
	}
	if asked := resolved(t, items, lists, func(o *Options) { o.Prior.W = 50 }); asked.Prior.W != 50 {
		t.Errorf("asked for a precision of 50, used %g", asked.Prior.W)
	}
}

// Where the defaults do well they stay, and where items are in few lists, or lists have many items in all, nothing is tried.
func TestPriorStays(t *testing.T) {
	if testing.Short() {
		t.Skip("whole fits: not with -short")
	}
	golden, _ := goldenPeople(t, 600, 40)
	if o := resolved(t, 40, osm.Pack(golden), func(*Options) {}); o.Prior.W != ascent.Auto || !o.Prior.ByRule {
		t.Errorf("people of the golden fit: %+v, expected W by rule, after trials", o.Prior)
	}
	few, items := assigned(t, 300, 0.5, 1)
	if o := resolved(t, items, few, func(*Options) {}); o.Prior.ByRule {
		t.Errorf("items in few lists: trials were made, with %+v", o.Prior)
	}
}

// Where items are assigned and tastes are weak, presence takes next to nothing from lists, by a gain that two standard errors would not pass; where people place
// what suits them it is kept. Twins with another bound are wrong about one of the two.
func TestPresenceByItemsHeldBack(t *testing.T) {
	if testing.Short() {
		t.Skip("whole fits: not with -short")
	}
	byLot, items := assigned(t, 2000, 0.1, 0.3)
	golden, _ := goldenPeople(t, 300, 40)
	suited, own := osm.Pack(golden), changes
	defer func() { changes = own }()
	for _, c := range []struct {
		name          string
		errors        float64 // bound of the change of V, in standard errors
		byLot, suited float64 // precision of V
	}{
		{"as it is", own[0].errors, 16 * ascent.DefaultV, ascent.Auto},
		{"two standard errors", leastErrors, ascent.Auto, ascent.Auto},
		{"whatever is lost", -100, 16 * ascent.DefaultV, 16 * ascent.DefaultV},
	} {
		changes = []change{own[0]}
		changes[0].errors = c.errors
		changes[0].least = min(0, 100*c.errors)
		if v := resolved(t, items, byLot, func(*Options) {}).Prior.V; v != c.byLot {
			t.Errorf("%s, items by lot: precision of V %g, expected %g (%g is by rule)", c.name, v, c.byLot, float64(ascent.Auto))
		}
		if v := resolved(t, 40, suited, func(*Options) {}).Prior.V; v != c.suited {
			t.Errorf("%s, items that suit: precision of V %g, expected %g (%g is by rule)", c.name, v, c.suited, float64(ascent.Auto))
		}
	}
}

// A run that is resumed has the choice of the run before it, whatever its lists would choose.
func TestResumedPrior(t *testing.T) {
	lists, items := assigned(t, 900, 0.5, 1)
	o := resolved(t, items, lists, func(o *Options) {
		o.Resume = &ascent.State{Precisions: []float64{ascent.Auto, ascent.Auto, 80}}
	})
	if p := o.Prior; p.V != 80 || p.W != ascent.Auto || p.U != ascent.Auto || !p.ByRule {
		t.Errorf("resumed with %+v", p)
	}
	asked := resolved(t, items, lists, func(o *Options) {
		o.Prior.V, o.Resume = 7, &ascent.State{Precisions: []float64{5, ascent.Auto, 80}}
	})
	if p := asked.Prior; p.V != 7 || p.U != 5 {
		t.Errorf("asked for 7 of V, resumed with %+v", p)
	}
}

// Of every list two items or more are kept, and those held back are the others.
func TestHeldBack(t *testing.T) {
	lists := []osm.Packed{{Items: []uint32{3}, Tiers: []uint16{0}}, {Items: []uint32{0, 1}, Tiers: []uint16{1, 0}}}
	long := osm.Packed{}
	for i := range 40 {
		long.Items, long.Tiers = append(long.Items, uint32(i)), append(long.Tiers, uint16(i/10))
	}
	lists = append(lists, long)
	o := Defaults()
	o.onLists(lists)
	h := newHeldBack(40, lists, o)
	many := o
	many.Epochs = 10_000
	if long := newHeldBack(40, lists, many); long.Epochs != h.Epochs || h.Epochs != o.Epochs/2 {
		t.Errorf("trial fits have %d epochs, and %d where the fit has 10,000; expected %d", h.Epochs, long.Epochs, o.Epochs/2)
	}
	if err := osm.ValidatePacked(40, h.lists); err != nil {
		t.Fatal(err)
	}
	for l, list := range lists {
		seen := map[uint32]bool{}
		for _, i := range h.lists[l].Items {
			seen[i] = true
		}
		for _, at := range h.held[l] {
			if seen[list.Items[at]] {
				t.Errorf("list %d: item %d is held back, and seen by trial fits", l, list.Items[at])
			}
			seen[list.Items[at]] = true
		}
		if kept := len(h.lists[l].Items); kept < min(2, len(list.Items)) || len(seen) != len(list.Items) {
			t.Errorf("list %d: %d items of %d are kept, %d held back", l, kept, len(list.Items), len(h.held[l]))
		}
	}
	if n := len(h.held[2]); n != 10 && n != 11 {
		t.Errorf("%d of 40 items are held back", n)
	}
}

// The correlation of items held back is that of their scores with their normal scores in the whole list, whatever their scale; it is 0 where there is none.
func TestCorrelationOfHeldBack(t *testing.T) {
	whole := osm.Packed{Items: []uint32{4, 0, 2, 5, 1, 3}, Tiers: []uint16{3, 0, 1, 2, 5, 4}}
	held := []int{0, 2, 3, 4}
	var un osm.Unpacker
	kept := un.Part(whole, []int{1, 5})
	kept.Items = slices.Clone(kept.Items)
	places := normalScores(whole)
	of := func(value func(at int) float64) float64 {
		c := latent.NewCatalogue(6, 1, latent.Gaussian, latent.Options{Size: 2, Centred: true})
		for at, i := range whole.Items {
			c.U[i] = value(at)
		}
		return new(judge).correlation(c, kept, whole, held)
	}
	for name, want := range map[string]struct {
		value func(at int) float64
		want  float64
	}{
		"in line":  {func(at int) float64 { return 3 + 2*float64(places[at]) }, 1},
		"reversed": {func(at int) float64 { return 3 - 2*float64(places[at]) }, -1},
		"alike":    {func(int) float64 { return 3 }, 0},
	} {
		if got := of(want.value); !(math.Abs(got-want.want) <= 1e-6) {
			t.Errorf("%s: %g, want %g", name, got, want.want)
		}
	}
	// Items that are kept do not count, and an order that is right but for distances has less than 1.
	if got := of(func(at int) float64 { return float64(places[at]) + 100*float64(at/5) }); !(got > 0.999) {
		t.Errorf("an item that is kept changes the correlation to %g", got)
	}
	if got := of(func(at int) float64 { return math.Exp(3 * float64(places[at])) }); !(got > 0.5 && got < 0.95) {
		t.Errorf("an order with other distances: %g", got)
	}
}
