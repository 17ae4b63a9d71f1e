package preflib

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"fubini/data/codec"
	"fubini/data/ratings"
	"fubini/data/text"
)

// Codec is the format of https://preflib.github.io/PrefLib-Jekyll/format: orders of numbered
// alternatives, each with its number of voters. A voter is read as a user, an alternative as an item with its name as
// title, and the tier of the alternative as its value: 1 for the last tier, one more for every tier above. The ids of
// users are the numbers of voters in the order of the file, with leading zeros, so that sorted ids follow the file.
var Codec = codec.Codec{
	Name:       "preflib",
	Extensions: types,
	Detect:     detect,
	Read:       read,
	Write:      write,
}

var types = []string{".soc", ".soi", ".toc", ".toi", ".cat"}

// A line of a few bytes can stand for any number of voters. Past these limits a
// file is refused: 16.8 million voters (about 2 GB of ids), and 134 million
// ratings (1.6 GB while they are read). They are variables for the tests.
var (
	maxVoters         = 1 << 24
	maxVoterPlacement = 1 << 27
)

// detect recognises new headers by their keys and old ones by their first two
// lines: the number of alternatives, and the first alternative.
func detect(head []byte) bool {
	first, rest, _ := bytes.Cut(bytes.TrimPrefix(head, text.ByteOrderMark), []byte("\n"))
	if key, _, ok := headerKey(first); ok {
		for _, known := range []string{"FILE NAME", "TITLE", "DESCRIPTION", "DATA TYPE", "MODIFICATION TYPE", "NUMBER ", "ALTERNATIVE NAME "} {
			if strings.HasPrefix(key, known) {
				return true
			}
		}
		return false
	}
	if _, err := parseNumber(bytes.TrimSpace(first)); err != nil {
		return false
	}
	number, _, comma := bytes.Cut(rest, []byte(","))
	return comma && string(bytes.TrimSpace(number)) == "1"
}

// headerKey reads a header line: # KEY: value.
func headerKey(line []byte) (key, value string, ok bool) {
	line, ok = bytes.CutPrefix(line, []byte("#"))
	if !ok {
		return "", "", false
	}
	before, after, ok := bytes.Cut(line, []byte(":"))
	return string(bytes.TrimSpace(before)), string(bytes.TrimSpace(after)), ok
}

// parseNumber reads a count or the number of an alternative.
func parseNumber(digits []byte) (int, error) {
	n, ok := text.Digits(digits)
	if !ok || len(digits) > 9 {
		return 0, fmt.Errorf("%s is not a number from 0 to 999999999", text.Quote(digits))
	}
	return int(n), nil
}

// header is the header of a file. Numbers that it does not give are -1.
type header struct {
	kind                         string // soc, soi, toc, toi, cat; empty for old headers
	alternatives, voters, orders int
	total                        int // sum of the counts: old headers give it beside the voters
	categories                   int
	names, categoryNames         map[int]string
}

// file is the state of reading.
type file struct {
	header
	*text.Lines
	old   bool // the header, and a comma instead of a colon after the count
	top   bool // alternatives that are left out stand below the others
	order tieredOrder
	seen  []int // line on which an alternative stood last, 0 for none
	ids   [][]byte
	tiers map[int][]string // names of tiers, by their number

	voter, ratings int               // so far
	distinct       map[[16]byte]bool // digests of the orders so far; true for those that somebody gave
	placed         []bool            // alternatives that somebody placed
}

func read(in *codec.Input, b *ratings.Builder, o codec.Options) error {
	f := &file{}
	start := func(names []string) error {
		if f.voters > maxVoters {
			return f.Errorf("%d voters; no more than %d are read", f.voters, maxVoters)
		}
		f.ids = make([][]byte, len(names)+1)
		for k, name := range names {
			f.ids[k+1] = strconv.AppendInt(nil, int64(k+1), 10)
			if name != "" {
				b.Title(string(f.ids[k+1]), name)
			}
		}
		return nil
	}
	return f.read(in, o, start, func(order Order) error { return f.addVoters(order, in.Counts, b) })
}

// Order is one order of a PrefLib file and the number of voters who gave it.
type Order struct {
	Line, Count  int
	Alternatives []int // their numbers, from 1, tier by tier; a view that the next order overwrites
	Ends         []int // the end of each tier among them; a category may be empty
}

// EachOrder reads a PrefLib file without a copy of an order for each of its voters. It calls start with the names of the
// alternatives, some perhaps empty, and then each with every order, that of no voter too.
func EachOrder(in *codec.Input, o codec.Options, start func(names []string) error, each func(Order) error) error {
	return new(file).read(in, o, start, each)
}

func (f *file) read(in *codec.Input, o codec.Options, start func(names []string) error, each func(Order) error) error {
	f.Lines, f.distinct = in.Lines(), map[[16]byte]bool{}
	switch o.Incomplete {
	case "", "subset":
	case "top":
		f.top = true
	default:
		return fmt.Errorf("format: incomplete orders read as %q; there are subset and top", o.Incomplete)
	}
	line, err := f.readHeader()
	if err != nil {
		return err
	}
	names, err := f.checkHeader()
	if err != nil {
		return err
	}
	if err := start(names); err != nil {
		return err
	}
	for ; line != nil; line, err = f.next() {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		count, err := f.readOrder(line)
		if err != nil {
			return err
		}
		for _, a := range f.order.alternatives {
			f.placed[a] = f.placed[a] || count > 0
		}
		if err := each(Order{f.Number, count, f.order.alternatives, f.order.ends}); err != nil {
			return err
		}
		f.voter += count
	}
	if err != nil {
		return err
	}
	in.Counts.Lines = f.voter
	for _, placed := range f.placed[1:] {
		if !placed {
			in.Counts.Drop("alternative that nobody placed")
		}
	}
	return f.checkCounts()
}

// next returns the next line, nil at the end of the file.
func (f *file) next() ([]byte, error) {
	line, err := f.Lines.Next()
	if err == io.EOF {
		return nil, nil
	}
	return line, err
}

// readOrder reads one order and its number of voters.
func (f *file) readOrder(line []byte) (count int, err error) {
	if line[0] == '#' {
		return 0, f.Errorf("a line of the header, %s, after the orders", text.Quote(line))
	}
	separator := ":"
	if f.old {
		separator = ","
	}
	before, order, ok := bytes.Cut(line, []byte(separator))
	if !ok {
		return 0, f.Errorf("%s is not a count, a %q and an order", text.Quote(line), separator)
	}
	if count, err = parseNumber(bytes.TrimSpace(before)); err != nil {
		return 0, f.Errorf("%s is not a count of voters", text.Quote(before))
	}
	if err := f.order.parse(order, f.kind == "cat"); err != nil {
		return 0, f.Errorf("%w in %s", err, text.Quote(line))
	}
	if err := f.checkOrder(); err != nil {
		return 0, err
	}
	if f.voter+count > f.voters {
		return 0, f.Errorf("the header says %d voters; with this line there are %d", f.voters, f.voter+count)
	}
	digest := f.order.digest()
	f.distinct[digest] = f.distinct[digest] || count > 0
	if o := &f.order; f.top && f.kind != "cat" && len(o.alternatives) < f.alternatives {
		for a := 1; a <= f.alternatives; a++ {
			if f.seen[a] != f.Number {
				o.alternatives = append(o.alternatives, a)
			}
		}
		o.ends = append(o.ends, len(o.alternatives))
	}
	return count, nil
}

// addVoters adds the voters of an order.
func (f *file) addVoters(order Order, counts *codec.Report, b *ratings.Builder) error {
	if order.Count == 0 {
		counts.Drop("order of no voter")
		return nil
	}
	placed, tiers := len(order.Alternatives), len(order.Ends)
	if order.Count*placed > maxVoterPlacement-f.ratings {
		return f.Errorf("%d voters who place %d alternatives each: more than %d ratings in all, which is the limit", order.Count, placed, maxVoterPlacement)
	}
	f.ratings += order.Count * placed
	width := len(strconv.Itoa(f.voters))
	names := f.tiersOf(tiers)
	for k := range order.Count {
		if placed == 0 { // only in categories
			counts.Drop("voter without an item in any category")
			continue
		}
		user := fmt.Appendf(nil, "%0*d", width, f.voter+k+1)
		at := 0
		for tier, end := range order.Ends {
			for ; at < end; at++ {
				if err := b.Place(user, f.ids[order.Alternatives[at]], names, tiers-tier, ratings.NoTime); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// tiersOf are the names of n tiers, the worst first: those of the categories, and in orders none.
func (f *file) tiersOf(n int) []string {
	if f.tiers == nil {
		f.tiers = map[int][]string{}
	}
	names := f.tiers[n]
	if names == nil {
		names = make([]string, n)
		for k := range names {
			names[k] = f.categoryNames[n-k]
		}
		f.tiers[n] = names
	}
	return names
}

// checkOrder compares an order with the alternatives and the kind of the file.
func (f *file) checkOrder() error {
	o := &f.order
	for _, a := range o.alternatives {
		if a < 1 || a > f.alternatives {
			return f.Errorf("no alternative %d; the header names 1 to %d", a, f.alternatives)
		}
		if f.seen[a] == f.Number {
			return f.Errorf("alternative %d twice in one order", a)
		}
		f.seen[a] = f.Number
	}
	tiers := len(o.ends)
	switch {
	case f.kind == "cat" && tiers != f.categories:
		return f.Errorf("%d categories; the header says %d", tiers, f.categories)
	case (f.kind == "soc" || f.kind == "soi") && tiers < len(o.alternatives):
		return f.Errorf("a tie; the header says %s, which has none: toc and toi do", f.kind)
	case (f.kind == "soc" || f.kind == "toc") && len(o.alternatives) < f.alternatives:
		return f.Errorf("%d of %d alternatives; the header says %s, complete orders: soi and toi are not", len(o.alternatives), f.alternatives, f.kind)
	}
	return nil
}

// checkCounts compares the header with the orders read.
func (f *file) checkCounts() error {
	given := 0 // orders that somebody gave; files count those of nobody as well, or not
	for _, by := range f.distinct {
		if by {
			given++
		}
	}
	switch {
	case f.voter == 0:
		return f.Errorf("the file ends without an order")
	case f.voter != f.voters:
		return f.Errorf("the header says %d voters; there are %d", f.voters, f.voter)
	case f.total >= 0 && f.voter != f.total:
		return f.Errorf("the header says that the counts sum to %d; they sum to %d", f.total, f.voter)
	case len(f.distinct) != f.orders && given != f.orders:
		return f.Errorf("the header says %d unique orders; there are %d", f.orders, len(f.distinct))
	}
	return nil
}
