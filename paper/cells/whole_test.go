package cells

import (
	"fmt"
	"io/fs"
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/judge/metric"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
)

// picked has people of two tastes, who pick more from their half of the items and rate it higher, at known times.
func picked(t *testing.T) Data {
	t.Helper()
	r := rng.Stream(1, "picked")
	b := ratings.NewBuilder()
	for u := range 60 {
		for i := range 30 {
			own := i%2 == u%2
			if chance := map[bool]float64{true: 0.6, false: 0.2}[own]; r.Float64() >= chance {
				continue
			}
			value := 1 + r.IntN(3)
			if own {
				value += 2
			}
			if err := b.Add(fmt.Appendf(nil, "%02d", u), fmt.Appendf(nil, "%02d", i), float32(value), int64(r.IntN(1000))); err != nil {
				t.Fatal(err)
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return Data{Name: "picked", Set: set, MinTest: 2}
}

// part checks a split of whole catalogues: who is in training, what is given, and how much is to be found.
func part(t *testing.T, d Data, protocol string, given int, split ratings.Split) {
	t.Helper()
	training, tested, held := split.Training.Set(), 0, 0
	for u := range training.Users().Len() {
		row, known, test := training.Row(u), split.Holdout.Known(u), split.Holdout.Test(u)
		if test.Len() == 0 {
			continue
		}
		tested, held = tested+1, held+test.Len()
		for _, i := range test.Items {
			if slices.Contains(row.Items, i) || slices.Contains(known.Items, i) {
				t.Errorf("%s, %d given: item %d of user %d is given and to be found", protocol, given, i, u)
			}
		}
		switch protocol {
		case NewUsers:
			if row.Len() > 0 || test.Len() < d.MinTest || given > 0 && known.Len() != given {
				t.Errorf("%s, %d given: user %d has %d training ratings, %d known, %d to be found", protocol, given, u, row.Len(), known.Len(), test.Len())
			}
			if share := float64(known.Len()) / float64(known.Len()+test.Len()); given == 0 && !(share > 0.7 && share < 0.9) {
				t.Errorf("%s: %g of the ratings of user %d are known, not four fifths", protocol, share, u)
			}
		case LastRating:
			if test.Len() != 1 || slices.Max(row.Times) > test.Times[0] {
				t.Errorf("%s: user %d has %d to be found, at %v, and training ratings of %v", protocol, u, test.Len(), test.Times, row.Times)
			}
		}
	}
	all := training.Users().Len()
	switch share := float64(held) / float64(held+training.Len()); {
	case tested == 0:
		t.Errorf("%s, %d given: nobody is tested", protocol, given)
	case protocol == NewUsers && tested > all/4: // 15 %, the smallest of whom are left out
		t.Errorf("%s, %d given: %d of %d users are new", protocol, given, tested, all)
	case protocol == KnownUsers && !(math.Abs(share-0.2) < 0.05): // about 700 ratings: a standard error of 0.015
		t.Errorf("%s: %g of the ratings are to be found", protocol, share)
	}
}

// Splits are those of their protocols, and settings are chosen on splits of the same kind of the training part alone.
func TestWholeSplits(t *testing.T) {
	d := picked(t)
	for _, c := range []struct {
		protocol string
		given    int
		folds    int
	}{{KnownUsers, 0, 0}, {LastRating, 0, 1}, {NewUsers, 5, 3}, {NewUsers, 0, 3}} {
		split, err := d.WholeSplit(c.protocol, c.given, 4)
		if err != nil {
			t.Fatal(err)
		}
		part(t, d, c.protocol, c.given, split)
		folds := Cell{Protocol: c.protocol, Given: c.given, MinTest: d.MinTest, Seed: 4}.divide(split.Training, 9)
		if len(folds) != c.folds {
			t.Errorf("%s, %d given: settings are chosen on %d splits", c.protocol, c.given, len(folds))
		}
		for k, fold := range folds {
			part(t, d, c.protocol, c.given, fold)
			if k > 0 && fold.Training.Set().Fingerprint() == folds[0].Training.Set().Fingerprint() {
				t.Errorf("%s, %d given: split %d is the first one again", c.protocol, c.given, k)
			}
			whole, test := split.Training.Set(), fold.Holdout.Set()
			for u := range test.Users().Len() {
				at, there := whole.Users().Find(test.Users().ID(uint32(u)))
				for _, i := range test.Row(u).Items {
					item, known := whole.Items().Find(test.Items().ID(i))
					if !there || !known || !slices.Contains(whole.Row(int(at)).Items, item) {
						t.Fatalf("%s, %d given: settings are chosen by a rating of user %d that is no training rating", c.protocol, c.given, u)
					}
				}
			}
		}
	}
}

// The model whose taste has interest beside it ranks all items by both and rated ones by taste; the paper's model and
// baselines rank both by their own scores. That is the rule of the command evaluate.
func TestWhoRanksByInterest(t *testing.T) {
	if testing.Short() {
		t.Skip("whole trainings: not with -short")
	}
	d := picked(t)
	split, err := d.WholeSplit(KnownUsers, 0, 4)
	if err != nil {
		t.Fatal(err)
	}
	graded := []evaluate.Metric{{Name: "ndcg@10", Of: func(r *metric.Ranking) float64 { return r.NDCG(10, metric.Exp2) }}}
	run := model.Run{Seed: 4, Jobs: 1}
	for name, set := range map[string]map[string]float64{"popularity": nil, "osm": {"epochs": 3}, "latent-osm": {"epochs": 3}, "latent-osm-paper": {"epochs": 2}} {
		recipe, err := Configured(name, set)
		if err != nil {
			t.Fatal(err)
		}
		values := func(m evaluate.Model, candidates evaluate.Candidates) []float64 {
			r, err := evaluate.Run(t.Context(), m, split, evaluate.Options{Metrics: graded, Candidates: candidates, Jobs: 1})
			if err != nil {
				t.Fatal(err)
			}
			return r.Values[0]
		}
		own := registry.Judged(recipe, run)
		o, err := (&Runner{Jobs: 1}).judgeWhole(t.Context(), Cell{Model: name, Set: set, Seed: 4, Protocol: KnownUsers}, split)
		if err != nil {
			t.Fatal(err)
		}
		got := func(metric string) []float64 { return o.Values[slices.Index(o.Metrics, metric)] }
		alone, want := values(own, evaluate.All), values(own, evaluate.All)
		both := name == "latent-osm" || name == "osm"
		if both {
			want = values(modelstore.Judged(recipe, modelstore.AimBalanced, run), evaluate.All)
		}
		if !slices.Equal(got("ndcg@10"), want) || both == slices.Equal(want, alone) {
			t.Errorf("%s: all items are not ranked by interest %t: %v", name, both, got("ndcg@10"))
		}
		if !slices.Equal(got(RatedName), values(own, evaluate.Rated)) {
			t.Errorf("%s: rated items are not ranked by the model's own scores: %v", name, got(RatedName))
		}
	}
}

// shelf is a store without files.
type shelf map[string][]byte

func (s shelf) Get(name string) ([]byte, error) {
	if text, there := s[name]; there {
		return text, nil
	}
	return nil, fs.ErrNotExist
}

func (s shelf) Put(name string, data []byte) error {
	s[name] = data
	return nil
}

// Every protocol is a cell of its own, tuned by its budget; a single held-out rating has no order of rated items. A cell that
// ranks by interest is kept with the settings of both models, so that other defaults of either make it anew.
func TestWholeCells(t *testing.T) {
	d, store, runs := picked(t), shelf{}, 0
	runner := &Runner{Store: store, Jobs: 1, Observe: func(Cell) { runs++ }}
	for pass := range 2 {
		for _, c := range []Cell{{Protocol: KnownUsers}, {Protocol: LastRating}, {Protocol: NewUsers, Given: 5}, {Protocol: NewUsers}} {
			split, err := d.WholeSplit(c.Protocol, c.Given, 4)
			if err != nil {
				t.Fatal(err)
			}
			c.Model, c.Budget, c.Seed, c.MinTest = "ease", 4, 4, d.MinTest
			o, err := runner.Run(t.Context(), c, split)
			if err != nil {
				t.Fatal(err)
			}
			if rated := slices.Contains(o.Metrics, RatedName); rated == (c.Protocol == LastRating) || !slices.Contains(o.Metrics, "recall@20") || o.Coverage == nil || !(o.TuneTime > 0) {
				t.Errorf("%s: metrics %v, tuned in %g s", c.Protocol, o.Metrics, o.TuneTime)
			}
		}
		if runs != 4 || len(store) != 4 {
			t.Errorf("pass %d: %d cells were run, %d are kept", pass, runs, len(store))
		}
	}
	for name, want := range map[string]bool{"latent-osm": true, "latent-osm-paper": false, "ease": false} {
		for _, protocol := range []string{"", KnownUsers} {
			_, settings, err := describe("", Cell{Model: name, Protocol: protocol})
			if err != nil {
				t.Fatal(err)
			}
			if _, there := settings.Resolved["interest scale"]; there != (want && protocol != "") {
				t.Errorf("%s, protocol %q: the settings of interest are kept: %t", name, protocol, there)
			}
		}
	}
}
