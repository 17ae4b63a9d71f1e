package recommend

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	learn "fubini/learn/interest"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/model/interest"
	"fubini/model/latent"
)

// picked is a model of more items than a tile of an index has, some in no list and some alike, with lists of people of
// two kinds.
func picked(t testing.TB, items int) (*modelstore.Saved, *ratings.Set) {
	t.Helper()
	r, b := rng.Stream(4, "picked"), ratings.NewBuilder()
	for u := range 150 {
		for n := range 2 + r.IntN(40) {
			i := int(float64(items-20) * math.Pow(r.Float64(), 2))
			if n%2 == 0 {
				i = i/2*2 + u%2
			}
			if err := b.Add(fmt.Append(nil, u), fmt.Appendf(nil, "%05d", i), float32(1+r.IntN(5)), ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := b.Add([]byte("all"), fmt.Appendf(nil, "%05d", items-1), 3, ratings.NoTime); err != nil {
		t.Fatal(err)
	}
	set, _, err := b.Build(ratings.KeepLast)
	if err != nil {
		t.Fatal(err)
	}
	o := learn.Defaults()
	o.Inputs = 200 // of which the inverse is quick
	picks, err := learn.Fit(t.Context(), set, o)
	if err != nil {
		t.Fatal(err)
	}
	c := latent.Shape{Items: set.Items().Len(), K: 4, Units: latent.Gaussian, Options: latent.Options{Size: 2, Centred: true}, Presence: true}.New()
	for _, list := range [][]float64{c.U, c.W, c.V} {
		for i := range list {
			list[i] = r.NormFloat64()
		}
	}
	saved := modelstore.NewSaved("latent-osm", set, &registry.Latent{Catalogue: c})
	saved.Interest = picks
	return saved, set
}

// By every aim and under every rule the index gives what the scores of all items give, to the bit.
func TestIndexAgainstAllScores(t *testing.T) {
	saved, set := picked(t, 2600)
	for _, aim := range []modelstore.Aim{modelstore.AimTaste, modelstore.AimBalanced, modelstore.AimInterest} {
		for _, rules := range []Rules{{Count: 10}, {Count: 1, Support: 3}, {Count: 30, Novelty: .3}, {Count: 5, Exclude: []int{0, 1, 2, 3}}, {Count: 300}, {Count: 7, Only: []int{5, 9, 1200, 1500}}, {}} {
			rules.Aim = aim
			r, err := New(saved, rules)
			if err != nil {
				t.Fatal(err)
			}
			if r.index == nil && r.whole == nil {
				t.Fatal("no index")
			}
			people := []model.Person{{Index: -1}}
			for u := range 70 {
				people = append(people, model.Person{Index: -1, Known: set.Row(u), TiersOnly: u%2 == 0})
			}
			all := *r
			all.index, all.whole = nil, nil
			got, err := r.Answer(t.Context(), people, &Scratch{})
			if err != nil {
				t.Fatal(err)
			}
			want, err := all.Answer(t.Context(), people, &Scratch{})
			if err != nil {
				t.Fatal(err)
			}
			for p := range people {
				if len(got[p]) != len(want[p]) || len(want[p]) > 0 && !reflect.DeepEqual(got[p], want[p]) {
					t.Fatalf("aim %v, %+v, person %d: %v, not %v", aim, rules, p, got[p], want[p])
				}
			}
		}
	}
}

// Items with equal scores are in the order of the catalogue.
func TestIndexOfEqualScores(t *testing.T) {
	saved, _ := picked(t, 1200)
	clear(saved.Interest.Near.Value) // items are told apart by the low-rank part alone,
	for i := range saved.Interest.Items() {
		copy(saved.Interest.In[i*saved.Interest.Units:(i+1)*saved.Interest.Units], saved.Interest.In[(i%3)*saved.Interest.Units:(i%3+1)*saved.Interest.Units]) // of which there are three
		saved.Interest.Gain[i], saved.Interest.Factor[i] = 1, 1
	}
	r, err := New(saved, Rules{Count: 10, Aim: modelstore.AimInterest})
	if err != nil {
		t.Fatal(err)
	}
	person := model.Person{Index: -1, Known: ratings.Row{Items: []uint32{4, 9}, Values: []float32{5, 1}}}
	answers, err := r.Answer(t.Context(), []model.Person{person}, &Scratch{})
	if err != nil {
		t.Fatal(err)
	}
	var items []int
	for _, row := range answers[0] {
		items = append(items, row.Item)
	}
	if !slices.IsSorted(items) || len(items) != 10 {
		t.Errorf("equal scores are not in the order of the catalogue: %v", items)
	}
}

// Taste has today's numbers whether there is interest or not; the other aims have the sums that they promise, and odds
// and interest are the same by every aim.
func TestAims(t *testing.T) {
	saved, set := picked(t, 60)
	alone := *saved
	alone.Interest = nil
	person := model.Person{Index: -1, Known: set.Row(3)}
	answer := func(s *modelstore.Saved, aim modelstore.Aim) []Row {
		r, err := New(s, Rules{Count: 1000, Odds: true, Aim: aim})
		if err != nil {
			t.Fatal(err)
		}
		answers, err := r.Answer(t.Context(), []model.Person{person}, &Scratch{})
		if err != nil {
			t.Fatal(err)
		}
		return answers[0]
	}
	byItem := func(rows []Row) map[int]Row {
		all := map[int]Row{}
		for _, row := range rows {
			all[row.Item] = row
		}
		return all
	}
	taste, before := answer(saved, modelstore.AimTaste), answer(&alone, modelstore.AimAuto)
	for k := range taste {
		taste[k].Interest = nil
	}
	if !reflect.DeepEqual(taste, before) {
		t.Error("taste differs with interest beside it")
	}
	saved.Interest.Lift = nil // as in a file without it, whose interest counts as informative; here half of each list is drawn by lot
	tastes, picks, both := byItem(before), byItem(answer(saved, modelstore.AimInterest)), byItem(answer(saved, modelstore.AimAuto))
	scores := make([]float64, saved.Interest.Items())
	known := saved.Rated(person)
	if err := saved.Interest.Score(known, scores); err != nil {
		t.Fatal(err)
	}
	for i, row := range both {
		if want := interest.Log(scores[i]) + saved.Interest.Taste*tastes[i].Score; row.Score != want || picks[i].Score != scores[i] {
			t.Errorf("item %d: balanced %g, not %g; interest %g, not %g", i, row.Score, want, picks[i].Score, scores[i])
		}
		if chance, _ := saved.Interest.Probability(scores[i], known.Len()); row.Interest == nil || *row.Interest != chance || *picks[i].Interest != chance {
			t.Errorf("item %d: interest %v, not %g", i, row.Interest, chance)
		}
		if !reflect.DeepEqual(row.Odds, tastes[i].Odds) || !reflect.DeepEqual(picks[i].Odds, tastes[i].Odds) {
			t.Errorf("item %d: other odds by another aim", i)
		}
	}
	if _, err := New(&alone, Rules{Aim: modelstore.AimBalanced}); err == nil {
		t.Error("balanced without interest")
	}
	r, err := New(saved, Rules{Count: 3})
	if err != nil {
		t.Fatal(err)
	}
	// Another aim is answered from an index of its own, as by a recommender made for it.
	for _, aim := range []modelstore.Aim{modelstore.AimTaste, modelstore.AimInterest, modelstore.AimBalanced} {
		rules := Rules{Count: 3, Aim: aim, Exclude: []int{1}}
		other, err := r.Under(rules)
		if err != nil || (other.index != nil) != (aim == modelstore.AimTaste) || (other.whole != nil) == (aim == modelstore.AimTaste) {
			t.Fatalf("aim %v: no index of its own, error %v", aim, err)
		}
		own, err := New(saved, rules)
		if err != nil {
			t.Fatal(err)
		}
		got, err := other.Answer(t.Context(), []model.Person{person}, &Scratch{})
		if err != nil {
			t.Fatal(err)
		}
		if want, err := own.Answer(t.Context(), []model.Person{person}, &Scratch{}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("aim %v: %v, not %v, error %v", aim, got, want, err)
		}
	}
}
