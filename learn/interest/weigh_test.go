package interest

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fubini/data/ratings"
	"fubini/model/interest"
)

// The parts of the scores of a task are those of regressions without the person, for the placements that are not hidden.
func TestTaskLeavesThePersonOut(t *testing.T) {
	set, o := picks(t, 40, 20), Defaults()
	o.Ridge, o.Least, o.Tasks = 3, 0, 0
	n, g := set.Items().Len(), counts(set, o, -1)
	m, l, p := fitted(t, set, o), index(set, o), make([]float64, n*n)
	if err := l.precision(p, o); err != nil {
		t.Fatal(err)
	}
	const u = 3
	row, scores := set.Row(u), make([]float64, n)
	given, without := row.Items[:2], counts(set, o, u)
	l.absent(u, p).near(given, l.x[u][:2], scores)
	var change float64 // between the fits with and without the person
	for j := range n {
		weights, full := regression(without, g, n, j, all(n), o), regression(g, g, n, j, all(n), o)
		var want, with float64
		for k, i := range given {
			want += l.x[u][k] * weights[i]
			with += l.x[u][k] * full[i]
		}
		if !(math.Abs(scores[j]-want) <= narrow) {
			t.Errorf("item %d: score %g, by a fit without the person %g", j, scores[j], want)
		}
		change = max(change, math.Abs(want-with))
	}
	if !(change > 1e-3) {
		t.Errorf("the test cannot see a person who was not left out: scores differ by %g", change)
	}
	// A task is an order of the model's own scores.
	task := l.hide(m, u, []int{0, 1}, l.absent(u, p))
	w := weights{.3, .7, -.2}
	w.apply(m, l)
	near, smooth := make([]float64, n), make([]float64, n)
	list := ratings.Row{Items: given, Values: row.Values[:2]}
	if err := m.Parts(list, near, smooth); err != nil {
		t.Fatal(err)
	}
	copy(near, scores)
	m.Combine(list, near, smooth)
	gains := make([]float64, n)
	for k, i := range row.Items[2:] {
		gains[i] = math.Exp2(4*interest.Weight(float64(row.Values[k+2]), 1, 5)) - 1
	}
	order := all(n)
	for _, i := range given {
		near[i] = math.Inf(-1)
	}
	dcg := func(by []float64) (sum float64) {
		slices.SortStableFunc(order, func(a, b int) int {
			if by[a] > by[b] {
				return -1
			} else if by[a] < by[b] {
				return 1
			}
			return a - b
		})
		for place, i := range order {
			sum += gains[i] / math.Log2(float64(place)+2)
		}
		return sum
	}
	// The person's own pick counts in the model's popularity and not in the task's: without that factor they agree.
	w[atPopularity] = 0
	for i := range near {
		near[i] /= m.Factor[i]
	}
	if got, want := task.found(w), dcg(near)/dcg(gains); !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("found %g of the ideal gain, by the model's scores %g", got, want)
	}
}

// A task with a fifth of a list hidden counts more, beside those of five and of 20 items.
func TestTasks(t *testing.T) {
	set, o := setOf(t, 60, 90, func(u, i int) float32 { return float32((u*i*i + i*u*u + u) % 7 % 3) }), Defaults()
	o.Tasks = 0
	m, l := fitted(t, set, o), index(set, o)
	p := make([]float64, len(l.inputs)*len(l.inputs))
	if err := l.precision(p, o); err != nil {
		t.Fatal(err)
	}
	kinds := 0
	for u := range set.Users().Len() {
		most := int(math.Round(.8 * float64(set.Row(u).Len())))
		want := map[int]float64{}
		for _, given := range []int{5, 20} {
			if given <= most {
				want[given] = 1
			}
		}
		want[most] += wholeWeight
		kinds = max(kinds, len(want))
		for _, task := range l.tasks(m, []int{u}, 1, p, o) {
			want[task.given] -= task.weight
		}
		for given, left := range want {
			if left != 0 {
				t.Errorf("person %d, a list of %d: with %d items given weights are off by %g", u, set.Row(u).Len(), given, -left)
			}
		}
	}
	if kinds != 3 {
		t.Errorf("no person has a list with three kinds of tasks")
	}
}

// A search finds the top of a smooth function within its last step, and stays where the function is flat.
func TestSearch(t *testing.T) {
	top := weights{1.5, 1, -.25}
	got := search(weights{0, .5, 0}, func(w weights) (v float64) {
		for k := range w {
			away := (w[k] - top[k]) / strides[k]
			v -= away * away
		}
		return v
	})
	for k := range got {
		if !(math.Abs(got[k]-top[k]) <= strides[k]/2) {
			t.Errorf("weight %d is %g, the top at %g", k, got[k], top[k])
		}
	}
	if got := search(weights{0, .5, 0}, func(weights) float64 { return 1 }); got != (weights{0, .5, 0}) {
		t.Errorf("moved to %v without a reason", got)
	}
}

// Where people pick by kind alone and from a short list, the low-rank part is preferred; its weight is fitted.
func TestWeightsAreFitted(t *testing.T) {
	set, o := picks(t, 300, 60), Defaults()
	m := fitted(t, set, o)
	if m.Smooth == o.Smooth && m.Short == o.Short {
		t.Error("the weights are those of the options")
	}
	o.Tasks = 0
	if m := fitted(t, set, o); math.Abs(m.Smooth-o.Smooth) > 1e-12 || m.Short != o.Short {
		t.Errorf("weights %g and %g without tasks", m.Smooth, m.Short)
	}
}

// Pairs come in the order of their scores, none of them lost, for any number and on any number of cores.
func TestSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{0, 1, 5, 100, 1003} {
		pairs := make([]pair, n)
		for k := range pairs {
			pairs[k] = pair{math.Round(20 * r.NormFloat64()), r.IntN(2) == 0}
		}
		want := slices.Clone(pairs)
		slices.SortStableFunc(want, func(a, b pair) int { return cmp.Compare(a.score, b.score) })
		counts := map[pair]int{}
		for k, each := range sorted(pairs, 1+n%3) {
			counts[each]++
			counts[want[k]]--
			if each.score != want[k].score {
				t.Fatalf("%d pairs: score %g at %d, not %g", n, each.score, k, want[k].score)
			}
		}
		for each, count := range counts {
			if count != 0 {
				t.Errorf("%d pairs: %v is there %d times too often", n, each, count)
			}
		}
	}
}
