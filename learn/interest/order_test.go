package interest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fubini/data/ratings"
	"fubini/model/interest"
)

// chains makes lists in time: after most items comes the next one in number, and otherwise any. Times are shuffled within each list
// with shuffled. With days, about three placements have the same time.
func chains(t testing.TB, people, items, length int, shuffled bool, days int64) *ratings.Set {
	t.Helper()
	b := ratings.NewBuilder()
	for u := range people {
		r := rand.New(rand.NewPCG(3, uint64(u)))
		at, seen, when := r.IntN(items), map[int]bool{}, r.Perm(length)
		for k := range length {
			if at = (at + 1) % items; r.Float64() < .3 || seen[at] {
				for at = r.IntN(items); seen[at]; {
					at = r.IntN(items)
				}
			}
			seen[at] = true
			if !shuffled {
				when[k] = k
			}
			if err := b.Add(fmt.Appendf(nil, "u%04d", u), fmt.Appendf(nil, "i%03d", at), float32(1+r.IntN(5)), 1000+int64(when[k])/days); err != nil {
				t.Fatal(err)
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// follow is the sum over all pairs of two items, by the definition.
func followed(set *ratings.Set, without int) [][]float64 {
	n := set.Items().Len()
	sums := make([][]float64, n)
	for i := range sums {
		sums[i] = make([]float64, n)
	}
	for u := range set.Users().Len() {
		if u == without {
			continue
		}
		row := set.Row(u)
		ages := row.Ages()
		for a, i := range row.Items {
			same := 0
			for _, when := range row.Times {
				if when == row.Times[a] {
					same++
				}
			}
			for b, j := range row.Items {
				apart, share := ages[a]-ages[b], 1.0
				switch {
				case a == b || apart < 0:
					continue
				case apart == 0:
					apart, share = float64(same+1)/3, .5
				}
				if apart <= window {
					sums[i][j] += share * math.Pow(fade, max(0, apart-1))
				}
			}
		}
	}
	return sums
}

// The weights are those of the definition, also where several items have the same time.
func TestTallyInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, items := range []int{1, manyItems, 1000} {
		for _, n := range []int{0, 1, items / manyItems, items/manyItems + 1, items} {
			all := newTally(items)
			var want []uint32
			for _, item := range r.Perm(items)[:n] {
				want = append(want, uint32(item))
				for range 2 {
					all.add(uint32(item), .5)
				}
			}
			all.sort()
			slices.Sort(want)
			if !slices.Equal(all.items, want) {
				t.Errorf("%d of %d items: %v, want %v", n, items, all.items, want)
			}
			if all.clear(); len(all.items) > 0 || slices.Max(all.sums) != 0 {
				t.Errorf("%d of %d items are not cleared", n, items)
			}
		}
	}
}

func TestFollow(t *testing.T) {
	for _, days := range []int64{1, 3, 50} {
		set := chains(t, 30, 60, 45, false, days)
		l := index(set, Defaults())
		s := l.ordered()
		w := l.follow(t.Context(), s, 2)
		sums := followed(set, -1)
		some := 0
		for i := range sums {
			for j, sum := range sums[i] {
				want := sum / (math.Pow(float64(len(l.picks[i].people)+fewLists), fromPower) * math.Pow(float64(len(l.picks[j].people)+fewLists), toPower))
				if got := w.At(uint32(i), uint32(j)); !(math.Abs(got-want) <= 1e-6*(1+want)) {
					t.Fatalf("days of %d: weight of item %d for %d is %g, by the definition %g", days, i, j, got, want)
				}
				if want > 0 {
					some++
				}
			}
		}
		if some < 1000 {
			t.Errorf("days of %d: only %d weights are not 0", days, some)
		}
	}
}

// What is scored for the hidden last item of a list, and for the items that are not in it, is what the counts without that list's person say.
func TestLaterLeavesThePersonOut(t *testing.T) {
	var change float64
	alone := 0
	for _, items := range []int{60, 400} {
		set := chains(t, 30, items, 25, false, 2)
		l := index(set, Defaults())
		s := l.ordered()
		w := l.follow(t.Context(), s, 2)
		for n, u := range s.of {
			whole := set.Row(u)
			part, hidden := l.withoutLast(u, s.places[s.start[n+1]-1].first, s.start[n+1], s, 1)
			if part.row.Len() != whole.Len()-1 || whole.Times[slices.Index(whole.Items, hidden)] != slices.Max(whole.Times) {
				t.Fatalf("person %d: item %d is hidden, which is not of the last ones", u, hidden)
			}
			got := make([]float64, set.Items().Len())
			s.later(&w, n, part.row, hidden, got)
			sums, ages := followed(set, u), part.row.Ages()
			for j := range uint32(len(got)) {
				lists := len(l.picks[j].people)
				if slices.Contains(whole.Items, j) {
					if lists--; j != hidden {
						continue
					}
				}
				_, to := divisors(lists)
				var want, with float64
				for k, i := range part.row.Items {
					weight := math.Pow(recent, ages[k])
					if weight < interest.Faded {
						continue
					}
					from, _ := divisors(len(l.picks[i].people) - 1)
					want += weight * sums[i][j] / (from * to)
					with += weight * w.At(i, j)
				}
				if !(math.Abs(got[j]-want) <= 1e-6) || (want == 0) != (got[j] == 0) { // rounding alone would be made as long as the near part
					t.Errorf("%d items, person %d: score %g of item %d, by counts without the person %g", items, u, got[j], j, want)
				}
				if change = max(change, math.Abs(with-want)); want == 0 && with > 0 {
					alone++
				}
			}
		}
	}
	if !(change > 1e-2) || alone == 0 {
		t.Errorf("the test cannot see a person who was not left out: scores differ by %g, %d of them from 0", change, alone)
	}
}

// hits is the share of people whose last item is among the five highest by what comes next, and by interest alone.
func hits(t *testing.T, set *ratings.Set) (next, plain float64, m *interest.Model) {
	t.Helper()
	split, err := set.LeaveOut(1, false, 1)
	if err != nil {
		t.Fatal(err)
	}
	training := split.Training.Set()
	m = fitted(t, training, Defaults())
	scores := make([]float64, m.Items())
	for u := range training.Users().Len() {
		given, test := training.Row(u), split.Holdout.Test(u)
		for k, score := range []func(ratings.Row, []float64) error{m.ScoreNext, m.Score} {
			if err := score(given, scores); err != nil {
				t.Fatal(err)
			}
			above := 0
			for i, s := range scores {
				if s > scores[test.Items[0]] && !slices.Contains(given.Items, uint32(i)) {
					above++
				}
			}
			if above < 5 {
				*[]*float64{&next, &plain}[k] += 1 / float64(training.Users().Len())
			}
		}
	}
	return next, plain, m
}

// Where lists are chains the last item is found by the order in time, and with shuffled times it is not, and the strength says so.
func TestOrderIsLearned(t *testing.T) {
	next, plain, m := hits(t, chains(t, 300, 80, 20, false, 1))
	if !(next > plain+.3) || m.Next.Strength < .5 {
		t.Errorf("of the last items of chains %.2f are found by the order in time, %.2f without it; strength %g", next, plain, m.Next.Strength)
	}
	next, plain, shuffled := hits(t, chains(t, 300, 80, 20, true, 1))
	if !(next < plain+.1) || !(shuffled.Next.Strength < m.Next.Strength) {
		t.Errorf("with shuffled times %.2f are found by their order, %.2f without it; strength %g", next, plain, shuffled.Next.Strength)
	}
}

// Without times there is no order; with one time for all, or for hardly any placement, there is a fit all the same.
func TestUnusualTimes(t *testing.T) {
	if m := fitted(t, chains(t, 40, 30, 8, false, 1).WithoutTimes(), Defaults()); m.Next != nil {
		t.Error("an order in time was fitted to lists without times")
	}
	b := ratings.NewBuilder()
	for u := range 40 {
		for k := range 6 {
			when := int64(ratings.NoTime)
			if u == 0 && k == 0 {
				when = 5
			}
			if err := b.Add(fmt.Appendf(nil, "u%d", u), fmt.Appendf(nil, "i%d", (u*7+k*k)%31), 3, when); err != nil {
				t.Fatal(err)
			}
		}
	}
	rare, _, err := b.Build(ratings.KeepLast)
	if err != nil {
		t.Fatal(err)
	}
	for name, set := range map[string]*ratings.Set{"one time": chains(t, 40, 30, 8, false, 1000), "one placement with a time": rare, "two people": chains(t, 2, 30, 8, false, 1)} {
		m := fitted(t, set, Defaults())
		scores := make([]float64, m.Items())
		if err := m.ScoreNext(set.Row(1), scores); err != nil || slices.ContainsFunc(scores, math.IsNaN) || m.Next.Strength < 0 {
			t.Errorf("%s: scores %v, strength %g, error %v", name, scores, m.Next.Strength, err)
		}
	}
}

// The n-th largest value by partition is that of a sorted copy, whatever values are equal.
func TestLargest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for k := range 2000 {
		length, scale := 2+r.IntN(40), 1.
		if k%10 == 0 {
			length, scale = 200+r.IntN(200), math.Exp2(float64(r.IntN(40)))
		}
		values := make([]float64, length)
		for k := range values {
			values[k] = float64(r.IntN(1 + r.IntN(30)))
			if scale > 1 && r.IntN(2) == 0 { // of very different sizes
				values[k] = math.Exp2(scale * r.NormFloat64())
			}
		}
		n := 1 + r.IntN(len(values)-1)
		sorted := slices.Sorted(slices.Values(values))
		slices.Reverse(sorted)
		want, equal := sorted[n-1], 0
		for _, v := range sorted[:n] {
			if v == want {
				equal++
			}
		}
		if got, ties := largest(slices.Clone(values), n); got != want || ties != equal {
			t.Fatalf("of %v number %d is %g, %d times among them; got %g, %d times", sorted, n, want, equal, got, ties)
		}
	}
}

// The time of counting follows the number of pairs, and not the square of the number of items.
func BenchmarkFollow(b *testing.B) {
	set := chains(b, 5_000, 40_000, 20, false, 1)
	l := index(set, Defaults())
	s := l.ordered()
	for b.Loop() {
		l.follow(b.Context(), s, 1)
	}
	b.ReportMetric(float64(set.Items().Len()), "items")
}
