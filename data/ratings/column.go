package ratings

import (
	"math"
	"slices"

	"fubini/data/narrow"
)

// column is a list that grows without being copied.
type column[T any] struct {
	chunks [][]T
	n      int
}

const chunkSize = 1 << 16

// room returns at most n new places at the end, those that one chunk has.
func (c *column[T]) room(n int) []T {
	at := c.n % chunkSize
	if at == 0 {
		size := chunkSize
		if c.n == 0 {
			size = 64 // most sets of one person's tiers are small
		}
		c.chunks = append(c.chunks, make([]T, 0, size))
	}
	n = min(n, chunkSize-at)
	last := &c.chunks[len(c.chunks)-1]
	*last = slices.Grow(*last, n)[:at+n]
	c.n += n
	return (*last)[at:]
}

// add adds a value.
func (c *column[T]) add(v T) { c.room(1)[0] = v }

// at is the place of value n.
func (c *column[T]) at(n int) *T { return &c.chunks[n/chunkSize][n%chunkSize] }

// from returns the values from n on, those that one chunk has.
func (c *column[T]) from(n int) []T { return c.chunks[n/chunkSize][n%chunkSize:] }

// span returns the values from one place to before another: a view of a chunk, or in room where they lie in two.
func (c *column[T]) span(from, to int, room *[]T) []T {
	if from == to {
		return nil
	}
	if chunk := c.from(from); to-from <= len(chunk) {
		return chunk[:to-from]
	}
	all := (*room)[:0]
	for from < to {
		chunk := c.from(from)
		chunk = chunk[:min(len(chunk), to-from)]
		all = append(all, chunk...)
		from += len(chunk)
	}
	*room = all
	return all
}

// moved returns the column with value n at the place that the owner of n has next: next has a place for each owner, and is
// used up. The memory of the old column is given up.
func (c *column[T]) moved(owner *column[uint32], next []int) column[T] {
	to := make([]T, c.n)
	for k, chunk := range c.chunks {
		of := owner.chunks[k]
		for k := 0; k < len(chunk); { // ratings of one user tend to come together
			u, end := of[k], k+1
			for end < len(chunk) && of[end] == u {
				end++
			}
			next[u] += copy(to[next[u]:], chunk[k:end])
			k = end
		}
		c.chunks[k] = nil
	}
	out := column[T]{n: c.n}
	for len(to) > 0 {
		n := min(chunkSize, len(to))
		out.chunks = append(out.chunks, to[:n:n])
		to = to[n:]
	}
	return out
}

// packed is a column of numbers that takes the memory of small ones until the first that is too large for it.
type packed[S, L uint8 | uint16 | uint32 | int64] struct {
	small   column[S]
	large   column[L]
	widened bool
}

func (p *packed[S, L]) len() int { return p.small.n + p.large.n }

func (p *packed[S, L]) add(v L) {
	one := [1]L{v}
	p.append(one[:])
}

// append adds numbers.
func (p *packed[S, L]) append(numbers []L) {
	if !p.widened && !fit[S](numbers) {
		p.widen()
	}
	p.appendFit(numbers)
}

// appendBelow adds numbers below a bound.
func (p *packed[S, L]) appendBelow(bound int, numbers []L) {
	if !p.widened && int(S(bound-1)) != bound-1 {
		p.widen()
	}
	p.appendFit(numbers)
}

// appendFit adds numbers that are small if the others are.
func (p *packed[S, L]) appendFit(numbers []L) {
	for len(numbers) > 0 {
		var n int
		if p.widened {
			n = copy(p.large.room(len(numbers)), numbers)
		} else {
			room := p.small.room(len(numbers))
			n = len(room)
			narrow.Numbers(room, numbers[:n])
		}
		numbers = numbers[n:]
	}
}

// fit reports whether all numbers are small.
func fit[S, L uint8 | uint16 | uint32 | int64](numbers []L) bool {
	var lost L // bits
	for _, v := range numbers {
		lost |= v ^ L(S(v))
	}
	return lost == 0
}

// widen makes the column one of large numbers.
func (p *packed[S, L]) widen() {
	p.widened = true
	for k, chunk := range p.small.chunks {
		for len(chunk) > 0 {
			room := p.large.room(len(chunk))
			for k := range room {
				room[k] = L(chunk[k])
			}
			chunk = chunk[len(room):]
		}
		p.small.chunks[k] = nil
	}
	p.small = column[S]{}
}

// at returns number n.
func (p *packed[S, L]) at(n int) L {
	if p.widened {
		return *p.large.at(n)
	}
	return L(*p.small.at(n))
}

// set changes number n.
func (p *packed[S, L]) set(n int, v L) {
	if !p.widened && L(S(v)) != v {
		p.widen()
	}
	if p.widened {
		*p.large.at(n) = v
	} else {
		*p.small.at(n) = S(v)
	}
}

// moved is that of a column, for the numbers.
func (p *packed[S, L]) moved(owner *column[uint32], first []int) packed[S, L] {
	return packed[S, L]{p.small.moved(owner, slices.Clone(first)), p.large.moved(owner, slices.Clone(first)), p.widened}
}

// values is a column of ratings: a number for each different one, in the order in which they come first. Above mostLevels the number of a value is
// its bits.
type values struct {
	numbers packed[uint8, uint32]
	known   []float32 // the value of each number
	of      shortIDs  // numbers, by the bits of the value and one more that is set
	bits    bool
}

const mostLevels = 1 << 16

func newValues() values { return values{of: newShortIDs()} }

// number returns that of a value, a new one if need be.
func (v *values) number(value float32) uint32 {
	bits := math.Float32bits(value)
	if v.bits {
		return bits
	}
	id := 1<<32 | uint64(bits)
	slot := v.of.find(id)
	if slot.id == id {
		return slot.number
	}
	n := uint32(len(v.known))
	if n == mostLevels {
		v.toBits()
		return bits
	}
	v.known = append(v.known, value)
	v.of.add(slot, id, n)
	return n
}

// toBits makes the numbers those of the bits of values.
func (v *values) toBits() {
	v.bits = true
	for _, chunk := range v.numbers.large.chunks { // so many are large
		for k, n := range chunk {
			chunk[k] = math.Float32bits(v.known[n])
		}
	}
	v.known, v.of = nil, shortIDs{}
}

// add adds a value.
func (v *values) add(value float32) {
	number := v.number(value)
	if v.bits {
		v.numbers.add(number)
	} else {
		v.numbers.appendBelow(len(v.known), []uint32{number})
	}
}

// append adds values.
func (v *values) append(list []float32) {
	var room [512]uint32
	for len(list) > 0 {
		numbers := room[:min(len(room), len(list))]
		bits := v.bits
		for k := range numbers {
			numbers[k] = v.number(list[k])
		}
		if v.bits != bits { // a new value made all numbers others
			for k := range numbers {
				numbers[k] = math.Float32bits(list[k])
			}
		}
		if v.bits {
			v.numbers.append(numbers)
		} else {
			v.numbers.appendBelow(len(v.known), numbers)
		}
		list = list[len(numbers):]
	}
}

func (v *values) value(number uint32) float32 {
	if v.bits {
		return math.Float32frombits(number)
	}
	return v.known[number]
}

func (v *values) at(n int) float32 { return v.value(v.numbers.at(n)) }

func (v *values) set(n int, value float32) {
	number := v.number(value) // which may change all others
	v.numbers.set(n, number)
}
