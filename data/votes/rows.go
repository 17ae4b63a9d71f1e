package votes

import (
	"bytes"
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"fubini/data/codec"
	"fubini/data/text"
)

// rows is a table that is read row by row: lines of fields, or flat JSON objects with the keys of the first.
type rows struct {
	*text.Lines
	header header
	cells  [][]byte // of the row at hand, views that the next one overwrites; nil for a key that is not there
	line   int
	comma  bool // numbers may have a decimal comma
	next   func() error

	used   []bool // columns that are read
	weight int    // columns; -1 for none
	rater  int
	votes  []int
	place  [][]int // by place, one column for each covariate
}

// Names of columns, folded, the best first.
var (
	weightNames = []string{"weight", "weights", "votes", "count", "counts"}
	raterNames  = append([]string{"rater", "raterid", "judge", "judgeid", "annotator", "annotatorid", "worker", "workerid", "voterid"}, codec.Aliases[codec.User]...)
	drawNames   = []string{"draw", "tie", "tied", "isdraw", "istie"}
)

// header has the names of columns, and their numbers by name: as it is written, or else folded.
type header struct {
	names []string
	at    map[string]int
}

func newHeader(names []string) header {
	h := header{names, make(map[string]int, 2*len(names))}
	for _, fold := range []func(string) string{strings.Clone, codec.Folded} {
		for k, name := range names {
			if _, known := h.at[fold(name)]; !known && name != "" {
				h.at[fold(name)] = k
			}
		}
	}
	return h
}

// index is the column of the first of the names that is there; -1 for none.
func (h header) index(names ...string) int {
	for _, name := range names {
		if k, known := h.at[name]; known {
			return k
		}
		if k, known := h.at[codec.Folded(name)]; known {
			return k
		}
	}
	return -1
}

func headerOf(cells [][]byte) header {
	names := make([]string, len(cells))
	for k, cell := range cells {
		names[k] = string(cell)
	}
	return newHeader(names)
}

// newTable reads the header of a table.
func newTable(l *text.Lines, separator byte) (*rows, error) {
	f := &text.Fields{Lines: l, Separator: separator, Quotes: true}
	if err := f.Next(); err != nil {
		return &rows{Lines: l}, err
	}
	r := &rows{Lines: l, header: headerOf(f.Values), comma: separator == ';'}
	r.next = func() error {
		if err := f.Next(); err != nil {
			return err
		}
		if len(f.Values) != len(r.header.names) {
			return f.WrongWidth(len(r.header.names))
		}
		r.cells, r.line = f.Values, f.Started
		return nil
	}
	return r, nil
}

// readRows reads a table by the function for its form.
func (b *builder) readRows(r *rows, err error, read func(b *builder, r *rows) error) error {
	defer r.Close()
	if err != nil {
		return err
	}
	b.errorAt, b.line = r.ErrorAt, r.Number
	for k, name := range r.header.names {
		if name != "" && r.header.at[name] != k {
			return b.errorf("column %s stands twice in the header; rename one", text.Quote(name))
		}
	}
	r.used = make([]bool, len(r.header.names))
	if r.weight, r.rater, err = b.weightAndRater(r.header); err != nil {
		return err
	}
	for _, column := range []int{r.weight, r.rater} {
		if column >= 0 {
			r.used[column] = true
		}
	}
	for _, name := range b.o.Votes {
		column := r.find(name)
		if column < 0 {
			return b.noColumn(r.header, name)
		}
		r.votes = append(r.votes, column)
	}
	if err := read(b, r); err != nil {
		return err
	}
	for k, used := range r.used {
		if !used {
			b.Counts.Ignored = append(b.Counts.Ignored, r.header.names[k])
		}
	}
	return nil
}

func (b *builder) noColumn(h header, wanted ...string) error {
	there := strings.Join(h.names[:min(len(h.names), 50)], ", ")
	return b.errorf("there is no column %s; the columns are %s", strings.Join(wanted, " or "), cmp.Or(there, "none"))
}

// find is the index of names in the header, and marks the column as used.
func (r *rows) find(names ...string) int {
	k := r.header.index(names...)
	if k >= 0 {
		r.used[k] = true
	}
	return k
}

// findPlaces finds the columns of the covariates of places: the name and one of the two sides, in either order.
func (r *rows) findPlaces(b *builder, sides ...[2]string) error {
	r.place = make([][]int, 2)
names:
	for _, name := range b.o.Place {
		for _, side := range sides {
			for _, columns := range [][2]string{{name + "_" + side[0], name + "_" + side[1]}, {side[0] + "_" + name, side[1] + "_" + name}} {
				if r.header.index(columns[0]) >= 0 && r.header.index(columns[1]) >= 0 {
					r.place[0], r.place[1] = append(r.place[0], r.find(columns[0])), append(r.place[1], r.find(columns[1]))
					continue names
				}
			}
		}
		return b.noColumn(r.header, name+"_"+sides[0][0], name+"_"+sides[0][1])
	}
	return nil
}

// each calls a function with every row, which places the items of a record.
func (r *rows) each(b *builder, record func() error) error {
	for {
		if err := r.next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		b.begin(r.line)
		if err := record(); err != nil {
			return err
		}
	}
}

// weigh is the weight of the row at hand.
func (r *rows) weigh(b *builder) (float64, error) {
	if r.weight < 0 {
		return 1, nil
	}
	return b.weigh(r.cells[r.weight], r.comma)
}

// keep makes the row at hand a vote, if something can be learned from it. Places are the rows of r.place to take; nil means
// all in turn.
func (r *rows) keep(b *builder, weight float64, places []int) error {
	if !b.keeps(weight) {
		return nil
	}
	if r.rater >= 0 {
		if err := b.rate(r.cells[r.rater]); err != nil {
			return err
		}
	}
	for _, column := range r.votes {
		x, err := r.covariate(b, column)
		if err != nil {
			return err
		}
		b.Vote = append(b.Vote, x)
	}
	if len(b.o.Place) > 0 {
		for k := range len(b.Item) - b.from() {
			if places != nil {
				k = places[k]
			}
			for _, column := range r.place[k] {
				x, err := r.covariate(b, column)
				if err != nil {
					return err
				}
				b.Place = append(b.Place, x)
			}
		}
	}
	b.end(weight)
	return nil
}

func (r *rows) covariate(b *builder, column int) (float64, error) {
	return b.covariate(r.header.names[column], r.cells[column], r.comma)
}

// weightAndRater finds the columns or keys of weights and raters; -1 for none.
func (b *builder) weightAndRater(h header) (weight, rater int, err error) {
	find := func(column *string, names []string, must bool) (int, error) {
		k := h.index(names...)
		if k >= 0 {
			*column = h.names[k]
		} else if must {
			return -1, b.noColumn(h, names[:min(len(names), 5)]...)
		}
		return k, nil
	}
	weights, raters := []string{b.o.Weight}, []string{b.o.Rater}
	if b.o.Weight == "" {
		weights = slices.DeleteFunc(slices.Clone(weightNames), func(name string) bool { return slices.Contains(b.o.Votes, name) })
	}
	if b.o.Rater == "auto" {
		raters = raterNames
	}
	if weight, err = find(&b.Counts.WeightColumn, weights, b.o.Weight != ""); err != nil || b.o.Rater == "" {
		return weight, -1, err
	}
	rater, err = find(&b.Counts.RaterColumn, raters, true)
	return weight, rater, err
}

// maxWeight keeps sums of weights finite, and counts exact.
const maxWeight = 1e15

// weigh reads a weight.
func (b *builder) weigh(cell []byte, comma bool) (float64, error) {
	weight, ok := parseNumber(cell, comma)
	switch {
	case !ok && len(bytes.TrimSpace(cell)) == 0:
		return 0, b.errorf("a vote without a weight; write 1 for one vote, or 0 to leave it out")
	case !ok:
		return 0, b.errorf("weight %s is not a finite number; write it like 1 or 2.5", text.Quote(cell))
	case weight < 0:
		return 0, b.errorf("weight %s is below zero; write 0 to leave a vote out", text.Quote(cell))
	case weight > maxWeight:
		return 0, b.errorf("weight %s is above %g; divide all weights by a constant", text.Quote(cell), maxWeight)
	}
	return weight, nil
}

// rate notes the rater of the record at hand.
func (b *builder) rate(id []byte) error {
	if len(id) == 0 {
		return b.errorf("a vote without a rater; name the rater, or read the votes without raters")
	}
	b.Rater = append(b.Rater, number(b.raters, &b.Raters, id))
	return nil
}

// covariate reads a covariate: a number, or true or false.
func (b *builder) covariate(name string, cell []byte, comma bool) (float64, error) {
	x, ok := parseNumber(cell, comma)
	switch {
	case ok:
		return x, nil
	case missing(cell):
		return 0, b.errorf("covariate %s is missing; fill it in, or take the line out", text.Quote(name))
	case bytes.EqualFold(cell, []byte("true")):
		return 1, nil
	case bytes.EqualFold(cell, []byte("false")):
		return 0, nil
	}
	return 0, b.errorf("covariate %s is %s, which is not a finite number; write it like 4 or -0.5, or true or false", text.Quote(name), text.Quote(cell))
}

// missing reports whether a cell holds no value.
func missing(cell []byte) bool {
	switch len(cell) {
	case 0:
		return true
	case 1:
		return cell[0] == '-' || cell[0] == '.'
	case 2, 3, 4:
		return slices.Contains([]string{"na", "n/a", "nan", "null", "none"}, strings.ToLower(string(cell)))
	}
	return false
}

// parseNumber reads a finite decimal number.
func parseNumber(cell []byte, comma bool) (float64, bool) {
	if len(cell) <= 15 { // exact
		if n, ok := text.Digits(cell); ok {
			return float64(n), true
		}
	}
	if comma && bytes.Count(cell, []byte(",")) == 1 {
		cell = bytes.Replace(cell, []byte(","), []byte("."), 1)
	}
	for _, c := range cell { // strconv would take words, hexadecimals and underscores
		if !('0' <= c && c <= '9' || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E') {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(string(cell), 64)
	return x, err == nil && !math.IsInf(x, 0)
}
