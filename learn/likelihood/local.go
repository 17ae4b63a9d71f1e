package likelihood

import (
	"fmt"
	"math"

	"fubini/core/partition"
	"fubini/infer/exact"
	"fubini/model/osm"
)

// local is the model of the votes of one group in coordinates of its own, in which the log
// weight is linear near the current point: the worth v_k at each place, the tie deviation at
// each place, the number of ties, their distances, the features of pairs, and the numbers of tiers
// by size. rows has their derivatives by the parameters.
type local struct {
	*Data
	state         int // the units of the rater, a bit each
	n, dim        int
	base, v       []float64 // worth without and with the rater's reliability
	above, tie    []float64 // log potentials, n x n
	curve, slope  []float64 // of the distance of each pair: log cosh(d/2) and its derivative times delta
	features      []float64 // f and g of the pairs, one n x n matrix after the other
	sizes         osm.Sizes // weights of tier sizes, empty for none
	at            layout    // first coordinate of nu, tie, distance, f, g and size
	slot          *slots    // scratch of the slot likelihood
	rows          [][]entry
	mean          []float64 // of the statistics
	covariance    []float64 // of them, dim x dim
	statistic     []float64
	logZ          float64
	listing       [][][]int32 // by n: the tiers of all outcomes, up to maxListed items
	probabilities []float64
	choices       choices // scratch, where votes are choices
}

// entry is one element of a sparse row: that of parameter at.
type entry struct {
	at int
	by float64
}

// local is scratch for the votes of these data.
func (d *Data) local() *local { return &local{Data: d} }

// maxListed is the largest number of items whose outcomes are listed in every space: 541 of five.
const maxListed = 5

// load sets the potentials at theta.
func (m *local) load(theta []float64, vote int32) {
	items, place, z := m.items(vote), m.place(vote), m.vote(vote)
	n := len(items)
	m.n = n
	m.resize()
	reliability, rater := 1.0, -1
	if m.Raters > 0 {
		rater = int(m.rater(vote))
		reliability = theta[m.global+rater]
	}
	p, c := len(m.Places), len(m.Item.Names)
	for k, i := range items {
		base := theta[i]
		row := m.rows[k][:0]
		row = append(row, entry{int(i), reliability})
		for j := range c {
			x := m.Item.Values[int(i)*c+j]
			base += x * theta[m.beta+j]
			row = append(row, entry{m.beta + j, reliability * x})
		}
		for j := range p {
			base += place[k*p+j] * theta[m.gamma+j]
			row = append(row, entry{m.gamma + j, reliability * place[k*p+j]})
		}
		for unit := range m.Units {
			if m.state>>unit&1 == 1 {
				at := m.w + unit*m.Data.Items + int(i)
				base += theta[at]
				row = append(row, entry{at, reliability})
			}
		}
		if rater >= 0 {
			row = append(row, entry{m.global + rater, base})
		}
		m.rows[k], m.base[k], m.v[k] = row, base, reliability*base
	}
	at := n
	add := func(row ...entry) {
		m.rows[at] = append(m.rows[at][:0], row...)
		at++
	}
	var nu, delta float64
	m.at.nu = at
	if m.ties() {
		nu = theta[m.nu]
		row := append(m.rows[at][:0], entry{m.nu, 1})
		for j, x := range z {
			nu += x * theta[m.alpha+j]
			row = append(row, entry{m.alpha + j, x})
		}
		m.rows[at] = row
		at++
		m.at.tie = at
		if m.Ties == ItemTies {
			for _, i := range items {
				add(entry{m.layout.tie + int(i), 1})
			}
		}
		m.at.distance = at
		if m.Ties == DistanceTies {
			delta = theta[m.distance]
			add(entry{m.distance, 1})
		}
		m.at.f = at
		for a := range m.Pairs.Ties {
			add(entry{m.f + a, 1})
		}
	}
	if !m.ties() {
		m.at.f = at
	}
	m.at.g = at
	for b := range m.Pairs.Orders {
		add(entry{m.g + b, 1})
	}
	m.at.size = at
	for s := range 2 * m.tierSizes() {
		add(entry{m.sizeParameter(s), 1})
	}
	m.dim = at
	m.loadSizes(theta)
	if m.Choices {
		m.loadChoices(theta, z)
	}
	for k := range n {
		for l := range k {
			d := m.v[k] - m.v[l]
			here, there := k*n+l, l*n+k
			m.above[here], m.above[there] = d/2, -d/2
			tie := nu
			if m.Ties == ItemTies && m.ties() {
				tie += (theta[m.layout.tie+int(items[k])] + theta[m.layout.tie+int(items[l])]) / 2
			}
			if m.Ties == DistanceTies {
				curve := osm.LogCosh(d / 2)
				slope := delta * math.Tanh(d/2) / 2
				m.curve[here], m.curve[there] = curve, curve
				m.slope[here], m.slope[there] = slope, -slope
				tie += delta * curve
			}
			m.tie[here], m.tie[there] = tie, tie
		}
	}
	m.loadFeatures(theta, items)
}

// ties is whether the space has ties.
func (m *local) ties() bool { return m.Space != WithoutTies }

// loadFeatures evaluates the features of pairs.
func (m *local) loadFeatures(theta []float64, items []int32) {
	n, at := m.n, 0
	for a, f := range m.Pairs.Ties {
		if !m.ties() {
			break
		}
		values := m.features[at*n*n : (at+1)*n*n]
		at++
		for k := range n {
			for l := range k { // items ascend
				v := f.Value(int(items[l]), int(items[k]))
				values[k*n+l], values[l*n+k] = v, v
				m.tie[k*n+l] += theta[m.f+a] * v
				m.tie[l*n+k] += theta[m.f+a] * v
			}
		}
	}
	for b, g := range m.Pairs.Orders {
		values := m.features[at*n*n : (at+1)*n*n]
		at++
		for k := range n {
			for l := range n {
				if k != l {
					values[k*n+l] = g.Value(int(items[k]), int(items[l]))
					m.above[k*n+l] += theta[m.g+b] * values[k*n+l]
				}
			}
		}
	}
}

// resize makes room for n items.
func (m *local) resize() {
	n := m.n
	features := len(m.Pairs.Ties) + len(m.Pairs.Orders)
	most := 2*n + 2 + features + len(m.tieSizes) + 2*min(n, m.Data.Sizes)
	if cap(m.statistic) >= most && cap(m.above) >= n*n {
		m.base, m.v = m.base[:n], m.v[:n]
		return
	}
	m.base, m.v = make([]float64, n), make([]float64, n)
	m.above, m.tie, m.curve, m.slope = make([]float64, n*n), make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	m.features = make([]float64, features*n*n)
	m.mean, m.statistic = make([]float64, most), make([]float64, most)
	m.covariance = make([]float64, most*most)
	for len(m.rows) < most {
		m.rows = append(m.rows, nil)
	}
}

// N, LogTie and LogAbove implement exact.Pairwise.
func (m *local) N() int                    { return m.n }
func (m *local) LogTie(k, l int) float64   { return m.tie[k*m.n+l] }
func (m *local) LogAbove(k, l int) float64 { return m.above[k*m.n+l] }

// logWeight is the log weight of an outcome.
func (m *local) logWeight(tiers []int32) (weight float64) {
	for k := range tiers {
		for l := range k {
			switch {
			case tiers[k] == tiers[l]:
				weight += m.tie[k*m.n+l]
			case tiers[k] < tiers[l]:
				weight += m.above[k*m.n+l]
			default:
				weight += m.above[l*m.n+k]
			}
		}
	}
	if m.tierSizes() > 0 {
		eachTier(tiers, func(size int, last bool) { weight += m.sizes.At(size, last) })
	}
	return weight
}

// logProbability is that of an outcome; log Z must be there.
func (m *local) logProbability(tiers []int32) float64 { return m.logWeight(tiers) - m.logZ }

// addPair adds the statistics of a pair of places k > l: share times those of a tie, of k above l, and of l above k.
func (m *local) addPair(out []float64, k, l int, tied, over, under float64) {
	n := m.n
	half := (over - under) / 2
	out[k] += half
	out[l] -= half
	at := n
	if m.ties() {
		out[at] += tied
		at++
		if m.Ties == ItemTies {
			out[at+k] += tied / 2
			out[at+l] += tied / 2
			at += n
		}
		if m.Ties == DistanceTies {
			slope := tied * m.slope[k*n+l]
			out[k] += slope
			out[l] -= slope
			out[at] += tied * m.curve[k*n+l]
			at++
		}
	}
	f := 0
	if m.ties() {
		for range m.Pairs.Ties {
			out[at] += tied * m.features[f*n*n+k*n+l]
			at++
			f++
		}
	}
	for range m.Pairs.Orders {
		out[at] += over*m.features[f*n*n+k*n+l] + under*m.features[f*n*n+l*n+k]
		at++
		f++
	}
}

// statisticsOf writes the statistics of an outcome.
func (m *local) statisticsOf(tiers []int32, out []float64) {
	clear(out[:m.dim])
	for k := range tiers {
		for l := range k {
			switch {
			case tiers[k] == tiers[l]:
				m.addPair(out, k, l, 1, 0, 0)
			case tiers[k] < tiers[l]:
				m.addPair(out, k, l, 0, 1, 0)
			default:
				m.addPair(out, k, l, 0, 0, 1)
			}
		}
	}
	if of := m.tierSizes(); of > 0 {
		eachTier(tiers, func(size int, last bool) {
			if size <= of {
				out[m.at.size+size-1]++
				if last {
					out[m.at.size+of+size-1]++
				}
			}
		})
	}
}

// byVote reports whether the gradient of a vote depends on its tiers beyond their statistics: of slots and of choices.
func (m *local) byVote() bool { return m.Slots || m.Choices }

// ofVote is the log likelihood of a vote, by its slots or choices, with its gradient by the local coordinates in m.statistic
// and, if asked for, its information in m.covariance.
func (m *local) ofVote(tiers []int32, information bool) float64 {
	if m.Choices {
		return m.choose(tiers, information)
	}
	return m.composite(tiers, information)
}

// residual writes the gradient of the log likelihood of one vote by the local coordinates to m.statistic. Without slots and
// choices the means must be there.
func (m *local) residual(tiers []int32) {
	if m.byVote() {
		m.ofVote(tiers, false)
		return
	}
	m.statisticsOf(tiers, m.statistic)
	for a, v := range m.mean[:m.dim] {
		m.statistic[a] -= v
	}
}

// expect computes log Z, the means of the statistics, and if asked for their covariance. Slots and choices have no need of
// them.
func (m *local) expect(covariance bool) error {
	if m.byVote() {
		return nil
	}
	if m.listed() {
		m.list(covariance)
		return nil
	}
	if err := m.expectTable(m.mean); err != nil {
		return err
	}
	if !covariance {
		return nil
	}
	// The covariance of a and b is the derivative of the mean of b when the log weight has
	// a small multiple of statistic a added: no pair by more than 1e-4, whatever its unit.
	logZ := m.logZ
	up, down := make([]float64, m.dim), make([]float64, m.dim)
	for a := range m.dim {
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
		for b := range m.dim {
			m.covariance[a*m.dim+b] = (up[b] - down[b]) / (2 * step)
		}
	}
	m.logZ = logZ
	for a := range m.dim {
		for b := range a {
			both := (m.covariance[a*m.dim+b] + m.covariance[b*m.dim+a]) / 2
			m.covariance[a*m.dim+b], m.covariance[b*m.dim+a] = both, both
		}
	}
	return nil
}

// moments are those of the subset table.
func (m *local) moments() (*exact.Moments, error) {
	table, err := exact.NewTable(m, m.Space.Of(m.n))
	if err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	m.logZ = table.LogZ()
	return table.Moments(), nil
}

func (m *local) expectTable(mean []float64) error {
	moments, err := m.moments()
	if err != nil {
		return err
	}
	clear(mean[:m.dim])
	for k := range m.n {
		for l := range k {
			m.addPair(mean, k, l, moments.Tied(k, l), moments.Above(k, l), moments.Above(l, k))
		}
	}
	of := m.tierSizes()
	for s := range of {
		mean[m.at.size+s], mean[m.at.size+of+s] = moments.Blocks(s+1), moments.Last(s+1)
	}
	return nil
}

// tilt adds a multiple of statistic a to the log weight.
func (m *local) tilt(a int, by float64) {
	if a >= m.at.size {
		m.sizes[m.sizeIndex(a-m.at.size)] += by
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
func (m *local) reach(a int) (most float64) {
	if a >= m.at.size {
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
func (m *local) eachPair(a int, do func(k, l int, tied, over, under float64)) {
	one := m.statistic[:m.dim]
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

// list computes the same from all outcomes.
func (m *local) list(covariance bool) {
	outcomes := m.all()
	p := m.probabilities[:0]
	largest := math.Inf(-1)
	for _, tiers := range outcomes {
		w := m.logWeight(tiers)
		p = append(p, w)
		largest = max(largest, w)
	}
	var z float64
	for o, w := range p {
		p[o] = math.Exp(w - largest)
		z += p[o]
	}
	m.probabilities, m.logZ = p, largest+math.Log(z)
	mean := m.mean[:m.dim]
	clear(mean)
	if covariance {
		clear(m.covariance[:m.dim*m.dim])
	}
	for o, tiers := range outcomes {
		p[o] /= z
		m.statisticsOf(tiers, m.statistic)
		for a, s := range m.statistic[:m.dim] {
			if s == 0 {
				continue
			}
			mean[a] += p[o] * s
			if covariance {
				row := m.covariance[a*m.dim : a*m.dim+a+1]
				for b := range row {
					row[b] += p[o] * s * m.statistic[b]
				}
			}
		}
	}
	if !covariance {
		return
	}
	for a := range m.dim {
		for b := range a + 1 {
			c := m.covariance[a*m.dim+b] - mean[a]*mean[b]
			m.covariance[a*m.dim+b], m.covariance[b*m.dim+a] = c, c
		}
	}
}

// all are the tiers of the outcomes of n items.
func (m *local) all() [][]int32 {
	for len(m.listing) <= m.n {
		m.listing = append(m.listing, nil)
	}
	if m.listing[m.n] == nil && m.Space == TwoTiers {
		m.listing[m.n] = twoTiers(m.n)
	}
	if m.listing[m.n] == nil {
		space := m.Space.Of(m.n)
		for x := range partition.All(m.n) {
			if !space.Contains(x.Len()) {
				continue
			}
			tiers := make([]int32, m.n)
			for t := range x.Len() {
				for _, k := range x.Block(t) {
					tiers[k] = int32(t)
				}
			}
			m.listing[m.n] = append(m.listing[m.n], tiers)
		}
	}
	return m.listing[m.n]
}
