package latent

import (
	"slices"

	"fubini/core/partition"
	"fubini/core/vec"
	"fubini/infer/mcmc"
)

// Marginal is the marginal distribution of the tier list, with the units summed out, at a
// temperature: a target for the kernels of infer/mcmc. A slot costs O(K): K logarithms with
// binary units, K multiplications with Gaussian ones. It holds scratch space: use one for each
// goroutine.
type Marginal struct {
	*Model
	tau          float64
	a, step, sum []float64
}

// NewMarginal returns the target at temperature 1.
func NewMarginal(m *Model) *Marginal {
	return &Marginal{Model: m, tau: 1, a: make([]float64, m.k), step: make([]float64, m.k), sum: make([]float64, m.k)}
}

// LogWeight is the log weight of x at the temperature.
func (m *Marginal) LogWeight(x *partition.Partition) float64 {
	m.Activations(x, m.a)
	return m.tau*m.base(x) + m.free(m.a, m.tau)
}

// SplitGain implements mcmc.SplitTarget in O(N K).
func (m *Marginal) SplitGain(x *partition.Partition, t int, upper []int) float64 {
	// With A above B: (|B| sum of A - |A| sum of B)/2 - nu |A||B|, for the base and
	// for every unit. The sum over B is that over the block less that over A.
	lower := x.Size(t) - len(upper)
	a, b := float64(len(upper)), float64(lower)
	up, all := m.sums(upper, m.sum), m.sums(x.Block(t), m.step)
	for j := range m.step { // |B| up - |A| (all - up)
		m.step[j] = ((a+b)*m.sum[j]-a*m.step[j])/2 - m.nuK[j]*a*b
	}
	return m.gain(x, ((a+b)*up-a*all)/2-m.nu*a*b, 1) + m.tau*m.sizes.Cut(len(upper), lower, t == x.Len()-1)
}

// MergeGain implements mcmc.SplitTarget in O(N K).
func (m *Marginal) MergeGain(x *partition.Partition, t int) float64 {
	a, b := float64(x.Size(t)), float64(x.Size(t+1))
	up := m.sums(x.Block(t), m.sum)
	down := m.sums(x.Block(t+1), m.step)
	for j := range m.step {
		m.step[j] = (b*m.sum[j]-a*m.step[j])/2 - m.nuK[j]*a*b
	}
	return m.gain(x, (b*up-a*down)/2-m.nu*a*b, -1) - m.tau*m.sizes.Cut(x.Size(t), x.Size(t+1), t+1 == x.Len()-1)
}

// sums writes the sum of W over items and returns that of u.
func (m *Marginal) sums(items []int, out []float64) (u float64) {
	clear(out)
	for _, i := range items {
		u += m.u[i]
		vec.AddTimes(out, m.w[i*m.k:(i+1)*m.k], 1)
	}
	return u
}

// gain is the change of log weight when the base changes by sign times base and
// the activations by sign times m.step, both before scaling.
func (m *Marginal) gain(x *partition.Partition, base, sign float64) float64 {
	m.Activations(x, m.a)
	before := m.free(m.a, m.tau)
	for j, v := range m.step {
		m.a[j] += sign * m.scale * v
	}
	return m.tau*sign*m.scale*base + m.free(m.a, m.tau) - before
}

// NewSlots implements mcmc.SlotTarget.
func (m *Marginal) NewSlots() mcmc.Slots {
	return &slots{Marginal: m, at: make([]float64, m.k), half: make([]float64, m.k)}
}

// slots keeps the sums of W over each block through a sweep. Going down past block t of n items, with weights
// summing to S, a lifted item i changes every activation by S - n W_i; joining
// the block changes it by half of that, plus nu_k n.
type slots struct {
	*Marginal
	blocks []block
	spare  [][]float64
	at     []float64 // scratch: those of the slot in hand
	half   []float64 // scratch
}

type block struct {
	u float64   // sum of u
	w []float64 // sum of W
}

func (s *slots) newBlock() block {
	if last := len(s.spare) - 1; last >= 0 {
		w := s.spare[last]
		s.spare = s.spare[:last]
		return block{w: w}
	}
	return block{w: make([]float64, s.k)}
}

func (s *slots) Load(x *partition.Partition) {
	for _, b := range s.blocks {
		s.spare = append(s.spare, b.w)
	}
	s.blocks = s.blocks[:0]
	for t := range x.Len() {
		b := s.newBlock()
		b.u = s.sums(x.Block(t), b.w)
		s.blocks = append(s.blocks, b)
	}
}

func (s *slots) Lifted(_ *partition.Partition, item, slot int) {
	t := slot / 2
	if slot%2 == 0 {
		s.spare = append(s.spare, s.blocks[t].w)
		s.blocks = slices.Delete(s.blocks, t, t+1)
		return
	}
	s.change(t, item, -1)
}

func (s *slots) Inserted(_ *partition.Partition, item, slot int) {
	t := slot / 2
	if slot%2 == 0 {
		b := s.newBlock()
		clear(b.w)
		s.blocks = slices.Insert(s.blocks, t, b)
	}
	s.change(t, item, 1)
}

func (s *slots) change(t, item int, sign float64) {
	s.blocks[t].u += sign * s.u[item]
	for j, v := range s.w[item*s.k : (item+1)*s.k] {
		s.blocks[t].w[j] += sign * v
	}
}

func (s *slots) Weigh(x *partition.Partition, item int, weights []float64) (logs bool) {
	row := s.w[item*s.k : (item+1)*s.k]
	s.top(x, item)
	var base float64
	for t, b := range s.blocks {
		n := float64(x.Size(t))
		weights[2*t] = s.tau*base + s.free(s.at, s.tau)
		past := s.scale * (b.u - n*s.u[item])
		for j, v := range b.w {
			d := s.scale * (v - n*row[j])
			s.half[j] = s.at[j] + d/2 + s.scale*n*s.nuK[j]
			s.at[j] += d
		}
		weights[2*t+1] = s.tau*(base+past/2+s.scale*n*s.nu) + s.free(s.half, s.tau)
		base += past
	}
	weights[len(weights)-1] = s.tau*base + s.free(s.at, s.tau)
	s.sizes.AddGains(x, s.tau, weights)
	return true
}

// top writes into s.at the activations with the lifted item above everything:
// biases, ties and scores of the others as they stand, and the item's own.
func (s *slots) top(x *partition.Partition, item int) {
	copy(s.at, s.b)
	ties := s.scale * float64(x.TiedPairs())
	for j := range s.at {
		s.at[j] += ties * s.nuK[j]
	}
	for t, b := range s.blocks {
		score := s.score(x, t)
		for j, v := range b.w {
			s.at[j] += score * v
		}
	}
	own := s.scale * (float64(s.n-1) - s.centre)
	for j, v := range s.w[item*s.k : (item+1)*s.k] {
		s.at[j] += own * v
	}
}
