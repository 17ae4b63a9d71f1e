package ratings

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Duplicates is a policy for a second rating of an item by the same user.
type Duplicates int

// The policies. The [Report] has the number of ratings that they drop or average.
const (
	Refuse    Duplicates = iota // an error
	KeepFirst                   // in the order they came
	KeepLast
	KeepMean
)

// ParseDuplicates returns the policy with a name of the command line: error, first, last or mean.
func ParseDuplicates(name string) (Duplicates, error) {
	for d, known := range []string{"error", "first", "last", "mean"} {
		if name == known {
			return Duplicates(d), nil
		}
	}
	return 0, fmt.Errorf("ratings: no policy %q for duplicates; there are error, first, last and mean", name)
}

// ErrDuplicate is the error, wrapped, for a second rating under Refuse.
var ErrDuplicate = errors.New("rated twice")

// Builder collects ratings in any order and makes a [Set] of them. [NewBuilder] makes one.
type Builder struct {
	users, items *Vocabulary
	user, item   column[uint32]
	value        column[float32]
	when         column[int64]
	untimed      int // ratings that came without a time

	lastUser  []byte // files tend to come user by user
	lastShort uint64 // its ShortID
	last      uint32

	second    *DuplicateError // a pair to refuse when it comes for the second time
	met       int             // how often it came
	bounded   bool
	low, high float64

	// Places in tier lists: for each rating the number of its list in named, 0 for none; empty before the first.
	tiers     column[uint32]
	named     [][]string        // names of tiers, the worst first, each list once
	lists     map[string]uint32 // its number
	lastNames []string          // those of the last place
	lastList  uint32

	aside map[string][]string // items without a place, by user
}

// RefuseSecond makes Add return an error at the second rating of this user and item. A reader that reads its file again
// finds the line of the duplicate by it.
func (b *Builder) RefuseSecond(twice *DuplicateError) { b.second = twice }

// Between makes Add return an error for a rating below low or above high.
func (b *Builder) Between(low, high float64) { b.bounded, b.low, b.high = true, low, high }

// NewBuilder returns an empty builder.
func NewBuilder() *Builder {
	return &Builder{users: newVocabulary(), items: newVocabulary()}
}

// NoTime is the time of a rating whose time is unknown.
const NoTime = math.MinInt64

// Add adds a rating, which must be finite. The ids are copied.
func (b *Builder) Add(user, item []byte, value float32, when int64) error {
	if math.IsNaN(float64(value)) || math.IsInf(float64(value), 0) {
		return fmt.Errorf("ratings: user %q rates item %q %g; a rating must be finite", user, item, value)
	}
	if len(user) == 0 || len(item) == 0 {
		return fmt.Errorf("ratings: a rating without a user or an item")
	}
	if b.bounded {
		// A little slack: 0.7 in four bytes is not 0.7 in eight.
		if v, slack := float64(value), 1e-6*math.Abs(float64(value)); v < b.low-slack || v > b.high+slack {
			return fmt.Errorf("ratings: a rating of %g, outside the scale from %g to %g", value, b.low, b.high)
		}
	}
	if b.second != nil && string(user) == b.second.User && string(item) == b.second.Item {
		if b.met++; b.met == 2 {
			return b.second
		}
	}
	if b.user.n == 0 || string(b.lastUser) != string(user) {
		b.last = b.users.add(user)
		b.lastUser, b.lastShort = append(b.lastUser[:0], user...), ShortID(user)
	}
	b.add(b.items.add(item), value, when)
	return nil
}

// Plain reports whether AddShort may be called: ratings have no bounds, and no pair is refused.
func (b *Builder) Plain() bool { return !b.bounded && b.second == nil }

// Short is a rating of a user and an item that are given by their [ShortID], neither of which is 0.
type Short struct {
	User, Item uint64
	Value      float32 // finite
	When       int64   // or NoTime
}

// AddShort adds ratings.
func (b *Builder) AddShort(rows []Short) {
	for len(rows) > 0 {
		user := b.user.room(len(rows))
		n := len(user) // as the other columns, which have as many ratings
		item, value := b.item.room(n), b.value.room(n)
		timed := b.when.n > 0
		for k := range rows[:n] {
			r := &rows[k]
			if b.lastShort != r.User {
				b.last = b.users.addShort(r.User)
				b.lastUser, b.lastShort = append(b.lastUser[:0], b.users.ids[b.last]...), r.User
			}
			user[k], item[k], value[k] = b.last, b.items.addShort(r.Item), r.Value
			if r.When == NoTime {
				b.untimed++
			} else {
				timed = true
			}
		}
		if timed { // no memory for times before the first
			b.fillTimes(b.user.n - n)
			when := b.when.room(n)
			for k := range when {
				when[k] = rows[k].When
			}
		}
		rows = rows[n:]
	}
}

// add adds a rating of the last user.
func (b *Builder) add(item uint32, value float32, when int64) {
	b.user.add(b.last)
	b.item.add(item)
	b.value.add(value)
	if when == NoTime {
		b.untimed++
	}
	if when != NoTime || b.when.n > 0 { // no memory for times before the first
		b.fillTimes(b.user.n - 1)
		b.when.add(when)
	}
}

// fillTimes gives the first n ratings a time, NoTime to those that have none.
func (b *Builder) fillTimes(n int) {
	for b.when.n < n {
		b.when.add(NoTime)
	}
}

// Title sets the title of an item, before or after its first rating. The set has no titles of items without ratings.
func (b *Builder) Title(item, name string) {
	n := b.items.add([]byte(item))
	if b.items.names == nil {
		b.items.names = map[uint32]string{}
	}
	b.items.names[n] = name
}

// Retime changes the times of some ratings, given by their numbers from 0 as they came. They must have times.
func (b *Builder) Retime(numbers []int, change func(when int64) int64) {
	for _, n := range numbers {
		when := &b.when.chunks[n/chunkSize][n%chunkSize]
		*when = change(*when)
	}
}

// Len returns the number of ratings so far.
func (b *Builder) Len() int { return b.user.n }

// Report has the numbers of ratings that Build read, kept and dropped.
type Report struct {
	Read       int // ratings added
	Kept       int
	Duplicates int  // ratings dropped or averaged away
	Timed      bool // some ratings came with a time
	Untimed    int  // ratings that came without
	Placed     int  // ratings that came as places in tier lists
	Unplaced   int  // items of users without a place
	Spread     bool // tiers were spread over the range of the ratings among them
}

// Build returns the set and empties the builder. A rating without a time has [NoTime]; if no rating has a time, the set
// has no times.
func (b *Builder) Build(policy Duplicates) (*Set, Report, error) {
	report := Report{Read: b.user.n, Timed: b.when.n > 0, Untimed: b.untimed}
	tiers := b.resolve(&report)
	b.dropUnrated()
	users, items := b.users.sort(), b.items.sort()
	s := &Set{users: b.users, items: b.items, start: make([]int, b.users.Len()+1), names: tiers.names, own: tiers.own && !report.Spread}
	for _, chunk := range b.user.chunks {
		for k, u := range chunk {
			chunk[k] = users[u]
			s.start[chunk[k]+1]++
		}
	}
	for u := range s.users.Len() {
		s.start[u+1] += s.start[u]
	}
	// Column by column, so that of the memory for building only one column at a
	// time exists twice.
	if b.when.n > 0 {
		s.when = byUser(&b.when, &b.user, s.start)
	}
	s.item = byUser(&b.item, &b.user, s.start)
	for k, i := range s.item {
		s.item[k] = items[i]
	}
	s.value = byUser(&b.value, &b.user, s.start)
	user, twice := s.sortRows(policy, &report)
	if twice != nil {
		twice.First, twice.Second = b.record(user, twice.First), b.record(user, twice.Second)
	}
	aside := b.unplaced(s)
	*b = *NewBuilder()
	if twice != nil {
		return nil, report, twice
	}
	s.unplaced = aside
	for _, items := range aside {
		report.Unplaced += len(items)
	}
	report.Kept = s.Len()
	if policy == KeepMean && report.Duplicates > 0 {
		s.names = nil // a mean of two levels has no name
	}
	return s, report, nil
}

// byUser sorts a column by user, as the ratings came within each, and gives up
// its memory.
func byUser[T any](from *column[T], user *column[uint32], start []int) []T {
	to := make([]T, from.n)
	place := slices.Clone(start)
	for c, chunk := range from.chunks {
		of := user.chunks[c]
		for k := 0; k < len(chunk); { // ratings of one user tend to come together
			u, end := of[k], k+1
			for end < len(chunk) && of[end] == u {
				end++
			}
			place[u] += copy(to[place[u]:], chunk[k:end])
			k = end
		}
		from.chunks[c] = nil
	}
	from.chunks = nil
	return to
}

// column is a list that grows without being copied.
type column[T any] struct {
	chunks [][]T
	n      int
}

const chunkSize = 1 << 16

func (c *column[T]) add(v T) {
	if c.n%chunkSize == 0 {
		c.grow()
	}
	last := &c.chunks[len(c.chunks)-1]
	*last = append(*last, v)
	c.n++
}

// grow adds a chunk.
func (c *column[T]) grow() {
	size := chunkSize
	if c.n == 0 {
		size = 64 // most sets of one person's tiers are small
	}
	c.chunks = append(c.chunks, make([]T, 0, size))
}

// room returns at most n new places at the end, those that one chunk has.
func (c *column[T]) room(n int) []T {
	at := c.n % chunkSize
	if at == 0 {
		c.grow()
	}
	n = min(n, chunkSize-at)
	last := &c.chunks[len(c.chunks)-1]
	*last = slices.Grow(*last, n)[:at+n]
	c.n += n
	return (*last)[at:]
}

// DuplicateError is the error for a second rating of an item by a user. It wraps
// [ErrDuplicate].
type DuplicateError struct {
	User, Item    string
	First, Second int // number of the ratings, from 1, as they came
}

// Error returns the message, with user and item.
func (e *DuplicateError) Error() string {
	return fmt.Sprintf("ratings: user %q and item %q: %v, in records %d and %d; choose which to keep: first, last or mean", e.User, e.Item, ErrDuplicate, e.First, e.Second)
}

// Unwrap returns [ErrDuplicate].
func (e *DuplicateError) Unwrap() error { return ErrDuplicate }

// record is the number, from 1, of a user's rating at a place among their own.
func (b *Builder) record(user uint32, place int) int {
	number := 0
	for _, chunk := range b.user.chunks {
		for _, u := range chunk {
			number++
			if u != user {
				continue
			}
			if place == 0 {
				return number
			}
			place--
		}
	}
	return 0
}

// dropUnrated forgets items that only have a title.
func (b *Builder) dropUnrated() {
	rated := make([]bool, b.items.Len())
	for _, chunk := range b.item.chunks {
		for _, i := range chunk {
			rated[i] = true
		}
	}
	if !slices.Contains(rated, false) {
		return
	}
	kept, renumbered := b.items.keep(rated)
	b.items = kept
	for _, chunk := range b.item.chunks {
		for k, i := range chunk {
			chunk[k] = renumbered[i]
		}
	}
}

// sortRows sorts every row by item and applies the policy to duplicates. One that is refused comes back with its
// user, and with its places among the ratings of that user.
func (s *Set) sortRows(policy Duplicates, report *Report) (user uint32, refused *DuplicateError) {
	var sort rowSort
	end := 0 // where the next rating goes
	row := struct {
		item  []uint32
		value []float32
		when  []int64
	}{}
	for u := range s.users.Len() {
		from, to := s.start[u], s.start[u+1]
		s.start[u] = end
		if end == from && ascending(s.item[from:to]) {
			end = to
			continue
		}
		row.item = append(row.item[:0], s.item[from:to]...)
		row.value = append(row.value[:0], s.value[from:to]...)
		if s.when != nil {
			row.when = append(row.when[:0], s.when[from:to]...)
		}
		order, distinct := sort.order(row.item, s.items.Len())
		if distinct {
			for k, from := range order {
				s.item[end+k], s.value[end+k] = row.item[from], row.value[from]
			}
			if s.when != nil {
				for k, from := range order {
					s.when[end+k] = row.when[from]
				}
			}
			end += len(order)
			continue
		}
		for k := 0; k < len(order); {
			pick := order[k]
			value, same := row.value[pick], k+1
			for same < len(order) && row.item[order[same]] == row.item[pick] {
				same++
			}
			if same > k+1 {
				switch policy {
				case Refuse:
					return uint32(u), &DuplicateError{s.users.ID(uint32(u)), s.items.ID(row.item[pick]), int(pick), int(order[k+1])}
				case KeepLast:
					pick = order[same-1]
					value = row.value[pick]
				case KeepMean:
					var total float64
					for o := k; o < same; o++ {
						total += float64(row.value[order[o]])
					}
					value = float32(total / float64(same-k))
				}
				report.Duplicates += same - k - 1
			}
			s.item[end], s.value[end] = row.item[pick], value
			if s.when != nil {
				s.when[end] = row.when[pick]
			}
			end++
			k = same
		}
	}
	s.start[s.users.Len()] = end
	s.item, s.value = slices.Clip(s.item[:end]), slices.Clip(s.value[:end])
	if s.when != nil {
		s.when = slices.Clip(s.when[:end])
	}
	if !slices.ContainsFunc(s.when, func(when int64) bool { return when != NoTime }) {
		s.when = nil
	}
	return 0, nil
}

// ascending reports whether every item of a row is larger than the one before it.
func ascending(items []uint32) bool {
	for k := 1; k < len(items); k++ {
		if items[k] <= items[k-1] {
			return false
		}
	}
	return true
}
