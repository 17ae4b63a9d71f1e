package columns

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	parquetformat "github.com/parquet-go/parquet-go/format"

	"fubini/data/ratings"
	"fubini/data/text"
)

// Column is a column: its type, and its values row by row.
type Column struct {
	Name     string
	Index    int // among those of the file
	kind     parquet.Kind
	unsigned bool
	unit     time.Duration // of times; seconds unless the type says otherwise
	scale    int           // of decimals: digits behind the point

	pages
	ratings entries[float32]
	times   entries[int64]
	ids     entries[uint32]
	text    []byte // of an id that is a number
	number  int64  // that number; ids of users come many times in a row
}

// New makes the column of a leaf of a file's schema that is not repeated.
func New(c *parquet.Column) *Column {
	p := &Column{Name: c.Name(), Index: c.Index(), kind: c.Type().Kind(), unit: time.Second}
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
	p.single = p.kind == parquet.ByteArray && !p.Written() // nothing that is read has this form
	return p
}

// Null reports whether there is no value in the row at hand.
func (p *Column) Null() bool { return p.value.IsNull() }

// integer is the value of a column of whole numbers.
func (p *Column) integer() (n int64, ok bool) {
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
func (p *Column) real() (x float64, ok bool) {
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

// Written reports whether values are texts.
func (p *Column) Written() bool {
	return p.scale == 0 && (p.kind == parquet.ByteArray || p.kind == parquet.FixedLenByteArray)
}

// Bytes is a text.
func (p *Column) Bytes() (content []byte, ok bool) {
	if p.value.IsNull() || !p.Written() {
		return nil, false
	}
	return p.value.ByteArray(), true
}

// ID is the value as an id. Programs that know no missing integers keep ids in
// floating point: a whole number is one there too.
func (p *Column) ID() ([]byte, error) {
	if content, ok := p.Bytes(); ok {
		return content, nil
	}
	if n, ok := p.integer(); ok {
		return p.decimal(n), nil
	}
	if x, ok := p.real(); ok && whole(x) {
		return p.decimal(int64(x)), nil
	}
	return nil, p.bad("an id: text or a whole number")
}

// whole reports whether a number is a whole one that is exact in floating point.
func whole(x float64) bool { return x == math.Trunc(x) && math.Abs(x) <= 1<<53 }

// decimal is the text of a number.
func (p *Column) decimal(n int64) []byte {
	if n != p.number || len(p.text) == 0 {
		p.text, p.number = strconv.AppendInt(p.text[:0], n, 10), n
	}
	return p.text
}

// Rating is the value of a column of numbers.
func (p *Column) Rating() (float32, error) {
	if x, ok := p.real(); ok && math.Abs(x) <= math.MaxFloat32 {
		return float32(x), nil
	}
	return 0, p.bad("a finite number")
}

// seconds is the value of a column of numbers as seconds since 1970.
func (p *Column) seconds() (int64, error) {
	if n, ok := p.integer(); ok && n > ratings.NoTime {
		return p.inSeconds(n), nil
	} else if x, ok := p.real(); ok && math.Abs(x) < 1<<62 {
		return int64(math.Floor(x)), nil
	}
	return 0, p.bad("a time: seconds since 1970, a date, or a timestamp")
}

// Time is the value as seconds since 1970, or ratings.NoTime for none.
func (p *Column) Time() (int64, error) {
	if p.value.IsNull() {
		return ratings.NoTime, nil
	}
	return p.seconds()
}

// inSeconds is a time in the units of the column, rounded down.
func (p *Column) inSeconds(n int64) int64 {
	if p.unit >= time.Second {
		return n * int64(p.unit/time.Second) // days are 32 bits
	}
	per := int64(time.Second / p.unit)
	if n < 0 && n%per != 0 {
		return n/per - 1
	}
	return n / per
}

func (p *Column) bad(wanted string) error {
	if p.value.IsNull() {
		return fmt.Errorf("column %q has no value; it should be %s", p.Name, wanted)
	}
	return fmt.Errorf("column %q is %s; it should be %s", p.Name, text.Quote(p.value.String()), wanted)
}
