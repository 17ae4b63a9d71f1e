package likelihood

import (
	"cmp"
	"math"
	"slices"

	"fubini/model/osm"
)

// slots is the slot likelihood of one outcome: the product over its items of the probability of the slot that the item has,
// given the tiers of all others. Sums are over the items lifted one at a time. See docs/maths.md#votes.
//
// Slot 2t is the gap above tier t, slot 2t+1 is tier t, slot 2T the gap below all. Tiers are those of the whole outcome. Where
// the lifted item was alone in tier t, that tier and the gap below it have the probability 0, and the item's slot is 2t.
type slots struct {
	*local
	low, high int   // allowed numbers of tiers
	tiers     int   // T
	tier      []int // of each place
	order     []int // places, best first
	position  []int // of each place in the order
	count     []int // places in each tier

	// Of the lifted item. A step is a statistic of other items of one tier: 0 where the lifted item is above them, y where it is
	// tied with them, z where it is below. A free statistic has any value at each slot.
	p              []float64 // probability of each slot
	tail           []float64 // of all slots below each tier
	up, down, tied []float64 // log potentials with the items of each tier: they above, they below, tied
	others         []int     // items of each tier without the lifted one
	steps          []step
	free           []statistic
	rest           []float64 // z of each step less its mean
	crossed        []float64 // covariance of free statistics and steps

	// Sums over lifted items.
	residual []float64 // of steps, observed minus expected
	square   []float64 // covariance of steps: lower triangle
	shared   []float64 // covariance of the coordinates from nu on, but for tie deviations, and steps
}

type step struct {
	tier     int
	first    int // step of the same tier
	y, z     float64
	mean     float64
	residual float64
}

type statistic struct {
	at    int       // its coordinate
	value []float64 // at each slot, less the mean
}

// composite is the slot log likelihood of an outcome. It writes the gradient by the local coordinates to m.statistic, and if
// asked for the sum of the conditional covariances to m.covariance.
func (m *local) composite(tiers []int32, covariance bool) (value float64) {
	m.scratch()
	s := m.slot
	s.read(tiers)
	clear(m.statistic[:m.dim])
	if covariance {
		clear(m.covariance[:m.dim*m.dim])
	}
	for i := range m.n {
		observed, log := s.lift(i)
		value += log
		s.setSteps(i, observed)
		s.setFree(i)
		s.addResiduals(i, observed)
		if covariance {
			s.addCovariance(i)
		}
	}
	s.spread(covariance)
	return value
}

// slotPairs are the probabilities of all pairs of places in an outcome, the mean of those of either lifted.
func (m *local) slotPairs(tiers []int32) (above, tied []float64) {
	m.scratch()
	s, n := m.slot, m.n
	s.read(tiers)
	above, tied = make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		s.lift(i)
		for j, t := range s.tier {
			if j == i {
				continue
			}
			level, below := s.p[2*t+1]/2, s.tail[t]/2
			tied[i*n+j] += level
			tied[j*n+i] += level
			above[j*n+i] += below
			above[i*n+j] += 0.5 - level - below
		}
	}
	return above, tied
}

// scratch makes room for the slots.
func (m *local) scratch() {
	if m.slot == nil {
		m.slot = &slots{local: m}
	}
}

// read sorts the places of an outcome.
func (s *slots) read(tiers []int32) {
	n := s.n
	s.low, s.high, _ = s.Space.Of(n).Bounds(n)
	s.order, s.count = s.order[:0], s.count[:0]
	s.tier, s.position = slices.Grow(s.tier[:0], n)[:n], slices.Grow(s.position[:0], n)[:n]
	for k := range n {
		s.order = append(s.order, k)
	}
	slices.SortFunc(s.order, func(a, b int) int { return cmp.Or(cmp.Compare(tiers[a], tiers[b]), a-b) })
	for at, k := range s.order {
		if at == 0 || tiers[k] != tiers[s.order[at-1]] {
			s.count = append(s.count, 0)
		}
		s.tier[k], s.position[k] = len(s.count)-1, at
		s.count[len(s.count)-1]++
	}
	s.tiers = len(s.count)
	room := func(v *[]float64, size int) { *v = slices.Grow((*v)[:0], size)[:size] }
	room(&s.p, 2*s.tiers+1)
	for _, v := range []*[]float64{&s.tail, &s.up, &s.down, &s.tied} {
		room(v, s.tiers)
	}
	s.others = slices.Grow(s.others[:0], s.tiers)[:s.tiers]
	steps := s.tiers
	switch {
	case s.byItem():
		steps = n
	case s.kinds() == 2:
		steps = 2 * s.tiers
	}
	s.steps = slices.Grow(s.steps[:0], steps)[:steps]
	room(&s.residual, steps)
	room(&s.rest, steps)
	room(&s.square, steps*steps)
	room(&s.shared, s.dim*steps)
	clear(s.residual)
	clear(s.square)
	clear(s.shared)
}

// byItem is whether other items of one tier have statistics that differ.
func (s *slots) byItem() bool { return s.Ties == DistanceTies && s.ties() }

// kinds is the number of coordinates of a place: its worth, and with one tie weight an item the deviation.
func (s *slots) kinds() int {
	if s.Ties == ItemTies && s.ties() {
		return 2
	}
	return 1
}

// coordinate is that of a place, of one kind.
func (s *slots) coordinate(kind, k int) int {
	if kind == 1 {
		return s.at.tie + k
	}
	return k
}

// stepOf is the step of a place in position at of the order, of one kind.
func (s *slots) stepOf(kind, at int) int {
	if s.byItem() {
		return at
	}
	return s.tier[s.order[at]]*s.kinds() + kind
}

// lift computes the probabilities of the slots of a place and returns the slot that it has, with the log of its probability.
func (s *slots) lift(i int) (observed int, log float64) {
	n, home := s.n, s.tier[i]
	clear(s.up)
	clear(s.down)
	clear(s.tied)
	copy(s.others, s.count)
	s.others[home]--
	over, tie := s.above[i*n:(i+1)*n], s.local.tie[i*n:(i+1)*n]
	for j, t := range s.tier {
		if j != i {
			s.up[t] += s.above[j*n+i]
			s.down[t] += over[j]
			s.tied[t] += tie[j]
		}
	}
	gap := 0.0
	for t := range s.tiers {
		s.p[2*t], s.p[2*t+1] = gap, gap+s.tied[t]-s.down[t]
		gap += s.up[t] - s.down[t]
	}
	s.p[2*s.tiers] = gap
	s.addSizes()
	observed = 2*home + 1
	left := s.tiers
	if s.others[home] == 0 {
		observed--
		left--
		s.p[2*home+1], s.p[2*home+2] = math.Inf(-1), math.Inf(-1)
	}
	for q := range s.p {
		if join := q%2 == 1; join && left < s.low || !join && left >= s.high {
			s.p[q] = math.Inf(-1)
		}
	}
	most, sum := slices.Max(s.p), 0.0
	log = s.p[observed] - most
	for q, w := range s.p {
		s.p[q] = math.Exp(w - most)
		sum += s.p[q]
	}
	below := 0.0
	for q := len(s.p) - 1; q >= 0; q-- {
		s.p[q] /= sum
		if q%2 == 1 {
			s.tail[q/2] = below
		}
		below += s.p[q]
	}
	return observed, log - math.Log(sum)
}

// last is the last tier without the lifted item.
func (s *slots) last() int {
	if s.others[s.tiers-1] == 0 {
		return s.tiers - 2
	}
	return s.tiers - 1
}

// addSizes adds the weights of tier sizes to the log weights of slots.
func (s *slots) addSizes() {
	if s.tierSizes() == 0 {
		return
	}
	last := s.last()
	for t, size := range s.others {
		if size > 0 {
			s.p[2*t+1] += s.sizes.Gain(osm.Place{Size: size, Joins: true, Last: t == last})
		}
	}
	s.p[2*last+2] += s.sizes.Gain(osm.Place{Size: s.others[last], Last: true})
}

// setSteps sets the steps for a lifted place.
func (s *slots) setSteps(i, observed int) {
	n, kinds := s.n, s.kinds()
	for c := range s.steps {
		each := step{tier: c / kinds, first: c - c%kinds, y: 0.5, z: 1}
		switch {
		case s.byItem():
			j := s.order[c]
			each = step{tier: s.tier[j], first: c, y: 0.5 + s.slope[j*n+i], z: 1}
			if c > 0 && s.steps[c-1].tier == each.tier {
				each.first = s.steps[c-1].first
			}
			if j == i {
				each.y, each.z = 0, 0
			}
		case c%kinds == 1:
			each.z = 0
		}
		if s.others[each.tier] == 0 {
			each.y, each.z = 0, 0
		}
		each.mean = each.y*s.p[2*each.tier+1] + each.z*s.tail[each.tier]
		switch at := 2*each.tier + 1; {
		case observed == at:
			each.residual = each.y
		case observed > at:
			each.residual = each.z
		}
		each.residual -= each.mean
		s.steps[c], s.rest[c] = each, each.z-each.mean
	}
}

// statistic adds a free statistic with the value 0 at all slots.
func (s *slots) statistic(at int) []float64 {
	k := len(s.free)
	s.free = slices.Grow(s.free, 1)[:k+1]
	f := &s.free[k]
	f.at = at
	f.value = slices.Grow(f.value[:0], len(s.p))[:len(s.p)]
	clear(f.value)
	return f.value
}

// setFree sets the free statistics of a lifted place: first those of its own coordinates.
func (s *slots) setFree(i int) {
	s.free = s.free[:0]
	n := s.n
	worth := s.statistic(i)
	for q, above := 0, 0; q < len(s.p); q++ {
		below := n - 1 - above
		if q%2 == 1 {
			below -= s.others[q/2]
		}
		worth[q] = float64(below-above) / 2
		if q%2 == 1 {
			above += s.others[q/2]
		}
	}
	if s.kinds() == 2 {
		own := s.statistic(s.at.tie + i)
		for t, size := range s.others {
			own[2*t+1] = float64(size) / 2
		}
	}
	if s.ties() {
		nu := s.statistic(s.at.nu)
		for t, size := range s.others {
			nu[2*t+1] = float64(size)
		}
		if s.byItem() {
			curve := s.statistic(s.at.distance)
			for j, t := range s.tier {
				if j != i {
					worth[2*t+1] += s.slope[i*n+j]
					curve[2*t+1] += s.curve[i*n+j]
				}
			}
		}
		for a := range s.Pairs.Ties {
			value, f := s.statistic(s.at.f+a), s.features[a*n*n+i*n:]
			for j, t := range s.tier {
				if j != i {
					value[2*t+1] += f[j]
				}
			}
		}
	}
	for b := range s.Pairs.Orders {
		s.setOrders(i, s.statistic(s.at.g+b), s.features[(s.at.g-s.at.f+b)*n*n:])
	}
	s.setSizes()
	for k := range s.free {
		value, mean := s.free[k].value, 0.0
		for q, p := range s.p {
			mean += p * value[q]
		}
		for q := range value {
			value[q] -= mean
		}
	}
}

// setOrders sets the sum of a feature of ordered pairs, up to a constant.
func (s *slots) setOrders(i int, value, g []float64) {
	for j, t := range s.tier {
		if j != i {
			value[2*t+1] -= g[i*s.n+j]
			value[2*t+2] += g[j*s.n+i]
		}
	}
	gap := 0.0
	for t := range s.tiers {
		join := gap + value[2*t+1]
		value[2*t+1], value[2*t+2] = join, join+value[2*t+2]
		gap = value[2*t+2]
	}
}

// setSizes sets the numbers of tiers of the sizes that the slots differ in.
func (s *slots) setSizes() {
	of := s.tierSizes()
	if of == 0 {
		return
	}
	first := len(s.free)
	add := func(slot, size int, last bool, by float64) {
		if size > of {
			return
		}
		at := s.at.size + size - 1
		if last {
			at += of
		}
		k := first
		for k < len(s.free) && s.free[k].at != at {
			k++
		}
		if k == len(s.free) {
			s.statistic(at)
		}
		s.free[k].value[slot] += by
	}
	last := s.last()
	for t, size := range s.others {
		add(2*t, 1, false, 1)
		if size > 0 {
			add(2*t+1, size+1, false, 1)
			add(2*t+1, size, false, -1)
		}
	}
	add(2*s.tiers, 1, false, 1)
	size := s.others[last]
	add(2*last+1, size+1, true, 1)
	add(2*last+1, size, true, -1)
	add(2*last+2, 1, true, 1)
	add(2*last+2, size, true, -1)
}
