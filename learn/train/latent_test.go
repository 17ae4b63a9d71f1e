package train_test

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
	"fubini/learn/fit"
	"fubini/learn/train"
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

func variants() map[string]train.LatentOptions {
	paper := train.Paper(2)
	paper.Epochs = 20
	return map[string]train.LatentOptions{
		"slots, gaussian": with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Hidden, o.Units, o.Epochs, o.Batch = 2, latent.Gaussian, 20, 30 }),
		"slots, binary": with(train.LatentDefaults(), func(o *train.LatentOptions) {
			o.Hidden, o.Epochs, o.Batch, o.Biases, o.Ties = 2, 20, 30, true, train.UnitTies
		}),
		"chains, gaussian": with(train.LatentDefaults(), func(o *train.LatentOptions) {
			o.Objective, o.Hidden, o.Units, o.Epochs, o.Batch = train.Chains, 2, latent.Gaussian, 20, 30
		}),
		"chains, binary": with(train.LatentDefaults(), func(o *train.LatentOptions) {
			o.Objective, o.Hidden, o.Epochs, o.Batch, o.Biases = train.Chains, 2, 20, 30, true
		}),
		"short parts": with(train.LatentDefaults(), func(o *train.LatentOptions) {
			o.Objective, o.Hidden, o.Epochs, o.Batch, o.Longest = train.Chains, 2, 20, 30, 5
		}),
		"no units": with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Hidden, o.Epochs, o.Batch = 0, 20, 30 }),
		"slots, sizes": with(train.LatentDefaults(), func(o *train.LatentOptions) {
			o.Hidden, o.Units, o.Epochs, o.Batch, o.Sizes, o.Longest = 2, latent.Gaussian, 20, 30, true, 5
		}),
		"chains, sizes": with(train.LatentDefaults(), func(o *train.LatentOptions) {
			o.Objective, o.Hidden, o.Epochs, o.Batch, o.Sizes = train.Chains, 0, 20, 30, true
		}),
		"absolute, sizes": with(train.LatentDefaults(), func(o *train.LatentOptions) {
			o.Objective, o.Hidden, o.Epochs, o.Batch, o.Sizes, o.Absolute = train.Chains, 2, 20, 30, true, true
		}),
		"paper": paper,
	}
}

// The same bytes for any number of workers; and a run that was broken off and
// resumed ends in the same bytes as an unbroken one.
func TestLatentRunsAreRepeatable(t *testing.T) {
	lists, items := tastes(t, 80)
	for name, o := range variants() {
		t.Run(name, func(t *testing.T) {
			o.Seed, o.Jobs = 3, 1
			whole := must[*latent.Catalogue](t)(train.FitLatent(t.Context(), items, lists, o))
			o.Jobs = 5
			if many := must[*latent.Catalogue](t)(train.FitLatent(t.Context(), items, lists, o)); !reflect.DeepEqual(whole, many) {
				t.Error("one worker and five disagree")
			}
			ctx, stop := context.WithCancel(t.Context())
			var saved *train.LatentState
			broken := o
			broken.SaveEvery = 1000
			broken.Save = func(s *train.LatentState) error { saved = s.Clone(); return nil }
			broken.Observer = func(p train.LatentProgress) {
				if p.Epoch == 13 {
					stop()
				}
			}
			if _, err := train.FitLatent(ctx, items, lists, broken); !errors.Is(err, context.Canceled) {
				t.Fatalf("broken off: %v", err)
			}
			if saved == nil || saved.Epoch != 13 {
				t.Fatalf("no state was saved at the end: %v", saved)
			}
			o.Resume = saved
			resumed := must[*latent.Catalogue](t)(train.FitLatent(t.Context(), items, lists, o))
			if !reflect.DeepEqual(whole, resumed) {
				t.Error("a resumed run ends elsewhere than an unbroken one")
			}
			o.Resume, o.Seed = nil, 4
			if other := must[*latent.Catalogue](t)(train.FitLatent(t.Context(), items, lists, o)); reflect.DeepEqual(whole, other) && name != "no units" {
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
func TestLatentLearningGeneralises(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	lists, items := tastes(t, 700)
	seen, new := lists[:600], lists[600:]
	worths := must[*latent.Catalogue](t)(train.FitLatent(t.Context(), items, seen, with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Hidden, o.Seed = 0, 1 })))
	base := heldOut(t, worths, new)
	for _, o := range []train.LatentOptions{
		with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Units = latent.Gaussian }),
		with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Units = latent.Binary }),
		with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Units, o.Objective = latent.Gaussian, train.Chains }),
		with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Units, o.Objective = latent.Binary, train.Chains }),
	} {
		o.Hidden, o.Seed, o.PriorW = 2, 1, 5
		c := must[*latent.Catalogue](t)(train.FitLatent(t.Context(), items, seen, o))
		if got := heldOut(t, c, new); !(got > base+0.05) {
			t.Errorf("%v units, objective %d: %.3f a list, without units %.3f", o.Units, o.Objective, got, base)
		}
	}
}

// Without units the chains' fit is that of the visible model: the same worths as
// its own trainer finds, under the same prior.
func TestNoUnitsIsTheVisibleFit(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	lists, items := tastes(t, 300)
	visible := must[*fit.Result](t)(fit.Fit(t.Context(), osm.WorthFamily{Items: items, Options: osm.Options{Size: 2}}, lists,
		with(fit.Defaults(), func(o *fit.Options) { o.Seed, o.Precision, o.ExactTo = 1, 10, 10 })))
	c := must[*latent.Catalogue](t)(train.FitLatent(t.Context(), items, lists,
		with(train.LatentDefaults(), func(o *train.LatentOptions) {
			o.Objective, o.Hidden, o.Seed, o.PriorU, o.Epochs, o.Rate = train.Chains, 0, 1, 10, 400, 0.02
		})))
	for i := range items {
		if !(math.Abs(c.U[i]-visible.Theta[i]) <= 0.06) {
			t.Errorf("item %d: %.3f, by the visible trainer %.3f", i, c.U[i], visible.Theta[i])
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
	o := train.Paper(4)
	o.Epochs, o.Rate = 200, 0.05      // a rate for a small world
	var distance, accepted [2]float64 // in the first and the last 20 epochs
	o.Observer = func(p train.LatentProgress) {
		part := 0
		if p.Epoch > o.Epochs-20 {
			part = 1
		} else if p.Epoch > 20 {
			return
		}
		distance[part] += p.Distance / 20
		accepted[part] += (p.Moves.Of(mcmc.Split).Rate() + p.Moves.Of(mcmc.Merge).Rate()) / 40
	}
	must[*latent.Catalogue](t)(train.FitLatent(t.Context(), items, lists, o))
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

func TestLatentEarlyStopping(t *testing.T) {
	lists, items := tastes(t, 60)
	epochs := 0
	o := with(train.LatentDefaults(), func(o *train.LatentOptions) {
		o.Hidden, o.Epochs, o.Patience, o.Seed, o.Validate = 2, 100, 4, 1, func(*latent.Catalogue) float64 { epochs++; return -math.Abs(float64(epochs - 9)) }
	})
	must[*latent.Catalogue](t)(train.FitLatent(t.Context(), items, lists, o))
	if epochs != 13 {
		t.Errorf("the best epoch was 9 and patience 4, yet it ran for %d", epochs)
	}
}

func TestLatentBadRequests(t *testing.T) {
	lists, items := tastes(t, 20)
	for name, c := range map[string]struct {
		items   int
		lists   []osm.List
		options train.LatentOptions
		says    string
	}{
		"no lists":       {items, nil, train.LatentDefaults(), "no lists"},
		"far item":       {5, lists, train.LatentDefaults(), "outside the catalogue of 5"},
		"item twice":     {items, []osm.List{{Items: []int{1, 1}, Order: partition.OneBlock(2)}}, train.LatentDefaults(), "listed twice"},
		"negative rate":  {items, lists, with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Rate = -1 }), "rate -1"},
		"NaN prior":      {items, lists, with(train.LatentDefaults(), func(o *train.LatentOptions) { o.PriorW = math.NaN() }), "precision NaN"},
		"NaN sizes":      {items, lists, with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Sizes, o.PriorSizes = true, math.NaN() }), "precision NaN"},
		"sizes in parts": {items, lists, with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Sizes, o.Shares = true, make([]float64, items) }), "not in parts"},
		"negative batch": {items, lists, with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Batch = -1 }), "batch -1"},
		"objective":      {items, lists, with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Objective = 7 }), "no objective 7"},
		"other state": {items, lists, with(train.LatentDefaults(), func(o *train.LatentOptions) {
			o.Resume = &train.LatentState{Now: latent.NewCatalogue(3, 1, 0, latent.Options{}), Mean: latent.NewCatalogue(3, 1, 0, latent.Options{})}
		}), "another model"},
	} {
		if _, err := train.FitLatent(t.Context(), c.items, c.lists, c.options); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; expected it to say %q", name, err, c.says)
		}
	}
	c, err := train.FitLatent(t.Context(), items, lists, with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Units, o.Rate, o.PriorW, o.PriorU = latent.Gaussian, 1e200, 0, 0 }))
	if !errors.Is(err, train.ErrDiverged) || !strings.Contains(fmt.Sprint(err), "epoch") || c == nil || !c.Finite() {
		t.Errorf("a rate of 1e200: %v, %v", c, err)
	}
	// Lists of one item, or one tier, are no trouble.
	odd := append(lists, osm.List{Items: []int{3}, Order: partition.OneBlock(1)}, osm.List{Items: []int{3, 4}, Order: partition.OneBlock(2)})
	for name, o := range variants() {
		if c, err := train.FitLatent(t.Context(), items, odd, o); err != nil || !c.Finite() {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func BenchmarkLatentEpoch(b *testing.B) {
	const users, items, n, k = 1000, 500, 20, 50
	r := rng.Stream(1, "bench lists")
	var lists []osm.List
	for range users {
		all := make([]int, items)
		rng.Permutation(r, all)
		levels := make([]int, n)
		for i := range levels {
			levels[i] = r.IntN(5)
		}
		x, err := partition.FromLevels(levels)
		if err != nil {
			b.Fatal(err)
		}
		lists = append(lists, osm.List{Items: all[:n], Order: x})
	}
	for _, o := range []struct {
		name string
		train.LatentOptions
	}{
		{"slots/gaussian", with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Units = latent.Gaussian })},
		{"chains/gaussian", with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Units, o.Objective, o.Sweeps = latent.Gaussian, train.Chains, 1 })},
		{"chains/binary", with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Objective, o.Sweeps = train.Chains, 1 })},
	} {
		b.Run(o.name, func(b *testing.B) {
			o.Hidden, o.Epochs = k, b.N
			if _, err := train.FitLatent(b.Context(), items, lists, o.LatentOptions); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/users, "µs/user")
		})
	}
}
