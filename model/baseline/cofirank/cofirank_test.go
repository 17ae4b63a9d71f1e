package cofirank

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"fubini/core/rng"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

var allLosses = []Loss{Squared, Ordinal, NDCG}

// planted is made of two kinds of users, who like the two halves of the items,
// and of items that are better than others for everybody. Users and items are
// called by what they are numbered as: numbers are the order of names.
func planted(t testing.TB, users, items, each int, userAs, itemAs func(n int) int) *ratings.Set {
	t.Helper()
	b := ratings.NewBuilder()
	for u := range users {
		r := rng.Stream(5, "tastes", uint64(u))
		order := make([]int, items)
		rng.Permutation(r, order)
		for _, i := range order[:each] {
			v := 3 + 0.8*float64(i%3-1) + 0.5*r.NormFloat64()
			if (u%2 == 0) == (i < items/2) {
				v++
			} else {
				v--
			}
			v = max(1, min(5, math.Round(v)))
			if err := b.Add(fmt.Appendf(nil, "u%04d", userAs(u)), fmt.Appendf(nil, "i%04d", itemAs(i)), float32(v), ratings.NoTime); err != nil {
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

func same(n int) int { return n }

// No round may raise the objective it reports, on lists of any length.
func TestCoFiReportsAFallingObjective(t *testing.T) {
	skipIfShort(t)
	s := planted(t, 60, 30, 12, same, same)
	for _, loss := range allLosses {
		for _, lambda := range []float64{0.4, 1} {
			r := *with(New(loss), func(o *Recipe) { o.Hidden, o.Lambda = 3, lambda })
			l, err := newLearner(r, s, fitting.Run{Run: model.Run{Seed: 1}})
			if err != nil {
				t.Fatal(err)
			}
			before := math.Inf(1)
			for e := range 10 {
				objective := l.Epoch()
				if !(objective <= before*(1+1e-9)) {
					t.Errorf("%v, lambda %g: epoch %d raises the objective from %g to %g", loss, lambda, e+1, before, objective)
				}
				before = objective
			}
		}
	}
}

// Ratings that are chance leave no factors with lambda above one; tastes do.
func TestCoFiLambdaKeepsChanceOut(t *testing.T) {
	skipIfShort(t)
	b := ratings.NewBuilder()
	for u := range 80 {
		r := rng.Stream(6, "chance", uint64(u))
		for i := range 40 {
			if r.IntN(2) == 0 {
				continue
			}
			if err := b.Add(fmt.Appendf(nil, "u%04d", u), fmt.Appendf(nil, "i%04d", i), float32(1+r.IntN(5)), ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	chance, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	tastes := planted(t, 80, 40, 20, same, same)
	for _, loss := range allLosses {
		norm := func(s *ratings.Set) (total float64) {
			m, err := with(New(loss), func(o *Recipe) { o.Hidden, o.Lambda, o.Epochs = 3, 1.2, 20 }).Fit(context.Background(), s, model.Run{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			l := m.(*learner)
			for u := range l.lists {
				total += fitting.Dot(l.user[u*l.stride():][:l.Hidden], l.user[u*l.stride():])
			}
			return total
		}
		if of, not := norm(chance), norm(tastes); !(of <= 0.02*not) {
			t.Errorf("%v: users have a square of %g by chance, of %g by taste", loss, of, not)
		}
	}
}

func TestCoFiLearnsTastes(t *testing.T) {
	skipIfShort(t)
	s := planted(t, 120, 40, 24, same, same)
	split, err := s.Random(0.3, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, loss := range allLosses {
		m, err := with(New(loss), func(o *Recipe) { o.Hidden, o.Epochs = 4, 8 }).Fit(context.Background(), split.Training.Set(), model.Run{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		// Everybody folded in, and nobody known.
		folded := fitting.Concordance(asOthers{m, true}, split, fitting.Run{Run: model.Run{Jobs: 2}})
		general := fitting.Concordance(asOthers{m, false}, split, fitting.Run{Run: model.Run{Jobs: 2}})
		if known := fitting.Concordance(m, split, fitting.Run{Run: model.Run{Jobs: 2}}); !(known >= 0.82) || !(folded >= known-0.02) || !(general <= known-0.1) {
			t.Errorf("%v: right in %.3f of pairs, folded in %.3f, in the general order %.3f", loss, known, folded, general)
		}
	}
}

// asOthers scores everybody as somebody who was not there.
type asOthers struct {
	model.Model
	known bool
}

func (a asOthers) Score(p model.Person, items []uint32, scores []float64) {
	p.Index = -1
	if !a.known {
		p.Known = ratings.Row{}
	}
	a.Model.Score(p, items, scores)
}

// scoresOf are those of all items for a few users of the training set and for
// the first of them folded in.
func scoresOf(m model.Model, s *ratings.Set, userAt, itemAt func(n int) int) (all []float64) {
	items := make([]uint32, s.Items().Len())
	for i := range items {
		items[i] = uint32(itemAt(i))
	}
	for u := range 5 {
		scores := make([]float64, len(items))
		m.Score(model.Person{Index: userAt(u), Known: s.Row(userAt(u))}, items, scores)
		all = append(all, scores...)
		m.Score(model.Person{Index: -1, Known: s.Row(userAt(u))}, items, scores)
		all = append(all, scores...)
	}
	return all
}

// The same to the last bit, for any number of goroutines and of any numbering.
func TestCoFiIsRepeatable(t *testing.T) {
	const users, items = 40, 25
	s := planted(t, users, items, 12, same, same)
	turn := func(n int) func(i int) int { return func(i int) int { return (7*i + 3) % n } } // 7 has an inverse in both
	turned := planted(t, users, items, 12, turn(users), turn(items))
	itemAs, userAs := make([]int, items), make([]int, users)
	for i := range items {
		itemAs[turn(items)(i)] = i
	}
	for u := range users {
		userAs[turn(users)(u)] = u
	}
	for _, loss := range allLosses {
		var want []float64
		for k, run := range []model.Run{{Seed: 1, Jobs: 1}, {Seed: 1, Jobs: 3}, {Seed: 1, Jobs: 2}, {Seed: 2, Jobs: 1}} {
			ctx, set, userAt, itemAt := t.Context(), s, same, same
			if k == 2 {
				ctx = fitting.WithNumbers(ctx, itemAs, userAs)
				set, userAt, itemAt = turned, turn(users), turn(items)
			}
			m, err := with(New(loss), func(o *Recipe) { o.Hidden, o.Epochs = 3, 3 }).Fit(ctx, set, run)
			if err != nil {
				t.Fatal(err)
			}
			got := scoresOf(m, set, userAt, itemAt)
			if k == 0 {
				want = got
				continue
			}
			equal := true
			for n := range got {
				equal = equal && got[n] == want[n]
			}
			if equal != (k < 3) {
				t.Errorf("%v: run %d is equal to the first: %v", loss, k, equal)
			}
		}
	}
}

func TestCoFiRoundTrip(t *testing.T) {
	s := planted(t, 40, 25, 12, same, same)
	for _, loss := range allLosses {
		recipe := with(New(loss), func(o *Recipe) { o.Hidden, o.Epochs = 3, 3 })
		m, err := recipe.Fit(context.Background(), s, model.Run{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		f := modelfile.New()
		if err := m.Save(f); err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if _, err := f.WriteTo(&text); err != nil {
			t.Fatal(err)
		}
		f, err = modelfile.Read(bytes.NewReader(text.Bytes()), int64(text.Len()))
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := New(loss).Load(f, 25)
		if err != nil {
			t.Fatal(err)
		}
		want, got := scoresOf(asOthers{m, true}, s, same, same), scoresOf(loaded, s, same, same)
		for k := range want {
			if got[k] != want[k] {
				t.Fatalf("%v: score %d is %g, loaded %g", loss, k, want[k], got[k])
			}
		}
		if _, err := New(loss).Load(f, 24); err == nil {
			t.Errorf("%v: loaded for another number of items", loss)
		}
	}
}

// Users and items without ratings, and lists that say nothing.
func TestCoFiOddSets(t *testing.T) {
	b := ratings.NewBuilder()
	put := func(user, item string, v float32) {
		if err := b.Add([]byte(user), []byte(item), v, ratings.NoTime); err != nil {
			t.Fatal(err)
		}
	}
	build := func() *ratings.Set {
		s, _, err := b.Build(ratings.Refuse)
		if err != nil {
			t.Fatal(err)
		}
		b = ratings.NewBuilder()
		return s
	}
	for u := range 6 {
		put(fmt.Sprint("u", u), "a", 0.5)
		put(fmt.Sprint("u", u), "b", 4.5)
		put(fmt.Sprint("u", u), "c", float32(u))
	}
	main := build()
	put("u0", "unseen", 3)
	put("nobody", "a", 3)
	extra := build()
	split, err := ratings.Divided(main, nil, extra)
	if err != nil {
		t.Fatal(err)
	}
	for u := range 5 {
		for _, item := range []string{"a", "b", "c"} {
			put(fmt.Sprint("u", u), item, 3)
		}
	}
	flat := build()
	for _, loss := range allLosses {
		for name, s := range map[string]*ratings.Set{"gaps": split.Training.Set(), "flat": flat} {
			m, err := with(New(loss), func(o *Recipe) { o.Hidden = 1 }).Fit(context.Background(), s, model.Run{Seed: 1})
			if err != nil {
				t.Fatalf("%v, %s: %v", loss, name, err)
			}
			items := make([]uint32, s.Items().Len())
			for i := range items {
				items[i] = uint32(i)
			}
			for u := range s.Users().Len() {
				for _, p := range []model.Person{{Index: u, Known: s.Row(u)}, {Index: -1, Known: s.Row(u)}, {Index: -1}} {
					scores := make([]float64, len(items))
					m.Score(p, items, scores)
					for i, f := range scores {
						if math.IsNaN(f) || math.IsInf(f, 0) || name == "flat" && math.Abs(f-scores[0]) > 1e-9 {
							t.Fatalf("%v, %s: user %d has score %g for item %d", loss, name, u, f, i)
						}
					}
					if name == "gaps" && !(scores[1] > scores[3] && scores[3] > scores[0]) {
						t.Errorf("%v: an unseen item is not between good and bad: %v", loss, scores)
					}
				}
			}
		}
	}
}

func TestCoFiGains(t *testing.T) {
	for _, c := range []struct {
		values []float64
		rating float64
		want   float64
	}{
		{[]float64{1, 2, 5}, 4, 15}, {[]float64{0, 1}, 1, 1}, {[]float64{0.5, 1, 1.5, 2, 5}, 5, 31}, {[]float64{0.5, 1, 1.5, 2, 5}, 0.5, 1},
		{[]float64{-1, 1}, 1, 3}, {[]float64{1, 4, 5, 6, 8, 10}, 10, 31}, {[]float64{7, 7}, 7, 1}, {[]float64{1, 2, 5}, 9, 31}, {[]float64{3, 3}, 3, 7},
	} {
		if got := newGainScale([]list{{values: c.values}}).of(c.rating); !(math.Abs(got-c.want) <= 1e-9) {
			t.Errorf("among %v a %g gains %g, not %g", c.values, c.rating, got, c.want)
		}
	}
}

func TestCoFiRefusals(t *testing.T) {
	s := planted(t, 10, 8, 5, same, same)
	empty, _, err := ratings.NewBuilder().Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		recipe Recipe
		set    *ratings.Set
		says   string
	}{
		{*New(Squared), empty, "no ratings"},
		{*with(New(Squared), func(o *Recipe) { o.Hidden = 9 }), s, "hidden 9 is more than 10 users and 8 items"},
		{*with(New(Squared), func(o *Recipe) { o.Hidden = 0 }), s, "hidden"},
		{*with(New(Squared), func(o *Recipe) { o.Hidden, o.Lambda = 2, -1 }), s, "lambda"},
		{*with(New(Squared), func(o *Recipe) { o.Hidden, o.Lambda = 2, math.NaN() }), s, "lambda"},
		{*with(New(Squared), func(o *Recipe) { o.Hidden, o.Lambda = 2, 1e308 }), s, "after epoch 1; bring lambda"}, // the objective is not finite
		{*with(New(Squared), func(o *Recipe) { o.Hidden, o.Offset = 2, math.Inf(1) }), s, "offset"},
		{*with(New(Squared), func(o *Recipe) { o.Hidden, o.Adapt = 2, 3 }), s, "adapt"},
		{*with(New(Squared), func(o *Recipe) { o.Hidden, o.Adapt = 2, math.NaN() }), s, "adapt"},
		{*with(New(Squared), func(o *Recipe) { o.Hidden, o.Top = 2, -2 }), s, "top"},
		{*with(New(Squared), func(o *Recipe) { o.Hidden, o.Decay = 2, -2 }), s, "decay"},
		{*with(New(Squared), func(o *Recipe) { o.Hidden, o.Epochs = 2, -2 }), s, "epochs"},
	} {
		for _, loss := range allLosses {
			c.recipe.Loss = loss
			m, err := c.recipe.Fit(context.Background(), c.set, model.Run{Seed: 1})
			if m != nil || err == nil || !strings.HasPrefix(err.Error(), ""+loss.String()+": ") || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%+v: %v", c.recipe, err)
			}
		}
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := with(New(Squared), func(o *Recipe) { o.Hidden = 2 }).Fit(stopped, s, model.Run{}); err == nil {
		t.Error("fitted after being told to stop")
	}
}

func BenchmarkCoFiEpoch(b *testing.B) {
	s := planted(b, 400, 200, 40, same, same)
	for _, loss := range allLosses {
		b.Run(loss.String(), func(b *testing.B) {
			for range b.N {
				if _, err := with(New(loss), func(o *Recipe) { o.Epochs = 1 }).Fit(context.Background(), s, model.Run{Seed: 1, Jobs: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
