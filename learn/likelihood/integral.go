package likelihood

import (
	"context"
	"math"
	"slices"

	"fubini/core/logprob"
	"fubini/core/parallel"
	"fubini/learn/ballot"
)

// The integral over the log reliability of a rater is a sum over equidistant points around its posterior mean, 0.9 standard
// deviations apart and no more than 5.4 away. Of smooth functions that fall off as normal densities do the sum is exact to many
// digits; for a spread of 1, more than is found in practice, the log of the integral is off by less than 3e-4.
// See docs/maths.md#raters.
const (
	reach   = 6
	nodes   = 2*reach + 1
	spacing = 0.9
)

// place is the posterior mean and standard deviation of a rater's log reliability, around which the integral is taken.
type place struct{ mean, sd float64 }

// point is point q of the integral.
func (p place) node(q int) float64 { return p.mean + spacing*p.sd*float64(q-reach) }

// posterior is what the votes of a rater say of their reliability.
type posterior struct {
	place    place          // of its logarithm
	weights  [nodes]float64 // probabilities of the points around the place that was used
	mean     float64        // of the reliability
	variance float64
	lean     []ballot.Entry // covariance of the reliability with the score of the rater's votes; by the last pass
}

// prior is the distribution of reliabilities before any vote: log-normal of mean 1.
type reliabilityPrior struct{ spread float64 }

func (d *Data) reliabilityPrior(theta []float64) reliabilityPrior {
	return reliabilityPrior{math.Exp(theta[d.Spread])}
}

// place has no votes.
func (p reliabilityPrior) place() place { return place{-p.spread * p.spread / 2, p.spread} }

// log is the log density of a log reliability.
func (p reliabilityPrior) log(t float64) float64 {
	a := t/p.spread + p.spread/2
	return -a*a/2 - math.Log(p.spread) - math.Log(2*math.Pi)/2
}

// score and information are the derivative of the log density by the log spread, and minus that of the score.
func (p reliabilityPrior) score(t float64) float64 {
	a := t/p.spread + p.spread/2
	return a*a - a*p.spread - 1
}

func (p reliabilityPrior) information(t float64) float64 {
	a := t/p.spread + p.spread/2
	return 2*a*a - 2*a*p.spread + p.spread*p.spread
}

// integral is the votes of one rater, their reliability integrated out.
type integral struct {
	*sum
	prior  reliabilityPrior
	place  place
	logs   [nodes]float64 // log likelihood of the votes at each point
	value  float64        // log of the integral
	column []float64      // score of parameter k at point q: element k*nodes + q
	on     []bool         // whether a parameter has one
	active []int          // those that have
	own    posterior
}

func (d *Data) newIntegral(theta []float64, information bool) *integral {
	s := d.newSum(theta, information)
	alike := *d.Data // votes are loaded at reliability 1, and scaled
	alike.Raters = 0
	s.Local = alike.NewLocal()
	return &integral{sum: s, prior: d.reliabilityPrior(theta), column: make([]float64, d.Global*nodes), on: make([]bool, d.Global)}
}

// votes evaluates the votes of groups first to end, all of one rater, at the points around a place.
func (w *integral) votes(first, end int, at place, scores bool) error {
	w.place, w.logs = at, [nodes]float64{}
	for _, k := range w.active {
		clear(w.column[k*nodes : (k+1)*nodes])
		w.on[k] = false
	}
	w.active = w.active[:0]
	for g := first; g < end; g++ {
		each := w.Data.Groups[g]
		if each.Weight == 0 {
			continue
		}
		w.Load(w.theta, each.Vote)
		for q := range nodes {
			w.Scale(math.Exp(at.node(q)))
			if w.ByVote() {
				for _, o := range w.OutcomesOf(g) {
					w.logs[q] += o.Weight * w.OfVote(w.TiersOf(o.Vote), false)
					w.put(q, o.Weight, w.Statistic[:w.Dim], scores)
				}
				continue
			}
			if err := w.Expect(false); err != nil {
				return err
			}
			w.put(q, -each.Weight, w.Mean[:w.Dim], scores)
			for _, o := range w.OutcomesOf(g) {
				tiers := w.TiersOf(o.Vote)
				w.logs[q] += o.Weight * w.LogProbability(tiers)
				if scores {
					w.StatisticsOf(tiers, w.Statistic)
					w.put(q, o.Weight, w.Statistic[:w.Dim], true)
				}
			}
		}
	}
	return nil
}

// put adds a score in local coordinates at point q.
func (w *integral) put(q int, weight float64, local []float64, scores bool) {
	if !scores {
		return
	}
	for a, v := range local {
		for _, e := range w.Rows[a] {
			if !w.on[e.At] {
				w.on[e.At] = true
				w.active = append(w.active, e.At)
			}
			w.column[e.At*nodes+q] += weight * v * e.By
		}
	}
}

// weigh computes the posterior of the points by their log weights before the votes, and the log of the integral.
func (w *integral) weigh(logs [nodes]float64) {
	for q := range logs {
		logs[q] += w.logs[q]
	}
	w.value = logprob.SumExp(logs[:])
	var mean, square, s, s2 float64
	for q, v := range logs {
		p, t := math.Exp(v-w.value), w.place.node(q)
		w.own.weights[q] = p
		mean += p * t
		square += p * (t - w.place.mean) * (t - w.place.mean)
		s += p * math.Exp(t)
		s2 += p * math.Exp(2*t)
	}
	off := mean - w.place.mean
	// Where nearly all is at one point the deviation is smaller than can be seen from there.
	w.own.place = place{mean, math.Max(math.Sqrt(math.Max(0, square-off*off)), w.place.sd/3)}
	w.own.mean, w.own.variance = s, math.Max(0, s2-s*s)
}

// before are the log weights of the points by the prior.
func (w *integral) before() (logs [nodes]float64) {
	for q := range logs {
		logs[q] = math.Log(spacing*w.place.sd) + w.prior.log(w.place.node(q))
	}
	return logs
}

// spread adds the score of the log spread.
func (w *integral) spread() {
	at := w.Spread
	for q := range nodes {
		w.column[at*nodes+q] = w.prior.score(w.place.node(q))
	}
	w.on[at] = true
	w.active = append(w.active, at)
	slices.Sort(w.active)
}

// mean is the posterior mean of the score of parameter k.
func (w *integral) mean(k int) (mean float64) {
	for q, v := range w.column[k*nodes : (k+1)*nodes] {
		mean += w.own.weights[q] * v
	}
	return mean
}

// close adds the rater, counted times over, to the sums: value, gradient, the information as if the reliability were seen,
// averaged over its posterior, and what is missing of it.
func (w *integral) close(first, end int, times float64, p pass) error {
	w.sum.value += times * w.value
	if !p.scores {
		return nil
	}
	w.spread()
	for _, k := range w.active {
		mean := w.mean(k)
		w.gradient[k] += times * mean
		row := w.column[k*nodes : (k+1)*nodes]
		for q := range row {
			row[q] -= mean
		}
	}
	if p.last {
		w.own.lean = make([]ballot.Entry, 0, len(w.active))
		for _, k := range w.active {
			var lean float64
			for q, v := range w.column[k*nodes : (k+1)*nodes] {
				lean += w.own.weights[q] * v * math.Exp(w.place.node(q))
			}
			w.own.lean = append(w.own.lean, ballot.Entry{At: k, By: lean})
		}
	}
	if !p.information {
		return nil
	}
	g := w.Global
	for n, i := range w.active {
		var weighted [nodes]float64
		for q, v := range w.column[i*nodes : (i+1)*nodes] {
			weighted[q] = times * w.own.weights[q] * v
		}
		for _, j := range w.active[:n+1] {
			var sum float64
			for q, v := range w.column[j*nodes : (j+1)*nodes] {
				sum += weighted[q] * v
			}
			w.missing[i*g+j] += sum
		}
	}
	for q, share := range w.own.weights {
		w.information[w.Spread*g+w.Spread] += times * share * w.prior.information(w.place.node(q))
	}
	seen := func(t, share float64) error {
		for g := first; g < end; g++ {
			if err := w.seen(g, t, share); err != nil {
				return err
			}
		}
		return nil
	}
	if !p.last { // by the three points of Gauss and Hermite, which is enough for a step
		at := w.own.place
		for k, share := range []float64{1. / 6, 2. / 3, 1. / 6} {
			if err := seen(at.mean+math.Sqrt(3)*at.sd*float64(k-1), times*share); err != nil {
				return err
			}
		}
		return nil
	}
	for q, share := range w.own.weights {
		if share > 1e-7 {
			if err := seen(w.place.node(q), times*share); err != nil {
				return err
			}
		}
	}
	return nil
}

// seen adds the information of a group whose rater has the log reliability t.
func (w *integral) seen(g int, t, share float64) error {
	each := w.Data.Groups[g]
	if each.Weight == 0 {
		return nil
	}
	w.Load(w.theta, each.Vote)
	w.Scale(math.Exp(t))
	if w.ByVote() {
		for _, o := range w.OutcomesOf(g) {
			w.OfVote(w.TiersOf(o.Vote), true)
			w.scatter(w.Covariance, share*o.Weight)
		}
		return nil
	}
	if err := w.Expect(true); err != nil {
		return err
	}
	w.scatter(w.Covariance, share*each.Weight)
	return nil
}

// pass is what an evaluation with reliabilities computes beside the value.
type pass struct {
	scores      bool // the gradient
	information bool
	last        bool // the information exactly, and what reliabilities share with the parameters
}

// integrate evaluates the likelihood of the votes with the reliabilities of raters integrated out.
func (d *Data) integrate(ctx context.Context, theta []float64, jobs int, p pass) (*point, error) {
	points := make([]*point, len(d.Parts)-1)
	raters := make([]posterior, d.Raters)
	err := d.eachRater(ctx, theta, jobs, p, func(part int, w *integral) { points[part] = w.point }, func(w *integral, _, r, first, end int) error {
		times := 1.0
		if d.times != nil {
			times = d.times[r]
		}
		if err := w.close(first, end, times, p); err != nil {
			return err
		}
		raters[r] = w.own
		return nil
	})
	if err != nil {
		return nil, err
	}
	total := added(points)
	total.raters = raters
	return total, nil
}

// eachRater calls visit with the votes of every rater who has some, weighed by the prior. The parts of the work are those of
// the data, so that sums do not depend on the number of workers; start has the scratch of each.
func (d *Data) eachRater(ctx context.Context, theta []float64, jobs int, p pass, start func(part int, w *integral), visit func(w *integral, part, r, first, end int) error) error {
	return parallel.Each(ctx, len(d.Parts)-1, jobs, func(_, part int) error {
		w := d.newIntegral(theta, p.information)
		if p.information {
			w.missing = make([]float64, d.Global*d.Global)
		}
		start(part, w)
		for first := d.Parts[part]; first < d.Parts[part+1]; {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			r := int(d.RaterOf(d.Groups[first].Vote))
			end := first + 1
			for end < d.Parts[part+1] && int(d.RaterOf(d.Groups[end].Vote)) == r {
				end++
			}
			at := w.prior.place()
			if d.places != nil {
				at = d.places[r]
			}
			if err := w.votes(first, end, at, p.scores); err != nil {
				return err
			}
			w.weigh(w.before())
			if err := visit(w, part, r, first, end); err != nil {
				return err
			}
			first = end
		}
		return nil
	})
}
