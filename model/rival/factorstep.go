package rival

import "math"

// gradient computes the slopes of a block of users and returns their loss.
func (f *factorLearner) gradient(users []int) float64 {
	f.enter(users)
	f.parallel(func(w *worker, first, stride int) {
		for k := first; k < len(f.block) && !f.run.over(); k += stride {
			f.rowGradient(w, &f.block[k])
		}
	})
	clear(f.sharedSlope)
	var total float64
	for k := range f.block {
		total += f.block[k].loss
		for d, g := range f.block[k].shared {
			f.sharedSlope[d] += g
		}
	}
	return total
}

// enter lists the rows of a block, and for each of its items the ratings, in the
// order of the block: sums then come out the same however the items are divided
// among workers.
func (f *factorLearner) enter(users []int) {
	for _, i := range f.touched {
		f.head[i] = -1
	}
	f.touched, f.rowOf = f.touched[:0], f.rowOf[:0]
	for len(f.block) < len(users) {
		f.block = append(f.block, blockRow{slope: make([]float64, f.width), shared: make([]float64, len(f.sharedSlope))})
	}
	f.block = f.block[:len(users)]
	for k, u := range users {
		b := &f.block[k]
		b.user, b.row, b.from = u, f.set.Row(u), len(f.rowOf)
		for range b.row.Len() {
			f.rowOf = append(f.rowOf, k)
		}
	}
	total := len(f.rowOf)
	if total > len(f.slopes) {
		f.slopes, f.next = make([]float64, total), make([]int, total)
	}
	for k := len(f.block) - 1; k >= 0; k-- {
		b := &f.block[k]
		for j, i := range b.row.Items {
			if f.head[i] < 0 {
				f.touched = append(f.touched, i)
			}
			f.next[b.from+j], f.head[i] = f.head[i], b.from+j
		}
	}
}

func (f *factorLearner) rowGradient(w *worker, b *blockRow) {
	n, x := b.row.Len(), f.userVector(b.user)
	w.scores = grown(w.scores, n)
	slope := f.slopes[b.from : b.from+n]
	for k, i := range b.row.Items {
		w.scores[k] = dot(x, f.itemVector(int(i)))
	}
	w.enter(f.run, b.user, f.steps, b.row.Items)
	if f.shared != nil {
		clear(b.shared)
		b.loss = f.shared.ofShared(b.row.Values, w.scores, slope, b.shared, &w.rowScratch)
	} else {
		b.loss = f.loss.of(b.row.Values, w.scores, slope, &w.rowScratch)
	}
	clear(b.slope)
	for k, i := range b.row.Items {
		add(b.slope, slope[k], f.itemVector(int(i)))
	}
}

// update moves everything that the block has slopes for.
func (f *factorLearner) update() {
	f.parallel(func(w *worker, first, stride int) {
		w.slope = grown(w.slope, f.width)
		for t := first; t < len(f.touched); t += stride {
			f.updateItem(int(f.touched[t]), w.slope)
		}
	})
	for k := range f.block { // after the items, whose slopes need the users as they were
		b := &f.block[k]
		f.descend(f.userVector(b.user), b.slope, f.userSeen[b.user*f.width:], f.userPrior, 1)
	}
	if f.shared != nil {
		for d, g := range f.sharedSlope {
			f.sharedSeen[d] += g * g
			f.shared.parameters()[d] -= f.options.Rate * g / (math.Sqrt(f.sharedSeen[d]) + tiny)
		}
	}
}

func (f *factorLearner) updateItem(i int, slope []float64) {
	f.descend(f.itemVector(i), slope, f.itemSeen[i*f.width:], f.itemPrior, f.itemSlope(i, slope)/f.ratingsOf[i])
}

// itemSlope computes the slope of the block by the vector of an item, and returns
// how many ratings it comes from.
func (f *factorLearner) itemSlope(i int, slope []float64) float64 {
	clear(slope)
	count := 0
	for at := f.head[i]; at >= 0; at = f.next[at] {
		add(slope, f.slopes[at], f.userVector(f.block[f.rowOf[at]].user))
		count++
	}
	return float64(count)
}

// tiny keeps a slope that was never anything but zero from dividing by itself.
const tiny = 1e-12

// descend makes one step. A coordinate with a negative prior is fixed.
func (f *factorScorer) descend(x, slope, seen, prior []float64, share float64) {
	for d := range x {
		if prior[d] < 0 {
			continue
		}
		g := slope[d] + share*prior[d]*x[d]
		seen[d] += g * g
		x[d] -= f.options.Rate * g / (math.Sqrt(seen[d]) + tiny)
	}
}

func dot(x, y []float64) float64 {
	var a, b float64
	y = y[:len(x)]
	d := 0
	for ; d+1 < len(x); d += 2 {
		a += x[d] * y[d]
		b += x[d+1] * y[d+1]
	}
	if d < len(x) {
		a += x[d] * y[d]
	}
	return a + b
}

// add adds c times y to x.
func add(x []float64, c float64, y []float64) {
	y = y[:len(x)]
	for d := range x {
		x[d] += c * y[d]
	}
}

func grown(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n, 2*n)
	}
	return s[:n]
}
