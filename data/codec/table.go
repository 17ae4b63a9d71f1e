package codec

import (
	"bytes"
	"io"
	"strings"

	"fubini/data/ratings"
	"fubini/data/text"
)

// CSV is the format of tables with commas or semicolons between columns, with or without a header.
var CSV = Codec{
	Name:       "csv",
	Extensions: []string{".csv"},
	Detect:     func(head []byte) bool { return detectTable(head, ",;") },
	Open:       func(in *Input, o Options) (Source, error) { return openTable(in, o, ",;\t") },
	ByUser:     true,
	Write: func(w io.Writer, s *ratings.Set, _ Options) error {
		return writeTable(w, s, ',', "user,item,rating\n", "user,item,rating,timestamp\n")
	},
}

// TSV is the format of tables with tabs between columns, with or without a header; files are written without.
var TSV = Codec{
	Name:       "tsv",
	Extensions: []string{".tsv", ".tab"},
	Detect:     func(head []byte) bool { return detectTable(head, "\t") },
	Open:       func(in *Input, o Options) (Source, error) { return openTable(in, o, "\t") },
	ByUser:     true,
	Write: func(w io.Writer, s *ratings.Set, o Options) error {
		if !o.Times { // user, item and level is what scripts expect of a split
			s = s.WithoutTimes()
		}
		return writeTable(w, s, '\t', "", "")
	},
}

// table is the source of all formats with a rating a line in named or fixed columns.
type table struct {
	text.Fields
	columns roleColumns
	width   int
	header  bool // the first line only names the columns
	cut     bool // the fields at hand are a rating that has not been given yet
	counts  *Report
	grades  grades
	word    string // for the numbers in the column of tiers
	vain    int    // lines in a row that were not plain
}

// mostVain is the number of lines in a row that are not plain after which none is tried any more, as in a table with long ids.
const mostVain = 64

// addPlain implements plainSource. A title, a tier or a grade is for Next, as is the line that was cut already.
func (t *table) addPlain(b *ratings.Builder) (count int) {
	c := t.columns
	if t.vain == mostVain || t.cut || c[roleTitle] >= 0 || c[roleTier] >= 0 && c[roleRating] < 0 || c[roleRating] >= 0 && (t.grades.number == 0 || t.grades.grade > 0) || !b.Plain() {
		return 0
	}
	count = t.Plain(text.PlainColumns{User: c[roleUser], Item: c[roleItem], Rating: c[roleRating], Time: c[roleTime], Width: t.width}, b)
	if t.vain++; count > 0 {
		t.vain = 0
	}
	return count
}

// start reads the first line whole, so that its separator can be found out.
func start(in *Input) (t *table, first []byte, err error) {
	t = &table{Fields: text.Fields{Lines: in.Lines(), Separator: '\n'}, counts: in.Counts}
	if err := t.Fields.Next(); err != nil {
		return nil, nil, err
	}
	return t, bytes.Clone(t.Values[0]), nil
}

// arranged takes the columns from the fields of the first line.
func (t *table) arranged(in *Input, c roleColumns, header bool) *table {
	if in.Bare {
		c[roleTitle] = -1
	}
	t.columns, t.width, t.header, t.cut = c, len(t.Values), header, !header
	if k := c[roleTier]; k >= 0 {
		t.word = tierWord(t.Values[k])
	}
	return t
}

// isRating reports whether fields are a user, an item, a rating and perhaps a time.
func isRating(fields [][]byte) bool {
	if len(fields) != 3 && len(fields) != 4 {
		return false
	}
	_, ok := text.ParseRating(fields[2])
	if ok && len(fields) == 4 {
		_, ok = text.ParseTime(fields[3])
	}
	return ok
}

// headerless is user, item and rating, and perhaps a time.
func headerless(width int) roleColumns {
	c := roleColumns{0, 1, 2, -1, -1, -1}
	if width == 4 {
		c[roleTime] = 3
	}
	return c
}

// arrange makes out the separator and the columns from the first line, trying
// separators in turn. The error is that of the separator that makes most columns.
func arrange(t *text.Fields, n naming, first []byte, separators string) (c roleColumns, header bool, err error) {
	err = ErrColumns
	most := 1
	for _, s := range []byte(separators) {
		t.Separator = s
		if t.Cut(first) != nil || len(t.Values) < 2 {
			continue
		}
		named, wrong := n.columnsNamed(t.Values)
		if wrong == nil {
			return named, true, nil
		}
		if isRating(t.Values) || len(t.Values) == 4 && len(t.Values[3]) == 0 && isRating(t.Values[:3]) {
			return headerless(len(t.Values)), false, nil
		}
		if len(t.Values) > most {
			most, err = len(t.Values), wrong
		}
	}
	return c, false, err
}

func detectTable(head []byte, separators string) bool {
	first := text.FirstLine(head)
	if len(first) == 0 {
		return false
	}
	t := &text.Fields{Lines: text.NewLines("", bytes.NewReader(nil)), Quotes: true}
	_, _, err := arrange(t, naming{}, first, separators)
	return err == nil
}

// openTable reads a table with a header, or user, item, rating and perhaps time
// without one.
func openTable(in *Input, o Options, separators string) (Source, error) {
	t, first, err := start(in)
	if err != nil {
		return nil, err
	}
	t.Quotes = true
	c, header, err := arrange(&t.Fields, o.naming(), first, separators)
	if err != nil && err != ErrColumns {
		return nil, t.Errorf("%w; without a header, lines are user, item, rating and perhaps time", err)
	} else if err != nil {
		names := strings.NewReplacer(",", "commas or ", ";", "semicolons or ", "\t", "tabs").Replace(separators)
		return nil, t.Errorf("the first line %s is no header with user, item and rating, nor a user, an item, a number and perhaps a time, separated by %s: %w", text.Quote(first), names, err)
	}
	return t.arranged(in, c, header), nil
}

// Next reads a line.
func (t *table) Next(r *Record) error {
	if !t.cut {
		if err := t.Fields.Next(); err != nil {
			return err
		}
	}
	t.cut = false
	if len(t.Values) != t.width {
		return t.wrongWidth()
	}
	return t.record(r)
}

// record makes a record of the fields.
func (t *table) record(r *Record) (err error) {
	*r = Record{User: me, Item: t.Values[t.columns[roleItem]], When: ratings.NoTime, Line: t.Started}
	if k := t.columns[roleUser]; k >= 0 {
		r.User = t.Values[k]
	}
	switch rating, tier := t.columns[roleRating], t.columns[roleTier]; {
	case rating >= 0:
		err = t.rating(t.Values[rating], r)
	case tier >= 0:
		err = t.grades.tier(t.ErrorAt, t.Started, t.word, t.Values[tier], r)
	default:
		r.Value = 1 // a pick
	}
	if err != nil {
		return err
	}
	if len(r.User) == 0 || len(r.Item) == 0 {
		return t.ErrorAt(t.Started, "a rating without a user or an item: %s; both must be named", t.Text())
	}
	if k := t.columns[roleTime]; k >= 0 {
		t.counts.time(r, t.Values[k], t.Started)
	}
	if k := t.columns[roleTitle]; k >= 0 {
		r.Title = t.Values[k]
	}
	return nil
}

// rating reads a rating, with a decimal comma too where semicolons separate the fields.
func (t *table) rating(b []byte, r *Record) error {
	if t.Separator == ';' && bytes.Count(b, []byte(",")) == 1 {
		b = bytes.Replace(b, []byte(","), []byte("."), 1)
	}
	return t.grades.rating(t.ErrorAt, t.Started, b, r)
}

func (t *table) wrongWidth() error {
	if t.header {
		return t.WrongWidth(t.width)
	}
	separator := string(t.Separator)
	if t.Separator == ':' {
		separator = "::"
	}
	want := strings.Join([]string{"user", "item", "rating", "time"}[:t.width], separator)
	return t.ErrorAt(t.Started, "%s has %d columns; lines here are %q", text.Quote(bytes.Join(t.Values, []byte(separator))), len(t.Values), want)
}
