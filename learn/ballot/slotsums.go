package ballot

// addResiduals adds what a lifted place gives to the gradient: observed less expected statistics.
func (s *slots) addResiduals(i, observed int) {
	at := s.position[i]
	for c := range s.steps {
		s.residual[c] += s.steps[c].residual
	}
	for k, f := range s.free {
		s.Local.Statistic[f.at] += f.value[observed]
		if k < s.kinds() { // its own step is not one of another item
			s.Local.Statistic[f.at] -= s.steps[s.stepOf(k, at)].residual
		}
	}
}

// covarianceOf is that of two steps of a lifted place. Where the lifted item is tied with the lower of two tiers or
// is below it, it is below the upper one.
func (s *slots) covarianceOf(b, c int) float64 {
	x, y := &s.steps[b], &s.steps[c]
	switch {
	case x.tier < y.tier:
		return (x.z - x.mean) * y.mean
	case x.tier > y.tier:
		return (y.z - y.mean) * x.mean
	}
	return x.y*y.y*s.p[2*x.tier+1] + x.z*y.z*s.tail[x.tier] - x.mean*y.mean
}

// addCovariance adds the covariance of the statistics over the slots of a lifted place: that of steps to s.square, that of
// shared coordinates and steps to s.shared, and the rest to its coordinates.
func (s *slots) addCovariance(i int) {
	steps, kinds, at := len(s.steps), s.kinds(), s.position[i]
	for c := range s.steps {
		y := &s.steps[c]
		row := s.square[c*steps : c*steps+c+1]
		if y.mean != 0 {
			for b, rest := range s.rest[:y.first] {
				row[b] += rest * y.mean
			}
		}
		for b := y.first; b <= c; b++ {
			row[b] += s.covarianceOf(b, c)
		}
	}
	s.cross()
	for a, f := range s.free {
		for _, g := range s.free[:a+1] {
			var sum float64
			for q, p := range s.p {
				sum += p * f.value[q] * g.value[q]
			}
			s.lower(f.at, g.at, sum)
		}
		own := a < kinds
		crossed := s.crossed[a*steps : (a+1)*steps]
		for kind := range kinds { // the item's own steps are not of another item
			c := s.stepOf(kind, at)
			switch {
			case !own:
				s.lower(f.at, s.coordinate(kind, i), -crossed[c])
			case kind <= a:
				s.lower(f.at, s.coordinate(kind, i), -s.covarianceOf(s.stepOf(a, at), c))
			}
		}
		if !own {
			row := s.shared[f.at*steps : (f.at+1)*steps]
			for c, v := range crossed {
				row[c] += v
			}
			continue
		}
		mine := s.stepOf(a, at)
		for other, k := range s.order {
			for kind := range kinds {
				if c := s.stepOf(kind, other); k != i {
					s.lower(f.at, s.coordinate(kind, k), crossed[c]-s.covarianceOf(mine, c))
				}
			}
		}
	}
}

// cross computes the covariance of free statistics and steps.
func (s *slots) cross() {
	steps := len(s.steps)
	s.crossed = s.crossed[:0]
	for _, f := range s.free {
		below, q := 0.0, len(s.p)
		first := len(s.crossed)
		s.crossed = append(s.crossed, make([]float64, steps)...)
		row := s.crossed[first:]
		for c := steps - 1; c >= 0; c-- {
			each := &s.steps[c]
			for ; q > 2*each.tier+2; q-- {
				below += s.p[q-1] * f.value[q-1]
			}
			row[c] = each.y*s.p[2*each.tier+1]*f.value[2*each.tier+1] + each.z*below
		}
	}
}

// lower adds to the lower triangle of the covariance.
func (s *slots) lower(a, b int, v float64) { s.Covariance[max(a, b)*s.Dim+min(a, b)] += v }

// spread gives every place what the steps of its tier have summed up to.
func (s *slots) spread(covariance bool) {
	steps, kinds := len(s.steps), s.kinds()
	for at, k := range s.order {
		for kind := range kinds {
			s.Local.Statistic[s.coordinate(kind, k)] += s.residual[s.stepOf(kind, at)]
		}
	}
	if !covariance {
		return
	}
	for at, k := range s.order {
		for kind := range kinds {
			a, c := s.coordinate(kind, k), s.stepOf(kind, at)
			for other, l := range s.order[:at+1] {
				for with := range kinds {
					if other == at && with > kind {
						continue
					}
					d := s.stepOf(with, other)
					s.lower(a, s.coordinate(with, l), s.square[max(c, d)*steps+min(c, d)])
				}
			}
			for b := s.n; b < s.Dim; b++ {
				if kinds == 1 || b < s.at.Tie || b >= s.at.Tie+s.n {
					s.lower(a, b, s.shared[b*steps+c])
				}
			}
		}
	}
	for a := range s.Dim {
		for b := range a {
			s.Covariance[b*s.Dim+a] = s.Covariance[a*s.Dim+b]
		}
	}
}

// Composite is the slot log likelihood of an outcome. It writes the gradient by the local coordinates to m.Statistic, and if
// asked for the sum of the conditional covariances to m.Covariance.
func (m *Local) Composite(tiers []int32, covariance bool) (value float64) {
	m.scratch()
	s := m.slot
	s.read(tiers)
	clear(m.Statistic[:m.Dim])
	if covariance {
		clear(m.Covariance[:m.Dim*m.Dim])
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
