package ballot

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
	*Local
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

// slotPairs are the probabilities of all pairs of places in an outcome, the mean of those of either lifted.
func (m *Local) slotPairs(tiers []int32) (above, tied []float64) {
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
			above[i*n+j] += max(0, 0.5-level-below) // rounding may leave less than nothing
		}
	}
	return above, tied
}

// scratch makes room for the slots.
func (m *Local) scratch() {
	if m.slot == nil {
		m.slot = &slots{Local: m}
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
	room(&s.shared, s.Dim*steps)
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
		return s.at.Tie + k
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
	over, tie := s.above[i*n:(i+1)*n], s.Local.tie[i*n:(i+1)*n]
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
			s.p[2*t+1] += s.sizes.Gain(osm.SizeChange{Size: size, Joins: true, Last: t == last})
		}
	}
	s.p[2*last+2] += s.sizes.Gain(osm.SizeChange{Size: s.others[last], Last: true})
}
