package ratings_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
)

type triple struct {
	user, item string
	value      float32
	when       int64
}

func build(t testing.TB, policy ratings.Duplicates, all ...triple) (*ratings.Set, ratings.Report) {
	t.Helper()
	b := ratings.NewBuilder()
	for _, r := range all {
		if err := b.Add([]byte(r.user), []byte(r.item), r.value, r.when); err != nil {
			t.Fatal(err)
		}
	}
	s, report, err := b.Build(policy)
	if err != nil {
		t.Fatal(err)
	}
	return s, report
}

// unroll lists a set again.
func unroll(s *ratings.Set) []triple {
	var out []triple
	for u := range s.Users().Len() {
		row := s.Row(u)
		for k, i := range row.Items {
			when := int64(ratings.NoTime)
			if row.Times != nil {
				when = row.Times[k]
			}
			out = append(out, triple{s.Users().ID(uint32(u)), s.Items().ID(i), row.Values[k], when})
		}
	}
	return out
}

// world draws some ratings of some users.
func world(seed uint64, users, items int) []triple {
	r := rng.Stream(seed, "world")
	var all []triple
	for u := range users {
		order := make([]int, items)
		rng.Permutation(r, order)
		for _, i := range order[:1+r.IntN(items)] {
			all = append(all, triple{fmt.Sprint("u", u), fmt.Sprint(i), float32(1 + r.IntN(5)), int64(r.IntN(1000))})
		}
	}
	return all
}

func TestSetsAreCanonical(t *testing.T) {
	all := world(1, 20, 15)
	first, _ := build(t, ratings.Refuse, all...)
	r := rng.Stream(1, "shuffle")
	for range 5 {
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		again, report := build(t, ratings.Refuse, all...)
		if !slices.Equal(unroll(first), unroll(again)) || first.Fingerprint() != again.Fingerprint() {
			t.Fatal("the order of the file shows in the set")
		}
		if report.Read != len(all) || report.Kept != len(all) || report.Duplicates != 0 {
			t.Errorf("%d ratings, report %+v", len(all), report)
		}
		a, err := first.Given(3, 1, 7)
		if err != nil {
			t.Fatal(err)
		}
		b, err := again.Given(3, 1, 7)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(unroll(a.Training.Set()), unroll(b.Training.Set())) {
			t.Fatal("the order of the file shows in the split")
		}
	}
	all[0].value++
	other, _ := build(t, ratings.Refuse, all...)
	if other.Fingerprint() == first.Fingerprint() {
		t.Error("a changed rating does not show in the fingerprint")
	}
	ids := make([]string, first.Items().Len())
	for i := range ids {
		ids[i] = first.Items().ID(uint32(i))
		if n, known := first.Items().Find(ids[i]); !known || int(n) != i {
			t.Errorf("id %s is found as %d", ids[i], n)
		}
	}
	if !slices.IsSorted(ids) {
		t.Errorf("ids are not in order: %v", ids)
	}
}

func TestDuplicatePolicies(t *testing.T) {
	all := []triple{{"a", "x", 1, 10}, {"b", "x", 2, 20}, {"a", "y", 5, 30}, {"a", "x", 4, 40}, {"a", "x", 4, 5}}
	b := ratings.NewBuilder()
	for _, r := range all {
		if err := b.Add([]byte(r.user), []byte(r.item), r.value, r.when); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := b.Build(ratings.Refuse); !errors.Is(err, ratings.ErrDuplicate) || !strings.Contains(err.Error(), `user "a" and item "x"`) || !strings.Contains(err.Error(), "records 1 and 4") {
		t.Errorf("a second rating was met with %v", err)
	}
	// A second reading stops at the second rating of that pair, and at no other.
	again := ratings.NewBuilder()
	twice := &ratings.DuplicateError{User: "a", Item: "x"}
	again.RefuseSecond(twice)
	for k, r := range append([]triple{{"a", "w", 1, 1}, {"a", "z", 1, 1}, {"b", "z", 1, 1}}, all...) {
		err := again.Add([]byte(r.user), []byte(r.item), r.value, r.when)
		if stop := k == 6; stop != errors.Is(err, twice) {
			t.Fatalf("rating %d, %v: %v", k, r, err)
		} else if stop {
			break
		}
	}
	for name, want := range map[string]struct {
		value float32
		when  int64
	}{"first": {1, 10}, "last": {4, 5}, "mean": {3, 10}} {
		policy, err := ratings.ParseDuplicates(name)
		if err != nil {
			t.Fatal(err)
		}
		s, report := build(t, policy, all...)
		if got := unroll(s)[0]; got != (triple{"a", "x", want.value, want.when}) {
			t.Errorf("%s: %v", name, got)
		}
		if report.Duplicates != 2 || report.Kept != 3 || report.Read != 5 {
			t.Errorf("%s: report %+v", name, report)
		}
	}
	if _, err := ratings.ParseDuplicates("best"); err == nil {
		t.Error("an unknown policy was taken")
	}
}

// A rating without a time takes nothing from the others.
func TestTimesOfSomeRatings(t *testing.T) {
	for _, all := range [][]triple{
		{{"a", "x", 1, 5}, {"a", "y", 1, ratings.NoTime}, {"a", "z", 1, 7}},
		{{"a", "y", 1, ratings.NoTime}, {"a", "z", 1, 7}, {"a", "x", 1, 5}},
		{{"a", "z", 1, 7}, {"a", "x", 1, 5}, {"a", "y", 1, ratings.NoTime}},
	} {
		s, report := build(t, ratings.Refuse, all...)
		if !s.HasTimes() || report.Untimed != 1 || !slices.Equal(s.Row(0).Times, []int64{5, ratings.NoTime, 7}) {
			t.Errorf("%v: times %v, report %+v", all, s.Row(0).Times, report)
		}
	}
	none, report := build(t, ratings.KeepLast, triple{"a", "x", 1, 5}, triple{"a", "x", 1, ratings.NoTime})
	if none.HasTimes() || report.Untimed != 1 {
		t.Errorf("no rating has a time, and the set says otherwise: %v, %+v", none.Row(0).Times, report)
	}
	s, _ := build(t, ratings.Refuse, triple{"a", "y", 1, 5}, triple{"a", "x", 1, 9})
	if got := s.Row(0).Times; !slices.Equal(got, []int64{9, 5}) {
		t.Errorf("times %v do not follow their ratings", got)
	}
}

func TestTitles(t *testing.T) {
	b := ratings.NewBuilder()
	b.Title("2", "Second")
	b.Title("9", "Nobody rated this")
	for _, item := range []string{"3", "2"} {
		if err := b.Add([]byte("u"), []byte(item), 1, ratings.NoTime); err != nil {
			t.Fatal(err)
		}
	}
	b.Title("3", "Third")
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	if s.Items().Len() != 2 || s.Items().Name(0) != "Second" || s.Items().Name(1) != "Third" || s.Items().Named() != 2 {
		t.Errorf("titles %q and %q of %d items", s.Items().Name(0), s.Items().Name(1), s.Items().Len())
	}
	if s.Users().Name(0) != "u" || s.Users().Named() != 0 {
		t.Errorf("a user without a title is called %q", s.Users().Name(0))
	}
}

func TestRefusedRatings(t *testing.T) {
	b := ratings.NewBuilder()
	for _, bad := range []triple{{"a", "x", float32(math.NaN()), 0}, {"a", "x", float32(math.Inf(1)), 0}, {"", "x", 1, 0}, {"a", "", 1, 0}} {
		if err := b.Add([]byte(bad.user), []byte(bad.item), bad.value, bad.when); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
	s, report, err := b.Build(ratings.Refuse)
	if err != nil || s.Len() != 0 || report.Read != 0 {
		t.Errorf("refused ratings left a trace: %d, %+v, %v", s.Len(), report, err)
	}
	if low, high := s.Range(); low != 0 || high != 0 {
		t.Errorf("an empty set ranges from %g to %g", low, high)
	}
}

// The compact form takes eight bytes a rating beside vocabularies and rows.
func TestEightBytesARating(t *testing.T) {
	const users, each = 1000, 500
	b := ratings.NewBuilder()
	ids := make([][]byte, each)
	for i := range ids {
		ids[i] = fmt.Append(nil, i)
	}
	for u := range users {
		user := fmt.Append(nil, u)
		for i := range each {
			if err := b.Add(user, ids[i], 3, ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	b = nil
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	with := heap()
	runtime.KeepAlive(s)
	s = nil
	without := heap()
	if bytes := float64(with-without) / (users * each); !(bytes > 7 && bytes < 9) {
		t.Errorf("%.1f bytes a rating", bytes)
	}
}

func TestLevels(t *testing.T) {
	for _, c := range []struct {
		scale ratings.Scale
		in    []float64
		want  []int
	}{
		{ratings.Scale{Min: 0.5, Max: 5}, []float64{0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5}, []int{1, 1, 2, 2, 3, 3, 4, 4, 5, 5}},
		{ratings.Scale{Min: 1, Max: 5}, []float64{1, 2, 3, 4, 5}, []int{1, 2, 3, 4, 5}},
		{ratings.Scale{Min: 0, Max: 10}, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, []int{1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5}},
		{ratings.Scale{Min: -10, Max: 10, Levels: 2}, []float64{-10, -0.1, 0, 10}, []int{1, 1, 2, 2}},
	} {
		for k, r := range c.in {
			if got := c.scale.Level(r); got != c.want[k] {
				t.Errorf("%+v: %g is level %d, want %d", c.scale, r, got, c.want[k])
			}
		}
	}
	// Tenths: the level is that of the number as written, not of its binary
	// neighbour, on boundaries too.
	for tenth := range 71 {
		rating := float32(tenth) / 10
		s, _ := build(t, ratings.Refuse, triple{"a", "x", rating, 0})
		levelled, err := s.Levelled(ratings.Scale{Min: 0, Max: 7})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := unroll(levelled)[0].value, float32(min(5, 1+5*tenth/70)); got != want {
			t.Errorf("%g on a scale from 0 to 7 is level %g, want %g", rating, got, want)
		}
	}
	edge, _ := build(t, ratings.Refuse, triple{"a", "x", 0.7, 0}, triple{"a", "y", 7, 0})
	if low, high := edge.Range(); low != 0.7 || high != 7 {
		t.Errorf("ratings from %g to %g", low, high)
	}
	if _, err := edge.Levelled(ratings.Scale{Min: 0.7, Max: 7}); err != nil {
		t.Errorf("the end of the scale is outside it: %v", err)
	}
	s, _ := build(t, ratings.Refuse, triple{"a", "x", 0.5, 0}, triple{"a", "y", 4.5, 0}, triple{"b", "x", 6, 0})
	if _, err := s.Levelled(ratings.Scale{Min: 0.5, Max: 5}); err == nil || !strings.Contains(err.Error(), `user "b" rates item "x" 6`) {
		t.Errorf("6 on a scale to 5: %v", err)
	}
	for _, bad := range []ratings.Scale{{}, {Min: 5, Max: 1}, {Min: 0, Max: math.Inf(1)}, {Min: 0, Max: math.NaN()}, {Max: 1, Levels: 1}, {Max: 1, Levels: -2}} {
		if _, err := s.Levelled(bad); err == nil {
			t.Errorf("%+v was taken for a scale", bad)
		}
	}
	levelled, err := s.Levelled(ratings.Scale{Min: 0, Max: 10})
	if err != nil {
		t.Fatal(err)
	}
	if got := unroll(levelled); got[0].value != 1 || got[1].value != 3 || got[2].value != 4 || unroll(s)[0].value != 0.5 {
		t.Errorf("levels %v of %v", got, unroll(s))
	}
}

// Five items: everybody agrees on 0 and 1; 2 and 3 divide people in the same
// way, up to the names of the levels; 4 divides them most. Half of five,
// rounded down, is two.
func TestEntropyFilter(t *testing.T) {
	columns := map[string][]float32{
		"0": {3, 3, 3, 3}, "1": {5, 5, 5, 5}, "3": {1, 2, 2, 2}, "2": {4, 4, 4, 1}, "4": {1, 2, 3, 4},
	}
	var all []triple
	for item, values := range columns {
		for u, v := range values {
			all = append(all, triple{fmt.Sprint("u", u), item, v, 0})
		}
	}
	s, _ := build(t, ratings.Refuse, all...)
	items := func(s *ratings.Set) (ids []string) {
		for i := range s.Items().Len() {
			ids = append(ids, s.Items().ID(uint32(i)))
		}
		return ids
	}
	once := s.DropAgreed()
	if got := items(once); !slices.Equal(got, []string{"2", "3", "4"}) {
		t.Errorf("left with %v", got)
	}
	if got := items(once.DropAgreed()); !slices.Equal(got, []string{"3", "4"}) {
		t.Errorf("2 and 3 tie, so the lower id goes; left with %v", got)
	}
	if once.Users().Len() != 4 || once.Len() != 12 {
		t.Errorf("%d users, %d ratings", once.Users().Len(), once.Len())
	}
}

func TestOrderOfARow(t *testing.T) {
	s, _ := build(t, ratings.Refuse, triple{"a", "x", 3, 0}, triple{"a", "y", 5, 0}, triple{"a", "z", 3, 0})
	x, err := ratings.Order(s.Row(0))
	if err != nil || x.String() != "1 > 0~2" {
		t.Errorf("%v (%v)", x, err)
	}
	if least, most := s.PerUser(); least != 3 || most != 3 || s.Distinct() != 2 {
		t.Errorf("%d to %d ratings a user, %d values", least, most, s.Distinct())
	}
	if low, high := s.Range(); low != 3 || high != 5 {
		t.Errorf("values from %g to %g", low, high)
	}
}

func BenchmarkBuild(b *testing.B) {
	all := world(1, 2000, 200)
	users, items := make([][]byte, len(all)), make([][]byte, len(all))
	for k, r := range all {
		users[k], items[k] = []byte(r.user), []byte(r.item)
	}
	b.SetBytes(int64(len(all)))
	for b.Loop() {
		builder := ratings.NewBuilder()
		for k, r := range all {
			if err := builder.Add(users[k], items[k], r.value, r.when); err != nil {
				b.Fatal(err)
			}
		}
		if _, _, err := builder.Build(ratings.Refuse); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleSet_Given() {
	b := ratings.NewBuilder()
	for _, item := range []string{"Alien", "Brazil", "Clue", "Dune"} {
		if err := b.Add([]byte("ann"), []byte(item), float32(len(item)), ratings.NoTime); err != nil {
			panic(err)
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		panic(err)
	}
	split, err := set.Given(3, 1, 1)
	if err != nil {
		panic(err)
	}
	fmt.Println(split.Training.Set().Len(), "to learn from,", split.Holdout.Set().Len(), "to be judged by")
	// Output: 3 to learn from, 1 to be judged by
}

// More ratings than one chunk of the builder holds, users taking turns: every
// value and time ends where it belongs.
func TestManyInterleavedRatings(t *testing.T) {
	const users, items = 300, 301
	value := func(u, i int) float32 { return float32((u*7+i*13)%10) / 2 }
	b := ratings.NewBuilder()
	for i := range items {
		for u := range users {
			if err := b.Add(fmt.Appendf(nil, "%03d", u), fmt.Appendf(nil, "%03d", i), value(u, i), int64(u*1000+i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	s, report, err := b.Build(ratings.Refuse)
	if err != nil || report.Kept != users*items {
		t.Fatalf("%+v, %v", report, err)
	}
	for u := range users {
		row := s.Row(u)
		for k, i := range row.Items {
			if row.Values[k] != value(u, int(i)) || row.Times[k] != int64(u*1000+int(i)) {
				t.Fatalf("user %d, item %d: %g at %d", u, i, row.Values[k], row.Times[k])
			}
		}
	}
}
