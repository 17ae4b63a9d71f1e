package cofirank

import (
	"math"
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
		kept := make([]float32, len(l.slope))
		for at, s := range l.slope {
			kept[at] = float32(s)
		}
		l.planes = append(l.planes, plane{slope: kept})
		return loss
	}, limits)
	kept := l.planes[:0] // those that touch the minimum, for the next round
	for t, old := range l.planes {
		if t++; l.bundle.dual.alpha[t] != 0 { // the first plane is zero
			kept = append(kept, plane{l.bundle.dual.offset[t], old.slope})
		}
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
	w.regression.reset(l.stride())
	for _, m := range l.mentions[row] {
		w.explain(l.lists[m.list].values[m.at], l.userVector(m.list))
	}
	w.regression.solve(l.itemPriors[row], l.itemOffset, l.itemVector(row))
}

// begin finds offsets as if there were no factors and turns lambda, a share of the least prior that would keep it so,
// into a prior. Then it draws factors of items and fits users to them. Items without ratings stay at zero.
func (l *learner) begin(name string, lambda float64) {
	items, users, hidden := len(l.mentions), len(l.lists), l.Hidden
	l.itemPriors = make([]float64, items)
	for i := range l.itemPriors {
		l.itemPriors[i] = math.Pow(math.Max(1, float64(len(l.mentions[i])))*float64(items)/float64(len(l.slope)), l.Adapt)
	}
	l.Hidden, l.Lambda = 0, 1
	l.item, l.user = make([]float64, items), make([]float64, users)
	l.fitItems()
	if l.loss == Squared {
		for range 3 {
			l.fitUsers()
			l.fitItems()
		}
	}
	l.Lambda = lambda * l.noise(name)
	for i := range l.itemPriors {
		l.itemPriors[i] *= l.Lambda
	}
	offsets := l.item
	l.Hidden = hidden
	l.item, l.user = make([]float64, items*l.stride()), make([]float64, users*l.stride())
	for i, row := range l.itemRow {
		if len(l.mentions[row]) == 0 {
			continue
		}
		r, out := l.run.ItemStream(name, i), l.itemVector(row)
		for k := range hidden {
			out[k] = r.NormFloat64() / math.Sqrt(float64(hidden))
		}
		out[hidden] = offsets[row]
	}
	l.fitUsers()
}

// noise is the least lambda under which factors would be zero if the slopes of the loss had random signs: the largest
// singular value of such slopes by user and item, each over the root of its prior, by power iteration. A lambda of this
// size keeps noise from being learned (Negahban and Wainwright 2011).
func (l *learner) noise(name string) float64 {
	l.measure(l.item)
	for u, row := range l.userRow {
		if row < 0 {
			continue
		}
		r, slope := l.run.UserStream(name+" noise", u), l.lists[row].slope
		for at := range slope {
			if r.Coins(1) == 0 {
				slope[at] = -slope[at]
			}
		}
	}
	item, user := make([]float64, len(l.mentions)), make([]float64, len(l.lists))
	for i, row := range l.itemRow {
		item[row] = l.run.ItemStream(name+" noise", i).NormFloat64()
	}
	var value float64
	for k := 0; k < 50 && !l.run.Over(); k++ {
		norm := math.Sqrt(fitting.Dot(item, item))
		if !(norm > 0) {
			return 1 // nothing to learn: any prior will do
		}
		for row := range item {
			item[row] /= norm * math.Sqrt(l.itemPriors[row])
		}
		for u := range user {
			user[u] = 0
			for at, s := range l.lists[u].slope {
				user[u] += s * item[l.lists[u].rows[at]]
			}
			user[u] /= l.userPrior(len(l.lists[u].rows))
		}
		for row := range item {
			item[row] = 0
			for _, m := range l.mentions[row] {
				item[row] += l.lists[m.list].slope[m.at] * user[m.list]
			}
			item[row] /= math.Sqrt(l.itemPriors[row])
		}
		value = math.Sqrt(math.Sqrt(fitting.Dot(item, item)))
	}
	return value
}
