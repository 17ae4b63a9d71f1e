package ascent_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
	"fubini/learn/ascent"
	"fubini/learn/chains"
	"fubini/learn/slots"
	"fubini/model/latent"
	"fubini/model/osm"
)

// tastes draws lists from a planted latent model: items of two kinds, and people
// who like the one or the other.
func tastes(t testing.TB, people int) (lists []osm.List, items int) {
	return strongTastes(t, people, 1)
}

// strongTastes has worths and tastes so many times stronger.
func strongTastes(t testing.TB, people int, strength float64) (lists []osm.List, items int) {
	t.Helper()
	items = 12
	c := latent.NewCatalogue(items, 1, latent.Gaussian, latent.Options{Size: 2, Centred: true})
	for i := range items {
		c.U[i] = 0.5 * strength * math.Cos(float64(i))
		c.W[i] = 1.2 * strength
		if i%2 == 1 {
			c.W[i] *= -1
		}
	}
	r := rng.Stream(1, "tastes")
	for range people {
		all := make([]int, items)
		rng.Permutation(r, all)
		chosen := all[:5+r.IntN(2)]
		m := must[*latent.Model](t)(c.Model(chosen))
		list := must[*exact.Listing](t)(exact.List(m, partition.Space{}))
		x := partition.OneBlock(len(chosen))
		list.Draw(r, x)
		lists = append(lists, osm.List{Items: chosen, Order: x})
	}
	return lists, items
}

func must[V any](t testing.TB) func(v V, err error) V {
	return func(v V, err error) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// with are options with some of them changed.
func with[T any](o T, change func(o *T)) T {
	change(&o)
	return o
}

// trainer is options of either objective.
type trainer interface {
	Base() *ascent.Options
	Fit(ctx context.Context, items int, lists []osm.Packed) (*ascent.Estimate, error)
}

// bySlots and byChains are options with some of them changed, made anew at each call.
func bySlots(change func(o *slots.Options)) func() trainer {
	return func() trainer { o := with(slots.Defaults(), change); return &o }
}

func byChains(change func(o *chains.Options)) func() trainer {
	return func() trainer { o := with(chains.Defaults(), change); return &o }
}

// fitted trains with some options changed.
func fitted(ctx context.Context, make func() trainer, items int, lists []osm.List, change func(o *ascent.Options)) (*latent.Catalogue, error) {
	t := make()
	change(t.Base())
	e, err := t.Fit(ctx, items, osm.Pack(lists))
	if e == nil {
		return nil, err
	}
	return e.Catalogue, err
}

func variants() map[string]func() trainer {
	return map[string]func() trainer{
		"slots, gaussian": bySlots(func(o *slots.Options) { o.Hidden, o.Epochs, o.Batch = 2, 20, 30 }),
		"slots, binary": bySlots(func(o *slots.Options) {
			o.Hidden, o.Units, o.Epochs, o.Batch, o.Biases = 2, latent.Binary, 20, 30, true
		}),
		"chains, gaussian": byChains(func(o *chains.Options) { o.Hidden, o.Units, o.Epochs, o.Batch = 2, latent.Gaussian, 20, 30 }),
		"chains, binary":   byChains(func(o *chains.Options) { o.Hidden, o.Epochs, o.Batch, o.Biases = 2, 20, 30, true }),
		"short parts":      byChains(func(o *chains.Options) { o.Hidden, o.Epochs, o.Batch, o.Longest = 2, 20, 30, 5 }),
		"no units":         bySlots(func(o *slots.Options) { o.Hidden, o.Epochs, o.Batch = 0, 20, 30 }),
		"slots, sizes":     bySlots(func(o *slots.Options) { o.Hidden, o.Epochs, o.Batch, o.Sizes, o.Longest = 2, 20, 30, true, 5 }),
		"chains, sizes":    byChains(func(o *chains.Options) { o.Hidden, o.Epochs, o.Batch, o.Sizes = 0, 20, 30, true }),
		"absolute, sizes": byChains(func(o *chains.Options) {
			o.Hidden, o.Epochs, o.Batch, o.Sizes, o.Absolute, o.Rate = 2, 20, 30, true, true, 0.01
		}),
		"paper": byChains(func(o *chains.Options) { *o = chains.Paper(2); o.Epochs = 20 }),
	}
}

// The same bytes for any number of workers; and a run that was broken off and
// resumed ends in the same bytes as an unbroken one.
func TestRunsAreRepeatable(t *testing.T) {
	lists, items := tastes(t, 80)
	for name, v := range variants() {
		t.Run(name, func(t *testing.T) {
			fit := func(change func(o *ascent.Options)) *latent.Catalogue {
				return must[*latent.Catalogue](t)(fitted(t.Context(), v, items, lists, func(o *ascent.Options) { o.Seed, o.Jobs = 3, 5; change(o) }))
			}
			whole := fit(func(o *ascent.Options) { o.Jobs = 1 })
			if many := fit(func(*ascent.Options) {}); !reflect.DeepEqual(whole, many) {
				t.Error("one worker and five disagree")
			}
			ctx, stop := context.WithCancel(t.Context())
			var saved *ascent.State
			_, err := fitted(ctx, v, items, lists, func(o *ascent.Options) {
				o.Seed, o.Jobs, o.SaveEvery = 3, 5, 1000
				o.Save = func(s *ascent.State) error { saved = s.Clone(); return nil }
				o.Observer = func(p ascent.Progress) {
					if p.Epoch == 13 {
						stop()
					}
				}
			})
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("broken off: %v", err)
			}
			if saved == nil || saved.Epoch != 13 {
				t.Fatalf("no state was saved at the end: %v", saved)
			}
			if resumed := fit(func(o *ascent.Options) { o.Resume = saved }); !reflect.DeepEqual(whole, resumed) {
				t.Error("a resumed run ends elsewhere than an unbroken one")
			}
			if other := fit(func(o *ascent.Options) { o.Seed = 4 }); reflect.DeepEqual(whole, other) && name != "no units" {
				t.Error("another seed gave the same result")
			}
		})
	}
}

// heldOut is the mean exact log likelihood of lists under a catalogue.
func heldOut(t testing.TB, c *latent.Catalogue, lists []osm.List) (mean float64) {
	t.Helper()
	for _, l := range lists {
		m := must[*latent.Model](t)(c.Model(l.Items))
		listing := must[*exact.Listing](t)(exact.List(m, partition.Space{}))
		mean += (m.LogWeight(l.Order) - listing.LogZ) / float64(len(lists))
	}
	return mean
}

// Learning helps people who were not there: the likelihood of their lists rises
// above that of worths alone, for both objectives and both kinds of units.
func TestLearningGeneralises(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	lists, items := tastes(t, 700)
	seen, new := lists[:600], lists[600:]
	worths := must[*latent.Catalogue](t)(fitted(t.Context(), bySlots(func(*slots.Options) {}), items, seen, func(o *ascent.Options) { o.Hidden, o.Seed = 0, 1 }))
	base := heldOut(t, worths, new)
	for name, v := range map[string]func() trainer{"slots": bySlots(func(*slots.Options) {}), "chains": byChains(func(*chains.Options) {})} {
		for _, units := range []latent.Units{latent.Gaussian, latent.Binary} {
			c := must[*latent.Catalogue](t)(fitted(t.Context(), v, items, seen, func(o *ascent.Options) { o.Hidden, o.Units, o.Seed, o.Prior.W = 2, units, 1, 5 }))
			if got := heldOut(t, c, new); !(got > base+0.05) {
				t.Errorf("%v units, %s: %.3f a list, without units %.3f", units, name, got, base)
			}
		}
	}
}

// Figure 3a: as the model learns, chains come nearer to the data, and splits and
// merges are accepted less often.
func TestChainsComeNearerAndAcceptLess(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	lists, items := strongTastes(t, 300, 3)
	o := chains.Paper(4)
	o.Epochs, o.Rate = 200, 0.05      // a rate for a small world
	var distance, accepted [2]float64 // in the first and the last 20 epochs
	o.Observer = func(p ascent.Progress) {
		part := 0
		if p.Epoch > o.Epochs-20 {
			part = 1
		} else if p.Epoch > 20 {
			return
		}
		distance[part] += p.Distance / 20
		accepted[part] += (p.Moves.Of(mcmc.Split).Rate() + p.Moves.Of(mcmc.Merge).Rate()) / 40
	}
	must[*ascent.Estimate](t)(o.Fit(t.Context(), items, osm.Pack(lists)))
	// Over four other seeds it fell by 0.034 to 0.053; 6,000 chains a side leave a
	// standard error near 0.002.
	if !(distance[1] < distance[0]-0.02) {
		t.Errorf("Dist(sample, observed) went from %.3f to %.3f", distance[0], distance[1])
	}
	// Sixty thousand moves a side: a standard error of 0.003.
	if !(accepted[1] < accepted[0]-0.01) {
		t.Errorf("acceptance went from %.3f to %.3f", accepted[0], accepted[1])
	}
}

func TestEarlyStopping(t *testing.T) {
	lists, items := tastes(t, 60)
	epochs := 0
	o := with(slots.Defaults(), func(o *slots.Options) {
		o.Hidden, o.Epochs, o.Patience, o.Seed, o.Validate = 2, 100, 4, 1, func(*latent.Catalogue) float64 { epochs++; return -math.Abs(float64(epochs - 9)) }
	})
	must[*ascent.Estimate](t)(o.Fit(t.Context(), items, osm.Pack(lists)))
	if epochs != 13 {
		t.Errorf("the best epoch was 9 and patience 4, yet it ran for %d", epochs)
	}
}

func TestBadRequests(t *testing.T) {
	lists, items := tastes(t, 20)
	for name, c := range map[string]struct {
		items  int
		lists  []osm.List
		change func(o *ascent.Options)
		says   string
	}{
		"no lists":       {items, nil, func(o *ascent.Options) {}, "no lists"},
		"far item":       {5, lists, func(o *ascent.Options) {}, "outside the catalogue of 5"},
		"item twice":     {items, []osm.List{{Items: []int{1, 1}, Order: partition.OneBlock(2)}}, func(o *ascent.Options) {}, "listed twice"},
		"negative rate":  {items, lists, func(o *ascent.Options) { o.Rate = -1 }, "rate -1"},
		"NaN prior":      {items, lists, func(o *ascent.Options) { o.Prior.W = math.NaN() }, "precision NaN"},
		"NaN sizes":      {items, lists, func(o *ascent.Options) { o.Sizes, o.Prior.Sizes = true, math.NaN() }, "precision NaN"},
		"negative batch": {items, lists, func(o *ascent.Options) { o.Batch = -1 }, "batch -1"},
		"late pause":     {items, lists, func(o *ascent.Options) { o.Epochs, o.Until = 3, 4 }, "pause after epoch 4"},
		"other shares":   {items, lists, func(o *ascent.Options) { o.Prior.Shares = []float64{1} }, "shares of 1 items"},
		"other counts":   {items, lists, func(o *ascent.Options) { o.WarmStart(o.Shape(items, 0).New(), []uint32{1}) }, "counts of 1"},
		"other start":    {items, lists, func(o *ascent.Options) { o.WarmStart(o.Shape(3, 0).New(), make([]uint32, 3)) }, "to start from is of another model"},
		"other state": {items, lists, func(o *ascent.Options) {
			o.Resume = &ascent.State{Now: latent.NewCatalogue(3, 1, 0, latent.Options{}), Mean: latent.NewCatalogue(3, 1, 0, latent.Options{})}
		}, "another model"},
	} {
		for objective, v := range map[string]func() trainer{"slots": bySlots(func(*slots.Options) {}), "chains": byChains(func(*chains.Options) {})} {
			if _, err := fitted(t.Context(), v, c.items, c.lists, c.change); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s, %s: %v; expected it to say %q", objective, name, err, c.says)
			}
		}
	}
	c, err := fitted(t.Context(), bySlots(func(*slots.Options) {}), items, lists, func(o *ascent.Options) { o.Rate, o.Prior.W, o.Prior.U = 1e200, 0, 0 })
	if !errors.Is(err, ascent.ErrDiverged) || !strings.Contains(fmt.Sprint(err), "epoch") || c == nil || !c.Finite() {
		t.Errorf("a rate of 1e200: %v, %v", c, err)
	}
	// Lists of one item, or one tier, are no trouble.
	odd := append(lists, osm.List{Items: []int{3}, Order: partition.OneBlock(1)}, osm.List{Items: []int{3, 4}, Order: partition.OneBlock(2)})
	for name, v := range variants() {
		if c, err := v().Fit(t.Context(), items, osm.Pack(odd)); err != nil || !c.Finite() {
			t.Errorf("%s: %v", name, err)
		}
	}
}
