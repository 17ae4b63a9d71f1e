package partition

import (
	"fmt"
	"math/big"
)

// Space bounds the number of blocks of a partition: at least Min, at most Max.
// Zero leaves that end open, so the zero value is the space of all ordered
// partitions. See docs/maths.md#spaces.
type Space struct {
	Min, Max int
}

// Permutations is the space of strict orders of n items.
func Permutations(n int) Space { return Space{Min: n, Max: n} }

// TwoBlocks is the space of a chosen set and the rest, neither empty.
func TwoBlocks() Space { return Space{Min: 2, Max: 2} }

// AtMost is the space of partitions with 1 to l blocks.
func AtMost(l int) Space {
	if l < 1 {
		panic(fmt.Sprintf("partition: at most %d blocks", l))
	}
	return Space{Max: l}
}

// Bounds returns the smallest and largest number of blocks for n items, or an
// error when no partition of n items lies in the space.
func (s Space) Bounds(n int) (low, high int, err error) {
	if n < 1 {
		return 0, 0, fmt.Errorf("partition: %d items; at least one is needed", n)
	}
	if s.Min < 0 || s.Max < 0 {
		return 0, 0, fmt.Errorf("partition: a space of %d to %d blocks; bounds may not be negative", s.Min, s.Max)
	}
	low, high = max(1, s.Min), n
	if s.Max > 0 {
		high = min(n, s.Max)
	}
	if low > high {
		return 0, 0, fmt.Errorf("partition: no partition of %d items has %d to %d blocks", n, low, high)
	}
	return low, high, nil
}

// Contains reports whether t blocks are allowed.
func (s Space) Contains(t int) bool {
	return t >= s.Min && (s.Max == 0 || t <= s.Max)
}

// Count is the number of partitions of n items in the space: the sum over the
// allowed T of T! times the Stirling number of the second kind. It is zero
// where Bounds has an error.
func (s Space) Count(n int) *big.Int {
	total := new(big.Int)
	low, high, err := s.Bounds(n)
	if err != nil {
		return total
	}
	// onto[t] is the number of ways to put the items so far onto t ordered
	// blocks, all used: a new item joins one of t blocks, or is alone in one of
	// t places among t-1.
	onto := make([]*big.Int, n+1)
	for t := range onto {
		onto[t] = new(big.Int)
	}
	onto[0].SetInt64(1)
	for range n {
		for t := n; t >= 1; t-- {
			onto[t].Add(onto[t], onto[t-1])
			onto[t].Mul(onto[t], big.NewInt(int64(t)))
		}
		onto[0].SetInt64(0)
	}
	for t := low; t <= high; t++ {
		total.Add(total, onto[t])
	}
	return total
}
