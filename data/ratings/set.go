package ratings

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"

	"fubini/data/kinds"
)

// Set is a table of ratings, user by user.
type Set struct {
	users, items *Vocabulary
	start        []int // row of user u is start[u] to start[u+1]
	item         []uint32
	value        []float32
	when         []int64 // seconds since 1970, NoTime where not known, or nil when none is

	names []string // of the values 1, 2, ... in a set of tier lists; nil for none
	own   bool     // the values are tiers of each user's own

	unplaced map[string][]string // items without a place, by user
}

// Row has the ratings of one user, by ascending item. It is a view of the set and must not be changed.
type Row struct {
	Items  []uint32
	Values []float32
	Times  []int64 // NoTime where not known; nil when none is
}

// Len returns the number of ratings in the row.
func (r Row) Len() int { return len(r.Items) }

// Ages returns the number of later ratings in the row for each one: how many places ago it was made. Ratings of the same time have the
// mean of their places; those whose time is not known come before all others. Without times there are none.
func (r Row) Ages() []float64 {
	order := make([]int, len(r.Times))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(r.Times[b], r.Times[a]) })
	ages := make([]float64, len(order))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && r.Times[order[to]] == r.Times[order[from]] {
			to++
		}
		for _, k := range order[from:to] {
			ages[k] = float64(from+to-1) / 2
		}
		from = to
	}
	return ages
}

// Users returns the vocabulary of users.
func (s *Set) Users() *Vocabulary { return s.users }

// Items returns the vocabulary of items.
func (s *Set) Items() *Vocabulary { return s.items }

// Len returns the number of ratings.
func (s *Set) Len() int { return len(s.item) }

// HasTimes reports whether any rating has a time.
func (s *Set) HasTimes() bool { return s.when != nil }

// WithoutTimes returns the same ratings without their times.
func (s *Set) WithoutTimes() *Set {
	untimed := *s
	untimed.when = nil
	return &untimed
}

// Untimed returns the number of ratings without a time.
func (s *Set) Untimed() int {
	if s.when == nil {
		return s.Len()
	}
	n := 0
	for _, t := range s.when {
		if t == NoTime {
			n++
		}
	}
	return n
}

// Row returns the ratings of user u.
func (s *Set) Row(u int) Row {
	from, to := s.start[u], s.start[u+1]
	row := Row{Items: s.item[from:to:to], Values: s.value[from:to:to]}
	if s.when != nil {
		row.Times = s.when[from:to:to]
	}
	return row
}

// Range returns the smallest and the largest value; both 0 for an empty set.
func (s *Set) Range() (low, high float64) {
	if len(s.value) == 0 {
		return 0, 0
	}
	return decimal(slices.Min(s.value)), decimal(slices.Max(s.value))
}

// Distinct returns the number of different values.
func (s *Set) Distinct() int {
	seen := map[float32]bool{}
	for _, v := range s.value {
		seen[v] = true
	}
	return len(seen)
}

// PerUser returns the smallest and the largest number of ratings of a user.
func (s *Set) PerUser() (least, most int) {
	for u := range s.users.Len() {
		n := s.start[u+1] - s.start[u]
		if u == 0 || n < least {
			least = n
		}
		most = max(most, n)
	}
	return least, most
}

// Fingerprint returns a digest of all ratings, without times and titles. It does not depend on the format and order of
// the data.
func (s *Set) Fingerprint() string {
	h := sha256.New()
	text := func(v *Vocabulary) {
		for _, id := range v.ids {
			var size [8]byte
			binary.LittleEndian.PutUint64(size[:], uint64(len(id)))
			h.Write(size[:])
			h.Write([]byte(id))
		}
	}
	text(s.users)
	text(s.items)
	buffer := make([]byte, 0, 1<<16)
	for u := range s.users.Len() {
		row := s.Row(u)
		buffer = binary.LittleEndian.AppendUint64(buffer, uint64(row.Len()))
		for k, item := range row.Items {
			buffer = binary.LittleEndian.AppendUint32(buffer, item)
			buffer = binary.LittleEndian.AppendUint32(buffer, math.Float32bits(row.Values[k]))
			if len(buffer) > 1<<15 {
				h.Write(buffer)
				buffer = buffer[:0]
			}
		}
	}
	h.Write(buffer)
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// filter returns the ratings for which keep is true, without users and items
// that have none left. Position is that of the rating in the whole set.
func (s *Set) filter(keep func(user, position int) bool) *Set {
	taken := s.take(keep)
	users, items := make([]bool, s.users.Len()), make([]bool, s.items.Len())
	for u := range users {
		users[u] = taken.start[u+1] > taken.start[u]
	}
	for _, i := range taken.item {
		items[i] = true
	}
	out := &Set{item: taken.item, value: taken.value, when: taken.when, start: []int{0}, names: s.names, own: s.own}
	for u, wanted := range users {
		if wanted {
			out.start = append(out.start, taken.start[u+1])
		}
	}
	var renumbered []uint32
	out.users, _ = s.users.keep(users)
	out.items, renumbered = s.items.keep(items)
	for k, i := range out.item {
		out.item[k] = renumbered[i]
	}
	return out
}

// Described returns the same ratings with what a function says of each item: the names of its groups, and its year, 0 where it is not
// known.
func (s *Set) Described(about func(item string) (groups []string, year int)) *Set {
	described, items := *s, *s.items
	items.kinds, described.items = kinds.New(items.ids, about), &items
	return &described
}

// OfUsers returns the ratings of some users, with the same vocabularies; the rows of other users are empty.
func (s *Set) OfUsers(wanted func(user int) bool) *Set {
	return s.take(func(u, _ int) bool { return wanted(u) })
}

// From returns the ratings of at least a value, with the same vocabularies.
func (s *Set) From(value float64) *Set {
	return s.take(func(_, at int) bool { return float64(s.value[at]) >= value })
}

// take returns the ratings for which keep is true over the same vocabularies.
func (s *Set) take(keep func(user, position int) bool) *Set {
	out := &Set{users: s.users, items: s.items, start: make([]int, 1, len(s.start)), names: s.names, own: s.own}
	count := 0 // first, so that no memory is given up for growing
	for u := range s.users.Len() {
		for k := s.start[u]; k < s.start[u+1]; k++ {
			if keep(u, k) {
				count++
			}
		}
	}
	out.item, out.value = make([]uint32, 0, count), make([]float32, 0, count)
	if s.when != nil {
		out.when = make([]int64, 0, count)
	}
	for u := range s.users.Len() {
		for k := s.start[u]; k < s.start[u+1]; k++ {
			if !keep(u, k) {
				continue
			}
			out.item = append(out.item, s.item[k])
			out.value = append(out.value, s.value[k])
			if s.when != nil {
				out.when = append(out.when, s.when[k])
			}
		}
		out.start = append(out.start, len(out.item))
	}
	return out
}
