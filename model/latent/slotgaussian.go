package latent

import (
	"math"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/core/vec"
	"fubini/model/osm"
)

// gaussianSlots is the slot likelihood for Gaussian units without tie weights of
// their own. Activations at all slots of all items are then combinations of a few
// vectors of the list: with P_t the sum of the weights of all items above gap t,
// Q_s the P of a gap or the mean of those around a block, and q_s the same of
// the numbers of items,
//
//	a_s = scale (A + Q_s - Q_home + (q_home - q_s) w_i)
//
// for item i with weights w_i lifted from its home, the same A for the whole list.
// So squares come from inner products, gradients are collected as coefficients of
// those vectors, and vectors of K numbers are only touched in three products of N
// by T by K. See docs/maths.md#slot-likelihood.
type gaussianSlots struct {
	p      []float64 // row t is P_t, t = 0..T; row T+1 is A
	u      []float64 // the same of worths, for P only
	q      []float64 // q_s of slot s: gaps at 2t, blocks at 2t+1
	gram   []float64 // inner products of the rows of p
	within []float64 // inner products of w_i with the rows of p

	// Of every slot of an item that is lifted from the block in hand, whatever the item:
	base []float64 // the log weight without the terms in w_i and u_i
	away []float64 // e = q_home - q_s
	own  []float64 // the unscaled score of the item
	ties []float64 // the number of tied pairs

	weights  []float64 // of every slot, in logarithms
	residual []float64 // indicator of the observed slot minus probability

	gaps   []float64 // residuals gathered at gaps: coefficients of P_t in the sum of residual times Q
	mixed  []float64 // coefficients of the rows of p in the gradient of the lifted item
	below  []float64 // residual below block b, and half of that at it
	rows   []float64 // coefficients of w_i in the gradient of each block: T by N
	rho    []float64 // of each item, the sum of residual times q
	byHome []float64 // sums of gaps over the items of each block: T by (T+1)
	passed []float64 // sums of below over all items
	home   []float64 // sums of below over the items of each block: T by T
	joined []float64 // sums over all items of the residual at each block
	share  []float64 // gradient that the items of a block have in common
}

// evaluate is [SlotLikelihood.Evaluate].
func (f *gaussianSlots) evaluate(g *Gradient, m *Model, x *partition.Partition) (logLikelihood float64) {
	f.load(m, x)
	pairs := x.TiedPairs()
	for t := range x.Len() {
		f.leave(m, x, t, pairs)
		for _, i := range x.Block(t) {
			logLikelihood += f.weigh(m, i, t)
			f.gather(g, m, x, i, t)
		}
	}
	f.others(g, m, x)
	return logLikelihood
}

// load computes what all items share.
func (f *gaussianSlots) load(m *Model, x *partition.Partition) {
	k, blocks := m.k, x.Len()
	f.p, f.u, f.q = zeros(f.p, (blocks+2)*k), zeros(f.u, blocks+1), zeros(f.q, 2*blocks+1)
	f.gram, f.within = zeros(f.gram, (blocks+2)*(blocks+2)), zeros(f.within, blocks+2)
	f.base, f.away, f.own, f.ties = zeros(f.base, 2*blocks+1), zeros(f.away, 2*blocks+1), zeros(f.own, 2*blocks+1), zeros(f.ties, 2*blocks+1)
	f.weights, f.residual = zeros(f.weights, 2*blocks+1), zeros(f.residual, 2*blocks+1)
	f.gaps, f.mixed, f.below = zeros(f.gaps, blocks+1), zeros(f.mixed, blocks+2), zeros(f.below, blocks)
	f.rows, f.rho = zeros(f.rows, blocks*m.n), zeros(f.rho, m.n)
	f.byHome, f.home = zeros(f.byHome, blocks*(blocks+1)), zeros(f.home, blocks*blocks)
	f.passed, f.joined, f.share = zeros(f.passed, blocks), zeros(f.joined, blocks), zeros(f.share, k)

	a := f.p[(blocks+1)*k:]
	count := 0.0
	for t := range blocks {
		row := f.p[(t+1)*k : (t+2)*k]
		copy(row, f.p[t*k:(t+1)*k])
		f.u[t+1] = f.u[t]
		for _, i := range x.Block(t) {
			vec.AddTimes(row, m.w[i*k:(i+1)*k], 1)
			f.u[t+1] += m.u[i]
		}
		size := float64(x.Size(t))
		f.q[2*t], f.q[2*t+1] = count, count+size/2
		count += size
		// A = (n - 1/2 - centre) P_T - sum over blocks of q (P below - P above).
		vec.AddTimes(a, row, -f.q[2*t+1])
		vec.AddTimes(a, f.p[t*k:(t+1)*k], f.q[2*t+1])
	}
	f.q[2*blocks] = count
	vec.AddTimes(a, f.p[blocks*k:(blocks+1)*k], float64(m.n)-0.5-m.centre)
	vec.AddTimes(a, m.b, 1/m.scale)
	for t := 1; t < blocks+2; t++ {
		vec.DotRows(f.gram[t*(blocks+2):(t+1)*(blocks+2)], f.p[t*k:(t+1)*k], f.p)
	}
}

// leave computes what the slots of all items of block home share. With X = Q_s - Q_home, the
// squared length of A + X + e w less that of A is
//
//	X'X + 2 A'X + e (e w'w + 2 w'(A + X)),
//
// and the first two terms do not depend on the item.
func (f *gaussianSlots) leave(m *Model, x *partition.Partition, home, pairs int) {
	blocks := x.Len()
	stride, observed := blocks+2, 2*home+1
	gram := func(s, r int) float64 { // of Q_s and Q_r
		a, b := f.gram[s/2*stride:], f.gram[(s+1)/2*stride:]
		return (a[r/2] + a[(r+1)/2] + b[r/2] + b[(r+1)/2]) / 4
	}
	mean := func(of []float64, s int) float64 { return (of[s/2] + of[(s+1)/2]) / 2 }
	withA := f.gram[(blocks+1)*stride:]
	homeSquare, homeA, homeU := gram(observed, observed), mean(withA, observed), mean(f.u, observed)
	free, top := pairs-(x.Size(home)-1), float64(m.n)-1-m.centre
	for s := range f.base {
		square := gram(s, s) - 2*gram(s, observed) + homeSquare + 2*(mean(withA, s)-homeA)
		f.ties[s] = float64(free + f.tied(x, s, home))
		f.base[s] = m.scale * (mean(f.u, s) - homeU + m.nu*f.ties[s] + m.scale*square/2)
		if len(m.sizes) > 0 {
			f.base[s] += m.sizes.Gain(f.place(x, s, home))
		}
		f.away[s] = f.q[observed] - f.q[s]
		f.own[s] = top - f.q[s] + beyond(s, home)
	}
	// Without its item a block that held nothing else is no block, and the gaps
	// around it are one: the slot of the block stands for all three.
	if x.Size(home) == 1 {
		f.base[2*home], f.base[2*home+2] = logprob.Zero, logprob.Zero
	}
}

// weigh computes the residuals of the slots of item i, of block home, and returns
// the log probability of the slot it has.
func (f *gaussianSlots) weigh(m *Model, i, home int) float64 {
	k, last := m.k, len(f.within)-1
	w := m.w[i*k : (i+1)*k]
	vec.DotRows(f.within, w, f.p)
	self, half := vec.Dot(w, w), m.scale*m.scale/2
	// e (scale u + scale²/2 (e w'w + 2 w'(A - Q_home) + 2 w'Q_s))
	flat := m.scale*m.u[i] + half*(2*f.within[last]-f.within[home]-f.within[home+1])
	slope := half * self
	above := half * f.within[0] // zero: P_0 is
	n := 0
	most := math.Inf(-1)
	for s := 0; s < last; s++ {
		gap := half * f.within[s]
		if s > 0 { // the block between two gaps
			e := f.away[n]
			f.weights[n] = f.base[n] + e*(flat+slope*e+above+gap)
			most = max(most, f.weights[n])
			n++
		}
		e := f.away[n]
		f.weights[n] = f.base[n] + e*(flat+slope*e+2*gap)
		most = max(most, f.weights[n])
		n++
		above = gap
	}
	for s, v := range f.weights {
		f.residual[s] = v - most
	}
	vec.Exp(f.residual)
	var sum float64
	for _, e := range f.residual {
		sum += e
	}
	observed, each := 2*home+1, -1/sum
	for s := range f.residual {
		f.residual[s] *= each
	}
	f.residual[observed]++
	return f.weights[observed] - most - math.Log(sum)
}

// tied is the number of items that one lifted from home ties with at slot s.
func (f *gaussianSlots) tied(x *partition.Partition, s, home int) int {
	switch t := s / 2; {
	case s%2 == 0:
		return 0
	case t == home:
		return x.Size(t) - 1
	default:
		return x.Size(t)
	}
}

// place is slot s of an item lifted from home as far as sizes are concerned. That of a
// home that held nothing else is the gap it leaves.
func (f *gaussianSlots) place(x *partition.Partition, s, home int) osm.SizeChange {
	bottom := x.Len() - 1 // the last block that the item leaves behind
	if bottom == home && x.Size(home) == 1 {
		bottom--
	}
	switch t := s / 2; {
	case f.tied(x, s, home) > 0:
		return osm.SizeChange{Size: f.tied(x, s, home), Joins: true, Last: t == bottom}
	case t > bottom && bottom >= 0:
		return osm.SizeChange{Size: f.tied(x, 2*bottom+1, home), Last: true}
	}
	return osm.SizeChange{}
}

// beyond is how far slot s lies below block t: wholly (1), or half when it is the
// block.
func beyond(s, t int) float64 {
	switch block := 2*t + 1; {
	case s < block:
		return 0
	case s == block:
		return 0.5
	default:
		return 1
	}
}

// gather adds the gradient of the lifted item itself, and keeps the coefficients
// of what all others are given on its account. With r the residuals, which sum to
// zero, and Q, q as above:
//
//	item i:        sum r own a
//	item of block b:  score_b sum r a + scale sum r beyond_b a
//
// where own is the score of i at a slot and score_b that of b with i on top.
func (f *gaussianSlots) gather(g *Gradient, m *Model, x *partition.Partition, i, home int) {
	k, blocks, scale := m.k, x.Len(), m.scale
	qHome := f.q[2*home+1]
	var rho, scores, scoresQ, ties float64
	for s, r := range f.residual {
		own, q := r*f.own[s], f.q[s]
		rho += r * q
		scores += own
		scoresQ += own * q
		ties += r * f.ties[s]
	}
	if len(m.sizes) > 0 {
		for s, r := range f.residual {
			g.Sizes.AddChange(f.place(x, s, home), r)
		}
	}
	// A gap has its own residual, and half of those of the blocks around it.
	var half, halfOwn float64 // of the block above
	for t := range f.gaps {
		r := f.residual[2*t]
		gap, own := half+r, halfOwn+r*f.own[2*t]
		if 2*t+1 < len(f.residual) {
			half = f.residual[2*t+1] / 2
			halfOwn = half * f.own[2*t+1]
			gap += half
			own += halfOwn
		}
		f.gaps[t], f.mixed[t] = gap, own
	}
	g.Nu += scale * ties
	f.rho[i] = rho
	f.mixed[home] -= scores / 2
	f.mixed[home+1] -= scores / 2
	f.mixed[blocks+1] = scores

	// From the bottom up, what others are given.
	byHome := f.byHome[home*(blocks+1) : (home+1)*(blocks+1)]
	for t, v := range f.gaps {
		byHome[t] += v
	}
	r := f.residual[2*blocks]
	rq := r * f.q[2*blocks]
	here := f.home[home*blocks : (home+1)*blocks]
	for b := blocks - 1; b >= 0; b-- {
		join, gap := f.residual[2*b+1], f.residual[2*b]
		below, joinQ := r+join/2, join*f.q[2*b+1]
		f.below[b] = below
		f.passed[b] += below
		here[b] += below
		f.rows[b*m.n+i] = below*qHome - (rq + joinQ/2) - (f.level(m, b)+beyond(2*b+1, home))*rho
		f.joined[b] += join
		r += join + gap
		rq += joinQ + gap*f.q[2*b]
	}

	// The item is none of the others: take off what its block will be given on its
	// own account.
	below, join := f.below[home], f.residual[2*home+1]
	g.U[i] += scale * (scores - below)
	level := f.level(m, home) + 0.5
	for t, v := range f.gaps {
		f.mixed[t] -= level * v
		if t > home {
			f.mixed[t] -= v
		}
	}
	f.mixed[home] += below/2 - join/4
	f.mixed[home+1] += below/2 + join/4
	f.mixed[blocks+1] -= below
	ownW := scores*qHome - scoresQ - f.rows[home*m.n+i]

	gradient := g.W[i*k : (i+1)*k]
	for t := range f.mixed {
		f.mixed[t] *= scale * scale
	}
	vec.AddRows(gradient, f.p, f.mixed)
	vec.AddTimes(gradient, m.w[i*k:(i+1)*k], scale*scale*ownW)
}

// level is the unscaled score of block b when the lifted item is on top of all and
// came from below b.
func (f *gaussianSlots) level(m *Model, b int) float64 {
	return float64(m.n) - 1.5 - m.centre - f.q[2*b+1]
}

// others gives the items of every block what they have in common.
func (f *gaussianSlots) others(g *Gradient, m *Model, x *partition.Partition) {
	k, blocks, scale := m.k, x.Len(), m.scale
	all := f.gaps // over all items
	clear(all)
	for t := range blocks {
		vec.AddTimes(all, f.byHome[t*(blocks+1):(t+1)*(blocks+1)], 1)
	}
	above := f.within[:blocks+1] // over the items of blocks above b, and half of b's
	clear(above)
	for b := range blocks {
		flat := f.mixed
		clear(flat)
		here := f.byHome[b*(blocks+1) : (b+1)*(blocks+1)]
		vec.AddTimes(above, here, 0.5)
		vec.AddTimes(flat[:blocks+1], all, f.level(m, b))
		vec.AddTimes(flat[:blocks+1], above, 1)
		vec.AddTimes(flat[b+1:blocks+1], all[b+1:], 1)
		vec.AddTimes(above, here, 0.5)
		flat[b] += f.joined[b] / 4
		flat[b+1] -= f.joined[b] / 4
		for h := range blocks {
			flat[h] -= f.home[h*blocks+b] / 2
			flat[h+1] -= f.home[h*blocks+b] / 2
		}
		flat[blocks+1] += f.passed[b]
		clear(f.share)
		vec.AddRows(f.share, f.p, flat)
		vec.AddRows(f.share, m.w, f.rows[b*m.n:(b+1)*m.n])
		for _, j := range x.Block(b) {
			g.U[j] += scale * f.passed[b]
			vec.AddTimes(g.W[j*k:(j+1)*k], f.share, scale*scale)
		}
	}
	// The biases: the sum of residual times activation.
	vec.Scale(f.rho, -scale)
	vec.Scale(all, scale)
	vec.AddRows(g.B, f.p[:(blocks+1)*k], all)
	vec.AddRows(g.B, m.w, f.rho)
}
