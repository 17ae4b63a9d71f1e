package stattest

import (
	"fmt"
	"math"

	"fubini/core/partition"
	"fubini/core/rng"
)

// Transitions returns the transition matrix of step over the given states:
// row from, column to. It panics if a step leaves the states or breaks the
// partition, which is a finding of its own.
func Transitions(states []*partition.Partition, step func(d rng.Dice, x *partition.Partition)) [][]float64 {
	index := make(map[string]int, len(states))
	for i, x := range states {
		index[x.String()] = i
	}
	matrix := make([][]float64, len(states))
	for from, start := range states {
		matrix[from] = make([]float64, len(states))
		x := start.Clone()
		play := func(d rng.Dice) {
			x.CopyFrom(start)
			step(d, x)
		}
		for p := range Outcomes(play) {
			to, known := index[x.String()]
			if err := x.Check(); err != nil || !known {
				panic(fmt.Sprintf("stattest: a step leads from %s to %s, outside the states (%v)", start, x, err))
			}
			matrix[from][to] += p
		}
	}
	return matrix
}

// InvarianceGap is the largest |(πP)_i - π_i|: zero, up to rounding, exactly
// when one step with matrix P leaves the distribution π unchanged.
func InvarianceGap(pi []float64, matrix [][]float64) float64 {
	after := make([]float64, len(pi))
	for from, row := range matrix {
		for to, p := range row {
			after[to] += pi[from] * p
		}
	}
	gap := 0.0
	for i := range pi {
		gap = math.Max(gap, math.Abs(after[i]-pi[i])) // Max keeps a NaN, which passes no test
	}
	return gap
}

// ReversibilityGap is the largest |π_i P_ij - π_j P_ji|: zero, up to rounding,
// when the chain satisfies detailed balance, which implies invariance.
func ReversibilityGap(pi []float64, matrix [][]float64) float64 {
	gap := 0.0
	for i, row := range matrix {
		for j, p := range row {
			gap = math.Max(gap, math.Abs(pi[i]*p-pi[j]*matrix[j][i]))
		}
	}
	return gap
}

// Irreducible reports whether every state can reach every other.
func Irreducible(matrix [][]float64) bool {
	forward := func(i, j int) bool { return matrix[i][j] > 0 }
	backward := func(i, j int) bool { return matrix[j][i] > 0 }
	return reachesAll(len(matrix), forward) && reachesAll(len(matrix), backward)
}

func reachesAll(n int, edge func(i, j int) bool) bool {
	seen := make([]bool, n)
	seen[0] = true
	queue := []int{0}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for j := range n {
			if !seen[j] && edge(i, j) {
				seen[j] = true
				queue = append(queue, j)
			}
		}
	}
	for _, s := range seen {
		if !s {
			return false
		}
	}
	return true
}

// Product is the matrix of a step with a followed by a step with b.
func Product(a, b [][]float64) [][]float64 {
	out := make([][]float64, len(a))
	for i := range a {
		out[i] = make([]float64, len(a))
		for k, p := range a[i] {
			if p == 0 {
				continue
			}
			for j, q := range b[k] {
				out[i][j] += p * q
			}
		}
	}
	return out
}
