package orders

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"fubini/data/codec"
	"fubini/data/ratings"
	"fubini/data/text"
)

// PrefLib has orders (https://preflib.github.io/PrefLib-Jekyll/format) of numbered
// alternatives, each with the number of voters who gave it. A voter becomes a
// user, an alternative an item with its name as title, and the place of the
// alternative its value: 1 for the last tier, and one more for every tier above.
//
// Voters have no names, so they are numbered in the order of the file, with
// leading zeros to the width of their number: the ids of users, sorted as
// strings, then follow the file.
var PrefLib = codec.Codec{
	Name:       "preflib",
	Extensions: preflibTypes,
	Detect:     detectPrefLib,
	Read:       readPrefLib,
	Write:      writePrefLib,
}

var preflibTypes = []string{".soc", ".soi", ".toc", ".toi", ".cat"}

// A line of a few bytes can stand for any number of voters. Past these limits a
// file is refused: 16.8 million voters (about 2 GB of ids), and 134 million
// ratings (1.6 GB while they are read). They are variables for the tests.
var (
	maxVoters         = 1 << 24
	maxVoterPlacement = 1 << 27
)

// detectPrefLib recognises new headers by their keys and old ones by their first two
// lines: the number of alternatives, and the first alternative.
func detectPrefLib(head []byte) bool {
	first, rest, _ := bytes.Cut(bytes.TrimPrefix(head, text.ByteOrderMark), []byte("\n"))
	if key, _, ok := preflibKey(first); ok {
		for _, known := range []string{"FILE NAME", "TITLE", "DESCRIPTION", "DATA TYPE", "MODIFICATION TYPE", "NUMBER ", "ALTERNATIVE NAME "} {
			if strings.HasPrefix(key, known) {
				return true
			}
		}
		return false
	}
	if _, err := preflibNumber(bytes.TrimSpace(first)); err != nil {
		return false
	}
	number, _, comma := bytes.Cut(rest, []byte(","))
	return comma && string(bytes.TrimSpace(number)) == "1"
}

// preflibKey reads a header line: # KEY: value.
func preflibKey(line []byte) (key, value string, ok bool) {
	line, ok = bytes.CutPrefix(line, []byte("#"))
	if !ok {
		return "", "", false
	}
	before, after, ok := bytes.Cut(line, []byte(":"))
	return string(bytes.TrimSpace(before)), string(bytes.TrimSpace(after)), ok
}

// preflibNumber reads a count or the number of an alternative.
func preflibNumber(digits []byte) (int, error) {
	n, ok := text.Digits(digits)
	if !ok || len(digits) > 9 {
		return 0, fmt.Errorf("%s is not a number from 0 to 999999999", text.Quote(digits))
	}
	return int(n), nil
}

// preflibHeader is the header of a file. Numbers that it does not give are -1.
type preflibHeader struct {
	kind                         string // soc, soi, toc, toi, cat; empty for old headers
	alternatives, voters, orders int
	total                        int // sum of the counts: old headers give it beside the voters
	categories                   int
	names, categoryNames         map[int]string
}

// preflibFile is the state of reading.
type preflibFile struct {
	preflibHeader
	lines *text.Lines
	old   bool // the header, and a comma instead of a colon after the count
	top   bool // alternatives that are left out stand below the others
	order preflibOrder
	seen  []int // line on which an alternative stood last, 0 for none
	ids   [][]byte

	voter, ratings int               // so far
	distinct       map[[16]byte]bool // digests of the orders so far; true for those that somebody gave
	placed         []bool            // alternatives that somebody placed
}

func readPrefLib(in *codec.Input, b *ratings.Builder, o codec.Options) error {
	f := &preflibFile{lines: in.Lines(), distinct: map[[16]byte]bool{}}
	switch o.Incomplete {
	case "", "subset":
	case "top":
		f.top = true
	default:
		return fmt.Errorf("format: incomplete orders read as %q; there are subset and top", o.Incomplete)
	}
	defer f.lines.Close()
	line, err := f.readHeader()
	if err != nil {
		return err
	}
	if err := f.checkHeader(b); err != nil {
		return err
	}
	for ; line != nil; line, err = f.next() {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if err := f.readOrder(line, in.Counts, b); err != nil {
			return err
		}
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
func (f *preflibFile) next() ([]byte, error) {
	line, err := f.lines.Next()
	if err == io.EOF {
		return nil, nil
	}
	return line, err
}

// readHeader returns the first line after the header, nil at the end of the file.
func (f *preflibFile) readHeader() ([]byte, error) {
	f.alternatives, f.voters, f.orders, f.total, f.categories = -1, -1, -1, -1, -1
	f.names, f.categoryNames = map[int]string{}, map[int]string{}
	for {
		line, err := f.next()
		if line == nil {
			if err == nil && f.lines.Number == 0 {
				err = fmt.Errorf("%s: the file is empty", f.lines.Name)
			}
			return nil, err
		}
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case line[0] == '#':
			if key, value, ok := preflibKey(line); ok {
				if err := f.headerLine(key, value); err != nil {
					return nil, err
				}
			}
		case f.alternatives < 0 && f.voters < 0:
			f.old = true
			return f.readOldHeader(line)
		default:
			return line, nil
		}
	}
}

func (f *preflibFile) headerLine(key, value string) error {
	counts := map[string]*int{
		"NUMBER ALTERNATIVES":       &f.alternatives,
		"NUMBER VOTERS":             &f.voters,
		"NUMBER UNIQUE ORDERS":      &f.orders,
		"NUMBER UNIQUE PREFERENCES": &f.orders,
		"NUMBER CATEGORIES":         &f.categories,
	}
	if count, known := counts[key]; known {
		n, err := preflibNumber([]byte(value))
		if err != nil {
			return f.lines.Errorf("# %s: %w", key, err)
		}
		if *count >= 0 {
			return f.lines.Errorf("# %s is given twice", key)
		}
		*count = n
	}
	if key == "DATA TYPE" {
		if !slices.Contains(preflibTypes, "."+value) {
			return f.lines.Errorf("# DATA TYPE: %s cannot be read; soc, soi, toc, toi and cat can", text.Quote(value))
		}
		f.kind = value
	}
	for prefix, names := range map[string]map[int]string{"ALTERNATIVE NAME ": f.names, "CATEGORY NAME ": f.categoryNames} {
		if number, ok := strings.CutPrefix(key, prefix); ok {
			return f.name(names, []byte(number), value, math.MaxInt)
		}
	}
	return nil
}

func (f *preflibFile) name(names map[int]string, number []byte, name string, most int) error {
	n, err := preflibNumber(bytes.TrimSpace(number))
	if err != nil {
		return f.lines.Errorf("the number of name %s: %w", text.Quote(name), err)
	}
	if n > most {
		return f.lines.Errorf("alternative %d is called %s; the header says %d alternatives", n, text.Quote(name), most)
	}
	if _, twice := names[n]; twice {
		return f.lines.Errorf("number %d is named twice", n)
	}
	names[n] = name
	return nil
}

// readOldHeader reads the header of files from before 2022: the number of
// alternatives, a line of number and name for each, and a line of three numbers.
func (f *preflibFile) readOldHeader(line []byte) ([]byte, error) {
	var err error
	if f.alternatives, err = preflibNumber(line); err != nil {
		return nil, f.lines.Errorf("neither # KEY: value nor the number of alternatives: %w", err)
	}
	next := func(missing string) error {
		if line, err = f.next(); line == nil && err == nil {
			err = f.lines.Errorf("the file ends before %s", missing)
		}
		return err
	}
	for range f.alternatives {
		if err := next(fmt.Sprintf("the last of %d names", f.alternatives)); err != nil {
			return nil, err
		}
		number, name, _ := bytes.Cut(line, []byte(","))
		if err := f.name(f.names, number, string(bytes.TrimSpace(name)), f.alternatives); err != nil {
			return nil, err
		}
	}
	if err := next("the line of voters, sum of counts and unique orders"); err != nil {
		return nil, err
	}
	fields := bytes.Split(line, []byte(","))
	if len(fields) != 3 {
		return nil, f.lines.Errorf("%s should be voters, sum of counts and unique orders; is the number of alternatives, %d, right?", text.Quote(line), f.alternatives)
	}
	for k, count := range []*int{&f.voters, &f.total, &f.orders} {
		if *count, err = preflibNumber(bytes.TrimSpace(fields[k])); err != nil {
			return nil, f.lines.Errorf("voters, sum of counts and unique orders: %w", err)
		}
	}
	return f.next()
}

// checkHeader checks the header for contradictions and hands on the titles.
func (f *preflibFile) checkHeader(b *ratings.Builder) error {
	for _, count := range []struct {
		name string
		n    int
	}{{"NUMBER ALTERNATIVES", f.alternatives}, {"NUMBER VOTERS", f.voters}, {"NUMBER UNIQUE ORDERS", f.orders}} {
		if count.n < 0 {
			return f.lines.Errorf("the header ends without # %s", count.name)
		}
	}
	switch {
	case f.kind == "" && f.categories >= 0:
		f.kind = "cat"
	case f.kind == "cat" && f.categories < 0:
		return f.lines.Errorf("the header of a cat file ends without # NUMBER CATEGORIES")
	}
	if f.kind == "cat" && (f.categories == 0 || len(f.categoryNames) > 0 && len(f.categoryNames) != f.categories) {
		return f.lines.Errorf("the header says %d categories and names %d", f.categories, len(f.categoryNames))
	}
	if f.alternatives != len(f.names) || f.alternatives == 0 {
		return f.lines.Errorf("the header says %d alternatives and names %d", f.alternatives, len(f.names))
	}
	if f.voters > maxVoters {
		return f.lines.Errorf("%d voters; no more than %d are read", f.voters, maxVoters)
	}
	f.seen, f.ids, f.placed = make([]int, f.alternatives+1), make([][]byte, f.alternatives+1), make([]bool, f.alternatives+1)
	for a := 1; a <= f.alternatives; a++ {
		name, known := f.names[a]
		if !known {
			return f.lines.Errorf("the header says %d alternatives and does not name number %d", f.alternatives, a)
		}
		f.ids[a] = strconv.AppendInt(nil, int64(a), 10)
		if name != "" {
			b.Title(string(f.ids[a]), name)
		}
	}
	return nil
}

// readOrder reads one order and adds its voters.
func (f *preflibFile) readOrder(line []byte, counts *codec.Report, b *ratings.Builder) error {
	if line[0] == '#' {
		return f.lines.Errorf("a line of the header, %s, after the orders", text.Quote(line))
	}
	separator := ":"
	if f.old {
		separator = ","
	}
	before, order, ok := bytes.Cut(line, []byte(separator))
	if !ok {
		return f.lines.Errorf("%s is not a count, a %q and an order", text.Quote(line), separator)
	}
	count, err := preflibNumber(bytes.TrimSpace(before))
	if err != nil {
		return f.lines.Errorf("%s is not a count of voters", text.Quote(before))
	}
	if err := f.order.parse(order, f.kind == "cat"); err != nil {
		return f.lines.Errorf("%w in %s", err, text.Quote(line))
	}
	if err := f.checkOrder(); err != nil {
		return err
	}
	if f.voter+count > f.voters {
		return f.lines.Errorf("the header says %d voters; with this line there are %d", f.voters, f.voter+count)
	}
	digest := f.order.digest()
	f.distinct[digest] = f.distinct[digest] || count > 0
	if count == 0 {
		counts.Drop("order of no voter")
		return nil
	}
	for _, a := range f.order.alternatives {
		f.placed[a] = true
	}

	placed := len(f.order.alternatives)
	below := 0 // tiers below the last that is written
	levels := len(f.order.ends)
	if f.top && f.kind != "cat" && placed < f.alternatives {
		placed, below = f.alternatives, 1
	}
	if count*placed > maxVoterPlacement-f.ratings {
		return f.lines.Errorf("%d voters who place %d alternatives each: more than %d ratings in all, which is the limit", count, placed, maxVoterPlacement)
	}
	f.ratings += count * placed
	width := len(strconv.Itoa(f.voters))
	for range count {
		f.voter++
		if placed == 0 { // only in categories
			counts.Drop("voter without an item in any category")
			continue
		}
		user := fmt.Appendf(nil, "%0*d", width, f.voter)
		at := 0
		for tier, end := range f.order.ends {
			for ; at < end; at++ {
				if err := b.Add(user, f.ids[f.order.alternatives[at]], float32(levels-tier+below), ratings.NoTime); err != nil {
					return err
				}
			}
		}
		for a := 1; below > 0 && a <= f.alternatives; a++ {
			if f.seen[a] == f.lines.Number {
				continue
			}
			f.placed[a] = true
			if err := b.Add(user, f.ids[a], 1, ratings.NoTime); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkOrder compares an order with the alternatives and the kind of the file.
func (f *preflibFile) checkOrder() error {
	o := &f.order
	for _, a := range o.alternatives {
		if a < 1 || a > f.alternatives {
			return f.lines.Errorf("no alternative %d; the header names 1 to %d", a, f.alternatives)
		}
		if f.seen[a] == f.lines.Number {
			return f.lines.Errorf("alternative %d twice in one order", a)
		}
		f.seen[a] = f.lines.Number
	}
	tiers := len(o.ends)
	switch {
	case f.kind == "cat" && tiers != f.categories:
		return f.lines.Errorf("%d categories; the header says %d", tiers, f.categories)
	case (f.kind == "soc" || f.kind == "soi") && tiers < len(o.alternatives):
		return f.lines.Errorf("a tie; the header says %s, which has none: toc and toi do", f.kind)
	case (f.kind == "soc" || f.kind == "toc") && len(o.alternatives) < f.alternatives:
		return f.lines.Errorf("%d of %d alternatives; the header says %s, complete orders: soi and toi are not", len(o.alternatives), f.alternatives, f.kind)
	}
	return nil
}

// checkCounts compares the header with the orders read.
func (f *preflibFile) checkCounts() error {
	given := 0 // orders that somebody gave; files count those of nobody as well, or not
	for _, by := range f.distinct {
		if by {
			given++
		}
	}
	switch {
	case f.voter == 0:
		return f.lines.Errorf("the file ends without an order")
	case f.voter != f.voters:
		return f.lines.Errorf("the header says %d voters; there are %d", f.voters, f.voter)
	case f.total >= 0 && f.voter != f.total:
		return f.lines.Errorf("the header says that the counts sum to %d; they sum to %d", f.total, f.voter)
	case len(f.distinct) != f.orders && given != f.orders:
		return f.lines.Errorf("the header says %d unique orders; there are %d", f.orders, len(f.distinct))
	}
	return nil
}

// preflibOrder is one order: alternatives tier by tier, and where each tier ends.
type preflibOrder struct {
	alternatives []int
	ends         []int
}

// parse reads an order such as 1,{2,3},4. Each tier is then ascending.
func (o *preflibOrder) parse(order []byte, emptyTiers bool) error {
	o.alternatives, o.ends = o.alternatives[:0], o.ends[:0]
	inside := false // of braces
	opened := 0     // where the tier in braces began
	wanted := true  // a number, or an opening brace
	for at := 0; at < len(order); at++ {
		switch c := order[at]; {
		case c == ' ' || c == '\t':
		case c == '{' && inside:
			return fmt.Errorf("unbalanced braces, { inside {")
		case c == '{' && !wanted:
			return fmt.Errorf("no comma before {")
		case c == '{':
			inside, opened = true, len(o.alternatives)
		case c == '}' && !inside:
			return fmt.Errorf("unbalanced braces, } without {")
		case c == '}' && wanted && len(o.alternatives) > opened:
			return fmt.Errorf("nothing after a comma")
		case c == '}' && wanted && !emptyTiers:
			return fmt.Errorf("an empty tier")
		case c == '}':
			slices.Sort(o.alternatives[opened:])
			o.ends = append(o.ends, len(o.alternatives))
			inside, wanted = false, false
		case c == ',' && wanted:
			return fmt.Errorf("nothing before a comma")
		case c == ',':
			wanted = true
		case c >= '0' && c <= '9' && !wanted:
			return fmt.Errorf("no comma before a number")
		case c >= '0' && c <= '9':
			end := at + 1
			for end < len(order) && order[end] >= '0' && order[end] <= '9' {
				end++
			}
			a, err := preflibNumber(order[at:end])
			if err != nil {
				return err
			}
			o.alternatives = append(o.alternatives, a)
			if !inside {
				o.ends = append(o.ends, len(o.alternatives))
			}
			at, wanted = end-1, false
		default:
			return fmt.Errorf("unexpected %q", c)
		}
	}
	switch {
	case inside:
		return fmt.Errorf("unbalanced braces, { without }")
	case len(o.ends) == 0:
		return fmt.Errorf("no alternative")
	case wanted:
		return fmt.Errorf("nothing after a comma")
	}
	return nil
}

// digest identifies an order in sixteen bytes.
func (o *preflibOrder) digest() [16]byte {
	sum := sha256.Sum256(o.append(nil))
	return [16]byte(sum[:16])
}

// append writes the order as the files have it.
func (o *preflibOrder) append(line []byte) []byte {
	at := 0
	for tier, end := range o.ends {
		if tier > 0 {
			line = append(line, ',')
		}
		braces := end != at+1
		if braces {
			line = append(line, '{')
		}
		for start := at; at < end; at++ {
			if at > start {
				line = append(line, ',')
			}
			line = strconv.AppendInt(line, int64(o.alternatives[at]), 10)
		}
		if braces {
			line = append(line, '}')
		}
	}
	return line
}
