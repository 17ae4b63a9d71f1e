package columns

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	parquetformat "github.com/parquet-go/parquet-go/format"

	"fubini/data/codec"
	"fubini/data/ratings"
	"fubini/data/text"
)

// Parquet is a table whose columns have the names that the header of a
// CSV file may have. Written are user, item, rating and, where known, timestamp in
// seconds since 1970.
var Parquet = codec.Codec{
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

func openParquet(in *codec.Input, _ codec.Options) (source codec.Source, err error) {
	at, size := in.At, in.Size
	if at == nil || size < 0 {
		held, err := io.ReadAll(io.LimitReader(in.R, maxParquetMemory+1))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.Name, err)
		}
		if len(held) > maxParquetMemory {
			return nil, fmt.Errorf("%s: a Parquet file of more than %d bytes cannot be read from a stream or packed; unpack it into a file", in.Name, maxParquetMemory)
		}
		at, size = bytes.NewReader(held), int64(len(held))
	}
	defer func() { // the library panics over some damaged files
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%s: the Parquet file is damaged: %v", in.Name, fault)
		}
	}()
	if err := checkParquetEnds(at, size); err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	file, err := parquet.OpenFile(at, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.OptimisticRead(true))
	if err != nil {
		return nil, fmt.Errorf("%s: the Parquet file is damaged: %w", in.Name, err)
	}
	t := &parquetTable{name: in.Name, groups: file.RowGroups()}
	if err := t.open(file, size, in.Bare); err != nil {
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
	columns []*parquetColumn // those that there are
	role    [codec.Roles]*parquetColumn
	groups  []parquet.RowGroup // still to come
	left    int64              // rows of the group at hand
	row     int                // from 1
}

func (t *parquetTable) open(file *parquet.File, size int64, bare bool) error {
	var names [][]byte
	all := file.Root().Columns()
	for _, c := range all {
		names = append(names, []byte(c.Name()))
	}
	columns, complete := codec.Named(names)
	if !complete {
		return fmt.Errorf("the columns are %s; there must be a user, an item and a rating", text.Quote(bytes.Join(names, []byte(", "))))
	}
	for role, k := range columns {
		if k < 0 || bare && (role == codec.Time || role == codec.Title) {
			continue
		}
		if !all[k].Leaf() || all[k].Repeated() {
			return fmt.Errorf("column %s is %s; it must hold one value a row", text.Quote(names[k]), text.Quote(all[k].String()))
		}
		t.role[role] = newParquetColumn(all[k])
		t.columns = append(t.columns, t.role[role])
	}
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

// ErrorAt is an error at a row.
func (t *parquetTable) ErrorAt(row int, format string, args ...any) error {
	return &text.BadLine{Name: t.name, Line: row, Err: fmt.Errorf("%s: row %d: %w", t.name, row, fmt.Errorf(format, args...))}
}

// Close gives back the pages at hand.
func (t *parquetTable) Close() {
	for _, c := range t.columns {
		c.close()
	}
}

// Next reads a row, all columns side by side.
func (t *parquetTable) Next(r *codec.Record) (err error) {
	defer func() { // the library panics over some damaged files
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%s: row %d: the Parquet file is damaged: %v", t.name, t.row, fault)
		}
	}()
	for t.left == 0 {
		t.Close()
		if len(t.groups) == 0 {
			return io.EOF
		}
		chunks := t.groups[0].ColumnChunks()
		for _, c := range t.columns {
			c.reader = parquet.NewColumnChunkValueReader(chunks[c.index])
		}
		t.left, t.groups = t.groups[0].NumRows(), t.groups[1:]
	}
	t.left--
	t.row++
	for _, c := range t.columns {
		if err := c.next(); err != nil {
			return fmt.Errorf("%s: row %d: column %q: %w", t.name, t.row, c.name, err)
		}
	}
	if err := t.record(r); err != nil {
		return t.ErrorAt(t.row, "%w", err)
	}
	return nil
}

func (t *parquetTable) record(r *codec.Record) (err error) {
	*r = codec.Record{When: ratings.NoTime, Line: t.row}
	if r.User, err = t.role[codec.User].id(); err != nil {
		return err
	}
	if r.Item, err = t.role[codec.Item].id(); err != nil {
		return err
	}
	if r.Value, err = t.role[codec.Rating].rating(); err != nil {
		return err
	}
	if len(r.User) == 0 || len(r.Item) == 0 {
		return fmt.Errorf("a rating without a user or an item; both must be named")
	}
	if c := t.role[codec.Time]; c != nil && !c.value.IsNull() {
		if r.When, err = c.seconds(); err != nil {
			return err
		}
	}
	if c := t.role[codec.Title]; c != nil && !c.value.IsNull() {
		r.Title, err = c.id()
	}
	return err
}

// parquetColumn walks over one column. A value is a view of a page, good until
// the next one is asked for.
type parquetColumn struct {
	name     string
	index    int
	kind     parquet.Kind
	unsigned bool
	unit     time.Duration // of times; seconds unless the type says otherwise
	scale    int           // of decimals: digits behind the point

	reader parquet.ColumnChunkValueReader
	buffer [512]parquet.Value
	left   []parquet.Value
	value  parquet.Value
	text   []byte // of an id that is a number
}

func newParquetColumn(c *parquet.Column) *parquetColumn {
	p := &parquetColumn{name: c.Name(), index: c.Index(), kind: c.Type().Kind(), unit: time.Second}
	if logical := c.Type().LogicalType(); logical != nil {
		switch t := logical.Value.(type) {
		case *parquetformat.TimestampType:
			if t.Unit.Value != nil {
				p.unit = t.Unit.Value.Duration()
			}
		case *parquetformat.DateType:
			p.unit = 24 * time.Hour
		case *parquetformat.DecimalType:
			p.scale = int(t.Scale)
		case *parquetformat.IntType:
			p.unsigned = !t.IsSigned
		}
	}
	return p
}

func (p *parquetColumn) close() {
	if p.reader != nil {
		p.reader.Close() // nothing was written
	}
	p.reader, p.left = nil, nil
}

func (p *parquetColumn) next() error {
	if len(p.left) == 0 {
		n, err := p.reader.ReadValues(p.buffer[:])
		if n == 0 {
			if err == nil || errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return fmt.Errorf("the Parquet file is damaged: %w", err)
		}
		p.left = p.buffer[:n]
	}
	p.value, p.left = p.left[0], p.left[1:]
	return nil
}

// integer is the value of a column of whole numbers.
func (p *parquetColumn) integer() (n int64, ok bool) {
	switch {
	case p.scale != 0 || p.value.IsNull():
		return 0, false
	case p.kind == parquet.Int32 && p.unsigned:
		return int64(p.value.Uint32()), true
	case p.kind == parquet.Int32:
		return int64(p.value.Int32()), true
	case p.kind == parquet.Int64:
		return p.value.Int64(), !p.unsigned || p.value.Int64() >= 0
	}
	return 0, false
}

// real is the value of a column of numbers of any kind.
func (p *parquetColumn) real() (x float64, ok bool) {
	switch {
	case p.value.IsNull():
		return 0, false
	case p.kind == parquet.Float:
		return float64(p.value.Float()), true
	case p.kind == parquet.Double:
		return p.value.Double(), true
	case p.scale != 0 && p.kind == parquet.Int32:
		return float64(p.value.Int32()) / math.Pow10(p.scale), true
	case p.scale != 0 && p.kind == parquet.Int64:
		return float64(p.value.Int64()) / math.Pow10(p.scale), true
	}
	n, ok := p.integer()
	return float64(n), ok
}

func (p *parquetColumn) bytes() (content []byte, ok bool) {
	if p.value.IsNull() || p.scale != 0 || p.kind != parquet.ByteArray && p.kind != parquet.FixedLenByteArray {
		return nil, false
	}
	return p.value.ByteArray(), true
}

// id is the value as an id. Programs that know no missing integers keep ids in
// floating point: a whole number is one there too.
func (p *parquetColumn) id() ([]byte, error) {
	if content, ok := p.bytes(); ok {
		return content, nil
	}
	if n, ok := p.integer(); ok {
		p.text = strconv.AppendInt(p.text[:0], n, 10)
		return p.text, nil
	}
	if x, ok := p.real(); ok && x == math.Trunc(x) && math.Abs(x) <= 1<<53 {
		p.text = strconv.AppendInt(p.text[:0], int64(x), 10)
		return p.text, nil
	}
	return nil, p.bad("an id: text or a whole number")
}

func (p *parquetColumn) rating() (float32, error) {
	if content, ok := p.bytes(); ok {
		if value, ok := text.ParseRating(content); ok {
			return value, nil
		}
	} else if x, ok := p.real(); ok && math.Abs(x) <= math.MaxFloat32 {
		return float32(x), nil
	}
	return 0, p.bad("a finite number")
}

// seconds is the value as seconds since 1970.
func (p *parquetColumn) seconds() (int64, error) {
	if content, ok := p.bytes(); ok {
		if when, ok := text.ParseTime(content); ok {
			return when, nil
		}
	} else if n, ok := p.integer(); ok && n > ratings.NoTime {
		if p.unit >= time.Second {
			return n * int64(p.unit/time.Second), nil // days are 32 bits
		}
		per := int64(time.Second / p.unit)
		if n < 0 && n%per != 0 {
			return n/per - 1, nil
		}
		return n / per, nil
	} else if x, ok := p.real(); ok && math.Abs(x) < 1<<62 {
		return int64(math.Floor(x)), nil
	}
	return 0, p.bad("a time: seconds since 1970, a date, or a timestamp")
}

func (p *parquetColumn) bad(wanted string) error {
	if p.value.IsNull() {
		return fmt.Errorf("column %q has no value; it should be %s", p.name, wanted)
	}
	return fmt.Errorf("column %q is %s; it should be %s", p.name, text.Quote(p.value.String()), wanted)
}

type (
	parquetRow struct {
		User   string  `parquet:"user,dict"`
		Item   string  `parquet:"item,dict"`
		Rating float32 `parquet:"rating,dict"`
	}
	parquetTimedRow struct {
		User      string  `parquet:"user,dict"`
		Item      string  `parquet:"item,dict"`
		Rating    float32 `parquet:"rating,dict"`
		Timestamp int64   `parquet:"timestamp"`
	}
	parquetDatedRow struct { // for times that some ratings lack
		User      string  `parquet:"user,dict"`
		Item      string  `parquet:"item,dict"`
		Rating    float32 `parquet:"rating,dict"`
		Timestamp *int64  `parquet:"timestamp,optional"`
	}
)

func writeParquet(w io.Writer, s *ratings.Set, _ codec.Options) error {
	some := false
	for u := range s.Users().Len() {
		some = some || slices.Contains(s.Row(u).Times, ratings.NoTime)
	}
	if some {
		return writeParquetRows(w, s, func(r parquetRow, row ratings.Row, k int) parquetDatedRow {
			dated := parquetDatedRow{r.User, r.Item, r.Rating, nil}
			if row.Times[k] != ratings.NoTime {
				dated.Timestamp = &row.Times[k]
			}
			return dated
		})
	}
	if s.HasTimes() {
		return writeParquetRows(w, s, func(r parquetRow, row ratings.Row, k int) parquetTimedRow {
			return parquetTimedRow{r.User, r.Item, r.Rating, row.Times[k]}
		})
	}
	return writeParquetRows(w, s, func(r parquetRow, _ ratings.Row, _ int) parquetRow { return r })
}

func writeParquetRows[T any](w io.Writer, s *ratings.Set, complete func(parquetRow, ratings.Row, int) T) error {
	out := parquet.NewGenericWriter[T](w,
		parquet.Compression(&parquet.Zstd),
		parquet.CreatedBy("fubini", "", ""), // the library would put its own version, which changes the bytes
		parquet.MaxRowsPerRowGroup(1<<20),
	)
	rows := make([]T, 0, 1024)
	for u := range s.Users().Len() {
		user, row := s.Users().ID(uint32(u)), s.Row(u)
		for k, item := range row.Items {
			rows = append(rows, complete(parquetRow{user, s.Items().ID(item), row.Values[k]}, row, k))
			if len(rows) == cap(rows) {
				if _, err := out.Write(rows); err != nil {
					return fmt.Errorf("format: Parquet: %w", err)
				}
				rows = rows[:0]
			}
		}
	}
	if _, err := out.Write(rows); err != nil {
		return fmt.Errorf("format: Parquet: %w", err)
	}
	return out.Close()
}
