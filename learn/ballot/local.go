package ballot

import (
	"math"

	"fubini/model/osm"
)

// Local is the model of one vote (of all votes of one group, which have the same distribution) in local coordinates: those of its
// own items alone, in which the log weight is linear near the current point. Coordinates are the worth v_k at each place, the tie
// deviation at each place, the number of ties, their distances, the features of pairs, and the numbers of tiers by size. Rows has
// their derivatives by the parameters of all votes. [Local.Load] takes a vote in hand, and the other methods are about that vote.
type Local struct {
	*Data
	State      int       // the units of the rater, a bit each
	Dim        int       // number of coordinates
	Rows       [][]Entry // of each coordinate: its derivatives by the parameters
	LogZ       float64   // of the model, by [Local.Expect]
	Mean       []float64 // of the statistics, by the same
	Covariance []float64 // of them, Dim x Dim
	Statistic  []float64 // what was last computed of an outcome: its statistics, or its gradient

	n             int
	reliability   float64                  // of the rater
	base, v       []float64                // worth without and with the rater's reliability
	nu            float64                  // log weight of a tie, without the deviations of items
	deviation     []float64                // of the ties of each place
	delta         float64                  // coefficient of the distance of worths
	above, tie    []float64                // log potentials, n x n
	apart, equal  []float64                // their parts that do not depend on worths
	curve, slope  []float64                // of the distance of each pair: log cosh(d/2) and its derivative times delta
	features      []float64                // f and g of the pairs, one n x n matrix after the other
	sizes         osm.SizeWeights          // weights of tier sizes, empty for none
	at            Layout                   // first coordinate of nu, tie, distance, f, g and size
	slot          *slots                   // scratch of the slot likelihood
	listing       [][][]int32              // by n: the tiers of all outcomes, up to maxListed items
	statistics    [maxListed + 1][]float64 // by n: those of all outcomes, where no vote has its own
	probabilities []float64
	choices       choices // scratch, where votes are choices
}

// Entry is one element of a sparse row: the value By of parameter At.
type Entry struct {
	At int
	By float64
}

// NewLocal is scratch for the votes of these data.
func (d *Data) NewLocal() *Local { return &Local{Data: d} }

// Load takes a vote in hand, and sets its potentials at theta.
func (m *Local) Load(theta []float64, vote int32) {
	items, place, z := m.ItemsOf(vote), m.PlaceOf(vote), m.vote(vote)
	n := len(items)
	m.n = n
	m.resize()
	reliability := 1.0
	if m.Raters > 0 {
		reliability = theta[m.Global+int(m.RaterOf(vote))]
	}
	p, c := len(m.Places), len(m.Item.Names)
	for k, i := range items {
		base := m.given(theta, int(i))
		row := m.entries(m.Rows[k][:0], int(i), reliability)
		for j := range c {
			x := m.Item.Values[int(i)*c+j]
			base += x * m.given(theta, m.Beta+j)
			row = m.entries(row, m.Beta+j, reliability*x)
		}
		for j := range p {
			base += place[k*p+j] * m.given(theta, m.Gamma+j)
			row = m.entries(row, m.Gamma+j, reliability*place[k*p+j])
		}
		m.Rows[k], m.base[k], m.v[k] = row, base, reliability*base
	}
	m.reliability = reliability
	at := n
	add := func(parameter int) {
		m.Rows[at] = m.entries(m.Rows[at][:0], parameter, 1)
		at++
	}
	nu := 0.0
	m.deviation = m.deviation[:0]
	m.at.Nu, m.delta = at, 0
	if m.ties() {
		nu = m.given(theta, m.Nu)
		row := m.entries(m.Rows[at][:0], m.Nu, 1)
		for j, x := range z {
			nu += x * m.given(theta, m.Alpha+j)
			row = m.entries(row, m.Alpha+j, x)
		}
		m.Rows[at] = row
		at++
		m.at.Tie = at
		if m.Ties == ItemTies {
			for _, i := range items {
				m.deviation = append(m.deviation, m.given(theta, m.Layout.Tie+int(i)))
				add(m.Layout.Tie + int(i))
			}
		}
		m.at.Distance = at
		if m.Ties == DistanceTies {
			m.delta = m.given(theta, m.Distance)
			add(m.Distance)
		}
		m.at.F = at
		for a := range m.Pairs.Ties {
			add(m.F + a)
		}
	}
	if !m.ties() {
		m.at.F = at
	}
	m.at.G = at
	for b := range m.Pairs.Orders {
		add(m.G + b)
	}
	m.at.Size = at
	for s := range 2 * m.tierSizes() {
		add(m.sizeParameter(s))
	}
	m.Dim, m.nu = at, nu
	m.loadSizes(theta)
	if m.Choices {
		m.loadChoices(theta, z)
	}
	for k := range n {
		for l := range k {
			here, there := k*n+l, l*n+k
			tie := nu
			if m.Ties == ItemTies && m.ties() {
				tie += (m.deviation[k] + m.deviation[l]) / 2
			}
			m.apart[here], m.apart[there] = 0, 0
			m.equal[here], m.equal[there] = tie, tie
		}
	}
	m.loadFeatures(theta, items)
	m.setPotentials()
}

// given is parameter k of the rater with the units of the vote in hand: that of all, and the weights of the units on it.
func (m *Local) given(theta []float64, k int) float64 {
	value := theta[k]
	if k < m.Each {
		for unit := range m.Units {
			if m.State>>unit&1 == 1 {
				value += theta[m.W+unit*m.Each+k]
			}
		}
	}
	return value
}

// entries adds the derivatives of a coordinate by parameter k, which is by, and by the weights of units on it.
func (m *Local) entries(row []Entry, k int, by float64) []Entry {
	row = append(row, Entry{k, by})
	if k < m.Each {
		for unit := range m.Units {
			if m.State>>unit&1 == 1 {
				row = append(row, Entry{m.W + unit*m.Each + k, by})
			}
		}
	}
	return row
}

// Scale gives the rater of the vote in hand another reliability, which is positive.
func (m *Local) Scale(reliability float64) {
	by := reliability / m.reliability
	m.reliability = reliability
	for k, base := range m.base {
		m.v[k] = reliability * base
		for j := range m.Rows[k] {
			m.Rows[k][j].By *= by
		}
	}
	m.setPotentials()
}

// setPotentials sets the log potentials by the worths.
func (m *Local) setPotentials() {
	n := m.n
	for k := range n {
		for l := range k {
			d := m.v[k] - m.v[l]
			here, there := k*n+l, l*n+k
			m.above[here], m.above[there] = m.apart[here]+d/2, m.apart[there]-d/2
			tie := m.equal[here]
			if m.Ties == DistanceTies {
				curve := osm.LogCosh(d / 2)
				slope := m.delta * math.Tanh(d/2) / 2
				m.curve[here], m.curve[there] = curve, curve
				m.slope[here], m.slope[there] = slope, -slope
				tie += m.delta * curve
			}
			m.tie[here], m.tie[there] = tie, tie
		}
	}
}

// ties is whether the space has ties.
func (m *Local) ties() bool { return m.Space != WithoutTies }

// loadFeatures evaluates the features of pairs.
func (m *Local) loadFeatures(theta []float64, items []int32) {
	n, at := m.n, 0
	for a, f := range m.Pairs.Ties {
		if !m.ties() {
			break
		}
		values, weight := m.features[at*n*n:(at+1)*n*n], m.given(theta, m.F+a)
		at++
		for k := range n {
			for l := range k { // items ascend
				v := f.Value(int(items[l]), int(items[k]))
				values[k*n+l], values[l*n+k] = v, v
				m.equal[k*n+l] += weight * v
				m.equal[l*n+k] += weight * v
			}
		}
	}
	for b, g := range m.Pairs.Orders {
		values, weight := m.features[at*n*n:(at+1)*n*n], m.given(theta, m.G+b)
		at++
		for k := range n {
			for l := range n {
				if k != l {
					values[k*n+l] = g.Value(int(items[k]), int(items[l]))
					m.apart[k*n+l] += weight * values[k*n+l]
				}
			}
		}
	}
}

// resize makes room for n items.
func (m *Local) resize() {
	n := m.n
	features := len(m.Pairs.Ties) + len(m.Pairs.Orders)
	most := 2*n + 2 + features + len(m.tieSizes) + 2*min(n, m.Data.Sizes)
	if cap(m.Statistic) >= most && cap(m.above) >= n*n {
		m.base, m.v = m.base[:n], m.v[:n]
		return
	}
	m.base, m.v = make([]float64, n), make([]float64, n)
	m.above, m.tie, m.curve, m.slope = make([]float64, n*n), make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	m.apart, m.equal = make([]float64, n*n), make([]float64, n*n)
	m.features = make([]float64, features*n*n)
	m.Mean, m.Statistic = make([]float64, most), make([]float64, most)
	m.Covariance = make([]float64, most*most)
	for len(m.Rows) < most {
		m.Rows = append(m.Rows, nil)
	}
}

// N, LogTie and LogAbove implement exact.Pairwise.
func (m *Local) N() int                    { return m.n }
func (m *Local) LogTie(k, l int) float64   { return m.tie[k*m.n+l] }
func (m *Local) LogAbove(k, l int) float64 { return m.above[k*m.n+l] }
