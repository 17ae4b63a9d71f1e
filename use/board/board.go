// Package board turns fitted worths and their covariance into a leaderboard: intervals, ranks
// with intervals, tiers of items that cannot be told apart, and quasi-variances.
//
// Two items are told apart if their difference is more than [Board.Critical] of its standard
// errors. The critical value is that of one item against all others at once, by the normal
// approximation: the interval of an item's rank then holds its true rank at least as often as
// the level. See docs/maths.md#boards.
package board

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"fubini/core/cholesky"
	"fubini/core/parallel"
	"fubini/core/rng"
)

// Board is items by worth, best first.
type Board struct {
	Rows     []Row
	Level    float64 // of all intervals
	Critical float64 // standard errors of a difference beyond which two items are told apart

	worths     []float64
	covariance []float64
	quasi      []float64 // quasi-variances
	largest    []float64 // of each item: its largest difference in every draw, sorted
}

// Row is one item of a board: its worth, with error, interval, rank and tier.
type Row struct {
	Item            int
	Worth, StdError float64
	Low, High       float64 // interval of the worth
	Quasi           float64 // quasi standard error: the error of a difference is about the root of the sum of two squares
	// Rank is 1 plus the number of items with a higher worth, where worths that differ by rounding alone are equal. Its interval
	// is from 1 plus the number told apart above to the number not told apart below.
	Rank, RankLow, RankHigh int
	// Tier is 1 for the best. No two items of a tier are told apart.
	Tier int
}

// Options of a board. Start from [Defaults].
type Options struct {
	Level float64
	Seed  uint64 // of the simulation of the critical value
	Jobs  int
	Quasi []float64 // quasi-variances, if they are known
}

// Defaults are intervals of 95 %.
func Defaults() Options { return Options{Level: 0.95} }

// New makes the board of worths with a covariance matrix, row by row. Rows of the matrix may
// be known up to a constant on all worths: only differences count for ranks and tiers.
func New(worths, covariance []float64, o Options) (*Board, error) {
	n := len(worths)
	if n < 2 || len(covariance) != n*n {
		return nil, fmt.Errorf("board: %d worths, and %d elements of their covariance", n, len(covariance))
	}
	for k, v := range covariance {
		if i := k / n; math.IsNaN(v) || math.IsInf(v, 0) || k%n == i && v < 0 || math.IsNaN(worths[i]) {
			return nil, fmt.Errorf("board: worth %d is %g with variance or covariance %g", i, worths[i], v)
		}
	}
	b := &Board{worths: worths, covariance: covariance, quasi: o.Quasi}
	if err := b.simulate(o); err != nil {
		return nil, err
	}
	if b.quasi == nil {
		b.quasi = b.quasiVariances()
	}
	return b.At(o.Level)
}

// At is the board at another level.
func (b *Board) At(level float64) (*Board, error) {
	if !(level > 0 && (1+level)/2 < 1) {
		return nil, fmt.Errorf("board: level %g; it must be between 0 and 1", level)
	}
	half := distuv.UnitNormal.Quantile((1 + level) / 2)
	n := len(b.worths)
	other := *b
	other.Level, other.Rows, other.Critical = level, make([]Row, n), b.quantile(level)
	for i, w := range b.worths {
		e := math.Sqrt(b.covariance[i*n+i])
		other.Rows[i] = Row{Item: i, Worth: w, StdError: e, Low: w - half*e, High: w + half*e, Quasi: math.Sqrt(b.quasi[i])}
	}
	slices.SortStableFunc(other.Rows, func(x, y Row) int { return cmp.Compare(y.Worth, x.Worth) })
	other.rank()
	for r := range other.Rows {
		other.limit(r)
	}
	return &other, nil
}

// equal is whether two worths are equal but for rounding: they differ by at most a millionth of the standard error of the
// difference. Items whose votes are alike have the same steps in a fit, and differ by the order of sums alone.
func (b *Board) equal(i, j int) bool {
	d, e := b.Difference(i, j)
	return math.Abs(d) <= 1e-6*e
}

// rank ranks rows that are sorted by worth. Items of equal worth, which rounding has ordered, share a rank and stand in the order
// of their numbers.
func (b *Board) rank() {
	for first := 0; first < len(b.Rows); {
		end := first + 1
		for end < len(b.Rows) && b.equal(b.Rows[first].Item, b.Rows[end].Item) {
			end++
		}
		tied := b.Rows[first:end]
		slices.SortFunc(tied, func(x, y Row) int { return cmp.Compare(x.Item, y.Item) })
		for k := range tied {
			tied[k].Rank = first + 1
		}
		first = end
	}
}

// limit sets the interval of the rank and the tier of row r; those above have theirs.
func (b *Board) limit(r int) {
	row := &b.Rows[r]
	row.RankLow, row.RankHigh, row.Tier = 1, len(b.Rows), 1
	for k, other := range b.Rows {
		switch apart := b.Apart(row.Item, other.Item); {
		case apart && k < r:
			row.RankLow++
			row.Tier = max(row.Tier, other.Tier+1) // below every tier with an item told apart
		case apart:
			row.RankHigh--
		case k < r:
			row.Tier = max(row.Tier, other.Tier) // and not above any item of more worth
		}
	}
}

// Difference returns the difference of the worths of two items, and its standard error.
func (b *Board) Difference(i, j int) (difference, stdError float64) {
	n := len(b.worths)
	v := b.covariance[i*n+i] + b.covariance[j*n+j] - b.covariance[i*n+j] - b.covariance[j*n+i]
	return b.worths[i] - b.worths[j], math.Sqrt(math.Max(0, v))
}

// Apart reports whether the worths of two items differ significantly at the level of the board.
func (b *Board) Apart(i, j int) bool {
	d, e := b.Difference(i, j)
	return math.Abs(d) > b.Critical*e
}

// simulate draws the largest difference of each item from any other, in standard errors.
func (b *Board) simulate(o Options) error {
	n := len(b.worths)
	factor := slices.Clone(b.covariance)
	var size float64
	for i := range n {
		size += factor[i*n+i] / float64(n)
	}
	for i := range n { // a constant on all worths is no difference, and a little is no more than rounding
		for j := range n {
			factor[i*n+j] += size
		}
		factor[i*n+i] += 1e-9 * size
	}
	if !(size > 0) || !cholesky.Factorise(factor, n) {
		return fmt.Errorf("board: the covariance matrix is not positive definite")
	}
	errors := make([]float64, n*n)
	for i := range n {
		for j := range n {
			_, errors[i*n+j] = b.Difference(i, j)
		}
	}
	draws := max(200, min(4000, 66_000_000/(n*n)))
	largest := make([]float64, n*draws)
	parallel.Do(draws, o.Jobs, func(_, k int) {
		r := rng.Stream(o.Seed, "ranks", uint64(k))
		z, x := make([]float64, n), make([]float64, n)
		for i := range z {
			z[i] = r.NormFloat64()
			for j, f := range factor[i*n : i*n+i+1] {
				x[i] += f * z[j]
			}
		}
		for i := range n {
			for j := range i {
				t := math.Abs(x[i]-x[j]) / errors[i*n+j]
				largest[i*draws+k] = max(largest[i*draws+k], t)
				largest[j*draws+k] = max(largest[j*draws+k], t)
			}
		}
	})
	for i := range n {
		slices.Sort(largest[i*draws : (i+1)*draws])
	}
	b.largest = largest
	return nil
}

// quantile is the quantile of the largest difference of one item from any other: that of the
// item with the largest.
func (b *Board) quantile(level float64) float64 {
	critical := distuv.UnitNormal.Quantile((1 + level) / 2) // of one pair, and never less
	draws := len(b.largest) / len(b.worths)
	for i := range b.worths {
		critical = max(critical, b.largest[i*draws+min(draws-1, int(math.Ceil(level*float64(draws))))])
	}
	return critical
}

// quasiVariances are those of Firth and de Menezes: q_i + q_j is near the variance of the
// difference of i and j, by least squares of the logarithms, for all pairs. Gauss-Newton on
// log q, damped.
func (b *Board) quasiVariances() []float64 {
	n := len(b.worths)
	q, variance := make([]float64, n), make([]float64, n*n)
	for i := range n {
		for j := range n {
			_, e := b.Difference(i, j)
			variance[i*n+j] = e * e
			if i != j {
				q[i] += e * e / float64(2*(n-1))
			}
		}
	}
	if n == 2 { // one difference: half of it each
		return q
	}
	loss := func(q []float64) (sum float64) {
		for i := range n {
			for j := range i {
				d := math.Log((q[i] + q[j]) / variance[i*n+j])
				sum += d * d
			}
		}
		return sum
	}
	now := loss(q)
	for damp, step := 1e-3, 0; step < 100; step++ {
		squares, slope := make([]float64, n*n), make([]float64, n)
		for i := range n {
			for j := range i {
				s := q[i] + q[j]
				d, a, c := math.Log(s/variance[i*n+j]), q[i]/s, q[j]/s
				slope[i] -= a * d
				slope[j] -= c * d
				squares[i*n+i] += a * a
				squares[j*n+j] += c * c
				squares[i*n+j] += a * c
			}
		}
		for i := range n {
			squares[i*n+i] *= 1 + damp
		}
		if !cholesky.Solve(squares, slope) {
			damp *= 10
			continue
		}
		next := make([]float64, n)
		for i := range n {
			next[i] = q[i] * math.Exp(math.Max(-2, math.Min(2, slope[i])))
		}
		if after := loss(next); after <= now {
			done := now-after <= 1e-12*(1+now)
			q, now, damp = next, after, damp/10
			if done {
				break
			}
		} else {
			damp *= 10
		}
	}
	return q
}
