package ratings

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"fubini/core/rng"
)

// Training has the ratings for fitting a model. No held-out rating can be reached from it.
type Training struct {
	set     *Set
	earlier bool
}

// Everything returns all ratings of a set as training ratings, for a model that is not evaluated.
func Everything(s *Set) Training { return Training{set: s} }

// Earlier reports whether the split is by time: of each user the held-out ratings are later than those of the training part, or as late.
func (t Training) Earlier() bool { return t.earlier }

// Set returns the training ratings.
func (t Training) Set() *Set { return t.set }

// Holdout has the held-out ratings, by which a model is evaluated, and the ratings of each user that are known then.
type Holdout struct {
	known *Set // given of each user when ranking
	test  *Set
}

// Known returns the ratings of user u that are known when items are ranked: the training ratings, or for users who are
// not in the training set the ratings that are given in their place.
func (h Holdout) Known(u int) Row { return h.known.Row(u) }

// Given returns the known ratings that are not training ratings: those of users who are not in the training set.
func (h Holdout) Given(t Training) *Set {
	return h.known.take(func(u, at int) bool {
		_, trained := slices.BinarySearch(t.set.Row(u).Items, h.known.item[at])
		return !trained
	})
}

// Test returns the held-out ratings of user u.
func (h Holdout) Test(u int) Row { return h.test.Row(u) }

// Set returns all held-out ratings.
func (h Holdout) Set() *Set { return h.test }

// Some returns the holdout with the held-out ratings of some users only. Users and items keep their numbers.
func (h Holdout) Some(keep func(u int) bool) Holdout {
	return Holdout{known: h.known, test: h.test.take(func(u, _ int) bool { return keep(u) })}
}

// Split is a division of a set into training and held-out ratings, with the same vocabularies.
type Split struct {
	Training Training
	Holdout  Holdout
}

// Described returns the split with what a function says of each item, as [Set.Described] does.
func (s Split) Described(about func(item string) (groups []string, year int)) Split {
	items := s.Training.set.Described(about).items
	with := func(set *Set) *Set {
		described := *set
		described.items = items
		return &described
	}
	s.Training.set, s.Holdout.known, s.Holdout.test = with(s.Training.set), with(s.Holdout.known), with(s.Holdout.test)
	return s
}

// weak is a split in which every user's known ratings are their training ratings.
func (s *Set) weak(train func(user, position int) bool) Split {
	known := s.take(train)
	test := s.take(func(u, k int) bool { return !train(u, k) })
	return Split{Training{set: known}, Holdout{known: known, test: test}}
}

// ErrNothingLeft is the error, wrapped, for a split without test users.
var ErrNothingLeft = errors.New("no user is left to test on")

// Paper returns the split of the paper's protocol, for a set of levels: [Set.DropAgreed], then [Set.Given]. See
// docs/protocol.md.
func (s *Set) Paper(n, minTest int, seed uint64) (Split, error) {
	return s.DropAgreed().Given(n, minTest, seed)
}

// Given returns a split with n random ratings of each user for training and the others for the test. Users with fewer
// than n + minTest ratings are left out.
func (s *Set) Given(n, minTest int, seed uint64) (Split, error) {
	if err := checkGiven(n, minTest); err != nil {
		return Split{}, err
	}
	kept := s.filter(func(u, _ int) bool { return s.start[u+1]-s.start[u] >= n+minTest })
	if kept.users.Len() == 0 {
		return Split{}, fmt.Errorf("ratings: nobody has %d + %d ratings: %w", n, minTest, ErrNothingLeft)
	}
	return kept.weak(kept.chosen("given", seed, false, func(int) int { return n })), nil
}

// LeaveOut returns a split with k ratings of each user for the test: the latest, or random ones with random or where times
// are unknown. Users with k ratings or fewer are left out.
func (s *Set) LeaveOut(k int, random bool, seed uint64) (Split, error) {
	if k < 1 {
		return Split{}, fmt.Errorf("ratings: leave %d out; at least one must go", k)
	}
	kept := s.filter(func(u, _ int) bool { return s.start[u+1]-s.start[u] > k })
	if kept.users.Len() == 0 {
		return Split{}, fmt.Errorf("ratings: nobody has more than %d ratings: %w", k, ErrNothingLeft)
	}
	byTime := !random && kept.HasTimes()
	split := kept.weak(kept.chosen("leave out", seed, byTime, func(size int) int { return size - k }))
	split.Training.earlier = byTime
	return split, nil
}

// Random returns a split in which each rating is a test rating with probability share, independently.
func (s *Set) Random(share float64, seed uint64) (Split, error) {
	if err := checkShare(share); err != nil {
		return Split{}, err
	}
	test := make([]bool, s.Len())
	for u := range s.users.Len() {
		r := s.stream(u, "random", seed)
		for at := s.start[u]; at < s.start[u+1]; at++ {
			test[at] = r.Float64() < share
		}
	}
	return s.nonEmpty(s.weak(func(_, at int) bool { return !test[at] }))
}

// Time returns a split with the latest share of all ratings for the test, after one moment for all users. Ratings of that
// moment and ratings without a time are training ratings.
func (s *Set) Time(share float64) (Split, error) {
	if err := checkShare(share); err != nil {
		return Split{}, err
	}
	if !s.HasTimes() {
		return Split{}, fmt.Errorf("ratings: a split by time needs ratings with times")
	}
	if s.Len() == 0 {
		return Split{}, ErrNothingLeft
	}
	times := slices.Sorted(slices.Values(s.when))
	last := times[min(len(times)-1, int(math.Ceil(float64(len(times))*(1-share)))-1)]
	split := s.weak(func(_, at int) bool { return s.when[at] <= last })
	split.Training.earlier = true
	return s.nonEmpty(split)
}

// FourFifths, in the place of a number of known ratings, stands for four fifths of a user's ratings, rounded up.
const FourFifths = 0

// UserSplit returns a split with a share of the users outside the training set (strong generalisation): n of their ratings
// are known when items are ranked, or [FourFifths]; the others are test ratings. Users with fewer than n + minTest are in training.
func (s *Set) UserSplit(share float64, n, minTest int, seed uint64) (Split, error) {
	known := func(int) int { return n } // of the ratings of a new user
	if n == FourFifths {
		known = func(size int) int { return size - size/5 }
	}
	if err := cmp.Or(checkGiven(known(1), minTest), checkShare(share)); err != nil {
		return Split{}, err
	}
	var able []int
	rated := 0 // users with ratings
	for u := range s.users.Len() {
		size := s.start[u+1] - s.start[u]
		if size > 0 {
			rated++
		}
		if size-known(size) >= minTest {
			able = append(able, u)
		}
	}
	count := int(math.Round(share * float64(rated)))
	if count < 1 || count > len(able) {
		return Split{}, fmt.Errorf("ratings: %d users are to be tested, and %d have enough ratings for %d test ratings beside those that are given: %w", count, len(able), minTest, ErrNothingLeft)
	}
	order := make([]int, len(able))
	rng.Permutation(rng.Stream(seed, "user split"), order)
	tested := make([]bool, s.users.Len())
	for _, k := range order[:count] {
		tested[able[k]] = true
	}
	given := s.chosen("user split", seed, false, known)
	return Split{
		Training{set: s.take(func(u, _ int) bool { return !tested[u] })},
		Holdout{
			known: s.take(func(u, at int) bool { return !tested[u] || given(u, at) }),
			test:  s.take(func(u, at int) bool { return tested[u] && !given(u, at) }),
		},
	}, nil
}

// UserSplits returns three splits by [Set.UserSplit] with other users out of training, or as many as there are enough users
// for, which may be none. Settings for new users are chosen on such splits of training ratings.
func (s *Set) UserSplits(share float64, n, minTest int, seed uint64) (splits []Split) {
	for k := range uint64(3) {
		if split, err := s.UserSplit(share, n, minTest, seed+1+k); err == nil {
			splits = append(splits, split)
		}
	}
	return splits
}

// Folds divides the ratings of each user into k parts of nearly equal size and returns k splits, each with one part as
// the test.
func (s *Set) Folds(k int, seed uint64) ([]Split, error) {
	if k < 2 {
		return nil, fmt.Errorf("ratings: %d folds; at least two are needed", k)
	}
	fold := make([]int, s.Len())
	for u := range s.users.Len() {
		r := s.stream(u, "folds", seed)
		order := s.shuffled(u, r)
		first := r.IntN(k) // so that short rows do not all fill the first folds
		for rank, at := range order {
			fold[at] = (first + rank) % k
		}
	}
	splits := make([]Split, k)
	for f := range splits {
		var err error
		if splits[f], err = s.nonEmpty(s.weak(func(_, at int) bool { return fold[at] != f })); err != nil {
			return nil, err
		}
	}
	return splits, nil
}

// UserFolds divides the users into k parts of nearly equal size and returns k splits, each with all ratings of one part as
// the test and none of them known.
func (s *Set) UserFolds(k int, seed uint64) ([]Split, error) {
	users := s.users.Len()
	if k < 2 || k > users {
		return nil, fmt.Errorf("ratings: %d folds of %d users; at least two are needed, and at most one for each user", k, users)
	}
	order, fold := make([]int, users), make([]int, users)
	rng.Permutation(rng.Stream(seed, "user folds"), order)
	for at, u := range order {
		fold[u] = at % k
	}
	splits := make([]Split, k)
	for f := range splits {
		train := s.take(func(u, _ int) bool { return fold[u] != f })
		splits[f] = Split{Training{set: train}, Holdout{known: train, test: s.take(func(u, _ int) bool { return fold[u] == f })}}
	}
	return splits, nil
}

// Sample returns the ratings of n users drawn at random, without the other users and without items that nobody of them rated; all
// users where there are no more than n.
func (s *Set) Sample(n int, seed uint64) *Set {
	if n >= s.users.Len() {
		return s
	}
	order, wanted := make([]int, s.users.Len()), make([]bool, s.users.Len())
	rng.Permutation(rng.Stream(seed, "sample of users"), order)
	for _, u := range order[:n] {
		wanted[u] = true
	}
	return s.filter(func(u, _ int) bool { return wanted[u] })
}

// Divided returns the split of sets that were divided elsewhere, with common vocabularies. Given, which may be nil, has
// known ratings that are not training ratings, as in [Set.UserSplit]. A rating in two of the sets is an error. The split is
// by time if the times of its ratings say so.
func Divided(train, given, test *Set) (Split, error) {
	b := NewBuilder()
	add := func(s *Set) error {
		for u := range s.users.Len() {
			row := s.Row(u)
			for k, i := range row.Items {
				when := int64(NoTime)
				if row.Times != nil {
					when = row.Times[k]
				}
				if err := b.Add([]byte(s.users.ID(uint32(u))), []byte(s.items.ID(i)), row.Values[k], when); err != nil {
					return err
				}
			}
		}
		for i := range uint32(s.items.Len()) {
			if name := s.items.Name(i); name != s.items.ID(i) {
				b.Title(s.items.ID(i), name)
			}
		}
		return nil
	}
	parts := []*Set{train, test}
	if given != nil {
		parts = append(parts, given)
	}
	for _, part := range parts {
		if err := add(part); err != nil {
			return Split{}, err
		}
	}
	all, _, err := b.Build(Refuse)
	if errors.Is(err, ErrDuplicate) {
		return Split{}, fmt.Errorf("ratings: a rating stands in two parts of the split: %w", err)
	} else if err != nil {
		return Split{}, err
	}
	in := func(part *Set) func(u, at int) bool {
		return func(u, at int) bool {
			return part != nil && part.has(all.users.ID(uint32(u)), all.items.ID(all.item[at]))
		}
	}
	trains, tests := in(train), in(test)
	split := Split{
		Training{set: all.take(trains)},
		Holdout{known: all.take(func(u, at int) bool { return !tests(u, at) }), test: all.take(tests)},
	}
	split.Training.earlier = split.byTime()
	return all.nonEmpty(split)
}

// byTime reports whether of each user the held-out ratings are later than the training ratings, or as late, and of somebody later.
func (s Split) byTime() (later bool) {
	if !s.Training.set.HasTimes() || !s.Holdout.test.HasTimes() {
		return false
	}
	for u := range s.Training.set.Users().Len() {
		before, after := s.Training.set.Row(u).Times, s.Holdout.test.Row(u).Times
		if len(before) == 0 || len(after) == 0 {
			continue
		}
		last, first := slices.Max(before), slices.Min(after)
		if first < last {
			return false
		}
		later = later || first > last
	}
	return later
}

// has reports whether a user rated an item.
func (s *Set) has(user, item string) bool {
	u, known := s.users.Find(user)
	if !known {
		return false
	}
	i, known := s.items.Find(item)
	if !known {
		return false
	}
	_, found := slices.BinarySearch(s.Row(int(u)).Items, i)
	return found
}

func (s *Set) nonEmpty(split Split) (Split, error) {
	if split.Holdout.test.Len() == 0 {
		return Split{}, ErrNothingLeft
	}
	return split, nil
}

func checkGiven(n, minTest int) error {
	if n < 1 || minTest < 1 {
		return fmt.Errorf("ratings: %d given and at least %d for the test; both must be positive", n, minTest)
	}
	return nil
}

func checkShare(share float64) error {
	if !(share > 0 && share < 1) {
		return fmt.Errorf("ratings: a share of %g for the test; it must lie between 0 and 1", share)
	}
	return nil
}

// stream is the source of chance for one user's ratings. It depends on the
// user's id and not on who else is in the set.
func (s *Set) stream(u int, what string, seed uint64) *rng.Rand {
	return rng.Stream(seed, "split "+what+" "+s.users.ID(uint32(u)))
}

// shuffled are the positions of a user's ratings in random order.
func (s *Set) shuffled(u int, r *rng.Rand) []int {
	order := make([]int, s.start[u+1]-s.start[u])
	rng.Permutation(r, order)
	for k := range order {
		order[k] += s.start[u]
	}
	return order
}

// chosen draws count(size) of the ratings of every user, uniformly or, by time, the earliest; ratings of one moment
// are in a random order, and not in that of ids. It chooses none of a user with fewer.
func (s *Set) chosen(what string, seed uint64, byTime bool, count func(size int) int) func(user, position int) bool {
	in := make([]bool, s.Len())
	for u := range s.users.Len() {
		order := s.shuffled(u, s.stream(u, what, seed))
		if byTime {
			slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.when[a], s.when[b]) })
		}
		if n := count(len(order)); n <= len(order) {
			for _, at := range order[:n] {
				in[at] = true
			}
		}
	}
	return func(_, at int) bool { return in[at] }
}
