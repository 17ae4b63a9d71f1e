package picks

import (
	"fmt"
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// groups has people of two tastes, who pick eight times as often from their half of the items, and what each would pick
// next; half a dozen items of either half are popular.
func groups(t *testing.T, people, items int) (set *ratings.Set, next [][]uint32) {
	t.Helper()
	r := rng.Stream(3, "groups")
	b := ratings.NewBuilder()
	next = make([][]uint32, people)
	for u := range people {
		for i := range items {
			chance := 0.05
			if i%(items/2) < 6 {
				chance = 0.07
			}
			if (i < items/2) == (u%2 == 0) {
				chance *= 8
			}
			if r.Float64() >= chance {
				continue
			}
			if r.Float64() < 0.25 {
				next[u] = append(next[u], uint32(i))
			} else if err := b.Add(fmt.Appendf(nil, "%04d", u), fmt.Appendf(nil, "%04d", i), float32(1+r.IntN(5)), int64(1000+r.IntN(100))); err != nil {
				t.Fatal(err)
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return set, next
}

// hits is the share of the ten best items outside a person's list that they pick next.
func hits(m model.Model, set *ratings.Set, next [][]uint32, index func(u int) int) (share float64) {
	n := set.Items().Len()
	all, scores := make([]uint32, n), make([]float64, n)
	for i := range all {
		all[i] = uint32(i)
	}
	for u := range next {
		row := set.Row(u)
		m.Score(model.Person{Index: index(u), Known: row}, all, scores)
		for _, i := range row.Items {
			scores[i] = math.Inf(-1)
		}
		picked := map[uint32]bool{}
		for _, i := range next[u] {
			picked[i] = true
		}
		for range 10 {
			best := 0
			for i, s := range scores {
				if s > scores[best] {
					best = i
				}
			}
			if picked[uint32(best)] {
				share += 0.1 / float64(len(next))
			}
			scores[best] = math.Inf(-1)
		}
	}
	return share
}

// Every model but popularity finds the half that a person picks from, for people of the training set and for new ones.
func TestGroupsAreFound(t *testing.T) {
	set, next := groups(t, 300, 80)
	fit := func(r model.Recipe) model.Model {
		m, err := r.Fit(t.Context(), set, model.Run{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	own, nobody := func(u int) int { return u }, func(int) int { return -1 }
	floor := hits(fit(NewPopularity()), set, next, own)
	for name, r := range map[string]model.Recipe{"item-knn": NewItemKNN(), "recent-knn": NewRecentKNN(), "ease": &EASE{Ridge: 30, Weights: Equal, Most: 100}, "ials": &IALS{Hidden: 4, Epochs: 10, Prior: 0.05, Unobserved: 0.1},
		"bpr-mf": &BPR{Hidden: 4, Epochs: 40, Rate: 0.05, Prior: 0.02}} {
		m := fit(r)
		known, folded := hits(m, set, next, own), hits(m, set, next, nobody)
		t.Logf("%s: %.3f of ten hit, %.3f for new people, popularity %.3f", name, known, folded, floor)
		if !(known > floor*1.4 && folded > floor*1.4) {
			t.Errorf("%s: %.3f of ten hit, %.3f for new people, and popularity has %.3f", name, known, folded, floor)
		}
	}
}

// The objective of ials, summed over all people and items as its definition has it, does not fall for small changes of a
// person's factors, nor of an item's after a sweep; a wrong weight of what is not picked would move the minimum.
func TestIALSIsAtItsMinimum(t *testing.T) {
	set, _ := groups(t, 40, 20)
	for _, weights := range []Weights{Equal, Graded} {
		o := &IALS{Hidden: 3, Epochs: 1, Prior: 0.03, Unobserved: 0.2, Weights: weights}
		l := o.start(set, fitting.Under(t.Context(), model.Run{Seed: 2}), 3)
		for range 3 {
			l.Epoch()
		}
		l.gram = gramOf(l.items, l.K)
		row := set.Row(7)
		x := make([]float64, 3)
		l.PersonVector(row, x)
		objective := func(x []float64) (sum float64) {
			picked := map[int]float64{}
			for k, i := range row.Items {
				picked[int(i)] = l.of(row.Values[k])
			}
			for i := range set.Items().Len() {
				y, c := 0.0, o.Unobserved
				if w, there := picked[i]; there {
					y, c = 1, w+o.Unobserved
				}
				d := y - fitting.Dot(x, l.items[i*3:])
				sum += c * d * d
			}
			return sum + o.Prior*(float64(row.Len())+o.Unobserved*float64(set.Items().Len()))*fitting.Dot(x, x)
		}
		const h = 1e-5
		for d := range x {
			up, down := append([]float64(nil), x...), append([]float64(nil), x...)
			up[d] += h
			down[d] -= h
			if slope := (objective(up) - objective(down)) / (2 * h); !(math.Abs(slope) < 1e-6) {
				t.Errorf("%v: the objective has slope %g in factor %d", weights, slope, d)
			}
		}
	}
}

// Similarities are those of their formula, from counts of all pairs.
func TestSimilaritiesByTheirFormula(t *testing.T) {
	set, _ := groups(t, 60, 20)
	o := &Neighbours{Nearest: 100, Shrink: 7, Exponent: 0.3, Decay: 1}
	m, err := o.Fit(t.Context(), set, model.Run{})
	if err != nil {
		t.Fatal(err)
	}
	n := set.Items().Len()
	picks, both := make([]float64, n), make([]float64, n*n)
	for u := range set.Users().Len() {
		for _, i := range set.Row(u).Items {
			picks[i]++
			for _, j := range set.Row(u).Items {
				both[int(i)*n+int(j)]++
			}
		}
	}
	for i := range n {
		for j := range n {
			if i == j {
				continue
			}
			score := []float64{math.NaN()}
			m.Score(model.Person{Index: -1, Known: ratings.Row{Items: []uint32{uint32(i)}, Values: []float32{3}}}, []uint32{uint32(j)}, score)
			want := both[i*n+j] / (math.Pow(picks[i], 0.7)*math.Pow(picks[j], 0.3) + 7)
			if !(math.Abs(score[0]-want) < 1e-12) {
				t.Fatalf("items %d and %d have similarity %g, by the formula %g", i, j, score[0], want)
			}
		}
	}
}

// With a window, people count who picked an item within so many places after the other, and half of those who picked both at once.
func TestWindow(t *testing.T) {
	b := ratings.NewBuilder()
	for user, times := range map[string][]int64{"u": {10, 20, 30, 40}, "v": {40, 10, 10, 20}} {
		for k, when := range times {
			if err := b.Add([]byte(user), fmt.Appendf(nil, "%d", k), 3, when); err != nil {
				t.Fatal(err)
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		window int
		from   uint32
		want   []float64 // people, of item 0 to 3
	}{
		{1, 0, []float64{0, 1, 0, 0}}, {2, 0, []float64{0, 1, 1, 0}}, {1, 1, []float64{0, 0, 1.5, 0}}, {2, 1, []float64{0, 0, 1.5, 2}}, {3, 1, []float64{1, 0, 1.5, 2}}, {0, 1, []float64{2, 0, 2, 2}},
	} {
		m := NewRecentKNN()
		m.Window, m.Shrink = c.window, 0
		fitted, err := m.Fit(t.Context(), set, model.Run{})
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, 4)
		fitted.Score(model.Person{Index: -1, Known: ratings.Row{Items: []uint32{c.from}, Values: []float32{3}}}, []uint32{0, 1, 2, 3}, got)
		for j, people := range c.want {
			if want := people / 2; !(math.Abs(got[j]-want) <= 1e-12) { // everything was picked by two
				t.Errorf("window %d: similarity of items %d and %d is %g, not %g", c.window, c.from, j, got[j], want)
			}
		}
	}
}

// The latest items of a list count most, and times that are equal weigh alike.
func TestRecentItemsCountMost(t *testing.T) {
	m := &neighbours{Decay: 0.5}
	row := ratings.Row{Items: []uint32{1, 2, 3, 4}, Values: []float32{3, 3, 3, 3}, Times: []int64{10, 40, 20, 20}}
	for k, want := range []float64{0.125, 1, 0.5, 0.5} {
		if got := m.weights(row)[k]; !(math.Abs(got-want/2.125) < 1e-12) {
			t.Errorf("item %d has weight %g, not %g", k, got, want/2.125)
		}
	}
	row.Times = nil
	if got := m.weights(row); got[0] != 0.25 || got[3] != 0.25 {
		t.Errorf("without times the weights are %v", got)
	}
}

// A step of bpr-mf is minus the rate times the slope of its objective: with two items, one of them picked, there is only one pair
// to draw. The slopes of the objective without a prior, and of one with the pair turned round, are not mistaken for it.
func TestBPRStepsDownItsSlope(t *testing.T) {
	const rate, prior, h = 0.01, 0.3, 1e-5
	objective := func(v []float64, sign, prior float64) float64 { // person 0 to 2, picked item 3 to 5, other 6 to 8, biases 9 and 10
		difference := v[9] - v[10] + fitting.Dot(v[:3], v[3:6]) - fitting.Dot(v[:3], v[6:9])
		return math.Log1p(math.Exp(-sign*difference)) + prior/2*fitting.Dot(v, v)
	}
	before := make([]float64, 11)
	normal(rng.Stream(2, "bpr"), before)
	for k := range before {
		before[k] *= 8 // so that every part of the slope counts
	}
	row := ratings.Row{Items: []uint32{0}, Values: []float32{5}}
	step := func(learn bool) []float64 {
		l := &bpr{K: 3, Rate: rate, Prior: prior, items: append([]float64(nil), before[3:9]...), bias: append([]float64(nil), before[9:]...)}
		x := append([]float64(nil), before[:3]...)
		loss := l.visit(x, row, rng.Stream(1, "pairs"), learn)
		if want := objective(before, 1, 0); !(math.Abs(loss-want) < 1e-12) {
			t.Errorf("the loss of the pair is %g, by its formula %g", loss, want)
		}
		return append(append(x, l.items...), l.bias...)
	}
	gap := func(after []float64, sign, prior float64, free int) (largest float64) {
		for k := range before {
			up, down := append([]float64(nil), before...), append([]float64(nil), before...)
			up[k] += h
			down[k] -= h
			slope := (objective(up, sign, prior) - objective(down, sign, prior)) / (2 * h)
			if k >= free {
				slope = 0
			}
			largest = max(largest, math.Abs((after[k]-before[k])/rate+slope))
		}
		return largest
	}
	const tol = 1e-8 // differences of numbers near 1 by 2e-5, and a step of 0.01
	if learned := step(true); !(gap(learned, 1, prior, 11) < tol) || !(gap(learned, 1, 0, 11) > 0.01) || !(gap(learned, -1, prior, 11) > 0.01) {
		t.Errorf("the step is off by %g; without a prior by %g, turned round by %g", gap(learned, 1, prior, 11), gap(learned, 1, 0, 11), gap(learned, -1, prior, 11))
	}
	if folded := step(false); !(gap(folded, 1, prior, 3) < tol) { // items stay as they are
		t.Errorf("the step of a new person is off by %g", gap(folded, 1, prior, 3))
	}
}
