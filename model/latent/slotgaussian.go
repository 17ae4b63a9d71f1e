package latent

import (
	"math"
	"slices"

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
//	a_s = scale (A + Q_s - Q_home + e_s w_i), e_s = q_home - q_s,
//
// for item i with weights w_i lifted from its home, the same A for the whole list.
// So squares come from inner products, gradients are collected as coefficients of
// those vectors, and vectors of K numbers are only touched in three products of N
// by T by K. Sums over items of residuals are kept by slot and home: all else that
// blocks are given is linear in them. See docs/maths.md#slot-likelihood.
type gaussianSlots struct {
	p       []float64 // row t is P_t, t = 0..T; row T+1 is A, row T+2 what the items of a block have in common
	columns []float64 // rows 1 to T+1 of p as columns, filled up to a multiple of eight
	u       []float64 // the same of worths, for P only
	q       []float64 // q_s of slot s: gaps at 2t, blocks at 2t+1
	gram    []float64 // inner products of the rows of p
	within  []float64 // of a number of items: inner products of w_i with the columns

	// Of every slot of an item that is lifted from the block in hand, whatever the item:
	base  []float64 // the log weight without the terms in w_i and u_i, less that of home
	away  []float64 // e = q_home - q_s
	ties  []float64 // the number of tied pairs
	level []float64 // of every block: its unscaled score when the lifted item is on top of all

	// Of a number of items, filled up to a multiple of four: the weight of every slot, relative to the one it has, in a row for each slot; the
	// parts of log weights that are linear and quadratic in e; the sums of weights; and the sums of residuals times e, and times its square.
	chances       []float64
	linear, slope []float64
	totals, each  []float64
	alongs, owns  []float64
	sums          []float64 // residuals, indicator of the observed slot minus probability, over the items of the block in hand, in four parts
	again         []float64 // the weights of one item

	own     []float64 // of each item: the coefficient of w_i in the gradient of its own weights
	factors []float64 // of each item: coefficients of rows 1 to T+2 of p in that gradient
	rows    []float64 // coefficients of w_i in the gradient of each block: T by N
	along   []float64 // of each item: the sum of residual times e
	byHome  []float64 // sums of residuals over the items of each block, by gap: T by (T+1)
	passed  []float64 // sums of the residuals below each block and half of that at it
	home    []float64 // the same over the items of each block: T by T
	joined  []float64 // sums over all items of the residual at each block
	all     []float64 // sums of byHome
	above   []float64 // sums of byHome over the blocks above one, and half of its own
	flat    []float64 // coefficients of the rows of p in what the items of a block have in common

	places []uint32  // the items of a block
	ones   []float64 // as many as there are items or slots
}

// evaluate is [SlotLikelihood.Evaluate].
func (f *gaussianSlots) evaluate(g *Gradient, m *Model, x *partition.Partition) (logLikelihood float64) {
	f.load(m, x)
	pairs, product := x.TiedPairs(), 1.0
	slots, piece := len(f.base), pieces(x.Len())
	for t := range x.Len() {
		f.leave(m, x, t, pairs)
		clear(f.sums)
		for items := range slices.Chunk(x.Block(t), piece) {
			n := f.weighAll(m, items, t)
			totals, each := f.totals[:n], f.each[:n]
			clear(totals)
			vec.AddRows(totals, f.chances[:n*slots], f.ones[:slots])
			clear(each[len(items):])
			for k, i := range items {
				total, most := totals[k], 0.0
				if !(total <= 1e100) { // so that products of two are numbers
					total, most = f.replace(m, k, n, i, t)
					if k == len(items)-1 { // and its copies, which are finite so
						for copied := len(items); copied < n; copied++ {
							f.column(copied, n)
						}
					}
				}
				each[k] = -1 / total
				logLikelihood -= most
				// One logarithm of a product stands for those of its factors.
				if product *= total; product > 1e200 {
					logLikelihood -= math.Log(product)
					product = 1
				}
			}
			vec.Spread(f.chances[:n*slots], f.alongs[:n], f.owns[:n], f.sums, each, f.away)
			for k, i := range items {
				f.gather(g, m, k, n, i, t)
			}
		}
		f.collect(g, m, x, t)
	}
	f.others(g, m, x)
	return logLikelihood - math.Log(product)
}

// weighAll writes the weights of the slots of some items of block home, and returns the number of columns: that of the items, filled up with copies of the last.
func (f *gaussianSlots) weighAll(m *Model, items []int, home int) int {
	wide, n := columns(len(f.level)), (len(items)+3)&^3
	vec.Products(f.within[:len(items)*wide], m.w, items, f.columns, m.k)
	for k, i := range items {
		f.linear[k], f.slope[k] = f.line(m, f.within[k*wide:(k+1)*wide], i, home)
	}
	for k := len(items); k < n; k++ {
		copy(f.within[k*wide:(k+1)*wide], f.within[(k-1)*wide:])
		f.linear[k], f.slope[k] = f.linear[k-1], f.slope[k-1]
	}
	chances := f.chances[:n*len(f.base)]
	vec.Weigh(chances, f.within[:n*wide], f.linear[:n], f.slope[:n], f.base, f.away, m.scale*m.scale/2)
	vec.Exp(chances)
	return n
}

// replace writes the weights of the slots of item k of n, i in the list, without the largest, and returns their sum and the logarithm of the largest.
func (f *gaussianSlots) replace(m *Model, k, n, i, home int) (total, most float64) {
	wide := columns(len(f.level))
	f.again = sized(f.again, len(f.base))
	most = f.weighAgain(m, f.again, f.within[k*wide:(k+1)*wide], i, home)
	f.column(k, n)
	return sum(f.again), most
}

// column makes the weights that were computed again those of item k of n.
func (f *gaussianSlots) column(k, n int) {
	for s, v := range f.again {
		f.chances[s*n+k] = v
	}
}

// slots is [SlotLikelihood.Slots].
func (f *gaussianSlots) slots(m *Model, x *partition.Partition, items []int) (logLikelihood float64) {
	f.load(m, x)
	chances, within := f.chances[:len(f.base)], f.within[:columns(x.Len())]
	left := -1 // the block of the last item
	for k, i := range items {
		home := x.BlockOf(i)
		if home != left {
			f.leave(m, x, home, x.TiedPairs())
			left = home
		}
		vec.Products(within, m.w, items[k:k+1], f.columns, m.k)
		most := f.weighAgain(m, chances, within, i, home)
		logLikelihood -= most + math.Log(sum(chances))
	}
	return logLikelihood
}

// columns is the number of columns for a number of blocks, those of rows 1 to T+1 of p, filled up to a multiple of eight.
func columns(blocks int) int { return (blocks + 8) &^ 7 }

// pieces is the number of items that are weighed at once: about 512 slots, and a multiple of four.
func pieces(blocks int) int { return max(4, 512/(2*blocks+1)&^3) }

// load computes what all items share.
func (f *gaussianSlots) load(m *Model, x *partition.Partition) {
	k, blocks := m.k, x.Len()
	slots, wide, piece := 2*blocks+1, columns(blocks), pieces(blocks)
	f.p, f.u, f.q = vec.Zeros(f.p, (blocks+3)*k), vec.Zeros(f.u, blocks+1), vec.Zeros(f.q, slots)
	f.columns, f.within, f.chances = vec.Zeros(f.columns, k*wide), sized(f.within, piece*wide), sized(f.chances, piece*slots)
	f.gram = vec.Zeros(f.gram, (blocks+2)*(blocks+2))
	f.base, f.away, f.ties, f.sums = vec.Zeros(f.base, slots), vec.Zeros(f.away, slots), vec.Zeros(f.ties, slots), vec.Zeros(f.sums, 4*slots)
	for _, of := range []*[]float64{&f.linear, &f.slope, &f.totals, &f.each, &f.alongs, &f.owns} {
		*of = sized(*of, piece)
	}
	f.level, f.passed, f.joined = vec.Zeros(f.level, blocks), vec.Zeros(f.passed, blocks), vec.Zeros(f.joined, blocks)
	f.own, f.along, f.factors, f.rows = sized(f.own, m.n), sized(f.along, m.n), sized(f.factors, m.n*(blocks+2)), sized(f.rows, blocks*m.n)
	f.byHome, f.home = vec.Zeros(f.byHome, blocks*(blocks+1)), vec.Zeros(f.home, blocks*blocks)
	f.all, f.above, f.flat = vec.Zeros(f.all, blocks+1), vec.Zeros(f.above, blocks+1), vec.Zeros(f.flat, blocks+2)

	for len(f.ones) < max(m.n, slots) {
		f.ones = append(f.ones, 1)
	}

	a := f.p[(blocks+1)*k : (blocks+2)*k]
	count := 0.0
	for t := range blocks {
		row := f.p[(t+1)*k : (t+2)*k]
		copy(row, f.p[t*k:(t+1)*k])
		f.u[t+1] = f.u[t]
		f.places = f.places[:0]
		for _, i := range x.Block(t) {
			f.u[t+1] += m.u[i]
			f.places = append(f.places, uint32(i))
		}
		vec.AddRowsAt(row, m.w, f.places, f.ones[:x.Size(t)])
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
	rows := f.p[:(blocks+2)*k]
	for t := 1; t < blocks+2; t++ {
		row := f.p[t*k : (t+1)*k]
		vec.DotRows(f.gram[t*(blocks+2):(t+1)*(blocks+2)], row, rows)
		for j, v := range row {
			f.columns[j*wide+t-1] = v
		}
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
	free := pairs - (x.Size(home) - 1)
	for s := range f.base {
		square := gram(s, s) - 2*gram(s, observed) + homeSquare + 2*(mean(withA, s)-homeA)
		f.ties[s] = float64(free + f.tied(x, s, home))
		f.base[s] = m.scale * (mean(f.u, s) - homeU + m.nu*f.ties[s] + m.scale*square/2)
		if len(m.sizes) > 0 {
			f.base[s] += m.sizes.Gain(f.place(x, s, home))
		}
		f.away[s] = f.q[observed] - f.q[s]
	}
	observedBase := f.base[observed]
	for s := range f.base {
		f.base[s] -= observedBase
	}
	for b := range f.level {
		f.level[b] = f.score(m, b) + beyond(2*b+1, home)
	}
	// Without its item a block that held nothing else is no block, and the gaps
	// around it are one: the slot of the block stands for all three.
	if x.Size(home) == 1 {
		f.base[2*home], f.base[2*home+2] = logprob.Zero, logprob.Zero
	}
}

// line returns the parts of e's factor that are the same at all slots of item i, of block home, and its slope in e: the log weight of a slot is
//
//	base + e (scale u + scale²/2 (e w'w + 2 w'(A - Q_home) + 2 w'Q_s)).
func (f *gaussianSlots) line(m *Model, within []float64, i, home int) (flat, slope float64) {
	k, half := m.k, m.scale*m.scale/2
	w := m.w[i*k : (i+1)*k]
	flat = 2*within[len(f.level)] - within[home]
	if home > 0 { // P_0 is zero
		flat -= within[home-1]
	}
	return m.scale*m.u[i] + half*flat, half * vec.Dot(w, w)
}

// weigh writes the log weights of the slots of item i, of block home, less that of the slot it has. Within is of the item.
func (f *gaussianSlots) weigh(m *Model, weights, within []float64, i, home int) {
	flat, slope := f.line(m, within, i, home)
	vec.WeighOne(weights, within, f.base, f.away, flat, slope, m.scale*m.scale/2)
}

// weighAgain writes the exponentials of the log weights less the largest, which it returns: without it they may be infinite.
func (f *gaussianSlots) weighAgain(m *Model, chances, within []float64, i, home int) (most float64) {
	f.weigh(m, chances, within, i, home)
	most = slices.Max(chances)
	for s := range chances {
		chances[s] -= most
	}
	vec.Exp(chances)
	return most
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

// gather keeps the gradient of the weights of item k of n, i in the list, lifted from home, as coefficients of w_i and of the rows of p, and the coefficients
// of w_i in what the others are given on its account. With r the residuals,
// which sum to zero, and a and e as above:
//
//	item i:           sum of r e a + what its block is given
//	item of block b:  sum of r a (score_b + scale beyond_b)
//
// where score_b is the score of b with i on top. As e is zero at home, residuals times e are those of minus the probabilities.
func (f *gaussianSlots) gather(g *Gradient, m *Model, k, n, i, home int) {
	blocks, square, along := len(f.level), m.scale*m.scale, f.alongs[k]
	f.along[i], f.own[i] = along, square*f.owns[k]
	g.U[i] = m.scale * along

	factors := f.factors[i*(blocks+2) : (i+1)*(blocks+2)]
	r, at, under := 0.0, 2*blocks*n+k, 0.0
	for b := blocks - 1; b >= 0; b-- { // from the bottom up
		gap, join := f.chances[at], f.chances[at-n]/2
		// A gap has its own residual, and half of those of the blocks around it.
		factors[b] = square * (gap + join + under)
		r += gap
		f.rows[b*m.n+i] = r + join + f.level[b]*along
		r += join + join
		under = join
		at -= 2 * n
	}
	factors[home] -= square * along / 2
	if home > 0 {
		factors[home-1] -= square * along / 2
	}
	factors[blocks], factors[blocks+1] = square*along, square
}

func sum(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum
}

// collect adds the sums of residuals over the items of block home to those that blocks, ties and sizes are given.
func (f *gaussianSlots) collect(g *Gradient, m *Model, x *partition.Partition, home int) {
	blocks := len(f.level)
	for s := range f.base {
		of := f.sums[4*s : 4*s+4]
		f.sums[s] = (of[0] + of[2]) + (of[1] + of[3])
	}
	sums := f.sums[:len(f.base)]
	sums[2*home+1] += float64(x.Size(home))
	for s, r := range sums {
		g.Nu += m.scale * r * f.ties[s]
		if len(m.sizes) > 0 {
			g.Sizes.AddChange(f.place(x, s, home), r)
		}
		// A gap has its own residual, and half of those of the blocks around it.
		f.byHome[home*(blocks+1)+s/2] += r / 2
		f.byHome[home*(blocks+1)+(s+1)/2] += r / 2
	}
	r := sums[2*blocks]
	for b := blocks - 1; b >= 0; b-- {
		join := sums[2*b+1]
		f.passed[b] += r + join/2
		f.home[home*blocks+b] = r + join/2
		f.joined[b] += join
		r += join + sums[2*b]
	}
}

// score is the unscaled score of block b when the lifted item is on top of all and
// came from below b.
func (f *gaussianSlots) score(m *Model, b int) float64 {
	return float64(m.n) - 1.5 - m.centre - f.q[2*b+1]
}

// others gives the items of every block what they have in common, and each what is its own.
func (f *gaussianSlots) others(g *Gradient, m *Model, x *partition.Partition) {
	k, blocks, scale := m.k, x.Len(), m.scale
	for t := range blocks {
		vec.AddTimes(f.all, f.byHome[t*(blocks+1):(t+1)*(blocks+1)], 1)
	}
	rows := f.p[:(blocks+2)*k]
	share := f.p[(blocks+2)*k:]
	for b := range blocks {
		clear(f.flat)
		here, flat := f.byHome[b*(blocks+1):(b+1)*(blocks+1)], f.flat[:blocks+1]
		vec.AddTimes(f.above, here, 0.5)
		vec.AddTimes(flat, f.all, f.score(m, b))
		vec.AddTimes(flat, f.above, 1)
		vec.AddTimes(flat[b+1:], f.all[b+1:], 1)
		vec.AddTimes(f.above, here, 0.5)
		flat[b] += f.joined[b] / 4
		flat[b+1] -= f.joined[b] / 4
		for h := range blocks {
			flat[h] -= f.home[h*blocks+b] / 2
			flat[h+1] -= f.home[h*blocks+b] / 2
		}
		f.flat[blocks+1] = f.passed[b]
		clear(share)
		vec.AddRows(share, rows, f.flat)
		vec.AddRows(share, m.w, f.rows[b*m.n:(b+1)*m.n])
		for _, i := range x.Block(b) {
			g.U[i] += scale * f.passed[b]
		}
		vec.Combine(g.W, x.Block(b), f.p[k:], f.factors, m.w, f.own, k)
	}
	// The biases: the sum of residual times activation.
	vec.Scale(f.along, scale)
	vec.Scale(f.all, scale)
	vec.AddRows(g.B, f.p[:(blocks+1)*k], f.all)
	vec.AddRows(g.B, m.w, f.along)
}
