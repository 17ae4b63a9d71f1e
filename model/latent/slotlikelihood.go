package latent

import (
	"math"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/core/vec"
	"fubini/model/osm"
)

// SlotLikelihood is a composite likelihood of one list: the sum, over its items, of the log
// conditional probability of the item's slot given the order of all other items. With T tiers
// left there are 2T+1 slots, and the probability of slot s is
//
//	p_s = exp(F_s) / sum over r of exp(F_r),
//
// where F_s is [Model.LogWeight] of the list with the item in slot s: the hidden units are
// summed out. So each item adds to the gradient
//
//	sum over s of ([s is observed] - p_s) dF_s/dtheta,
//	dF/du_i = s_i, dF/dW_ik = s_i E[h_k], dF/db_k = E[h_k], dF/dnu = C,
//
// with scaled scores s_i, posterior means E[h_k] and C scaled tied pairs, all at slot s. The
// bracket is called the residual. Recommendations use the same probabilities. See
// docs/maths.md#slot-likelihood.
//
// It holds scratch space: use one for each goroutine.
type SlotLikelihood struct {
	Gradient // of the last list, without that of the units' tie weights, which is left zero

	gaussian gaussianSlots // for Gaussian units without tie weights: those of the default
	general  generalSlots  // for any units: the reference
	slow     bool          // tests only: always the general pass
}

// Evaluate computes the log slot likelihood of a list and its gradient, in O(N T K).
func (l *SlotLikelihood) Evaluate(m *Model, x *partition.Partition) (logLikelihood float64) {
	l.Gradient.reset(m)
	if m.units == Gaussian && !m.unitTies && !l.slow {
		return l.gaussian.evaluate(&l.Gradient, m, x)
	}
	clear(l.W)
	return l.general.evaluate(&l.Gradient, m, x)
}

// Slots returns the sum, over some of the items, of the log probability of the item's slot given the order of all others: these terms of the log slot likelihood.
func (l *SlotLikelihood) Slots(m *Model, x *partition.Partition, items []int) (sum float64) {
	if m.units == Gaussian && !m.unitTies && !l.slow {
		return l.gaussian.slots(m, x, items)
	}
	l.Gradient.reset(m)
	clear(l.W)
	l.general.load(&l.Gradient, m, x)
	for _, i := range items {
		sum += l.general.item(m, x, i, x.BlockOf(i), x.TiedPairs())
	}
	return sum
}

// generalSlots is the slot likelihood for units of any kind: every item is lifted in turn and
// weighed at every slot. Blocks, scores and slots are those of the list with one item lifted.
type generalSlots struct {
	*Gradient // of the list in hand

	blocks  []blockSums
	scores  []float64 // of each block, among the items that are not lifted
	slot    []slotState
	mean    [][]float64 // posterior means of the units at each slot, later times the residual
	sumU    []float64   // gradient of u that all items of a block share
	sumW    [][]float64 // the same of W
	at      []float64   // activations at the current slot
	total   []float64   // sum of residual times mean over all slots
	below   []float64   // the same over the slots below a block
	weights []float64   // F_s of each slot
}

// blockSums has the sums of worths and unit weights over the n items of a block.
type blockSums struct {
	u float64
	w []float64
	n int
}

// slotState has what the gradient needs of a slot.
type slotState struct {
	residual float64 // indicator of the observed slot minus its probability
	ties     float64 // scaled tied pairs
	ownScore float64 // scaled score of the lifted item
	kind     osm.SizeChange
}

// evaluate is [SlotLikelihood.Evaluate].
func (l *generalSlots) evaluate(g *Gradient, m *Model, x *partition.Partition) (logLikelihood float64) {
	l.load(g, m, x)
	k, blocks, pairs := m.k, x.Len(), x.TiedPairs()
	for t := range blocks {
		for _, i := range x.Block(t) {
			logLikelihood += l.item(m, x, i, t, pairs)
		}
	}
	// The gradient that the items of a block share. Each item was lifted once itself; item
	// has subtracted that part already.
	for t := range blocks {
		for _, i := range x.Block(t) {
			l.U[i] += l.sumU[t]
			vec.AddTimes(l.W[i*k:(i+1)*k], l.sumW[t], 1)
		}
	}
	return logLikelihood
}

// load computes the sums of blocks.
func (l *generalSlots) load(g *Gradient, m *Model, x *partition.Partition) {
	l.Gradient = g
	k, blocks := m.k, x.Len()
	l.reset(m, blocks)
	for t := range blocks {
		b := &l.blocks[t]
		b.n, b.u = x.Size(t), 0
		clear(b.w)
		for _, i := range x.Block(t) {
			b.u += m.u[i]
			vec.AddTimes(b.w, m.w[i*k:(i+1)*k], 1)
		}
	}
}

// item adds the term of item i, which is lifted from block home: the log weights of all
// slots from the top down, their residuals, and the gradient.
func (l *generalSlots) item(m *Model, x *partition.Partition, i, home, pairs int) float64 {
	k := m.k
	row := m.w[i*k : (i+1)*k]
	h := &l.blocks[home]
	h.n--
	h.u -= m.u[i]
	vec.AddTimes(h.w, row, -1)
	alone := h.n == 0

	// Activations with the item above everything, block scores without it.
	copy(l.at, m.b)
	without := float64(pairs - h.n)
	vec.AddTimes(l.at, m.nuK, m.scale*without)
	below := m.n - 1
	var base float64
	for t := range l.blocks {
		b := &l.blocks[t]
		below -= b.n
		l.scores[t] = m.scale * (float64(below) + float64(b.n-1)/2 - m.centre)
		if b.n > 0 {
			vec.AddTimes(l.at, b.w, l.scores[t])
			base += l.scores[t] * b.u
		}
	}
	ownScore := float64(m.n-1) - m.centre
	vec.AddTimes(l.at, row, m.scale*ownScore)
	base += m.scale * ownScore * m.u[i]
	base += m.nu * m.scale * without

	// Down through the slots. Slot 2t is the gap above block t, 2t+1 the block;
	// a block that only held the item has no place of its own, and its two gaps
	// are one.
	slots, observed := 0, -1
	bottom := len(l.blocks) - 1 // the last block that the item leaves behind
	if bottom == home && alone {
		bottom--
	}
	for t := range l.blocks {
		b := &l.blocks[t]
		if t == home && alone {
			observed = slots // the gap where the block was, weighed below
			continue
		}
		nb := float64(b.n)
		l.weigh(m, slots, base, ownScore, without, l.at)
		slots++
		past := m.scale * (b.u - nb*m.u[i])
		kind := osm.SizeChange{Size: b.n, Joins: true, Last: t == bottom}
		// Joining: half way past the block, and tied with all of it. (The total is
		// free for the half way until later.)
		at, half, sums, row := l.at[:k], l.total[:k], b.w[:k], row[:k]
		for j, w := range row {
			d := m.scale * (sums[j] - nb*w)
			half[j] = at[j] + d/2
			at[j] += d
		}
		if m.unitTies {
			vec.AddTimes(half, m.nuK, m.scale*nb)
		}
		l.weigh(m, slots, base+past/2+m.scale*nb*m.nu+m.sizes.Gain(kind), ownScore-nb/2, without+nb, half)
		l.slot[slots].kind = kind
		if t == home {
			observed = slots
		}
		slots++
		base += past
		ownScore -= nb
	}
	var under osm.SizeChange // of the last gap
	if bottom >= 0 {
		under = osm.SizeChange{Size: l.blocks[bottom].n, Last: true}
	}
	l.weigh(m, slots, base+m.sizes.Gain(under), ownScore, without, l.at)
	l.slot[slots].kind = under
	slots++
	logP := l.residuals(slots, observed)
	l.gather(m, i, home, slots, alone)

	h.n++
	h.u += m.u[i]
	vec.AddTimes(h.w, row, 1)
	return logP
}

// weigh stores F_s of a slot with activations a, and the posterior means of the units there.
func (l *generalSlots) weigh(m *Model, slot int, base, ownScore, ties float64, a []float64) {
	l.slot[slot] = slotState{ownScore: m.scale * ownScore, ties: m.scale * ties}
	mean := l.mean[slot]
	if m.units == Gaussian {
		copy(mean, a)
		l.weights[slot] = base + vec.Dot(a, a)/2
		return
	}
	weight := base
	for j, v := range a {
		// One exponential serves both: p = logistic(v) and log(1+e^v).
		e := math.Exp(-math.Abs(v))
		p := 1 / (1 + e)
		weight += math.Log1p(e)
		if v > 0 {
			weight += v
		} else {
			p = e * p
		}
		mean[j] = p
	}
	l.weights[slot] = weight
}

// residuals computes the residual of every slot, indicator minus probability, and returns
// the log probability of the observed slot.
func (l *generalSlots) residuals(slots, observed int) float64 {
	weights := l.weights[:slots]
	norm := logprob.SumExp(weights)
	for s, w := range weights {
		l.slot[s].residual = -math.Exp(w - norm)
	}
	l.slot[observed].residual++
	return weights[observed] - norm
}

// gather adds the gradient of one lifted item: the sum over slots of residual times score
// times posterior mean. The score of another item, of block b, is higher by one at the
// slots below b, and by one half at b itself, than at those above.
func (l *generalSlots) gather(m *Model, i, home, slots int, alone bool) {
	k := m.k
	clear(l.total)
	var ownU float64
	gradient := l.W[i*k : (i+1)*k]
	for s := range slots {
		st := &l.slot[s]
		mean := l.mean[s]
		ownU += st.residual * st.ownScore
		l.Nu += st.residual * st.ties
		l.Sizes.AddChange(st.kind, st.residual)
		mean, total, gradient := mean[:k], l.total[:k], gradient[:k]
		for j, v := range mean {
			v *= st.residual
			mean[j] = v
			total[j] += v
			gradient[j] += v * st.ownScore
		}
	}
	l.U[i] += ownU
	vec.AddTimes(l.B, l.total, 1)
	// From the bottom up: below sums residuals times means of the slots below
	// each block.
	clear(l.below)
	var belowU float64
	s := slots - 1
	vec.AddTimes(l.below, l.mean[s], 1)
	belowU += l.slot[s].residual
	for t := len(l.blocks) - 1; t >= 0; t-- {
		if t == home && alone {
			continue
		}
		join := s - 1
		e := m.scale * (belowU + l.slot[join].residual/2)
		l.sumU[t] += e // residuals sum to zero, so the block's own score drops out
		if t == home {
			l.U[i] -= e
		}
		// Added to the block's sum; at home subtracted for the item itself, which is lifted.
		below, total, sum := l.below[:k], l.total[:k], l.sumW[t][:k]
		here, gap := l.mean[join][:k], l.mean[join-1][:k]
		if t == home {
			for j, v := range here {
				gradient[j] -= m.scale*(below[j]+v/2) + l.scores[t]*total[j]
			}
		}
		for j, v := range here {
			sum[j] += m.scale*(below[j]+v/2) + l.scores[t]*total[j]
			below[j] += v + gap[j]
		}
		belowU += l.slot[join].residual + l.slot[join-1].residual
		s -= 2
	}
}

func (l *generalSlots) reset(m *Model, blocks int) {
	k := m.k
	l.at, l.total, l.below = vec.Zeros(l.at, k), vec.Zeros(l.total, k), vec.Zeros(l.below, k)
	l.sumU, l.scores = vec.Zeros(l.sumU, blocks), vec.Zeros(l.scores, blocks)
	l.weights = vec.Zeros(l.weights, 2*blocks+1)
	l.blocks, l.sumW = sized(l.blocks, blocks), sized(l.sumW, blocks)
	l.mean, l.slot = sized(l.mean, 2*blocks+1), sized(l.slot, 2*blocks+1)
	for t := range blocks {
		l.blocks[t].w = vec.Zeros(l.blocks[t].w, k)
		l.sumW[t] = vec.Zeros(l.sumW[t], k)
	}
	for s := range 2*blocks + 1 {
		l.mean[s] = vec.Zeros(l.mean[s], k)
	}
}
