package codec

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"

	"fubini/data/columns"
	"fubini/data/ratings"
	"fubini/data/text"
)

// Parquet is the format of Parquet files, with the column names of CSV files: a tier in place of the rating, too, which is null for
// an item without a place. Files are written with the columns user,
// item, rating and, where times are known, timestamp in seconds since 1970.
var Parquet = Codec{
	Name:       "parquet",
	Extensions: []string{".parquet", ".pq"},
	Detect:     func(head []byte) bool { return bytes.HasPrefix(head, []byte(parquetMagic)) },
	Open:       openParquet,
	ByUser:     true,
	Write:      writeParquet,
}

const (
	parquetMagic = "PAR1"
	// maxParquetMemory is the largest file that is read from a stream: the table of
	// contents stands at the end, so a stream has to be kept.
	maxParquetMemory = 1 << 30
	// maxRowsPerByte is beyond what an honest file reaches: ids that only count up
	// take a byte for sixteen rows before compression.
	maxRowsPerByte = 1 << 10
)

func openParquet(in *Input, o Options) (source Source, err error) {
	if err := in.Hold(maxParquetMemory, "a Parquet file of more than %d bytes cannot be read from a stream or packed; unpack it into a file"); err != nil {
		return nil, err
	}
	defer func() { // the library panics over some damaged files
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%s: the Parquet file is damaged: %v", in.Name, fault)
		}
	}()
	if err := checkParquetEnds(in.At, in.Size); err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	file, err := parquet.OpenFile(in.At, in.Size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.OptimisticRead(true))
	if err != nil {
		return nil, fmt.Errorf("%s: the Parquet file is damaged: %w", in.Name, err)
	}
	t := &parquetTable{name: in.Name, counts: in.Counts, groups: file.RowGroups()}
	if err := t.open(file, in.Size, in.Bare, o.naming()); err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	return t, nil
}

// checkParquetEnds looks at the first and last bytes, before the library makes
// room for a table of contents of the size that they give.
func checkParquetEnds(at io.ReaderAt, size int64) error {
	const least = 12
	if size == 0 {
		return fmt.Errorf("the file is empty")
	}
	if size < least {
		return fmt.Errorf("%d bytes are too few for a Parquet file", size)
	}
	var first [4]byte
	var last [8]byte
	if _, err := at.ReadAt(first[:], 0); err != nil {
		return err
	}
	if _, err := at.ReadAt(last[:], size-8); err != nil && err != io.EOF {
		return err
	}
	switch {
	case string(first[:]) == "PARE":
		return fmt.Errorf("the Parquet file is encrypted")
	case string(first[:]) != parquetMagic:
		return fmt.Errorf("a Parquet file starts with %s, this one with %s", parquetMagic, text.Quote(first[:]))
	case string(last[4:]) != parquetMagic:
		return fmt.Errorf("a Parquet file ends in %s, this one in %s: it may be truncated", parquetMagic, text.Quote(last[4:]))
	case int64(binary.LittleEndian.Uint32(last[:4])) > size-least:
		return fmt.Errorf("the Parquet file is damaged: its table of contents should be larger than itself")
	}
	return nil
}

// parquetTable is the source: the columns we want and the row at hand.
type parquetTable struct {
	name    string
	columns []*columns.Column // those that there are
	role    [roles]*columns.Column
	counts  *Report
	grades  grades
	word    string             // for the numbers in the column of tiers
	groups  []parquet.RowGroup // still to come
	left    int64              // rows of the group at hand
	row     int                // from 1
	fault   error              // why there are no more groups
	rows    *parquetRows       // nil where rows are read one by one
}

func (t *parquetTable) open(file *parquet.File, size int64, bare bool, n naming) error {
	var names [][]byte
	all := file.Root().Columns()
	for _, c := range all {
		names = append(names, []byte(c.Name()))
	}
	places, err := n.columnsNamed(names)
	if err != nil {
		return err
	}
	if places[roleRating] >= 0 {
		places[roleTier] = -1
	} else {
		t.word = tierWord(names[places[roleTier]])
	}
	for role, k := range places {
		if k < 0 || bare && role == roleTitle {
			continue
		}
		if !all[k].Leaf() || all[k].Repeated() {
			return fmt.Errorf("column %s is %s; it must hold one value a row", text.Quote(names[k]), text.Quote(all[k].String()))
		}
		t.role[role] = columns.New(all[k])
		t.columns = append(t.columns, t.role[role])
	}
	t.rows = t.newRows()
	rows := int64(0)
	for _, group := range t.groups {
		n := group.NumRows()
		if n < 0 || n > math.MaxInt64-rows {
			return fmt.Errorf("the Parquet file is damaged: a row group of %d rows", n)
		}
		rows += n
	}
	if rows/maxRowsPerByte > size {
		return fmt.Errorf("the Parquet file is damaged: %d rows in %d bytes", rows, size)
	}
	return nil
}

// ErrorAt returns an error that names a row.
func (t *parquetTable) ErrorAt(row int, format string, args ...any) error {
	return &text.BadLine{Name: t.name, Line: row, Err: fmt.Errorf("%s: row %d: %w", t.name, row, fmt.Errorf(format, args...))}
}

// Close gives back the pages at hand. It never fails: nothing was written.
func (t *parquetTable) Close() error {
	for _, c := range t.columns {
		c.Close()
	}
	return nil
}

// more makes the group at hand one with a row to come, and reports whether there is one.
func (t *parquetTable) more() bool {
	for t.left == 0 && len(t.groups) > 0 && t.fault == nil {
		t.begin()
	}
	return t.left > 0 && t.fault == nil
}

// begin takes up the next group.
func (t *parquetTable) begin() {
	defer func() { // the library panics over some damaged files
		if fault := recover(); fault != nil {
			t.fault = fmt.Errorf("%s: row %d: the Parquet file is damaged: %v", t.name, t.row+1, fault)
		}
	}()
	chunks := t.groups[0].ColumnChunks()
	for _, c := range t.columns {
		c.Open(chunks[c.Index])
	}
	t.left, t.groups = t.groups[0].NumRows(), t.groups[1:]
}

// Next reads a row, all columns side by side.
func (t *parquetTable) Next(r *Record) (err error) {
	if !t.more() {
		return cmp.Or(t.fault, io.EOF)
	}
	t.left--
	t.row++
	for _, c := range t.columns {
		if err := c.Next(); err != nil {
			return fmt.Errorf("%s: row %d: column %q: %w", t.name, t.row, c.Name, err)
		}
	}
	if err := t.record(r); err != nil {
		return t.ErrorAt(t.row, "%w", err)
	}
	return nil
}

func (t *parquetTable) record(r *Record) (err error) {
	*r = Record{User: me, When: ratings.NoTime, Line: t.row}
	if c := t.role[roleUser]; c != nil {
		if r.User, err = c.ID(); err != nil {
			return err
		}
	}
	if r.Item, err = t.role[roleItem].ID(); err != nil {
		return err
	}
	if len(r.User) == 0 || len(r.Item) == 0 {
		return fmt.Errorf("a rating without a user or an item; both must be named")
	}
	if c := t.role[roleTier]; c != nil {
		err = t.place(c, r)
	} else if written, is := t.role[roleRating].Bytes(); is {
		err = t.grades.rating(plainError, t.row, written, r)
	} else {
		r.Value, err = t.role[roleRating].Rating()
	}
	if err != nil {
		return err
	}
	if c := t.role[roleTime]; c != nil {
		if date, written := c.Bytes(); written {
			t.counts.time(r, date, t.row)
		} else if r.When, err = c.Time(); err != nil {
			return err
		}
	}
	if c := t.role[roleTitle]; c != nil && !c.Null() {
		r.Title, err = c.ID()
	}
	return err
}

// place sets the tier of a record, or that it has none.
func (t *parquetTable) place(c *columns.Column, r *Record) error {
	var tier []byte
	if !c.Null() {
		var err error
		if tier, err = c.ID(); err != nil {
			return err
		}
	}
	return t.grades.tier(plainError, t.row, t.word, tier, r)
}

// plainError is an error without its row, which Next adds.
func plainError(_ int, format string, args ...any) error { return fmt.Errorf(format, args...) }
