package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// lines remembers to give the buffer of a source back.
func (u *UserReader) lines(s interface {
	source
	close()
}) source {
	u.close = append(u.close, s.close)
	return s
}

func (l *lines) latin1Lines() int { return l.latin1 }

// tableRatings are the ratings of a table, those that readTable and readMovieLens
// read, without times and titles.
type tableRatings struct {
	table
	columns
	cut bool // the fields at hand are still to be given
}

// table opens a table; without separators one of MovieLens.
func (u *UserReader) table(in *input, separators string) (source, error) {
	t := &tableRatings{table: table{lines: newLines(in.name, in.r), separator: '\n'}} // the first line is kept whole
	u.lines(t)
	if err := t.table.next(); err != nil {
		return nil, err // the input is not empty
	}
	first := bytes.Clone(t.fields[0])
	if separators == "" {
		s, ok := movielensShape(first)
		if !ok {
			return nil, t.errorf("the first line %s is not from MovieLens", quote(first))
		}
		t.separator, t.quotes = s, s == ','
		if err := t.table.cut(first); err != nil {
			return nil, err
		}
		var header bool
		if t.columns, header = named(t.fields); !header {
			t.columns = headerless(len(t.fields))
		}
	} else {
		t.quotes = true
		c, ok := t.arrange(first, separators)
		if !ok {
			return nil, t.errorf("the first line %s is no header with user, item and rating, nor a user, an item, a number and perhaps a time, separated by %s", quote(first), spell(separators))
		}
		t.columns = c
	}
	t.cut = !t.header
	return t, nil
}

func (t *tableRatings) next(r *record) error {
	if !t.cut {
		if err := t.table.next(); err != nil {
			return err
		}
	}
	t.cut = false
	if len(t.fields) != t.width {
		return t.wrongWidth(t.columns)
	}
	value, ok := parseRating(t.fields[t.rating])
	if !ok {
		if value, ok = t.europeanRating(t.fields[t.rating]); !ok {
			return t.badRating(t.fields[t.rating])
		}
	}
	*r = record{user: t.fields[t.user], item: t.fields[t.item], value: value, line: t.started}
	if len(r.user) == 0 || len(r.item) == 0 {
		return t.errorAt(t.started, "a rating without a user or an item: %s; both must be named", quote(bytes.Join(t.fields, []byte{t.separator})))
	}
	return nil
}

// jsonRatings are the ratings that readJSONL reads.
type jsonRatings struct {
	*lines
	record jsonRecord
}

func (j *jsonRatings) next(r *record) error {
	const right = `write it like {"user":"7","item":"42","rating":4}`
	line, err := nextLine(j.lines)
	if err != nil {
		return err
	}
	if err := j.record.parse(line); err != nil {
		return j.errorf("%s is not a rating (%w); %s", quote(line), err, right)
	}
	user, item := j.record.fields[userRole].value, j.record.fields[itemRole].value
	if !j.record.complete() || len(user) == 0 || len(item) == 0 {
		return j.errorf("%s lacks the user, the item or the rating; %s", quote(line), right)
	}
	value, ok := parseRating(j.record.fields[ratingRole].value)
	if !ok {
		return j.badRating(j.record.fields[ratingRole].value)
	}
	*r = record{user: user, item: item, value: value, line: j.number}
	return nil
}

// nextLine is the next that is not blank.
func nextLine(l *lines) ([]byte, error) {
	for {
		line, err := l.next()
		if err != nil {
			return nil, err
		}
		if line = bytes.Trim(line, " \t\r"); len(line) > 0 {
			return line, nil
		}
	}
}

// tiersLines are tier lists, one a line: those of [ParseTiers] with a user.
type tiersLines struct {
	*lines
	user []byte
	left []record // of the list at hand
}

// tiersLine is what is looked at beside the tiers.
type tiersLine struct {
	User  json.RawMessage `json:"user"`
	Tiers json.RawMessage `json:"tiers"`
}

// detectTiersLines looks at the first line. Of one that is longer than the head the
// user must come first.
func detectTiersLines(head []byte) bool {
	if isTiersLine(firstLine(head)) {
		return true
	}
	if bytes.IndexByte(head, '\n') >= 0 {
		return false
	}
	decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(head, byteOrderMark)))
	for _, want := range []json.Token{json.Delim('{'), "user", nil, "tiers", json.Delim('[')} {
		if token, err := decoder.Token(); err != nil || want != nil && token != want {
			return false
		}
	}
	return true
}

// isTiersLine says whether a line is an object with a user and tiers.
func isTiersLine(line []byte) bool {
	var found tiersLine
	return json.Unmarshal(line, &found) == nil && found.User != nil && bytes.HasPrefix(found.Tiers, []byte("["))
}

func (t *tiersLines) next(r *record) error {
	if len(t.left) == 0 {
		if err := t.list(); err != nil {
			return err
		}
	}
	*r, t.left = t.left[0], t.left[1:]
	return nil
}

// list reads the next list: a record for every placed item, or one without an item
// where none is placed.
func (t *tiersLines) list() error {
	line, err := nextLine(t.lines)
	if err != nil {
		return err
	}
	if !isTiersLine(line) {
		return t.errorf(`%s is no tier list of a user; write it like {"user":"ann","tiers":[["a","b"],["c"]]}`, quote(line))
	}
	var found tiersLine
	if err := json.Unmarshal(line, &found); err != nil {
		return t.errorf("%w", err)
	}
	var name string
	if err := json.Unmarshal(found.User, &name); err != nil {
		name = string(found.User) // a number, as it is written
	}
	if name == "" || name[0] == '{' || name[0] == '[' || name == "null" && found.User[0] != '"' {
		return t.errorf("%s has the user %s; an id is text or a number", quote(line), quote(string(found.User)))
	}
	tiers, err := ParseTiers(bytes.NewReader(line), fmt.Sprintf("%s:%d", t.name, t.number))
	if err != nil {
		return &BadLine{t.name, t.number, err}
	}
	t.user = []byte(name)
	t.left = t.left[:0]
	for k, tier := range tiers.Tiers {
		for _, id := range tier.Items {
			t.left = append(t.left, record{user: t.user, item: []byte(id), value: float32(len(tiers.Tiers) - k), line: t.number})
		}
	}
	if len(t.left) == 0 {
		t.left = append(t.left, record{user: t.user, line: t.number})
	}
	t.left[0].whole = true
	return nil
}

// parquetRatings are the ratings that readParquet reads.
type parquetRatings struct {
	name   string
	table  *parquetTable
	groups []parquet.RowGroup
	rows   int64 // left in the group at hand
}

func openParquetRatings(in *input) (p *parquetRatings, err error) {
	defer func() { // the library panics over some damaged files
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%s: the Parquet file is damaged: %v", in.name, fault)
		}
	}()
	if err := checkParquetEnds(in.at, in.size); err != nil {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	file, err := parquet.OpenFile(in.at, in.size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.OptimisticRead(true))
	if err != nil {
		return nil, fmt.Errorf("%s: the Parquet file is damaged: %w", in.name, err)
	}
	t, err := openParquetTable(file, in.size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	t.columns[timeRole], t.columns[titleRole] = nil, nil
	return &parquetRatings{name: in.name, table: t, groups: file.RowGroups()}, nil
}

func (p *parquetRatings) latin1Lines() int { return 0 }

func (p *parquetRatings) next(r *record) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%s: row %d: the Parquet file is damaged: %v", p.name, p.table.row, fault)
		}
	}()
	columns := p.table.columns[:timeRole]
	for p.rows == 0 {
		if p.table.row > 0 {
			for _, c := range columns {
				c.close()
			}
		}
		if len(p.groups) == 0 {
			return io.EOF
		}
		chunks := p.groups[0].ColumnChunks()
		for _, c := range columns {
			c.start(chunks[c.index])
		}
		p.rows, p.groups = p.groups[0].NumRows(), p.groups[1:]
	}
	p.rows--
	p.table.row++
	for _, c := range columns {
		if err := c.next(); err != nil {
			return fmt.Errorf("%s: row %d: column %q: %w", p.name, p.table.row, c.name, err)
		}
	}
	r.line, r.whole = int(p.table.row), false
	if r.user, err = p.table.columns[userRole].id(); err == nil {
		if r.item, err = p.table.columns[itemRole].id(); err == nil {
			r.value, err = p.table.columns[ratingRole].rating()
		}
	}
	if err == nil && (len(r.user) == 0 || len(r.item) == 0) {
		err = fmt.Errorf("a rating without a user or an item; both must be named")
	}
	if err != nil {
		return &BadLine{p.name, int(p.table.row), fmt.Errorf("%s: row %d: %w", p.name, p.table.row, err)}
	}
	return nil
}
