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
	m, l, p := fitted(t, set, o), index(set, o), make([]float32, n*n)
	if err := l.precision(t.Context(), p, o); err != nil {
		t.Fatal(err)
	}
	const u = 3
	row, scores := set.Row(u), make([]float64, n)
	given, others := row.Items[:2], counts(set, o, u)
	part := l.part(u, []int{0, 1})
	products := l.times(t.Context(), p, []sparse{l.list(u), part.shorter}, 2)
	without := l.absent(u, []sparse{l.list(u)}, products[0], new(room))
	without.near(part.inputs, slices.Clone(products[1]), scores)
	var change float64 // between the fits with and without the person
	for j := range n {
		weights, full := regression(others, g, n, j, all(n), o), regression(g, g, n, j, all(n), o)
		var want, with float64
		for k, i := range given {
			want += float64(l.x(row.Values[k])) * weights[i]
			with += float64(l.x(row.Values[k])) * full[i]
		}
		if !(math.Abs(scores[j]-want) <= narrow) {
			t.Errorf("item %d: score %g, by a fit without the person %g", j, scores[j], want)
		}
		change = max(change, math.Abs(want-with))
	}
	if !(change > 1e-3) {
		t.Errorf("the test cannot see a person who was not left out: scores differ by %g", change)
	}
	// Of a part of more than half, P times the rest is given.
	longer, direct, hidden := l.part(u, all(row.Len()-1)), make([]float64, n), make([]float64, n)
	if !longer.hides || len(longer.shorter.places) != 1 {
		t.Fatalf("all items but one are given: %v", longer)
	}
	both := l.times(t.Context(), p, []sparse{longer.inputs, longer.shorter}, 2)
	without.near(longer.inputs, both[0], direct)
	space := new(room)
	space.smoothed(m, lowRank(m), part.row, longer.row)
	l.hide(m, u, longer, 1, both[1], without, o.first(), space)
	copy(hidden, space.near)
	for j := range n {
		if !(math.Abs(hidden[j]-direct[j]) <= narrow) {
			t.Errorf("item %d: score %g by the rest of the list, %g by the part", j, hidden[j], direct[j])
		}
	}
	// A task is an order of the model's own scores.
	task := l.hide(m, u, part, 0, slices.Clone(products[1]), without, o.first(), space)
	w := weights{.3, .7, .9, -.2}
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
		gains[i] = math.Exp2(float64(row.Values[k+2])) - 1
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
	p := make([]float32, len(l.inputs)*len(l.inputs))
	if err := l.precision(t.Context(), p, o); err != nil {
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
		for _, task := range l.tasks(t.Context(), m, []int{u}, 1, p, o) {
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

// Weights that are searched are those of the model, for lists of any length.
func TestWeightsByLength(t *testing.T) {
	w := weights{.3, .7, 1.9, 0}
	m := interest.Model{}
	w.apply(&m, &lists{})
	for _, n := range []int{1, 5, 19, 20, 21, 300} {
		c := w.smooth(n)
		first, second := m.Shares(n, 1)
		if !(math.Abs(first-1/(1+c)) <= 1e-12) || !(math.Abs(second-c/(1+c)) <= 1e-12) {
			t.Errorf("a list of %d has the weight %g, the model shares %g and %g", n, c, first, second)
		}
	}
}

// A search finds the top of a smooth function within its last step, and stays where the function is flat.
func TestSearch(t *testing.T) {
	top := weights{1.5, 1, .25, -.25}
	got := search(weights{0, .5, .5, 0}, func(w weights) (v float64) {
		for k := range w {
			away := (w[k] - top[k]) / unit[k]
			v -= away * away
		}
		return v
	})
	for k := range got {
		if !(math.Abs(got[k]-top[k]) <= unit[k]/2) {
			t.Errorf("weight %d is %g, the top at %g", k, got[k], top[k])
		}
	}
	if got := search(weights{0, .5, .5, 0}, func(weights) float64 { return 1 }); got != (weights{0, .5, .5, 0}) {
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

// Every person with more than n items counts alike where n of them are known: the share of draws with that number, times the weight of the list, is log((n+1)/n).
func TestKnownItems(t *testing.T) {
	set := setOf(t, 2, 40, func(u, i int) float32 { return float32(1 - u*i/10) }) // 40 items and 10
	l := index(set, Defaults())
	const draws = 20_000
	for u, length := range []int{40, 10} {
		counts := make([]float64, length+1)
		for seed := range uint64(draws) {
			at := l.known(u, seed)
			if !slices.IsSorted(at) || len(slices.Compact(at)) != len(at) || at[len(at)-1] >= length {
				t.Fatalf("places %v of a list of %d", at, length)
			}
			counts[len(at)]++
		}
		for n := 1; n < length; n++ {
			weight := math.Log(float64(length))
			want := draws * math.Log1p(1/float64(n)) / weight
			if !(math.Abs(counts[n]-want) <= 5*math.Sqrt(want)) {
				t.Errorf("list of %d: %d items known in %.0f draws, want %.0f", length, n, counts[n], want)
			}
		}
	}
}

// The logistic regression is at the top of its posterior: a planted one is found, and near it there is no better.
func TestLogistic(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	planted := [4]float64{-1, 1.5, -.7, .3}
	var pairs []pair
	for range 40_000 {
		p := pair{value: r.NormFloat64(), length: r.NormFloat64(), weight: 1}
		logit := planted[0] + planted[1]*p.value + planted[2]*p.length + planted[3]*p.value*p.length
		if r.Float64() < 1/(1+math.Exp(-logit)) {
			p.picked = 1
		}
		pairs = append(pairs, p)
	}
	got := logistic(pairs, 4)
	for k, want := range planted {
		if !(math.Abs(got[k]-want) <= .1) { // six standard errors
			t.Errorf("number %d is %.3f, planted %.3f", k, got[k], want)
		}
	}
	if got := logistic(pairs, 3); got[3] != 0 {
		t.Errorf("a product of %g among three numbers", got[3])
	}
	same := []pair{{value: 1, length: 1, picked: 1, weight: 1}}
	for _, v := range logistic(same, 4) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("one pick alone gives %g", v)
		}
	}
}

// Groups of scores are those that a walk through all pairs by ascending score finds, with many equal scores, for any number of jobs. Those of given items
// are left out, and people weigh differently.
func TestGrouped(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, people := range []int{1, 3, 40, 300} {
		set := setOf(t, people, 30, func(_, _ int) float32 { return float32(r.IntN(4) / 3) })
		l := index(set, Defaults())
		n := len(l.inputs)
		left := &leftOut{people: l.people, scores: make([]float64, len(l.people)*n)}
		type pair struct {
			score, weight float64
			picked        bool
		}
		var pairs []pair
		picks := 0.
		for at, u := range l.people {
			left.weight = append(left.weight, float64(1+r.IntN(3)))
			left.hidden = append(left.hidden, nil)
			for k, i := range l.inputs {
				s := math.Round(50 * r.NormFloat64())
				_, picked := slices.BinarySearch(set.Row(u).Items, i)
				if picked {
					s += 20
				}
				switch {
				case picked && r.IntN(3) == 0: // given
					left.scores[at*n+k] = math.Inf(-1)
					continue
				case picked:
					left.hidden[at] = append(left.hidden[at], uint32(k))
					picks++
				}
				left.scores[at*n+k] = s
				pairs = append(pairs, pair{s, left.weight[at], picked})
			}
		}
		slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.score, b.score) })
		var want []bin
		var g bin
		count := 0. // of picks
		for k, each := range pairs {
			g.score += each.weight * each.score
			g.size += each.weight
			if each.picked {
				g.picks += each.weight
				count++
			}
			if k+1 == len(pairs) || count > 0 && count >= picks/knots && pairs[k+1].score > each.score {
				want = append(want, g)
				g, count = bin{}, 0
			}
		}
		got := slices.DeleteFunc(left.grouped(left.bounds(), 1+people%3), func(g bin) bool { return g.size == 0 })
		if !slices.Equal(got, want) { // the scores are whole numbers, and so are their sums
			t.Errorf("%d people: groups %v, want %v", people, got, want)
		}
	}
}

// The sum of discounted gains is that of its definition, with equal scores, and with fewer candidates than count.
func TestDiscounted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{0, 1, depth - 1, depth, depth + 1, candidates} {
		scores, gains := make([]float64, n), make([]float64, n)
		for k := range scores {
			scores[k], gains[k] = float64(r.IntN(30)), float64(r.IntN(3))
		}
		var want float64
		for k, gain := range gains {
			place := 0
			for other, s := range scores {
				if s > scores[k] || s == scores[k] && other < k {
					place++
				}
			}
			if place < depth {
				want += gain / math.Log2(float64(place)+2)
			}
		}
		if got := new(task).discounted(scores, gains); got != want {
			t.Errorf("%d candidates: %g, want %g", n, got, want)
		}
	}
}

// The highest are the first of all inputs in the order of their scores, of equal ones the first input, and none of -Inf.
func TestHighest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 5, 40} {
		l, scores := &lists{}, make([]float64, 60)
		for i := range uint32(60) {
			scores[i] = float64(r.IntN(20)) - 10 // many are equal
			if i%7 == 0 {
				scores[i] = math.Inf(-1)
			}
			if i%3 != 0 {
				l.inputs = append(l.inputs, i)
			}
		}
		l.popular = slices.Clone(l.inputs)
		r.Shuffle(len(l.popular), func(a, b int) { l.popular[a], l.popular[b] = l.popular[b], l.popular[a] })
		want := slices.DeleteFunc(slices.Clone(l.inputs), func(i uint32) bool { return scores[i] == math.Inf(-1) })
		slices.SortStableFunc(want, func(a, b uint32) int { return cmp.Compare(scores[b], scores[a]) })
		if got := l.highest(n, scores); !slices.Equal(got, want[:min(n, len(want))]) {
			t.Errorf("the %d highest are %v, want %v", n, got, want[:min(n, len(want))])
		}
	}
}
