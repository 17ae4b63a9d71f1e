package reliability

import (
	"math"
	"slices"

	"fubini/core/logprob"
	"fubini/learn/ballot"
)

// integral is the votes of one rater, their reliability integrated out.
type integral struct {
	*Panel
	*ballot.Local // of votes at reliability 1, to be scaled
	theta         []float64
	table         table // of the grid
	prior         Prior

	at     *points
	logs   [nodes]float64 // log likelihood of the votes at each point
	value  float64        // log of the integral
	column []float64      // score of parameter k at point q: element k*nodes + q
	on     []bool         // whether a parameter has one
	active []int          // those that have
	own    Posterior
}

// votes evaluates the votes of groups first to end, all of rater r, at the rater's points.
func (w *integral) votes(r, first, end int, scores bool) error {
	w.at, w.logs = &w.points[r], [nodes]float64{}
	for _, k := range w.active {
		clear(w.column[k*nodes : (k+1)*nodes])
		w.on[k] = false
	}
	w.active = w.active[:0]
	if w.at.stride > 0 {
		w.lookUp(int(w.Panel.Groups[first].First), int(w.Panel.Groups[end].First), scores)
		return nil
	}
	for g := first; g < end; g++ {
		if w.Panel.Groups[g].Weight == 0 {
			continue
		}
		w.Load(w.theta, w.Panel.Groups[g].Vote)
		for q := range nodes {
			w.Scale(math.Exp(w.at.node(q)))
			if err := w.Expect(false); err != nil {
				return err
			}
			for _, o := range w.Panel.OutcomesOf(g) {
				tiers := w.Panel.TiersOf(o.Vote)
				w.logs[q] += o.Weight * w.LogOf(tiers)
				if scores {
					w.Residual(tiers)
					w.put(q, o.Weight)
				}
			}
		}
	}
	return nil
}

// touch notes that there is a score of a parameter.
func (w *integral) touch(k int) {
	if !w.on[k] {
		w.on[k] = true
		w.active = append(w.active, k)
	}
}

// put adds the score in hand at point q.
func (w *integral) put(q int, weight float64) {
	for a, v := range w.Statistic[:w.Dim] {
		for _, e := range w.Rows[a] {
			w.touch(e.At)
			w.column[e.At*nodes+q] += weight * v * e.By
		}
	}
}

// lookUp does what votes does, from the table, for orders first to end.
func (w *integral) lookUp(first, end int, scores bool) {
	for k := first; k < end; k++ {
		weight, o := w.Panel.Orders[k].Weight, int(w.rows.order[k])
		if weight == 0 {
			continue
		}
		on := w.rows.on[w.rows.from[o]:w.rows.from[o+1]]
		if scores {
			for _, at := range on {
				w.touch(int(at))
			}
		}
		t, width := w.rows.of(w.table, len(w.grid.used), o, w.at.at)
		for q := range nodes {
			row := t[q*w.at.stride*width:]
			w.logs[q] += weight * row[0]
			if scores {
				for j, v := range row[1:width] {
					w.column[int(on[j])*nodes+q] += weight * v
				}
			}
		}
	}
}

// weigh computes the posterior of the points, and the log of the integral.
func (w *integral) weigh() {
	var logs [nodes]float64
	for q := range logs {
		logs[q] = math.Log(w.at.step) + w.prior.log(w.at.node(q)) + w.logs[q]
	}
	w.value = logprob.SumExp(logs[:])
	var mean, square, s, s2 float64
	for q, v := range logs {
		p, t := math.Exp(v-w.value), w.at.node(q)
		w.own.Weights[q] = p
		mean += p * t
		square += p * (t - w.at.centre) * (t - w.at.centre)
		s += p * math.Exp(t)
		s2 += p * math.Exp(2*t)
	}
	off := mean - w.at.centre
	// Where nearly all is at one point the deviation is smaller than can be seen from there.
	w.own.Place = Place{mean, math.Max(math.Sqrt(math.Max(0, square-off*off)), w.at.step/3)}
	w.own.Mean, w.own.Variance, w.own.Lean = s, math.Max(0, s2-s*s), nil
}

// spread adds the score of the log spread.
func (w *integral) spread() {
	at := w.Panel.Spread
	for q := range nodes {
		w.column[at*nodes+q] = w.prior.score(w.at.node(q))
	}
	w.touch(at)
	slices.Sort(w.active)
}

// mean is the posterior mean of the score of parameter k.
func (w *integral) mean(k int) (mean float64) {
	for q, v := range w.column[k*nodes : (k+1)*nodes] {
		mean += w.own.Weights[q] * v
	}
	return mean
}

// missing adds the covariance of the score over the posterior, the means of which were taken off.
func (w *integral) missing(times float64, to []float64) {
	g := w.Panel.Global
	for n, i := range w.active {
		var weighted [nodes]float64
		for q, v := range w.column[i*nodes : (i+1)*nodes] {
			weighted[q] = times * w.own.Weights[q] * v
		}
		for _, j := range w.active[:n+1] {
			var sum float64
			for q, v := range w.column[j*nodes : (j+1)*nodes] {
				sum += weighted[q] * v
			}
			to[i*g+j] += sum
		}
	}
}

// lean is the covariance of the reliability with the score, the means of which were taken off.
func (w *integral) lean() {
	w.own.Lean = make([]ballot.Entry, 0, len(w.active))
	for _, k := range w.active {
		var lean float64
		for q, v := range w.column[k*nodes : (k+1)*nodes] {
			lean += w.own.Weights[q] * v * math.Exp(w.at.node(q))
		}
		w.own.Lean = append(w.own.Lean, ballot.Entry{At: k, By: lean})
	}
}

// seen adds the information that the votes of a rater on no grid would have if the reliability were seen, averaged over its
// posterior: at all points, or at the three of Gauss and Hermite, which is enough for a step.
func (w *integral) seen(first, end int, times float64, all bool, to []float64) error {
	at := func(t, share float64) error {
		for g := first; g < end; g++ {
			each := w.Panel.Groups[g]
			if each.Weight == 0 {
				continue
			}
			w.Load(w.theta, each.Vote)
			w.Scale(math.Exp(t))
			if w.ByVote() {
				for _, o := range w.Panel.OutcomesOf(g) {
					w.OfVote(w.Panel.TiersOf(o.Vote), true)
					w.AddInformation(to, w.Panel.Global, share*o.Weight)
				}
				continue
			}
			if err := w.Expect(true); err != nil {
				return err
			}
			w.AddInformation(to, w.Panel.Global, share*each.Weight)
		}
		return nil
	}
	if all {
		for q, share := range w.own.Weights {
			if share > 1e-15 {
				if err := at(w.at.node(q), times*share); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for k, share := range []float64{1. / 6, 2. / 3, 1. / 6} {
		if err := at(w.own.Place.Mean+math.Sqrt(3)*w.own.Place.SD*float64(k-1), times*share); err != nil {
			return err
		}
	}
	return nil
}
