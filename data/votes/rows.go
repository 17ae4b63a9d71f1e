package votes

import (
	"io"

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
	if err != nil {
		return err
	}
	b.errorAt, b.line = r.ErrorAt, r.Number
	if r.header, err = b.named(r.header); err != nil {
		return b.errorf("%w", err)
	}
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
