package rank

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fubini/data/ratings"
	"fubini/model/interest"
	"fubini/model/latent"
	"fubini/model/osm"
)

// both are random models of interest and of taste. Popularity differs by much, and some items have no low-rank part.
func both(r *rand.Rand, items, units int) (*interest.Model, *latent.Catalogue) {
	m := &interest.Model{
		Average: make([]float64, items), Low: 1, High: 5, Units: units, In: make([]float64, items*units), Gain: make([]float64, items),
		Eigen: make([]float64, units), Factor: make([]float64, items), Noise: 2, Smooth: .5, Short: .5, Taste: .3,
	}
	m.Near.Start = make([]int64, items+1)
	for i := range items {
		m.Average[i] = math.Exp(r.NormFloat64() - 3)
		m.Gain[i], m.Factor[i] = m.Average[i], math.Exp(.3*r.NormFloat64())
		if i%50 == 7 {
			m.Gain[i] = 0
		}
		for j := range items {
			if i != j && r.IntN(4) == 0 {
				m.Near.Target, m.Near.Value = append(m.Near.Target, uint32(j)), append(m.Near.Value, float32(m.Average[j]*r.NormFloat64()))
			}
		}
		m.Near.Start[i+1] = int64(len(m.Near.Target))
	}
	for k := range m.In {
		m.In[k] = r.NormFloat64()
	}
	for k := range m.Eigen {
		m.Eigen[k] = 1 / float64(1+k)
	}
	m.Prepare()
	c := latent.Shape{Items: items, K: 5, Units: latent.Gaussian, Options: latent.Options{Size: 2, Centred: true}, Presence: true}.New()
	for _, list := range [][]float64{c.U, c.W, c.V} {
		for i := range list {
			list[i] = r.NormFloat64()
		}
	}
	return m, c
}

// exactly has the n best items by the scores of all.
func exactly(t *testing.T, x *CatalogueIndex, list osm.List, known ratings.Row, n int, hide []int) []Scored {
	t.Helper()
	m := x.picks
	picks, taste := make([]float64, m.Items()), make([]float64, m.Items())
	if err := m.Score(known, picks); err != nil {
		t.Fatal(err)
	}
	all := make([]int, m.Items())
	for i := range all {
		all[i] = i
	}
	if c := x.catalogue; c != nil {
		embedding, err := Fold(c, list)
		if err != nil {
			t.Fatal(err)
		}
		Complete(c, embedding, c.OwnPresence(known.Len()), all, taste)
	}
	var found []Scored
	for i := range all {
		if math.IsInf(x.handicap[i], 1) || slices.Contains(hide, i) || slices.Contains(known.Items, uint32(i)) {
			continue
		}
		score := picks[i]
		if x.catalogue != nil {
			score = m.Balanced(picks[i], taste[i])
		}
		found = append(found, Scored{i, score - x.handicap[i]})
	}
	slices.SortFunc(found, Compare)
	return found[:min(n, len(found))]
}

// people have lists of very different lengths, one of them empty and one with all items.
func people(t *testing.T, r *rand.Rand, items int) (lists []osm.List, known []ratings.Row) {
	t.Helper()
	for u := range together + 6 {
		row := ratings.Row{}
		length := r.IntN(40)
		if u == 3 {
			length = items
		}
		for _, i := range r.Perm(items)[:length] {
			row.Items, row.Values = append(row.Items, uint32(i)), append(row.Values, float32(1+r.IntN(5)))
		}
		slices.Sort(row.Items)
		list, err := osm.ListOf(row)
		if err != nil {
			t.Fatal(err)
		}
		lists, known = append(lists, list), append(known, row)
	}
	return lists, known
}

// The index has the order and the scores of all items, to the bit; it notices where a bound is too low.
func TestWholeAgainstAllScores(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	const items = 300
	m, c := both(r, items, 7)
	free, handicap := make([]float64, items), make([]float64, items)
	for i := range handicap {
		handicap[i] = r.ExpFloat64()
		if r.IntN(4) == 0 {
			handicap[i] = math.Inf(1)
		}
	}
	lists, known := people(t, r, items)
	var s CatalogueScratch // used again
	wrong := func(x *CatalogueIndex, n int, hide []int) (count int, example string) {
		got, err := x.ForLists(lists, known, n, hide, &s)
		if err != nil {
			t.Fatal(err)
		}
		for p := range known {
			if want := exactly(t, x, lists[p], known[p], n, hide); !slices.Equal(got[p], want) {
				count, example = count+1, fmt.Sprintf("person %d: %v, not %v", p, got[p], want)
			}
		}
		return count, example
	}
	for _, taste := range []*latent.Catalogue{c, nil} {
		for _, h := range [][]float64{free, handicap} {
			for _, n := range []int{0, 1, 5, 290} {
				for _, hide := range [][]int{nil, {0, 5, 299}} {
					x, err := NewCatalogueIndex(m, taste, h)
					if err != nil {
						t.Fatal(err)
					}
					if count, example := wrong(x, n, hide); count > 0 {
						t.Errorf("taste %t, %d items, hidden %v: %d wrong, as %s", taste != nil, n, hide, count, example)
					}
				}
			}
		}
	}
	x, err := NewCatalogueIndex(m, c, free)
	if err != nil {
		t.Fatal(err)
	}
	x.most = taste{}
	if count, _ := wrong(x, 5, nil); count == 0 {
		t.Error("the test cannot see a taste that is higher than its bound")
	}
	picks := make([]float64, items)
	if err := m.Score(known[1], picks); err != nil {
		t.Fatal(err)
	}
	for k, each := range s.answers[1] {
		if s.Interest(1)[k] != picks[each.Item] {
			t.Errorf("item %d: interest %g, not %g", each.Item, s.Interest(1)[k], picks[each.Item])
		}
	}
	if _, err := NewCatalogueIndex(m, c, free[1:]); err == nil {
		t.Error("an index with too few handicaps")
	}
	known[0] = ratings.Row{Items: []uint32{items}, Values: []float32{1}}
	if x, err = NewCatalogueIndex(m, nil, free); err != nil {
		t.Fatal(err)
	}
	if _, err := x.ForLists(nil, known[:1], 5, nil, &CatalogueScratch{}); err == nil {
		t.Error("an answer for a list with an item outside the catalogue")
	}
}

// The quick logarithm is above the exact one, by little.
func TestLogAbove(t *testing.T) {
	for score := -1.; score < 10; score += 1e-4 {
		if gap := logAbove(score) - interest.Log(score); !(gap >= -1e-15 && gap <= .0601) {
			t.Fatalf("of %g: %g more than %g", score, gap, interest.Log(score))
		}
	}
}
