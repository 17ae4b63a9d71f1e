package ballot

import "slices"

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
		own := s.statistic(s.at.Tie + i)
		for t, size := range s.others {
			own[2*t+1] = float64(size) / 2
		}
	}
	if s.ties() {
		nu := s.statistic(s.at.Nu)
		for t, size := range s.others {
			nu[2*t+1] = float64(size)
		}
		if s.byItem() {
			curve := s.statistic(s.at.Distance)
			for j, t := range s.tier {
				if j != i {
					worth[2*t+1] += s.slope[i*n+j]
					curve[2*t+1] += s.curve[i*n+j]
				}
			}
		}
		for a := range s.Pairs.Ties {
			value, f := s.statistic(s.at.F+a), s.features[a*n*n+i*n:]
			for j, t := range s.tier {
				if j != i {
					value[2*t+1] += f[j]
				}
			}
		}
	}
	for b := range s.Pairs.Orders {
		s.setOrders(i, s.statistic(s.at.G+b), s.features[(s.at.G-s.at.F+b)*n*n:])
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
		at := s.at.Size + size - 1
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
