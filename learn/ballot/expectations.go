package ballot

import (
	"fmt"
	"math"

	"fubini/infer/exact"
)

// Expect computes log Z, the means of the statistics, and if asked for their covariance. Slots and choices have no need of
// them.
func (m *Local) Expect(covariance bool) error {
	if m.ByVote() {
		return nil
	}
	if m.listed() {
		if m.n > maxListed && m.separable() {
			m.expectTwo(covariance)
		} else {
			m.list(covariance)
		}
		return nil
	}
	if !covariance {
		return m.expectTable(m.Mean)
	}
	table, err := m.table()
	if err != nil {
		return err
	}
	if mean, covariance, ok := table.Covariance(m.ofPairs()); ok {
		copy(m.Mean, mean)
		copy(m.Covariance, covariance)
		return nil
	}
	return m.differences()
}

// Tabled is whether the exact sums of some vote take a table of subsets, and nobody has a reliability.
func (d *Data) Tabled() bool {
	if d.Slots || d.Choices || d.Raters > 0 {
		return false
	}
	m := d.NewLocal()
	for _, g := range d.Groups[:len(d.Groups)-1] {
		if m.n = len(d.ItemsOf(g.Vote)); !m.listed() {
			return true
		}
	}
	return false
}

// differences computes what Expect does where the table has no covariance of its own: in other spaces, and far from zero.
func (m *Local) differences() error {
	if err := m.expectTable(m.Mean); err != nil {
		return err
	}
	// The covariance of a and b is the derivative of the mean of b when the log weight has
	// a small multiple of statistic a added: no pair by more than 1e-4, whatever its unit.
	logZ := m.LogZ
	up, down := make([]float64, m.Dim), make([]float64, m.Dim)
	for a := range m.Dim {
		step := 1e-4 / m.reach(a)
		for _, side := range []struct {
			by   float64
			mean []float64
		}{{step, up}, {-step, down}} {
			m.tilt(a, side.by)
			err := m.expectTable(side.mean)
			m.tilt(a, -side.by)
			if err != nil {
				return err
			}
		}
		for b := range m.Dim {
			m.Covariance[a*m.Dim+b] = (up[b] - down[b]) / (2 * step)
		}
	}
	m.LogZ = logZ
	for a := range m.Dim {
		for b := range a {
			both := (m.Covariance[a*m.Dim+b] + m.Covariance[b*m.Dim+a]) / 2
			m.Covariance[a*m.Dim+b], m.Covariance[b*m.Dim+a] = both, both
		}
	}
	return nil
}

// table is the subset table, with its log Z.
func (m *Local) table() (*exact.Table, error) {
	table, err := exact.NewTable(m, m.Space.Of(m.n))
	if err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	m.LogZ = table.LogZ()
	return table, nil
}

// moments are those of the subset table.
func (m *Local) moments() (*exact.Moments, error) {
	table, err := m.table()
	if err != nil {
		return nil, err
	}
	return table.Moments(), nil
}

// ofPairs are the statistics as sums over pairs and tiers.
func (m *Local) ofPairs() exact.Statistics {
	n, c := m.n, m.Dim
	f := exact.Statistics{Count: c, Tied: make([]float64, n*n*c), Above: make([]float64, n*n*c)}
	row := func(of []float64, i, j int) []float64 { return of[(i*n+j)*c:][:c] }
	for k := range n {
		for l := range k {
			m.addPair(row(f.Tied, k, l), k, l, 1, 0, 0)
			copy(row(f.Tied, l, k), row(f.Tied, k, l))
			m.addPair(row(f.Above, k, l), k, l, 0, 1, 0)
			m.addPair(row(f.Above, l, k), k, l, 0, 0, 1)
		}
	}
	if of := m.tierSizes(); of > 0 {
		f.Blocks, f.Last = make([]float64, (n+1)*c), make([]float64, (n+1)*c)
		for s := range of {
			f.Blocks[(s+1)*c+m.at.Size+s], f.Last[(s+1)*c+m.at.Size+of+s] = 1, 1
		}
	}
	return f
}

func (m *Local) expectTable(mean []float64) error {
	moments, err := m.moments()
	if err != nil {
		return err
	}
	clear(mean[:m.Dim])
	for k := range m.n {
		for l := range k {
			m.addPair(mean, k, l, moments.Tied(k, l), moments.Above(k, l), moments.Above(l, k))
		}
	}
	of := m.tierSizes()
	for s := range of {
		mean[m.at.Size+s], mean[m.at.Size+of+s] = moments.Blocks(s+1), moments.Last(s+1)
	}
	return nil
}

// tilt adds a multiple of statistic a to the log weight.
func (m *Local) tilt(a int, by float64) {
	if a >= m.at.Size {
		m.sizes[m.sizeIndex(a-m.at.Size)] += by
		return
	}
	m.eachPair(a, func(k, l int, tied, over, under float64) {
		m.tie[k*m.n+l] += by * tied
		m.tie[l*m.n+k] += by * tied
		m.above[k*m.n+l] += by * over
		m.above[l*m.n+k] += by * under
	})
}

// reach is the largest part of a pair in statistic a; 1 if it has none.
func (m *Local) reach(a int) (most float64) {
	if a >= m.at.Size {
		return 1
	}
	m.eachPair(a, func(_, _ int, tied, over, under float64) {
		most = max(most, math.Abs(tied), math.Abs(over), math.Abs(under))
	})
	if most == 0 {
		return 1
	}
	return most
}

// eachPair calls do with the parts of every pair in statistic a: tied, and in either order.
func (m *Local) eachPair(a int, do func(k, l int, tied, over, under float64)) {
	one := m.Statistic[:m.Dim]
	part := func(k, l int, tied, over, under float64) float64 {
		clear(one)
		m.addPair(one, k, l, tied, over, under)
		return one[a]
	}
	for k := range m.n {
		for l := range k {
			do(k, l, part(k, l, 1, 0, 0), part(k, l, 0, 1, 0), part(k, l, 0, 0, 1))
		}
	}
}
