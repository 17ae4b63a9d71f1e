package plpa

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// pairsData is a table of random ratings from 1 to 3, of users with 0 to 7 items.
func pairsData(t testing.TB, users, items int) *ratings.Set {
	t.Helper()
	random := rng.Stream(7, "plpa test")
	b := ratings.NewBuilder()
	for u := range users {
		for _, i := range random.Perm(items)[:u%8] {
			if err := b.Add(fmt.Appendf(nil, "u%02d", u), fmt.Appendf(nil, "i%02d", i), float32(1+random.IntN(3)), ratings.NoTime); err != nil {
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

func newStart(t testing.TB, settings Recipe, set *ratings.Set) *learner {
	t.Helper()
	l, err := newLearner(settings, set, fitting.Run{Run: model.Run{Seed: 3, Jobs: 2}})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// state is a copy of what EM turns.
type state struct{ worth, common, users []float64 }

func stateOf(l *learner) state {
	return state{slices.Clone(l.worth), slices.Clone(l.common), slices.Clone(l.users)}
}

// byDefinition computes, pair by pair from the formulas, the penalised log
// likelihood of a state, and what EM expects of it with classes drawn by another one.
func byDefinition(l *learner, now, drawn state) (logLikelihood, expected float64) {
	sigma := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	classes := l.classes
	chance := func(s state, u, better, worse, z int) float64 {
		return s.users[u*classes+z] * sigma(s.worth[better*classes+z]-s.worth[worse*classes+z])
	}
	var prior float64
	for u := range l.set.Users().Len() {
		row := l.set.Row(u)
		pairs := 0
		for a, i := range row.Items {
			for b, j := range row.Items {
				if !(row.Values[a] > row.Values[b]) {
					continue
				}
				pairs++
				var total, totalDrawn float64
				for z := range classes {
					total += chance(now, u, int(i), int(j), z)
					totalDrawn += chance(drawn, u, int(i), int(j), z)
				}
				logLikelihood += math.Log(total)
				for z := range classes {
					expected += chance(drawn, u, int(i), int(j), z) / totalDrawn * math.Log(chance(now, u, int(i), int(j), z))
				}
			}
		}
		for z := range classes {
			prior += l.settings.Smoothing * float64(pairs) / float64(classes) * math.Log(now.users[u*classes+z])
		}
	}
	for i, mean := range now.common {
		prior -= l.settings.Common / 2 * mean * mean
		for z := range classes {
			prior -= l.settings.Prior / 2 * math.Pow(now.worth[i*classes+z]-mean, 2)
		}
	}
	return logLikelihood + prior, expected + prior
}

// Neither may fall, whatever the settings; and the sweep must report the first.
func TestPLPANeverFalls(t *testing.T) {
	set := pairsData(t, 40, 12)
	for _, settings := range []Recipe{
		*with(New(), func(o *Recipe) { o.Hidden = 1 }),
		*with(New(), func(o *Recipe) { o.Hidden, o.Spread, o.Prior, o.Common, o.Smoothing = 3, 2, 0.01, 0.01, 0.001 }),
		*with(New(), func(o *Recipe) { o.Hidden, o.Spread, o.Prior, o.Common, o.Smoothing = 4, 1, 1, 0.1, 0.1 }),
		*with(New(), func(o *Recipe) { o.Hidden, o.Spread, o.Prior, o.Common, o.Smoothing = 3, 5, 50, 5, 2 }),
	} {
		l := newStart(t, settings, set)
		first, _ := byDefinition(l, stateOf(l), stateOf(l))
		before := first
		for step := range 60 {
			old := stateOf(l)
			reported := l.sweep()
			if !(math.Abs(reported-before) <= 1e-9*math.Abs(before)) {
				t.Fatalf("%+v, step %d: the sweep reports %.12g, by definition %.12g", settings, step, reported, before)
			}
			now := stateOf(l)
			_, expectedBefore := byDefinition(l, old, old)
			after, expected := byDefinition(l, now, old)
			if !(after >= before-1e-9) || !(expected >= expectedBefore-1e-9) {
				t.Fatalf("%+v, step %d: log likelihood %.12g -> %.12g, expected %.12g -> %.12g", settings, step, before, after, expectedBefore, expected)
			}
			before = after
		}
		if !(before > first+1) {
			t.Errorf("%+v: from %g only to %g", settings, first, before)
		}
	}
}

// At the end of EM the slope by every worth is that of the prior alone, against it.
func TestPLPASlopeByFiniteDifferences(t *testing.T) {
	set := pairsData(t, 40, 12)
	l := newStart(t, *with(New(), func(o *Recipe) { o.Hidden, o.Spread, o.Prior, o.Common, o.Smoothing = 3, 1, 2, 0.5, 0.1 }), set)
	for range 3 {
		l.sweep()
	}
	at := stateOf(l)
	l.sweep() // leaves in chunk 0 the pull, curvature*worth + slope
	for _, k := range []int{0, 4, 17, 30} {
		i := k / l.classes
		const h = 1e-5
		up, down := state{slices.Clone(at.worth), at.common, at.users}, state{slices.Clone(at.worth), at.common, at.users}
		up.worth[k] += h
		down.worth[k] -= h
		a, _ := byDefinition(l, up, up)
		b, _ := byDefinition(l, down, down)
		want := (a-b)/(2*h) + l.settings.Prior*(at.worth[k]-at.common[i]) // without the prior
		got := l.chunks[0].slope[k] - l.chunks[0].weight[k]*at.worth[k]
		if !(math.Abs(got-want) <= 1e-6) {
			t.Errorf("worth %d: slope %g, by differences %g", k, got, want)
		}
	}
	for range 3000 {
		l.sweep()
	}
	end := stateOf(l)
	top, _ := byDefinition(l, end, end)
	for _, k := range []int{0, 4, 17, 30} {
		for _, d := range []float64{-0.01, 0.01} {
			moved := state{slices.Clone(end.worth), end.common, end.users}
			moved.worth[k] += d
			if near, _ := byDefinition(l, moved, moved); !(near < top) {
				t.Errorf("after EM, worth %d moved by %g gives %.12g, above %.12g", k, d, near, top)
			}
		}
	}
}

// Folding in solves a concave problem: it must find the top from any start, and no
// shares nearby may be better.
func TestPLPAFoldIn(t *testing.T) {
	set := pairsData(t, 60, 12)
	l := newStart(t, *with(New(), func(o *Recipe) { o.Hidden, o.Spread, o.Prior, o.Common, o.Smoothing = 3, 2, 1, 0.5, 0.1 }), set)
	for range 20 {
		l.sweep()
	}
	m := l.finished()
	known := ratings.Row{Items: []uint32{0, 2, 3, 5, 8}, Values: []float32{3, 1, 2, 1, 3}}
	value := func(mix []float64) float64 {
		pairs := pairsOf(known, m.order, nil)
		var sum float64
		for _, p := range pairs {
			var total float64
			for z := range m.classes {
				total += mix[z] / (1 + math.Exp(m.worth[int(known.Items[p.worse])*m.classes+z]-m.worth[int(known.Items[p.better])*m.classes+z]))
			}
			sum += math.Log(total)
		}
		for z := range m.classes {
			sum += m.imagined(len(pairs)) * math.Log(mix[z])
		}
		return sum
	}
	mix := m.shares(known)
	for a := range m.classes {
		for b := range m.classes {
			moved := slices.Clone(mix)
			moved[a] += 1e-3
			if moved[b] -= 1e-3; a != b && !(value(moved) < value(mix)) {
				t.Errorf("%v gives %.12g, but %v gives %.12g", mix, value(mix), moved, value(moved))
			}
		}
	}
	other := *m
	other.share = []float64{0.98, 0.01, 0.01}
	for z, p := range other.shares(known) {
		if !(math.Abs(p-mix[z]) <= 1e-4) {
			t.Errorf("from another start %v, not %v", other.shares(known), mix)
		}
	}
	if alike := (ratings.Row{Items: []uint32{0, 1}, Values: []float32{2, 2}}); !slices.Equal(m.shares(alike), m.share) {
		t.Error("a tie moved somebody away from the general taste")
	}
}

// A long list has so many pairs for each item, all right, none twice.
func TestPLPAPairsOfALongList(t *testing.T) {
	for _, n := range []int{2, 51, 52, 300} {
		row := ratings.Row{}
		order := make([]uint32, n)
		random := rng.Stream(1, "long")
		for i := range n {
			order[i] = random.Uint32()
			row.Items, row.Values = append(row.Items, uint32(i)), append(row.Values, float32(i))
		}
		met, seen := make([]int, n), map[pair]bool{}
		for _, p := range pairsOf(row, order, nil) {
			if p.better <= p.worse || seen[p] {
				t.Fatalf("%d items: pair %v", n, p)
			}
			seen[p] = true
			met[p.better]++
			met[p.worse]++
		}
		for i, others := range met {
			if others != min(n-1, 2*partners) {
				t.Fatalf("item %d of %d meets %d others", i, n, others)
			}
		}
	}
}

// with changes a recipe.
func with(recipe *Recipe, change func(o *Recipe)) *Recipe {
	change(recipe)
	return recipe
}
