package ballot

// Load sets the vote that the other methods are about, and its potentials at theta.
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
