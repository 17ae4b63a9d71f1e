package codec

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

// parquetColumn is a column: its type, and its values row by row.
type parquetColumn struct {
	name     string
	index    int
	kind     parquet.Kind
	unsigned bool
	unit     time.Duration // of times; seconds unless the type says otherwise
	scale    int           // of decimals: digits behind the point

	parquetPages
	text   []byte // of an id that is a number
	number int64  // that number; ids of users come many times in a row
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

// written reports whether values are texts.
func (p *parquetColumn) written() bool {
	return p.scale == 0 && (p.kind == parquet.ByteArray || p.kind == parquet.FixedLenByteArray)
}

func (p *parquetColumn) bytes() (content []byte, ok bool) {
	if p.value.IsNull() || !p.written() {
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
		return p.decimal(n), nil
	}
	if x, ok := p.real(); ok && x == math.Trunc(x) && math.Abs(x) <= 1<<53 {
		return p.decimal(int64(x)), nil
	}
	return nil, p.bad("an id: text or a whole number")
}

// decimal is the text of a number.
func (p *parquetColumn) decimal(n int64) []byte {
	if n != p.number || len(p.text) == 0 {
		p.text, p.number = strconv.AppendInt(p.text[:0], n, 10), n
	}
	return p.text
}

// rating is the value of a column of numbers.
func (p *parquetColumn) rating() (float32, error) {
	if x, ok := p.real(); ok && math.Abs(x) <= math.MaxFloat32 {
		return float32(x), nil
	}
	return 0, p.bad("a finite number")
}

// seconds is the value of a column of numbers as seconds since 1970.
func (p *parquetColumn) seconds() (int64, error) {
	if n, ok := p.integer(); ok && n > ratings.NoTime {
		return p.inSeconds(n), nil
	} else if x, ok := p.real(); ok && math.Abs(x) < 1<<62 {
		return int64(math.Floor(x)), nil
	}
	return 0, p.bad("a time: seconds since 1970, a date, or a timestamp")
}

// time is seconds, or ratings.NoTime for none.
func (p *parquetColumn) time() (int64, error) {
	if p.value.IsNull() {
		return ratings.NoTime, nil
	}
	return p.seconds()
}

// inSeconds is a time in the units of the column, rounded down.
func (p *parquetColumn) inSeconds(n int64) int64 {
	if p.unit >= time.Second {
		return n * int64(p.unit/time.Second) // days are 32 bits
	}
	per := int64(time.Second / p.unit)
	if n < 0 && n%per != 0 {
		return n/per - 1
	}
	return n / per
}

func (p *parquetColumn) bad(wanted string) error {
	if p.value.IsNull() {
		return fmt.Errorf("column %q has no value; it should be %s", p.name, wanted)
	}
	return fmt.Errorf("column %q is %s; it should be %s", p.name, text.Quote(p.value.String()), wanted)
}
