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
	owners       owners
	item         packed[uint16, uint32]
	value        values
	when         packed[uint32, int64]
	untimed      int // ratings that came without a time
	plain        *plainState

	lastUser  []byte // files tend to come user by user
	lastShort uint64 // its ShortID
	last      uint32

	second    *DuplicateError // a pair to refuse when it comes for the second time
	met       int             // how often it came
	bounded   bool
	low, high float64

	// Places in tier lists: for each rating the number of its list in named, 0 for none; empty before the first.
	tiers     packed[uint16, uint32]
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
	return &Builder{users: newVocabulary(), items: newVocabulary(), value: newValues()}
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
	if b.Len() == 0 || string(b.lastUser) != string(user) {
		b.last = b.users.add(user)
		b.lastUser, b.lastShort = append(b.lastUser[:0], user...), ShortID(user)
	}
	b.owners.add(b.last, 1)
	b.item.add(b.items.add(item))
	b.value.add(value)
	if when == NoTime {
		b.untimed++
	}
	if when != NoTime || b.when.len() > 0 { // no memory for times before the first
		b.fillTimes(b.Len() - 1)
		b.when.add(when)
	}
	return nil
}

// fillTimes gives the first n ratings a time, NoTime to those that have none.
func (b *Builder) fillTimes(n int) {
	for b.when.len() < n {
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
		b.when.set(n, change(b.when.at(n)))
	}
}

// Len returns the number of ratings so far.
func (b *Builder) Len() int { return b.owners.n }

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
	report := Report{Read: b.Len(), Timed: b.when.len() > 0, Untimed: b.untimed}
	tiers := b.resolve(&report)
	b.dropUnrated()
	users := b.users.sort()
	b.gather()
	s := &Set{users: b.users, names: tiers.Names, own: tiers.Own && !report.Spread}
	user, twice := b.rows(s, users, policy, &report)
	if twice != nil {
		twice.First, twice.Second = b.owners.record(user, twice.First), b.owners.record(user, twice.Second)
		*b = *NewBuilder()
		return nil, report, twice
	}
	aside := b.unplaced(s)
	*b = *NewBuilder()
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

// dropUnrated forgets items that only have a title.
func (b *Builder) dropUnrated() {
	if b.items.names == nil {
		return
	}
	rated := make([]bool, b.items.Len())
	for n := range b.Len() {
		rated[b.item.at(n)] = true
	}
	if !slices.Contains(rated, false) {
		return
	}
	kept, renumbered := b.items.keep(rated)
	b.items = kept
	for n := range b.Len() {
		b.item.set(n, renumbered[b.item.at(n)])
	}
}
