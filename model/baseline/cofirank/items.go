package cofirank

import (
	"slices"

	"fubini/model/baseline/fitting"
)

// cofiPlane bounds the loss from below in terms of scores: level plus slopes times scores, by rating. It holds whatever
// the factors are, so that planes found in one round are used in the next.
type plane struct {
	level float64
	slope []float32
}

// fitItems improves factors and offsets of all items.
func (l *learner) fitItems() {
	if l.loss == Squared {
		l.each(len(l.itemRow), l.fitItem)
		return
	}
	limits := limitsOf[l.loss].items
	curvature := l.curvatures()
	l.bundle.reset(curvature, len(l.planes)+limits.looks)
	for _, plane := range l.planes {
		for at, s := range plane.slope {
			l.slope[at] = float64(s)
		}
		l.gather(l.bundle.slope)
		l.bundle.cut(plane.level)
	}
	l.bundle.minimise(l.item, func(item, slope []float64) float64 {
		loss := l.measure(item)
		l.gather(slope)
		l.keep()
		return loss
	}, limits)
	l.choose()
}

// curvatures are the second derivatives of the prior, by coordinate.
func (l *learner) curvatures() []float64 {
	all := make([]float64, 0, len(l.item))
	for _, prior := range l.itemPriors {
		all = append(append(all, slices.Repeat([]float64{prior}, l.Hidden)...), l.itemOffset)
	}
	return all
}

// keep notes the slopes by rating of a plane.
func (l *learner) keep() {
	var slope []float32
	if last := len(l.spare) - 1; last >= 0 {
		slope, l.spare = l.spare[last], l.spare[:last]
	} else {
		slope = make([]float32, len(l.slope))
	}
	for at, s := range l.slope {
		slope[at] = float32(s)
	}
	l.planes = append(l.planes, plane{slope: slope})
}

// choose keeps the planes that bear the minimum, for the next round.
func (l *learner) choose() {
	kept := l.planes[:0]
	weight := l.bundle.dual.alpha[1:l.bundle.dual.size] // the first plane is zero
	for t, plane := range l.planes {
		if weight[t] == 0 {
			l.spare = append(l.spare, plane.slope)
			continue
		}
		plane.level = l.bundle.dual.offset[1+t]
		kept = append(kept, plane)
	}
	l.planes = kept
}

// gather turns slopes by rating into slopes by item.
func (l *learner) gather(out []float64) {
	stride, hidden := l.stride(), l.Hidden
	l.each(len(l.itemRow), func(_ *worker, row int) {
		out := out[row*stride:][:stride]
		clear(out)
		for k := l.itemStart[row]; k < l.itemStart[row+1]; k++ {
			s := l.slope[l.itemAt[k]]
			fitting.Add(out[:hidden], s, l.user[l.itemUser[k]*stride:])
			out[hidden] += s
		}
	})
}

// measure returns the loss of all users with these items, and writes the slopes by rating.
func (l *learner) measure(item []float64) (loss float64) {
	stride, hidden := l.stride(), l.Hidden
	l.each(len(l.losses), func(w *worker, u int) {
		from, to := l.start[u], l.start[u+1]
		w.room(to - from)
		scores, user := w.scores[:to-from], l.user[u*stride:][:stride]
		for j, row := range l.row[from:to] {
			at := item[row*stride:][:stride]
			scores[j] = l.Mean + user[hidden] + at[hidden] + fitting.Dot(user[:hidden], at)
		}
		switch {
		case l.loss == Squared:
			for j, v := range l.value[from:to] {
				l.slope[from+j] = scores[j] - v
			}
		case l.useful[u]:
			l.losses[u] = w.loss.measure(scores, l.first[from:to], l.second[from:to], l.slope[from:to])
		}
	})
	for _, each := range l.losses {
		loss += each
	}
	return loss
}

// fitItem solves for one item under the squared loss.
func (l *learner) fitItem(w *worker, row int) {
	stride, hidden := l.stride(), l.Hidden
	item := l.item[row*stride:][:stride]
	if l.itemStart[row] == l.itemStart[row+1] {
		clear(item)
		return
	}
	w.regression.reset(stride)
	for k := l.itemStart[row]; k < l.itemStart[row+1]; k++ {
		user := l.user[l.itemUser[k]*stride:][:stride]
		w.regression.count(user[:hidden], l.value[l.itemAt[k]]-l.Mean-user[hidden])
	}
	w.regression.solve(l.itemPriors[row], l.itemOffset, item)
}
