package columns

import (
	"bytes"
	"errors"
	"math"

	"github.com/parquet-go/parquet-go"

	"fubini/data/ratings"
)

// Large files have numbers, and codes of dictionaries, without nulls. This file takes them many rows at a time: an id has its number looked up once for each
// dictionary that has it, a rating and a time are made out once for each entry. A row with a fault is left to Next, and what reads its value says what is wrong.

// Ready reports how many of the next n rows have their values in the page at hand, as they lie there or else in the buffer.
func (c *Column) Ready(n int) int {
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

// Skip goes past n of the rows that are ready.
func (c *Column) Skip(n int) { c.at += n }

// plain reports whether numbers of the page are what they look like.
func (c *Column) plain() bool { return !c.unsigned && c.scale == 0 }

// take makes the value that of one of the rows that are ready.
func (c *Column) take(k int) {
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

// lookUp makes the value that of an entry of the dictionary, and reports whether it is sound.
func (c *Column) lookUp(code int32) (ok bool) {
	defer func() { ok = recover() == nil }() // the library panics over some damaged files
	c.value = c.lie.dictionary.Index(code)
	return true
}

// entries are the ratings, the times or the numbers of the ids of a dictionary, each made out when the first row has it.
type entries[T float32 | int64 | uint32] struct {
	of    parquet.Dictionary
	known []entry[T]
}

type entry[T float32 | int64 | uint32] struct {
	value T
	made  bool
}

// read sets out to the values of the next rows, as a function makes them of the values of the column, and returns how many there are before the first with a fault.
func (e *entries[T]) read(c *Column, out []T, made func() (T, error)) int {
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
			if !c.lookUp(code) {
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

// Ratings sets out to the ratings of the next rows, which are ready, and returns how many there are before the first with a fault.
func (c *Column) Ratings(out []float32) int {
	switch {
	case c.lie.shorts != nil && c.plain():
		return finite(c.lie.shorts[c.at:], out)
	case c.lie.numbers != nil && c.plain():
		return finite(c.lie.numbers[c.at:], out)
	case c.lie.floats != nil:
		return finite(c.lie.floats[c.at:], out)
	case c.lie.doubles != nil:
		return finite(c.lie.doubles[c.at:], out)
	}
	return c.ratings.read(c, out, c.Rating)
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

// Times sets out to the times of the next rows, which are ready, and returns how many there are before the first with a fault.
func (c *Column) Times(out []int64) int {
	if c.lie.numbers == nil || !c.plain() {
		return c.times.read(c, out, c.Time)
	}
	for k, x := range c.lie.numbers[c.at:][:len(out)] {
		if x == ratings.NoTime {
			return k
		}
		out[k] = c.inSeconds(x)
	}
	return len(out)
}

// Numbers sets out to the numbers of the ids of the next rows, which are ready, and returns how many there are before the first with a fault. All calls have ids of
// one builder. Ids behind the fault may be given numbers too.
func (c *Column) Numbers(out []uint32, ids ratings.IDs) int {
	switch {
	case c.lie.shorts != nil && c.plain():
		return readNumbers(c.lie.shorts[c.at:], out, ids)
	case c.lie.numbers != nil && c.plain():
		return readNumbers(c.lie.numbers[c.at:], out, ids)
	case c.lie.doubles != nil:
		for k, id := range c.lie.doubles[c.at:][:len(out)] {
			if !whole(id) {
				return k
			}
			out[k] = ids.Decimal(int64(id))
		}
		return len(out)
	case c.lie.ends != nil && c.Written():
		return readTexts(c.lie.text, c.lie.ends[c.at:][:len(out)+1], out, ids)
	}
	return c.ids.read(c, out, func() (uint32, error) {
		id, err := c.ID()
		if err == nil && len(id) == 0 {
			err = errEmpty
		}
		if err != nil {
			return 0, err
		}
		return ids.Number(id), nil
	})
}

// errEmpty is a fault that the reader of single rows puts into words.
var errEmpty = errors.New("an empty id")

// readNumbers is Numbers for whole numbers.
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

// readTexts is Numbers for texts one behind the other.
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
