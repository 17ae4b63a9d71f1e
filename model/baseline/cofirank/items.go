package cofirank

import (
	"slices"

	"fubini/model/baseline/fitting"
)

// plane bounds the loss from below: level plus the sum of slopes times scores, by rating. It holds for any factors, so
// that the planes of one round are used in the next.
type plane struct {
	level float64
	slope []float32
}

// fitItems improves factors and offsets of all items.
func (l *learner) fitItems() {
	if l.loss == Squared {
		l.each(len(l.mentions), l.fitItem)
		return
	}
	var curvature []float64
	for _, prior := range l.itemPriors {
		curvature = append(append(curvature, slices.Repeat([]float64{prior}, l.Hidden)...), l.itemOffset)
	}
	limits := limitsOf[l.loss].items
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

// keep keeps the slopes by rating of a plane.
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

// choose keeps the planes that touch the minimum, for the next round.
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
	l.each(len(l.mentions), func(_ *worker, row int) {
		out := out[row*stride:][:stride]
		clear(out)
		for _, m := range l.mentions[row] {
			s := l.lists[m.list].slope[m.at]
			fitting.Add(out[:hidden], s, l.userVector(m.list))
			out[hidden] += s
		}
	})
}

// measure returns the loss of all users with these items, and writes the slopes by rating.
func (l *learner) measure(item []float64) (loss float64) {
	stride, hidden := l.stride(), l.Hidden
	l.each(len(l.lists), func(w *worker, u int) {
		one, user := &l.lists[u], l.userVector(u)
		w.scores = fitting.Resize(w.scores, len(one.rows))
		for j, row := range one.rows {
			at := item[row*stride:][:stride]
			w.scores[j] = l.Mean + user[hidden] + at[hidden] + fitting.Dot(user[:hidden], at)
		}
		switch {
		case l.loss == Squared:
			for j, v := range one.values {
				one.slope[j] = w.scores[j] - v
			}
		case one.ordered:
			one.loss = w.loss.measure(one, w.scores)
		}
	})
	for u := range l.lists {
		loss += l.lists[u].loss
	}
	return loss
}

// fitItem solves for one item under the squared loss.
func (l *learner) fitItem(w *worker, row int) {
	hidden, item := l.Hidden, l.itemVector(row)
	if len(l.mentions[row]) == 0 {
		clear(item)
		return
	}
	w.regression.reset(l.stride())
	for _, m := range l.mentions[row] {
		user := l.userVector(m.list)
		w.regression.add(user[:hidden], l.lists[m.list].values[m.at]-l.Mean-user[hidden])
	}
	w.regression.solve(l.itemPriors[row], l.itemOffset, item)
}
