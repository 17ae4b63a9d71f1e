package modelstore_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/data/ratings"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
)

// groups has two kinds of people, who love the first and the last half of the
// items; users from..to, of items in [low, high).
func groups(t testing.TB, from, to, low, high int) *ratings.Set {
	t.Helper()
	b := ratings.NewBuilder()
	for u := from; u < to; u++ {
		r := rng.Stream(uint64(u), "groups")
		for i := low; i < high; i++ {
			if r.Float64() < 0.5 {
				love := 4.0
				if (i < 20) != (u%2 == 0) {
					love = 2
				}
				v := math.Round(love + 0.7*r.NormFloat64())
				if err := b.Add(fmt.Append(nil, u), fmt.Appendf(nil, "%03d", i), float32(min(5, max(1, v))), ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// accuracy is the share of pairs of items, one of each half, in the order that
// some person of each kind has, given their ratings of others.
func accuracy(t testing.TB, s *modelstore.Saved, items []string) float64 {
	t.Helper()
	right, pairs := 0.0, 0.0
	for u := 1000; u < 1040; u++ {
		set := groups(t, u, u+1, 0, 30)
		known := ratings.Row{}
		row := set.Row(0)
		for k, item := range row.Items {
			if id := set.Items().ID(item); !slices.Contains(items, id) {
				i, _ := s.Find(id)
				known.Items, known.Values = append(known.Items, uint32(i)), append(known.Values, row.Values[k])
			}
		}
		var ask []uint32
		for _, id := range items {
			i, there := s.Find(id)
			if !there {
				t.Fatalf("the model does not know %s", id)
			}
			ask = append(ask, uint32(i))
		}
		scores := make([]float64, len(ask))
		s.Model.Score(model.Person{Index: -1, Known: known}, ask, scores)
		for a, first := range items {
			for b, second := range items {
				if first < "020" && second >= "020" {
					pairs++
					if (scores[a] > scores[b]) == (u%2 == 0) {
						right++
					}
				}
			}
		}
	}
	return right / pairs
}

func TestExtendTakesInNewItemsAndForgetsNothing(t *testing.T) {
	skipIfShort(t)
	r := modelstore.Request{Model: "latent-osm", Seed: 1}
	old, err := modelstore.Train(context.Background(), groups(t, 0, 200, 0, 30), r) // items 000 to 029
	if err != nil {
		t.Fatal(err)
	}
	before := accuracy(t, old, []string{"010", "015", "025", "028"})
	if !(before > 0.9) {
		t.Fatalf("the model did not learn: %.2f", before)
	}
	next, added, err := modelstore.Extend(context.Background(), old, groups(t, 200, 260, 15, 40), r) // and 030 to 039
	if err != nil {
		t.Fatal(err)
	}
	if added.Items != 10 || added.Users != 60 || len(next.ItemIDs) != 40 || len(old.ItemIDs) != 30 || next.Users != 260 {
		t.Errorf("%+v, %d items in all, %d users", added, len(next.ItemIDs), next.Users)
	}
	if after := accuracy(t, next, []string{"010", "015", "025", "028"}); !(after > before-0.05) {
		t.Errorf("old items: %.3f before, %.3f after", before, after)
	}
	if new := accuracy(t, next, []string{"010", "012", "032", "035", "038"}); !(new > 0.85) {
		t.Errorf("new items: %.3f of the pairs are right", new)
	}
	// Items that nobody new rated hardly move, and those that were seen often move
	// less than they would if the past were forgotten.
	a, b := catalogueOf(t, old), catalogueOf(t, next)
	if d := math.Abs(a.U[3] - b.U[3]); !(d < 1e-9) {
		t.Errorf("item 003, which nobody new rated, moved by %g", d)
	}
	forgetful := *old
	forgetful.Seen = make([]uint32, len(old.Seen))
	loose, _, err := modelstore.Extend(context.Background(), &forgetful, groups(t, 200, 260, 15, 40), r)
	if err != nil {
		t.Fatal(err)
	}
	c := catalogueOf(t, loose)
	var held, free float64
	for i := 15; i < 30; i++ {
		held += math.Abs(a.U[i] - b.U[i])
		free += math.Abs(a.U[i] - c.U[i])
	}
	if !(held < free) {
		t.Errorf("worths moved by %.3f held by their past, by %.3f without", held, free)
	}
	// The same bytes for any number of workers.
	again := r
	again.Jobs = 3
	twin, _, err := modelstore.Extend(context.Background(), old, groups(t, 200, 260, 15, 40), again)
	if err != nil {
		t.Fatal(err)
	}
	d := catalogueOf(t, twin)
	if !slices.Equal(b.W, d.W) || !slices.Equal(b.U, d.U) {
		t.Error("another number of workers gave another model")
	}
}

// A model goes on as it was trained: one that was fitted by chains is not taken on by
// the slot likelihood.
func TestExtendKeepsSettings(t *testing.T) {
	recipes, err := registry.Configure([]string{"latent-osm-paper"}, []registry.Assignment{{Name: "hidden", Value: "3"}, {Name: "epochs", Value: "3"}})
	if err != nil {
		t.Fatal(err)
	}
	old, err := modelstore.Train(context.Background(), groups(t, 0, 40, 0, 20), modelstore.Request{Model: "latent-osm-paper", Recipe: recipes[0], Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	var seen []modelstore.Epoch
	_, _, err = modelstore.Extend(context.Background(), old, groups(t, 40, 60, 5, 25), modelstore.Request{Seed: 1, Observe: func(e modelstore.Epoch, _ int) { seen = append(seen, e) }})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) != 3 || !(seen[2].Distance > 0) {
		t.Errorf("%d epochs, the last one %+v; chains have a distance", len(seen), seen[len(seen)-1])
	}
}

// The calibration that a model brings is kept when new users come, though it was
// fitted without them: on people whom neither has seen, odds hold better by it than
// without.
func TestCalibrationAfterNewUsers(t *testing.T) {
	skipIfShort(t)
	ctx := context.Background()
	old, err := modelstore.Train(ctx, groups(t, 0, 300, 0, 40), modelstore.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", 10), Calibrate: 0.2})
	if err != nil {
		t.Fatal(err)
	}
	next, _, err := modelstore.Extend(ctx, old, groups(t, 300, 400, 0, 44), modelstore.Request{Epochs: 10})
	if err != nil {
		t.Fatal(err)
	}
	if next.Odds == nil {
		t.Fatal("no calibration")
	}
	others := groups(t, 400, 440, 0, 44)
	kept, err := next.Calibrate(ctx, others, 0)
	if err != nil {
		t.Fatal(err)
	}
	next.Odds = nil
	raw, err := next.Calibrate(ctx, others, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !(kept.ECE < 0.8*raw.ECE) {
		t.Errorf("off by %.4f with the calibration of before, %.4f without", kept.ECE, raw.ECE)
	}
}

// New items with few ratings start where the lists they are in predict them: with the
// co-occurrence features of the model their weights are nearer to those of their circle than without. An item of an
// earlier extension keeps what it has learned.
func TestExtendPredictsNewItems(t *testing.T) {
	skipIfShort(t)
	ctx := context.Background()
	old, err := modelstore.Train(ctx, circles(t, 0, 300, 60), modelstore.Request{Model: "latent-osm", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	m := old.Model.(*registry.Latent)
	if m.CoOccurrence == nil || len(m.CoOccurrence.Loadings) != 60*m.CoOccurrence.Dims {
		t.Fatal("the model has no loadings")
	}
	// weights is how alike the weights of new and old items are, of one circle and of two.
	weights := func(s *modelstore.Saved) (same, other float64) {
		next, _, err := modelstore.Extend(ctx, s, circles(t, 300, 330, 72), modelstore.Request{Seed: 1, Epochs: 5})
		if err != nil {
			t.Fatal(err)
		}
		c := catalogueOf(t, next)
		for i := 60; i < 72; i++ {
			a, _ := next.Find(fmt.Sprintf("%03d", i))
			for j := range 60 {
				b, _ := next.Find(fmt.Sprintf("%03d", j))
				alike := vec.Dot(c.W[a*c.K:(a+1)*c.K], c.W[b*c.K:(b+1)*c.K]) / float64(60*12)
				if i%3 == j%3 {
					same += 3 * alike
				} else {
					other += 1.5 * alike
				}
			}
		}
		return same, other
	}
	same, other := weights(old)
	plain := *old
	plain.Model = &registry.Latent{Catalogue: m.Catalogue}
	without, _ := weights(&plain)
	if !(same > 1.5*without) || !(same > other) {
		t.Errorf("new items are as those of their circle by %.4f, as others by %.4f; without co-occurrence %.4f", same, other, without)
	}
	next, _, err := modelstore.Extend(ctx, old, circles(t, 300, 330, 72), modelstore.Request{Seed: 1, Epochs: 5})
	if err != nil {
		t.Fatal(err)
	}
	file, err := next.File()
	if err != nil {
		t.Fatal(err)
	}
	_, read := written(t, file)
	if next, err = modelstore.Open(read); err != nil {
		t.Fatal(err)
	}
	again, _, err := modelstore.Extend(ctx, next, circles(t, 330, 332, 60), modelstore.Request{Seed: 1, Epochs: 1})
	if err != nil {
		t.Fatal(err)
	}
	a, b := catalogueOf(t, next), catalogueOf(t, again)
	for i := 60; i < 72; i++ {
		if !(math.Abs(a.U[i]-b.U[i]) <= 1e-9) {
			t.Errorf("item %d, which nobody new rated, had worth %g and has %g", i, a.U[i], b.U[i])
		}
	}
}

// circles are people of three circles, by number, who mostly rate items of their own circle:
// every third.
func circles(t testing.TB, from, to, items int) *ratings.Set {
	t.Helper()
	b := ratings.NewBuilder()
	for u := from; u < to; u++ {
		r := rng.Stream(uint64(u), "circles")
		for i := range items {
			p := 0.05
			if i%3 == u%3 {
				p = 0.3
			}
			if r.Float64() > p {
				continue
			}
			v := math.Round(3 + float64(2*(i/3%2)-1)*float64(2*(u/3%2)-1) + 0.5*r.NormFloat64())
			if err := b.Add(fmt.Append(nil, u), fmt.Appendf(nil, "%03d", i), float32(min(5, max(1, v))), ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
