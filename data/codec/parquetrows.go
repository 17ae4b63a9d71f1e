package codec

import (
	"bytes"
	"math"

	"github.com/parquet-go/parquet-go"

	"fubini/data/ratings"
)

// Large files have numbers, and codes of dictionaries, without nulls. This file takes them to a builder many rows at a time: an id has its number looked up once
// for each dictionary that has it, a rating and a time are made out once for each entry. A row with something wrong is left to Next, which says what it is.

// parquetRows has what is made out of rows before they are added.
type parquetRows struct {
	users, items parquetIDs
	ratings      parquetEntries[float32]
	times        parquetEntries[int64]

	user, item [parquetBatch]uint32
	value      [parquetBatch]float32
	when       [parquetBatch]int64
}

// newRows is nil for a file with tiers, titles, or ratings or times as texts.
func (t *parquetTable) newRows() *parquetRows {
	rating, when := t.role[roleRating], t.role[roleTime]
	if rating == nil || rating.written() || when != nil && when.written() || t.role[roleTitle] != nil {
		return nil
	}
	for _, c := range t.columns {
		if c.kind == parquet.ByteArray && !c.written() { // numbers in a form that is refused
			return nil
		}
	}
	return &parquetRows{}
}

// addPlain implements plainSource. It ends before a row with a fault, before a damaged page, and at the end of the file.
func (t *parquetTable) addPlain(b *ratings.Builder) (count int) {
	if t.rows == nil || !b.Plain() {
		return 0
	}
	for t.more() {
		n := t.addRows(b)
		if n == 0 {
			break
		}
		for _, c := range t.columns {
			c.at += n
		}
		t.left -= int64(n)
		t.row += n
		count += n
	}
	return count
}

// addRows adds the next rows, as many as all columns have at hand before one with a fault.
func (t *parquetTable) addRows(b *ratings.Builder) (n int) {
	n = int(min(t.left, parquetBatch))
	for _, c := range t.columns {
		n = c.ready(n)
	}
	rows := t.rows
	n = rows.readRatings(t.role[roleRating], n)
	var when []int64
	if c := t.role[roleTime]; c != nil {
		n = rows.readTimes(c, n)
		when = rows.when[:n]
	}
	// From here on ids get numbers, perhaps of rows that are left to Next, which refuses them, and with them the file.
	if c := t.role[roleUser]; c != nil {
		n = rows.users.read(c, rows.user[:n], b.UserIDs())
	} else if n > 0 {
		me := b.UserIDs().Number(me)
		for k := range n {
			rows.user[k] = me
		}
	}
	n = rows.items.read(t.role[roleItem], rows.item[:n], b.ItemIDs())
	if n > 0 {
		b.AddNumbered(rows.user[:n], rows.item[:n], rows.value[:n], when[:min(n, len(when))])
	}
	return n
}

// ready reports how many of the next n rows have their values in the page at hand, as they lie there or else in the buffer.
func (c *parquetColumn) ready(n int) int {
	if n == 0 || c.turn() != nil {
		return 0
	}
	if c.lie.some {
		return min(n, c.rows-c.at)
	}
	if c.at >= c.to && c.fill() != nil {
		return 0
	}
	return min(n, c.to-c.at)
}

// whole reports whether numbers of the page are what they look like.
func (c *parquetColumn) whole() bool { return !c.unsigned && c.scale == 0 }

// take makes the value that of one of the rows that are ready.
func (c *parquetColumn) take(k int) {
	switch k += c.at; {
	case c.lie.shorts != nil:
		c.value = parquet.Int32Value(c.lie.shorts[k])
	case c.lie.numbers != nil:
		c.value = parquet.Int64Value(c.lie.numbers[k])
	case c.lie.floats != nil:
		c.value = parquet.FloatValue(c.lie.floats[k])
	case c.lie.doubles != nil:
		c.value = parquet.DoubleValue(c.lie.doubles[k])
	default:
		c.value = c.buffer[k-c.from]
	}
}

// entry makes the value that of an entry of the dictionary, and reports whether it is sound.
func (c *parquetColumn) entry(code int32) (ok bool) {
	defer func() { ok = recover() == nil }() // the library panics over some damaged files
	c.value = c.lie.dictionary.Index(code)
	return true
}

// parquetEntries are the ratings or the times of a dictionary, each made out when the first row has it.
type parquetEntries[T float32 | int64] struct {
	of    parquet.Dictionary
	known []parquetEntry[T]
}

type parquetEntry[T float32 | int64] struct {
	value T
	made  bool
}

// read sets out to the values of the next rows, as a function makes them of the values of the column, and returns how many there are before the first with a fault.
func (e *parquetEntries[T]) read(c *parquetColumn, out []T, made func() (T, error)) int {
	var err error
	if c.lie.codes == nil {
		for k := range out {
			c.take(k)
			if out[k], err = made(); err != nil {
				return k
			}
		}
		return len(out)
	}
	if e.of != c.lie.dictionary {
		e.of, e.known = c.lie.dictionary, emptied(e.known, c.lie.dictionary.Len())
	}
	for k, code := range c.lie.codes[c.at:][:len(out)] {
		if uint(code) >= uint(len(e.known)) {
			return k
		}
		entry := &e.known[code]
		if !entry.made {
			if !c.entry(code) {
				return k
			}
			if entry.value, err = made(); err != nil {
				return k
			}
			entry.made = true
		}
		out[k] = entry.value
	}
	return len(out)
}

// emptied is a list of n zeros, in the place of another one if that is long enough.
func emptied[T any](list []T, n int) []T {
	if n > cap(list) {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
}

// readRatings makes out the ratings of the next n rows, and returns how many there are before the first with a fault.
func (r *parquetRows) readRatings(c *parquetColumn, n int) int {
	out := r.value[:n]
	switch {
	case c.lie.shorts != nil && c.whole():
		return finite(c.lie.shorts[c.at:], out)
	case c.lie.numbers != nil && c.whole():
		return finite(c.lie.numbers[c.at:], out)
	case c.lie.floats != nil:
		return finite(c.lie.floats[c.at:], out)
	case c.lie.doubles != nil:
		return finite(c.lie.doubles[c.at:], out)
	}
	return r.ratings.read(c, out, c.rating)
}

// finite copies ratings up to the first that has no place in 32 bits.
func finite[T int32 | int64 | float32 | float64](from []T, to []float32) int {
	for k, x := range from[:len(to)] {
		if !(math.Abs(float64(x)) <= math.MaxFloat32) {
			return k
		}
		to[k] = float32(float64(x))
	}
	return len(to)
}

// readTimes makes out the times of the next n rows, and returns how many there are before the first with a fault.
func (r *parquetRows) readTimes(c *parquetColumn, n int) int {
	out := r.when[:n]
	if c.lie.numbers == nil || !c.whole() {
		return r.times.read(c, out, c.time)
	}
	for k, x := range c.lie.numbers[c.at:][:n] {
		if x == ratings.NoTime {
			return k
		}
		out[k] = c.inSeconds(x)
	}
	return n
}

// parquetIDs are the numbers of the ids of a dictionary.
type parquetIDs struct {
	of    parquet.Dictionary
	known []uint32 // one more than the number, 0 for an id that no row had so far
}

// read sets out to the numbers of the ids of the next rows, and returns how many there are before the first with a fault.
func (d *parquetIDs) read(c *parquetColumn, out []uint32, ids ratings.IDs) int {
	switch {
	case c.lie.codes != nil:
		return d.coded(c, out, ids)
	case c.lie.shorts != nil && c.whole():
		return readNumbers(c.lie.shorts[c.at:], out, ids)
	case c.lie.numbers != nil && c.whole():
		return readNumbers(c.lie.numbers[c.at:], out, ids)
	case c.lie.ends != nil && c.written():
		return readTexts(c.lie.text, c.lie.ends[c.at:][:len(out)+1], out, ids)
	}
	for k := range out {
		c.take(k)
		id, err := c.id()
		if err != nil || len(id) == 0 {
			return k
		}
		out[k] = ids.Number(id)
	}
	return len(out)
}

// coded is read for codes of a dictionary.
func (d *parquetIDs) coded(c *parquetColumn, out []uint32, ids ratings.IDs) int {
	if d.of != c.lie.dictionary {
		d.of, d.known = c.lie.dictionary, emptied(d.known, c.lie.dictionary.Len())
	}
	for k, code := range c.lie.codes[c.at:][:len(out)] {
		if uint(code) >= uint(len(d.known)) {
			return k
		}
		if d.known[code] == 0 {
			if !c.entry(code) {
				return k
			}
			id, err := c.id()
			if err != nil || len(id) == 0 {
				return k
			}
			d.known[code] = ids.Number(id) + 1
		}
		out[k] = d.known[code] - 1
	}
	return len(out)
}

// readNumbers is read for whole numbers.
func readNumbers[T int32 | int64](list []T, out []uint32, ids ratings.IDs) int {
	for k, id := range list[:len(out)] {
		if k > 0 && id == list[k-1] {
			out[k] = out[k-1]
		} else {
			out[k] = ids.Decimal(int64(id))
		}
	}
	return len(out)
}

// readTexts is read for texts one behind the other.
func readTexts(text []byte, ends []uint32, out []uint32, ids ratings.IDs) int {
	var last []byte
	var number uint32
	for k := range out {
		from, to := ends[k], ends[k+1]
		if from >= to || uint64(to) > uint64(len(text)) {
			return k
		}
		id := text[from:to]
		if !bytes.Equal(id, last) {
			last, number = id, ids.Number(id)
		}
		out[k] = number
	}
	return len(out)
}
