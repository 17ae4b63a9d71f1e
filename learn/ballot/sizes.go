package ballot

import "slices"

// tierSizes is the number of tier sizes with a weight in the vote in hand. Local coordinates have the numbers of
// tiers of each of these sizes, then the same for the last tier.
func (m *Local) tierSizes() int {
	if !m.ties() {
		return 0
	}
	return min(m.n, m.Data.Sizes)
}

// sizeParameter is the parameter of coordinate s of the sizes.
func (m *Local) sizeParameter(s int) int {
	if of := m.tierSizes(); s >= of {
		return m.Layout.Size + m.Data.Sizes + s - of
	}
	return m.Layout.Size + s
}

// sizeIndex is the place in osm.SizeWeights of coordinate s of the sizes.
func (m *Local) sizeIndex(s int) int {
	of := m.tierSizes()
	return s + 1 + s/of // element 0 of both rows is 0
}

// loadSizes sets the weights of tier sizes at theta.
func (m *Local) loadSizes(theta []float64) {
	of := m.tierSizes()
	if of == 0 {
		m.sizes = m.sizes[:0]
		return
	}
	m.sizes = slices.Grow(m.sizes[:0], 2*(of+1))[:2*(of+1)]
	clear(m.sizes)
	for s := range 2 * of {
		m.sizes[m.sizeIndex(s)] = m.given(theta, m.sizeParameter(s))
	}
}

// LogSizes implements exact.SizeWeigher.
func (m *Local) LogSizes() (every, last []float64) { return m.sizes.Rows() }

// eachTier calls visit with the size of every tier, for a few items.
func eachTier(tiers []int32, visit func(size int, last bool)) {
	lowest := slices.Max(tiers)
	for k, t := range tiers {
		if slices.Contains(tiers[:k], t) {
			continue
		}
		size := 0
		for _, other := range tiers[k:] {
			if other == t {
				size++
			}
		}
		visit(size, t == lowest)
	}
}
