package votes

import (
	"math"
	"slices"

	"fubini/data/text"
)

// Set is a table of votes: ordered partitions of items, each with a weight. The columns are flat: a million pairs take
// some 30 MB.
type Set struct {
	Items  []string // ids of the catalogue, in order of first appearance; PrefLib: by number; ratings: sorted
	Names  []string // titles of the items where the form has them beside ids (PrefLib, ratings); nil otherwise
	Raters []string // ids, where raters were asked for

	Start  []int32   // vote v has the entries Start[v] to Start[v+1] of Item and Tier
	Item   []int32   // number in the catalogue, in the order of the file: place 0 is model_a, home or the first column
	Tier   []int32   // 0 is the best; tiers have no gaps
	Weight []float64 // of each vote, finite and above zero
	Rater  []int32   // of each vote; nil without raters
	Line   []int32   // of each vote in its file, for messages; 0 for ratings, where a vote has many

	PlaceColumns []string  // covariates of an item in a vote, "length" from the columns length_a and length_b
	Place        []float64 // one row of PlaceColumns for each entry of Item
	VoteColumns  []string  // covariates of a vote
	Vote         []float64 // one row of VoteColumns for each vote

	Counts Counts
}

// Counts is the report on what was read, and what was dropped for which reason.
type Counts struct {
	Form    string           // one of [Forms]
	Records int              // rows, lists or orders read; the users of ratings
	Kept    int              // records that became votes
	Weight  float64          // sum over the votes kept
	Ties    float64          // weight of the votes with two items in one tier
	Dropped map[string]Tally // records left out, by reason: [BothBad] and the others

	Gaps        int  // votes whose ranks skip a number: 1,1,3 or 1,5
	Competition int  // of these, votes in standard competition ranking: 1,1,3
	Zeros       int  // ranks of 0 that were read as not ranked
	Own         bool // ratings were tiers or ranks of each user's own, the lowest rank the best
	Unranked    int  // items listed as unranked in tier lists
	Latin1      int  // lines that were not UTF-8 and were read as Latin-1

	WeightColumn, RaterColumn string   // columns or keys that were read; empty for none
	Ignored                   []string // columns or keys that were not
}

// Tally is a number of records and the sum of their weights.
type Tally struct {
	Records int
	Weight  float64
}

// The reasons for dropping a record.
const (
	BothBad    = "a tie of two bad ones"
	ZeroWeight = "a weight of zero"
	OneItem    = "fewer than two items"
	NotPlayed  = "no scores"
)

// Len is the number of votes.
func (s *Set) Len() int { return len(s.Weight) }

// At returns the items of a vote, by their numbers, and the tier of each: views, not to be changed.
func (s *Set) At(v int) (items, tiers []int32) {
	from, to := s.Start[v], s.Start[v+1]
	return s.Item[from:to:to], s.Tier[from:to:to]
}

// Name is the title of an item, or its id where it has none.
func (s *Set) Name(item int) string {
	if item < len(s.Names) && s.Names[item] != "" {
		return s.Names[item]
	}
	return s.Items[item]
}

// maxEntries bounds the places in all votes: 2 GB of Item and Tier. It is a variable for the tests.
var maxEntries = 1 << 28

// builder collects votes. The entries of the record at hand stand behind those of the last vote.
type builder struct {
	Set
	o       Options
	items   map[string]int32
	raters  map[string]int32
	last    []int32 // by item, the number of the last record that had it
	line    int     // of the record at hand
	errorAt func(line int, format string, args ...any) error

	tiersKey         string    // of the tiers in a tier list in one line
	sorted, distinct []float64 // values of the record, last ranked
}

func newBuilder(o Options) *builder {
	b := &builder{o: o, tiersKey: "tiers", items: map[string]int32{}, raters: map[string]int32{}}
	b.Start, b.PlaceColumns, b.VoteColumns = []int32{0}, o.Place, o.Votes
	b.Counts.Dropped = map[string]Tally{}
	return b
}

func (b *builder) errorf(format string, args ...any) error { return b.errorAt(b.line, format, args...) }

// begin starts a record.
func (b *builder) begin(line int) {
	b.line = line
	b.Counts.Records++
}

// number is the number of an id, a new one if need be. The id may be a view of a buffer.
func number(index map[string]int32, ids *[]string, id []byte) int32 {
	n, known := index[string(id)]
	if !known {
		n = int32(len(*ids))
		kept := string(id)
		index[kept] = n
		*ids = append(*ids, kept)
	}
	return n
}

// place puts an item into a tier of the record at hand.
func (b *builder) place(id []byte, tier int32) error {
	if len(id) == 0 {
		return b.errorf("an item without a name; name it, or take the line out")
	}
	return b.placeNumber(number(b.items, &b.Items, id), tier)
}

func (b *builder) placeNumber(item, tier int32) error {
	for int(item) >= len(b.last) {
		b.last = append(b.last, 0)
	}
	if b.last[item] == int32(b.Counts.Records) {
		return b.errorf("item %s stands twice in one vote; a vote compares different items", text.Quote(b.Items[item]))
	}
	if len(b.Item) >= maxEntries {
		return b.errorf("more than %d places in all votes, which is the limit; merge equal votes and give their number as a weight", maxEntries)
	}
	b.last[item] = int32(b.Counts.Records)
	b.Item = append(b.Item, item)
	b.Tier = append(b.Tier, tier)
	return nil
}

// from is where the entries of the record at hand begin.
func (b *builder) from() int { return int(b.Start[len(b.Start)-1]) }

// rank sorts the entries of the record into tiers by their values, the smallest best.
func (b *builder) rank(values []float64) {
	b.sorted = append(b.sorted[:0], values...)
	slices.Sort(b.sorted)
	b.distinct = slices.Compact(append(b.distinct[:0], b.sorted...))
	for k, v := range values {
		tier, _ := slices.BinarySearch(b.distinct, v)
		b.Tier[b.from()+k] = int32(tier)
	}
}

// drop leaves the record at hand out.
func (b *builder) drop(reason string, weight float64) {
	t := b.Counts.Dropped[reason]
	b.Counts.Dropped[reason] = Tally{t.Records + 1, t.Weight + weight}
	b.Item, b.Tier = b.Item[:b.from()], b.Tier[:b.from()]
}

// keeps drops the record at hand if nothing can be learned from it.
func (b *builder) keeps(weight float64) bool {
	switch {
	case weight == 0:
		b.drop(ZeroWeight, 0)
	case len(b.Item)-b.from() < 2:
		b.drop(OneItem, weight)
	default:
		return true
	}
	return false
}

// end makes the record at hand a vote.
func (b *builder) end(weight float64) {
	from := b.from()
	if int(slices.Max(b.Tier[from:]))+1 < len(b.Tier)-from {
		b.Counts.Ties += weight
	}
	b.Counts.Kept++
	b.Counts.Weight += weight
	b.Start = append(b.Start, int32(len(b.Item)))
	b.Weight = append(b.Weight, weight)
	b.Line = append(b.Line, int32(min(b.line, math.MaxInt32)))
}
