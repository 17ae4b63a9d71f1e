package rng

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
)

// Dice is the set of choices a sampler may leave to chance.
type Dice interface {
	// IntN is uniform on 0..n-1. It panics for n < 1.
	IntN(n int) int
	// Coins returns n fair coins in the low bits, 0 <= n <= 64.
	Coins(n int) uint64
	// Accept is true with probability min(1, e^logRatio).
	Accept(logRatio float64) bool
	// Pick returns index i with probability proportional to weights[i].
	// Weights are finite, not negative, and not all zero.
	Pick(weights []float64) int
}

// Rand is a stream of random numbers that also rolls [Dice]. It is not safe
// for use by several goroutines at once: give each its own stream.
type Rand struct {
	*rand.Rand
	source *rand.PCG
}

var _ Dice = (*Rand)(nil)

// Stream returns the stream of this name and these keys under a seed. The same
// arguments give the same numbers on every machine; different ones give
// streams that are independent for all practical purposes: the 128-bit state
// is a SHA-256 digest of the arguments.
func Stream(seed uint64, name string, keys ...uint64) *Rand {
	r := &Rand{source: new(rand.PCG)}
	r.Rand = rand.New(r.source)
	r.Reseed(seed, name, keys...)
	return r
}

// Reseed turns r into Stream(seed, name, keys...) without allocating for up to
// four keys and a name of up to 64 bytes.
func (r *Rand) Reseed(seed uint64, name string, keys ...uint64) {
	var fixed [128]byte
	// The name is preceded by its length, so no two argument lists share bytes.
	text := binary.LittleEndian.AppendUint64(fixed[:0], seed)
	text = binary.LittleEndian.AppendUint64(text, uint64(len(name)))
	text = append(text, name...)
	for _, key := range keys {
		text = binary.LittleEndian.AppendUint64(text, key)
	}
	digest := sha256.Sum256(text)
	r.source.Seed(binary.LittleEndian.Uint64(digest[:]), binary.LittleEndian.Uint64(digest[8:]))
}

// Coins implements [Dice].
func (r *Rand) Coins(n int) uint64 {
	if n < 0 || n > 64 {
		panic(fmt.Sprintf("rng: %d coins asked for, 0 to 64 can be thrown at once", n))
	}
	return r.Uint64() & (1<<n - 1)
}

// Accept implements [Dice].
func (r *Rand) Accept(logRatio float64) bool {
	if logRatio >= 0 {
		return true
	}
	if math.IsNaN(logRatio) {
		panic("rng: accept with a probability that is not a number")
	}
	return r.Float64() < math.Exp(logRatio)
}

// Pick implements [Dice].
func (r *Rand) Pick(weights []float64) int {
	total := sum(weights)
	if !(total > 0) || math.IsInf(total, 1) {
		panic(fmt.Sprintf("rng: weights sum to %g", total))
	}
	left := r.Float64() * total
	for i, w := range weights {
		if left -= w; left < 0 {
			return i
		}
	}
	last := len(weights) - 1 // rounding left a crumb behind the last positive weight
	for weights[last] == 0 {
		last--
	}
	return last
}

// sum adds in four columns, which a processor does side by side.
func sum(values []float64) float64 {
	var a, b, c, d float64
	for len(values) >= 4 {
		a += values[0]
		b += values[1]
		c += values[2]
		d += values[3]
		values = values[4:]
	}
	for _, v := range values {
		a += v
	}
	return (a + b) + (c + d)
}

// Permutation fills out with a uniform permutation of 0..len(out)-1.
func Permutation(d Dice, out []int) {
	for i := range out {
		j := d.IntN(i + 1)
		out[i] = out[j]
		out[j] = i
	}
}
