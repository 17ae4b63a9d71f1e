package rival

// cofiPlane bounds the loss from below in terms of scores: level plus slopes times
// scores, by rating. It holds whatever the factors are, so that planes found in
// one round are used in the next.
type cofiPlane struct {
	level float64
	slope []float32
}

// fitItems improves factors and offsets of all items.
func (l *cofiLearner) fitItems() {
	if l.loss == CoFiSquared {
		l.each(len(l.itemRow), l.fitItem)
		return
	}
	l.pack()
	limits := cofiLimits[l.loss].items
	l.bundle.reset(l.curvature, len(l.planes)+limits.looks)
	for _, plane := range l.planes {
		for at, s := range plane.slope {
			l.slope[at] = float64(s)
		}
		l.gather(l.bundle.slope)
		l.bundle.cut(plane.level)
	}
	l.bundle.minimise(l.packed, func(packed, slope []float64) float64 {
		loss := l.measure(packed, l.packedAt)
		l.gather(slope)
		l.keep()
		return loss
	}, limits)
	for row, at := range l.packedAt {
		if l.itemStart[row+1] > l.itemStart[row] {
			copy(l.item[row*l.stride():][:l.stride()], l.packed[at:])
		}
	}
	l.choose()
}

// pack puts items that have ratings one after the other: the others stay at zero,
// and with few ratings a user they are most. A number that was at an odd place stays
// at an odd one, behind a zero where need be: so dot adds up the same, to the bit.
func (l *cofiLearner) pack() {
	l.packed, l.curvature, l.packedAt = l.packed[:0], l.curvature[:0], l.packedAt[:0]
	for row, prior := range l.itemPriors {
		from := row * l.stride()
		rated := l.itemStart[row+1] > l.itemStart[row]
		if rated && (len(l.packed)-from)%2 != 0 {
			l.packed, l.curvature = append(l.packed, 0), append(l.curvature, 1)
		}
		l.packedAt = append(l.packedAt, len(l.packed))
		if !rated {
			continue
		}
		l.packed = append(l.packed, l.item[from:][:l.stride()]...)
		for range l.Hidden {
			l.curvature = append(l.curvature, prior)
		}
		l.curvature = append(l.curvature, l.itemOffset)
	}
}

// keep notes the slopes by rating of a plane.
func (l *cofiLearner) keep() {
	var slope []float32
	if last := len(l.spare) - 1; last >= 0 {
		slope, l.spare = l.spare[last], l.spare[:last]
	} else {
		slope = make([]float32, len(l.slope))
	}
	for at, s := range l.slope {
		slope[at] = float32(s)
	}
	l.planes = append(l.planes, cofiPlane{slope: slope})
}

// choose keeps the planes that bear the minimum, for the next round.
func (l *cofiLearner) choose() {
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

// gather turns slopes by rating into those by item, packed. Between items there
// are zeros.
func (l *cofiLearner) gather(out []float64) {
	stride, hidden := l.stride(), l.Hidden
	l.each(len(l.itemRow), func(_ *cofiWorker, row int) {
		if l.itemStart[row+1] == l.itemStart[row] {
			return
		}
		out := out[l.packedAt[row]:][:stride]
		clear(out)
		var some fours
		for k := l.itemStart[row]; k < l.itemStart[row+1]; k++ {
			s := l.slope[l.itemAt[k]]
			some.add(out[:hidden], s, l.user[l.itemUser[k]*stride:])
			out[hidden] += s
		}
		some.finish(out[:hidden])
	})
}

// measure returns the loss of all users at these items, which start where it is
// said, and finds the slope by rating.
func (l *cofiLearner) measure(item []float64, itemAt []int) (loss float64) {
	stride, hidden := l.stride(), l.Hidden
	l.each(len(l.losses), func(w *cofiWorker, u int) {
		from, to := l.start[u], l.start[u+1]
		w.room(to - from)
		scores, user := w.scores[:to-from], l.user[u*stride:][:stride]
		for j, row := range l.row[from:to] {
			scores[j] = l.Mean + user[hidden] + item[itemAt[row]+hidden] + dot(user[:hidden], item[itemAt[row]:])
		}
		switch {
		case l.loss == CoFiSquared:
			for j, v := range l.value[from:to] {
				l.slope[from+j] = scores[j] - v
			}
		case l.useful[u]:
			l.losses[u] = w.loss.measure(scores, l.first[from:to], l.second[from:to], l.slope[from:to], l.notes[from:to])
		}
	})
	for _, each := range l.losses {
		loss += each
	}
	return loss
}

// fitItem solves for one item under the squared loss.
func (l *cofiLearner) fitItem(w *cofiWorker, row int) {
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
