package ratings_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"fubini/data/ratings"
)

// parts checks that training and test divide the ratings of the users that are
// left, and returns their sizes for each user.
func parts(t *testing.T, split ratings.Split) (train, test []int) {
	t.Helper()
	a, b := split.Training.Set(), split.Holdout.Set()
	if a.Users() != b.Users() || a.Items() != b.Items() {
		t.Fatal("training and test number their users and items differently")
	}
	for u := range a.Users().Len() {
		for _, i := range b.Row(u).Items {
			if slices.Contains(a.Row(u).Items, i) {
				t.Fatalf("user %d: item %d is in both parts", u, i)
			}
		}
		train, test = append(train, a.Row(u).Len()), append(test, b.Row(u).Len())
	}
	return train, test
}

func sum(values []int) (total int) {
	for _, v := range values {
		total += v
	}
	return total
}

func TestGivenDrawsNForEveryUser(t *testing.T) {
	s, _ := build(t, ratings.Refuse, world(2, 40, 20)...)
	split, err := s.Given(5, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	train, test := parts(t, split)
	for u := range train {
		if train[u] != 5 || test[u] < 3 {
			t.Errorf("user %d: %d given, %d to test", u, train[u], test[u])
		}
	}
	left := 0
	for u := range s.Users().Len() {
		if s.Row(u).Len() >= 8 {
			left++
		}
	}
	if len(train) != left {
		t.Errorf("%d users are left, %d have eight ratings", len(train), left)
	}
	again, err := s.Given(5, 3, 1)
	if err != nil || !slices.Equal(unroll(again.Training.Set()), unroll(split.Training.Set())) {
		t.Error("the same seed split differently")
	}
	other, err := s.Given(5, 3, 2)
	if err != nil || slices.Equal(unroll(other.Training.Set()), unroll(split.Training.Set())) {
		t.Error("another seed split in the same way")
	}
	if _, err := s.Given(20, 10, 1); !errors.Is(err, ratings.ErrNothingLeft) {
		t.Errorf("nobody has thirty ratings, yet %v", err)
	}
	if _, err := s.Given(0, 10, 1); err == nil {
		t.Error("nothing given was taken")
	}
}

// Every rating of a user is as likely to be given as any other.
func TestGivenIsUniform(t *testing.T) {
	var all []triple
	for i := range 6 {
		all = append(all, triple{"a", fmt.Sprint(i), float32(i), 0})
	}
	s, _ := build(t, ratings.Refuse, all...)
	counts := make([]int, 6)
	const seeds = 6000
	for seed := range uint64(seeds) {
		split, err := s.Given(2, 1, seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range split.Training.Set().Row(0).Items {
			counts[i]++
		}
	}
	for i, n := range counts {
		p := 1.0 / 3
		if z := (float64(n) - seeds*p) / math.Sqrt(seeds*p*(1-p)); !(math.Abs(z) <= 5) {
			t.Errorf("rating %d is given in %d of %d splits (z = %.1f)", i, n, seeds, z)
		}
	}
}

func TestLeaveOut(t *testing.T) {
	s, _ := build(t, ratings.Refuse, world(3, 30, 12)...)
	for _, random := range []bool{false, true} {
		split, err := s.LeaveOut(2, random, 1)
		if err != nil {
			t.Fatal(err)
		}
		train, test := parts(t, split)
		for u := range train {
			if test[u] != 2 || train[u] < 1 {
				t.Errorf("user %d: %d and %d", u, train[u], test[u])
			}
			if latest := slices.Max(split.Training.Set().Row(u).Times); !random && latest > slices.Min(split.Holdout.Test(u).Times) {
				t.Errorf("user %d: training goes on to %d, after a test rating", u, latest)
			}
		}
	}
	if _, err := s.LeaveOut(12, true, 1); !errors.Is(err, ratings.ErrNothingLeft) {
		t.Errorf("nobody has thirteen ratings, yet %v", err)
	}
	if _, err := s.LeaveOut(0, true, 1); err == nil {
		t.Error("leaving nothing out was taken")
	}
}

func TestRandomAndTime(t *testing.T) {
	s, _ := build(t, ratings.Refuse, world(4, 100, 30)...)
	split, err := s.Random(0.25, 1)
	if err != nil {
		t.Fatal(err)
	}
	train, test := parts(t, split)
	if n := sum(train) + sum(test); n != s.Len() {
		t.Errorf("%d of %d ratings", n, s.Len())
	}
	p := 0.25
	if z := (float64(sum(test)) - p*float64(s.Len())) / math.Sqrt(float64(s.Len())*p*(1-p)); !(math.Abs(z) <= 5) {
		t.Errorf("%d of %d ratings held back (z = %.1f)", sum(test), s.Len(), z)
	}
	split, err = s.Time(0.25)
	if err != nil {
		t.Fatal(err)
	}
	train, test = parts(t, split)
	if share := float64(sum(test)) / float64(s.Len()); !(share > 0.2 && share <= 0.25) {
		t.Errorf("%.3f of the ratings are late", share)
	}
	var latest, earliest int64 = math.MinInt64, math.MaxInt64
	for u := range train {
		for _, w := range split.Training.Set().Row(u).Times {
			latest = max(latest, w)
		}
		for _, w := range split.Holdout.Test(u).Times {
			earliest = min(earliest, w)
		}
	}
	if !(latest < earliest) {
		t.Errorf("training goes on to %d, the test begins at %d", latest, earliest)
	}
	for _, share := range []float64{0, 1, -1, math.NaN()} {
		if _, err := s.Random(share, 1); err == nil {
			t.Errorf("a share of %g was taken", share)
		}
		if _, err := s.Time(share); err == nil {
			t.Errorf("a share of %g was taken", share)
		}
	}
	untimed, _ := build(t, ratings.Refuse, triple{"a", "x", 1, ratings.NoTime}, triple{"a", "y", 1, ratings.NoTime})
	if _, err := untimed.Time(0.5); err == nil {
		t.Error("a split by time without times")
	}
	// Ratings without a time count as the earliest: they are never held back as the latest.
	some, _ := build(t, ratings.Refuse, triple{"a", "w", 1, 8}, triple{"a", "x", 1, ratings.NoTime}, triple{"a", "y", 1, 5}, triple{"a", "z", 1, 9})
	for name, divide := range map[string]func() (ratings.Split, error){
		"time":    func() (ratings.Split, error) { return some.Time(0.5) },
		"leave-k": func() (ratings.Split, error) { return some.LeaveOut(2, false, 1) },
	} {
		split, err := divide()
		if err != nil {
			t.Fatal(err)
		}
		if got := unroll(split.Holdout.Set()); len(got) != 2 || got[0].item != "w" || got[1].item != "z" {
			t.Errorf("%s: held back %v", name, got)
		}
	}
}

func TestUserSplitKeepsUsersOutOfTraining(t *testing.T) {
	s, _ := build(t, ratings.Refuse, world(5, 60, 20)...)
	split, err := s.UserSplit(0.25, 4, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	train, test := parts(t, split)
	tested := 0
	for u := range train {
		known := split.Holdout.Known(u)
		if test[u] == 0 {
			if known.Len() != train[u] || train[u] != s.Row(u).Len() {
				t.Errorf("user %d trains with %d of %d ratings, %d are known", u, train[u], s.Row(u).Len(), known.Len())
			}
			continue
		}
		tested++
		if train[u] != 0 || known.Len() != 4 || test[u] < 3 || known.Len()+test[u] != s.Row(u).Len() {
			t.Errorf("user %d: %d in training, %d given, %d tested of %d", u, train[u], known.Len(), test[u], s.Row(u).Len())
		}
	}
	if tested != 15 {
		t.Errorf("%d of 60 users are tested, want 15", tested)
	}
	if _, err := s.UserSplit(0.9, 15, 5, 1); !errors.Is(err, ratings.ErrNothingLeft) {
		t.Errorf("too few users have twenty ratings, yet %v", err)
	}
}

// Four fifths, rounded up, are known of every new user. The three splits are those of the next seeds, and none where there
// are too few users.
func TestUserSplitsAreThreeOfOtherUsers(t *testing.T) {
	s, _ := build(t, ratings.Refuse, world(5, 60, 20)...)
	splits := s.UserSplits(0.25, ratings.FourFifths, 2, 4)
	if len(splits) != 3 {
		t.Fatalf("%d splits", len(splits))
	}
	out := map[string]bool{}
	for k, split := range splits {
		want, err := s.UserSplit(0.25, ratings.FourFifths, 2, 5+uint64(k))
		if err != nil || !slices.Equal(unroll(split.Training.Set()), unroll(want.Training.Set())) || !slices.Equal(unroll(split.Holdout.Set()), unroll(want.Holdout.Set())) {
			t.Errorf("split %d is not that of seed %d: %v", k, 5+k, err)
		}
		train, test := parts(t, split)
		who := ""
		for u := range test {
			size := s.Row(u).Len()
			if test[u] > 0 && (train[u] != 0 || test[u] != size/5 || split.Holdout.Known(u).Len() != size-size/5) {
				t.Errorf("user %d with %d ratings: %d in training, %d tested", u, size, train[u], test[u])
			}
			who += fmt.Sprint(min(1, test[u]))
		}
		out[who] = true
	}
	if len(out) != 3 {
		t.Errorf("%d different sets of users", len(out))
	}
	if none := s.UserSplits(0.9, 15, 5, 1); none != nil {
		t.Errorf("%d splits of too few users", len(none))
	}
}

func TestFoldsCoverEverythingOnce(t *testing.T) {
	s, _ := build(t, ratings.Refuse, world(6, 50, 12)...)
	splits, err := s.Folds(4, 1)
	if err != nil {
		t.Fatal(err)
	}
	var tests []triple
	for f, split := range splits {
		train, test := parts(t, split)
		if n := sum(train) + sum(test); n != s.Len() {
			t.Errorf("fold %d has %d of %d ratings", f, n, s.Len())
		}
		if share := float64(sum(test)) / float64(s.Len()); !(math.Abs(share-0.25) < 0.05) {
			t.Errorf("fold %d tests %.2f of the ratings", f, share)
		}
		tests = append(tests, unroll(split.Holdout.Set())...)
	}
	whole := unroll(s)
	order := func(a, b triple) int {
		return slices.Compare([]string{a.user, a.item}, []string{b.user, b.item})
	}
	slices.SortFunc(tests, order)
	slices.SortFunc(whole, order)
	if !slices.Equal(tests, whole) {
		t.Error("the folds' tests are not the set")
	}
	if _, err := s.Folds(1, 1); err == nil {
		t.Error("one fold was taken")
	}
}

func TestDividedElsewhere(t *testing.T) {
	s, _ := build(t, ratings.Refuse, world(7, 30, 12)...)
	split, err := s.Given(3, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	train, _ := build(t, ratings.Refuse, unroll(split.Training.Set())...)
	test, _ := build(t, ratings.Refuse, unroll(split.Holdout.Set())...)
	back, err := ratings.Divided(train, nil, test)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(unroll(back.Training.Set()), unroll(split.Training.Set())) || !slices.Equal(unroll(back.Holdout.Set()), unroll(split.Holdout.Set())) {
		t.Error("a split that went through two sets is another")
	}
	if _, err := ratings.Divided(train, nil, train); !errors.Is(err, ratings.ErrDuplicate) {
		t.Errorf("the training ratings as test: %v", err)
	}
	strong, err := s.UserSplit(0.3, 3, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	train, _ = build(t, ratings.Refuse, unroll(strong.Training.Set())...)
	test, _ = build(t, ratings.Refuse, unroll(strong.Holdout.Set())...)
	given, _ := build(t, ratings.Refuse, unroll(strong.Holdout.Given(strong.Training))...)
	back, err = ratings.Divided(train, given, test)
	if err != nil {
		t.Fatal(err)
	}
	for u := range s.Users().Len() {
		if !slices.Equal(back.Holdout.Known(u).Items, strong.Holdout.Known(u).Items) {
			t.Errorf("user %d: known %v, before %v", u, back.Holdout.Known(u).Items, strong.Holdout.Known(u).Items)
		}
	}
	if !slices.Equal(unroll(back.Training.Set()), unroll(strong.Training.Set())) || !slices.Equal(unroll(back.Holdout.Set()), unroll(strong.Holdout.Set())) {
		t.Error("a split by users that went through three sets is another")
	}
}

// A sample has whole rows of as many users, others by another seed, and all of a small set.
func TestSample(t *testing.T) {
	s, _ := build(t, ratings.Refuse, world(6, 50, 12)...)
	some := s.Sample(20, 1)
	if n := some.Users().Len(); n != 20 {
		t.Fatalf("%d users", n)
	}
	for u := range 20 {
		whole, there := s.Users().Find(some.Users().ID(uint32(u)))
		if !there || some.Row(u).Len() != s.Row(int(whole)).Len() || some.Row(u).Len() == 0 {
			t.Errorf("user %d has %d ratings", u, some.Row(u).Len())
		}
	}
	if some.Fingerprint() != s.Sample(20, 1).Fingerprint() || some.Fingerprint() == s.Sample(20, 2).Fingerprint() {
		t.Error("the seed does not decide who is drawn")
	}
	if s.Sample(s.Users().Len(), 1) != s {
		t.Error("a sample of everybody is another set")
	}
}

// Every user is the test of one fold, with their whole list, and trains in the
// others.
func TestUserFolds(t *testing.T) {
	s, _ := build(t, ratings.Refuse, world(6, 50, 12)...)
	splits, err := s.UserFolds(4, 1)
	if err != nil {
		t.Fatal(err)
	}
	tested := make([]int, s.Users().Len())
	for f, split := range splits {
		for u := range tested {
			train, test, whole := len(split.Training.Set().Row(u).Items), len(split.Holdout.Test(u).Items), len(s.Row(u).Items)
			if !(train == whole && test == 0 || train == 0 && test == whole) || len(split.Holdout.Known(u).Items) != train {
				t.Errorf("fold %d: user %d trains with %d and tests with %d of %d", f, u, train, test, whole)
			}
			if test > 0 {
				tested[u]++
			}
		}
	}
	for u, n := range tested {
		if n != 1 {
			t.Errorf("user %d is tested in %d folds", u, n)
		}
	}
	for _, k := range []int{1, s.Users().Len() + 1} {
		if _, err := s.UserFolds(k, 1); err == nil {
			t.Errorf("%d folds were taken", k)
		}
	}
}

// The ratings of some users are theirs, the numbers of users and items stay.
func TestOfUsers(t *testing.T) {
	s, _ := build(t, ratings.Refuse, world(6, 20, 12)...)
	some := s.OfUsers(func(u int) bool { return u%3 == 0 })
	if some.Users().Len() != s.Users().Len() || some.Items().Len() != s.Items().Len() {
		t.Fatalf("%d users and %d items", some.Users().Len(), some.Items().Len())
	}
	for u := range s.Users().Len() {
		want := s.Row(u).Items
		if u%3 != 0 {
			want = nil
		}
		if got := some.Row(u).Items; !slices.Equal(got, want) {
			t.Errorf("user %d has %v, should have %v", u, got, want)
		}
	}
}

// A split that was divided elsewhere is by time if nobody has a held-out rating before a training rating, and somebody one after all of them.
func TestDividedByTime(t *testing.T) {
	const without = ratings.NoTime
	for name, c := range map[string]struct {
		train, test []triple
		want        bool
	}{
		"later":            {[]triple{{"a", "x", 1, 1}, {"b", "x", 2, 8}}, []triple{{"a", "y", 3, 2}, {"b", "y", 3, 9}}, true},
		"one as late":      {[]triple{{"a", "x", 1, 1}, {"b", "x", 2, 9}}, []triple{{"a", "y", 3, 2}, {"b", "y", 3, 9}}, true},
		"one earlier":      {[]triple{{"a", "x", 1, 1}, {"b", "x", 2, 8}}, []triple{{"a", "y", 3, 2}, {"b", "y", 3, 7}}, false},
		"all of one time":  {[]triple{{"a", "x", 1, 5}, {"b", "x", 2, 5}}, []triple{{"a", "y", 3, 5}}, false},
		"one without time": {[]triple{{"a", "x", 1, 1}, {"b", "x", 2, 8}}, []triple{{"a", "y", 3, 2}, {"b", "y", 3, without}}, false},
		"no times":         {[]triple{{"a", "x", 1, without}}, []triple{{"a", "y", 3, without}}, false},
		"another person":   {[]triple{{"a", "x", 1, 1}}, []triple{{"b", "x", 3, 2}}, false},
	} {
		train, _ := build(t, ratings.Refuse, c.train...)
		test, _ := build(t, ratings.Refuse, c.test...)
		split, err := ratings.Divided(train, nil, test)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := split.Training.Earlier(); got != c.want {
			t.Errorf("%s: by time %t, want %t", name, got, c.want)
		}
	}
}
