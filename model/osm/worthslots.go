package osm

import (
	"math"
	"slices"

	"fubini/core/partition"
	"fubini/infer/mcmc"
)

// NewSlots returns the slot weights of a lifted item, in O(1) each. Moving item i down past
// block t, of n_t items with worths summing to S_t, multiplies its weight by r_t^2 with
//
//	r_t = e^{(S_t - n_t u_i)/2},
//
// and joining the block has the weight r_t e^{nu n_t} relative to the gap above it. Weights by
// tier size change the weight of joining, and that of the gap below the last block. One pass
// over the blocks computes all slots; block sums are kept through a sweep. See
// docs/maths.md#reinsertion.
//
// The pass has two forms. When no weight can leave the range of float64, r_t is a product of
// stored powers, without exponentials; otherwise the pass adds logarithms.
func (m *Worths) NewSlots() mcmc.Slots {
	n := m.N()
	return &worthSlots{
		model: m, sum: make([]float64, 0, n+1), product: make([]float64, 0, n+1),
		root: make([]float64, n), inverse: make([]float64, n), tie: make([]float64, n+1), power: make([]float64, n+1),
	}
}

type worthSlots struct {
	model *Worths
	plain bool // weights stay in range: multiply instead of adding logs

	sum     []float64 // S_t, for the logs
	product []float64 // e^{S_t/2}, for the plain form
	root    []float64 // e^{u_i/2}, worths centred
	inverse []float64 // e^{-u_i/2}
	tie     []float64 // e^{nu n}, with sizes also what joining a block of n gains
	lowest  []float64 // with sizes: what joining the last block gains over that
	under   []float64 // and standing alone under it
	power   []float64 // scratch: e^{-n u_i/2} of the lifted item
}

// safe bounds the logarithm of any weight in the plain form: e^600 is well
// inside float64, and so is the sum of all weights.
const safe = 600

func (s *worthSlots) Load(x *partition.Partition) {
	m := s.model
	n := float64(m.N())
	low, high := slices.Min(m.worth), slices.Max(m.worth)
	s.plain = n*(high-low+math.Abs(m.tie))+m.sizes.most() < safe
	if !s.plain {
		s.sum = s.sum[:0]
		for t := range x.Len() {
			s.sum = append(s.sum, m.sum(x.Block(t)))
		}
		return
	}
	middle := (low + high) / 2 // a constant on all worths changes nothing
	for i, u := range m.worth {
		s.root[i] = math.Exp((u - middle) / 2)
		s.inverse[i] = 1 / s.root[i]
	}
	step := math.Exp(m.tie)
	s.tie[0] = 1
	for k := 1; k < len(s.tie); k++ {
		s.tie[k] = s.tie[k-1] * step
	}
	s.loadSizes()
	s.product = s.product[:0]
	for t := range x.Len() {
		p := 1.0
		for _, item := range x.Block(t) {
			p *= s.root[item]
		}
		s.product = append(s.product, p)
	}
}

// loadSizes reads the weights by tier size, if there are any.
func (s *worthSlots) loadSizes() {
	g := s.model.sizes
	if len(g) == 0 {
		return
	}
	if s.lowest == nil {
		s.lowest, s.under = make([]float64, len(s.tie)), make([]float64, len(s.tie))
	}
	for n := 1; n < len(s.tie); n++ {
		join := g.Gain(SizeChange{n, true, false})
		s.tie[n] *= math.Exp(join)
		s.lowest[n] = math.Exp(g.Gain(SizeChange{n, true, true}) - join)
		s.under[n] = math.Exp(g.Gain(SizeChange{n, false, true}))
	}
}

func (s *worthSlots) Lifted(x *partition.Partition, item, slot int) {
	t := slot / 2
	switch alone := slot%2 == 0; {
	case alone && s.plain:
		s.product = slices.Delete(s.product, t, t+1)
	case alone:
		s.sum = slices.Delete(s.sum, t, t+1)
	case s.plain:
		s.product[t] *= s.inverse[item]
	default: // added up anew: differences of very large worths would not be exact
		s.sum[t] = s.model.sum(x.Block(t))
	}
}

func (s *worthSlots) Inserted(_ *partition.Partition, item, slot int) {
	t := slot / 2
	switch alone := slot%2 == 0; {
	case alone && s.plain:
		s.product = slices.Insert(s.product, t, s.root[item])
	case alone:
		s.sum = slices.Insert(s.sum, t, s.model.worth[item])
	case s.plain:
		s.product[t] *= s.root[item]
	default:
		s.sum[t] += s.model.worth[item]
	}
}

func (s *worthSlots) Weigh(x *partition.Partition, item int, weights []float64) (logs bool) {
	if s.plain {
		s.multiply(x, item, weights)
		return false
	}
	s.add(x, item, weights)
	s.model.sizes.AddGains(x, 1, weights)
	return true
}

// add is the pass in logarithms. It runs twice: once to find the best gap, then
// from there outwards, so that slots near the best, the only ones that matter,
// are weighed in small numbers however large the worths are.
func (s *worthSlots) add(x *partition.Partition, item int, weights []float64) {
	u := s.model.worth[item]
	best, most, gap := 0, 0.0, 0.0
	for t, sum := range s.sum {
		if gap += sum - float64(x.Size(t))*u; gap > most {
			best, most = t+1, gap
		}
	}
	half := func(t int) float64 { return (s.sum[t] - float64(x.Size(t))*u) / 2 }
	weights[2*best] = 0
	gap = 0
	for t := best; t < len(s.sum); t++ { // down
		h := half(t)
		weights[2*t+1] = gap + h + s.model.tie*float64(x.Size(t))
		gap += 2 * h
		weights[2*t+2] = gap
	}
	gap = 0
	for t := best - 1; t >= 0; t-- { // and up
		h := half(t)
		weights[2*t+1] = gap - h + s.model.tie*float64(x.Size(t))
		gap -= 2 * h
		weights[2*t] = gap
	}
}

func (s *worthSlots) multiply(x *partition.Partition, item int, weights []float64) {
	inverse := s.inverse[item]
	power := s.power[:2]
	power[0], power[1] = 1, inverse
	gap := 1.0
	for t, product := range s.product {
		n := x.Size(t)
		for len(power) <= n {
			power = append(power, power[len(power)-1]*inverse)
		}
		r := product * power[n]
		two := weights[2*t : 2*t+2 : 2*t+2] // one check of bounds for both
		two[0] = gap
		two[1] = gap * (r * s.tie[n])
		gap *= r * r
	}
	weights[len(weights)-1] = gap
	if last := len(s.product) - 1; len(s.model.sizes) > 0 && last >= 0 {
		n := x.Size(last)
		weights[2*last+1] *= s.lowest[n]
		weights[2*last+2] *= s.under[n]
	}
}
