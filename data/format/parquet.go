package format

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

	"fubini/data/ratings"
)

// parquetCodec reads tables whose columns have the names that the header of a
// CSV file may have, and writes user, item, rating and, where known, timestamp in
// seconds since 1970.
var parquetCodec = codec{
	name:       "parquet",
	extensions: []string{".parquet", ".pq"},
	detect:     func(head []byte) bool { return bytes.HasPrefix(head, []byte(parquetMagic)) },
	read:       readParquet,
	write:      writeParquet,
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

func readParquet(in *input, b *ratings.Builder, _ Options) (err error) {
	at, size := in.at, in.size
	if at == nil || size < 0 {
		text, err := io.ReadAll(io.LimitReader(in.r, maxParquetMemory+1))
		if err != nil {
			return fmt.Errorf("%s: %w", in.name, err)
		}
		if len(text) > maxParquetMemory {
			return fmt.Errorf("%s: a Parquet file of more than %d bytes cannot be read from a stream or packed; unpack it into a file", in.name, maxParquetMemory)
		}
		at, size = bytes.NewReader(text), int64(len(text))
	}
	defer func() { // the library panics over some damaged files
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%s: the Parquet file is damaged: %v", in.name, fault)
		}
	}()
	if err := checkParquetEnds(at, size); err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	file, err := parquet.OpenFile(at, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.OptimisticRead(true))
	if err != nil {
		return fmt.Errorf("%s: the Parquet file is damaged: %w", in.name, err)
	}
	t, err := openParquetTable(file, size)
	if err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	for _, group := range file.RowGroups() {
		if err := t.readGroup(group, in, b); err != nil {
			return fmt.Errorf("%s: row %d: %w", in.name, t.row, err)
		}
	}
	return nil
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
		return fmt.Errorf("a Parquet file starts with %s, this one with %s", parquetMagic, quote(first[:]))
	case string(last[4:]) != parquetMagic:
		return fmt.Errorf("a Parquet file ends in %s, this one in %s: it may be truncated", parquetMagic, quote(last[4:]))
	case int64(binary.LittleEndian.Uint32(last[:4])) > size-least:
		return fmt.Errorf("the Parquet file is damaged: its table of contents should be larger than itself")
	}
	return nil
}

// parquetTable is the columns we want and the row at hand.
type parquetTable struct {
	columns [titleRole + 1]*parquetColumn // by role; nil where there is none
	row     int64                         // from 1
	titled  map[string]bool
}

func openParquetTable(file *parquet.File, size int64) (*parquetTable, error) {
	var names [][]byte
	all := file.Root().Columns()
	for _, c := range all {
		names = append(names, []byte(c.Name()))
	}
	c, complete := named(names)
	if !complete {
		return nil, fmt.Errorf("the columns are %s; there must be a user, an item and a rating", quote(bytes.Join(names, []byte(", "))))
	}
	t := &parquetTable{titled: map[string]bool{}}
	for _, column := range [][2]int{{userRole, c.user}, {itemRole, c.item}, {ratingRole, c.rating}, {timeRole, c.when}, {titleRole, c.title}} {
		role, k := column[0], column[1]
		if k < 0 {
			continue
		}
		if !all[k].Leaf() || all[k].Repeated() {
			return nil, fmt.Errorf("column %s is %s; it must hold one value a row", quote(names[k]), quote(all[k].String()))
		}
		t.columns[role] = newParquetColumn(all[k])
	}
	rows := int64(0)
	for _, group := range file.RowGroups() {
		n := group.NumRows()
		if n < 0 || n > math.MaxInt64-rows {
			return nil, fmt.Errorf("the Parquet file is damaged: a row group of %d rows", n)
		}
		rows += n
	}
	if rows/maxRowsPerByte > size {
		return nil, fmt.Errorf("the Parquet file is damaged: %d rows in %d bytes", rows, size)
	}
	return t, nil
}

// readGroup reads one group of rows, all columns side by side.
func (t *parquetTable) readGroup(group parquet.RowGroup, in *input, b *ratings.Builder) error {
	chunks := group.ColumnChunks()
	for _, c := range t.columns {
		if c != nil {
			c.start(chunks[c.index])
			defer c.close()
		}
	}
	for range group.NumRows() {
		t.row++
		in.counts.Lines++
		for _, c := range t.columns {
			if c == nil {
				continue
			}
			if err := c.next(); err != nil {
				return fmt.Errorf("column %q: %w", c.name, err)
			}
		}
		if err := t.addRow(b); err != nil {
			return err
		}
	}
	return nil
}

func (t *parquetTable) addRow(b *ratings.Builder) error {
	user, err := t.columns[userRole].id()
	if err != nil {
		return err
	}
	item, err := t.columns[itemRole].id()
	if err != nil {
		return err
	}
	value, err := t.columns[ratingRole].rating()
	if err != nil {
		return err
	}
	when := int64(ratings.NoTime)
	if c := t.columns[timeRole]; c != nil && !c.value.IsNull() {
		if when, err = c.seconds(); err != nil {
			return err
		}
	}
	if err := b.Add(user, item, value, when); err != nil {
		return err
	}
	if c := t.columns[titleRole]; c != nil && !c.value.IsNull() && !t.titled[string(item)] {
		title, err := c.id()
		if err != nil {
			return err
		}
		t.titled[string(item)] = true
		b.Title(string(item), string(title))
	}
	return nil
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

func (p *parquetColumn) start(chunk parquet.ColumnChunk) {
	p.reader, p.left = parquet.NewColumnChunkValueReader(chunk), nil
}

func (p *parquetColumn) close() {
	p.reader.Close() // nothing was written
	p.left = nil
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

func (p *parquetColumn) bytes() (text []byte, ok bool) {
	if p.value.IsNull() || p.scale != 0 || p.kind != parquet.ByteArray && p.kind != parquet.FixedLenByteArray {
		return nil, false
	}
	return p.value.ByteArray(), true
}

// id is the value as an id. Programs that know no missing integers keep ids in
// floating point: a whole number is one there too.
func (p *parquetColumn) id() ([]byte, error) {
	if text, ok := p.bytes(); ok {
		return text, nil
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
	if text, ok := p.bytes(); ok {
		if value, ok := parseRating(text); ok {
			return value, nil
		}
	} else if x, ok := p.real(); ok && math.Abs(x) <= math.MaxFloat32 {
		return float32(x), nil
	}
	return 0, p.bad("a finite number")
}

// seconds is the value as seconds since 1970.
func (p *parquetColumn) seconds() (int64, error) {
	if text, ok := p.bytes(); ok {
		if when, ok := parseTime(text); ok {
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
	return fmt.Errorf("column %q is %s; it should be %s", p.name, quote(p.value.String()), wanted)
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

func writeParquet(w io.Writer, s *ratings.Set, _ Options) error {
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
