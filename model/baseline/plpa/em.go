package plpa

import (
	"fmt"
	"math"
	"slices"

	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/model/baseline/fitting"
)

// sweeps is the number of EM steps in an epoch: classes part slowly at first, which early stopping should not see.
const sweeps = 5

// chunks is the number of parts into which sums over users are cut, whatever the number of goroutines.
const chunks = 16

// learner is the model while it is fitted, by generalised EM on the penalised log likelihood
//
//	sum over users and their pairs (i over j) of log sum_z P(z|u) sigma(theta_zi - theta_zj)
//	+ sum_u imagined_u sum_z log P(z|u)
//	- prior/2 sum_zi (theta_zi - common_i)^2 - common/2 sum_i common_i^2
type learner struct {
	fitted
	settings Recipe
	set      *ratings.Set
	run      fitting.Run
	common   []float64 // worth of each item about which the classes scatter
	pairs    []int     // of each user
	chunks   [chunks]chunkSums
}

// chunkSums are the sums over the users of one chunk in one step.
type chunkSums struct {
	slope     []float64 // of the log likelihood by theta, laid out as worth
	weight    []float64 // expected number of pairs with the item in the class
	objective float64
	scratch   scratch
}

// scratch is the workspace for one user at a time.
type scratch struct {
	pairs                []pair
	gamma, slope, weight []float64 // of the items of the user
	count, part          []float64 // of classes
}

func newLearner(settings Recipe, set *ratings.Set, run fitting.Run) (*learner, error) {
	users, items, classes := set.Users().Len(), set.Items().Len(), settings.Hidden
	if classes == setting.Auto {
		classes = min(fitting.DefaultFactors, users, items)
	}
	if classes > min(users, items) {
		return nil, fmt.Errorf("hidden %d is more than %d users and %d items can tell apart", classes, users, items)
	}
	l := &learner{
		fitted: fitted{
			classes: classes, smoothing: settings.Smoothing,
			worth: make([]float64, items*classes), share: slices.Repeat([]float64{1 / float64(classes)}, classes),
			users: slices.Repeat([]float64{1 / float64(classes)}, users*classes), known: make([]bool, users), order: make([]uint32, items),
		},
		settings: settings, set: set, run: run,
		common: make([]float64, items), pairs: make([]int, users),
	}
	for i := range items {
		random := run.ItemStream("plpa", i)
		l.order[i] = random.Uint32()
		for z := range classes {
			l.worth[i*classes+z] = settings.Spread * random.NormFloat64()
		}
	}
	var pairs []pair
	for u := range users {
		pairs = pairsOf(set.Row(u), l.order, pairs[:0])
		l.pairs[u], l.known[u] = len(pairs), len(pairs) > 0
	}
	for c := range l.chunks {
		l.chunks[c].slope, l.chunks[c].weight = make([]float64, len(l.worth)), make([]float64, len(l.worth))
	}
	return l, nil
}

// Epoch implements [fitting.Learner]. The objective is that before the last step.
func (l *learner) Epoch() float64 {
	var objective float64
	for s := 0; s < sweeps && !l.run.Over(); s++ {
		objective = l.sweep()
	}
	return -objective
}

// sweep makes one EM step and returns the penalised log likelihood before it. Given the expected class of every pair,
// P(z|u) has a closed form, and the worths climb a quadratic that touches the expected log likelihood from below: with
// sigma' <= 1/4, log sigma(x+d) >= log sigma(x) + (1-sigma(x)) d - d^2/8, and (d_i - d_j)^2 <= 2 d_i^2 + 2 d_j^2 takes
// items apart. So neither can fall.
func (l *learner) sweep() float64 {
	l.exponentiate()
	l.run.Do(chunks, func(_, c int) { l.expect(&l.chunks[c], c*len(l.pairs)/chunks, (c+1)*len(l.pairs)/chunks) })
	objective := l.logPrior()
	for c := range l.chunks {
		objective += l.chunks[c].objective
	}
	items := len(l.common)
	l.run.Do(chunks, func(_, c int) {
		for i := c * items / chunks; i < (c+1)*items/chunks; i++ {
			l.climb(i)
		}
	})
	l.countShares()
	return objective
}

// countShares sets P(z) to the mean of P(z|u). One pseudo-user keeps it defined where nobody has a pair.
func (l *learner) countShares() {
	for z := range l.share {
		l.share[z] = 1 / float64(l.classes)
	}
	known := 1.0
	for u, n := range l.pairs {
		if n == 0 {
			continue
		}
		known++
		for z := range l.share {
			l.share[z] += l.users[u*l.classes+z]
		}
	}
	for z := range l.share {
		l.share[z] /= known
	}
}

// logPrior is the part of the objective without pairs.
func (l *learner) logPrior() float64 {
	var sum float64
	for i, mean := range l.common {
		sum -= l.settings.Common / 2 * mean * mean
		for _, w := range l.worth[i*l.classes:][:l.classes] {
			sum -= l.settings.Prior / 2 * (w - mean) * (w - mean)
		}
	}
	return sum
}

// expect sums the slopes of the users from..to-1 by the worths, and updates their P(z|u).
func (l *learner) expect(sums *chunkSums, from, to int) {
	clear(sums.slope)
	clear(sums.weight)
	sums.objective = 0
	s, classes := &sums.scratch, l.classes
	s.count, s.part = fitting.Resize(s.count, classes), fitting.Resize(s.part, classes)
	for u := from; u < to && !l.run.Over(); u++ {
		if l.pairs[u] == 0 {
			continue
		}
		row, mix := l.set.Row(u), l.users[u*classes:][:classes]
		size := row.Len() * classes
		s.pairs = pairsOf(row, l.order, s.pairs[:0])
		s.gamma, s.slope, s.weight = fitting.Resize(s.gamma, size), fitting.Resize(s.slope, size), fitting.Resize(s.weight, size)
		clear(s.slope)
		clear(s.weight)
		clear(s.count)
		for k, i := range row.Items {
			copy(s.gamma[k*classes:][:classes], l.gamma[int(i)*classes:])
		}
		sums.objective += s.user(mix)
		imagined := l.imagined(len(s.pairs))
		for _, share := range mix {
			sums.objective += imagined * math.Log(share)
		}
		updateShares(mix, s.count, imagined)
		for k, i := range row.Items {
			for z := range classes {
				sums.slope[int(i)*classes+z] += s.slope[k*classes+z]
				sums.weight[int(i)*classes+z] += s.weight[k*classes+z]
			}
		}
	}
}

// user sums over the pairs of one user and returns their log likelihood.
func (s *scratch) user(mix []float64) (logLikelihood float64) {
	classes := len(mix)
	part, count := s.part[:classes], s.count[:classes]
	product := 1.0
	for _, pair := range s.pairs {
		at, to := int(pair.better)*classes, int(pair.worse)*classes
		better, worse := s.gamma[at:][:classes], s.gamma[to:][:classes]
		var total float64
		for z, b := range better {
			part[z] = b / (b + worse[z])
			total += mix[z] * part[z]
		}
		if product *= total; product < 1e-200 {
			logLikelihood += math.Log(product)
			product = 1
		}
		up, down := s.slope[at:][:classes], s.slope[to:][:classes]
		mine, yours := s.weight[at:][:classes], s.weight[to:][:classes]
		scale := 1 / total
		for z, p := range part {
			share := mix[z] * p * scale
			slope := share * (1 - p)
			count[z] += share
			up[z] += slope
			down[z] -= slope
			mine[z] += share
			yours[z] += share
		}
	}
	return logLikelihood + math.Log(product)
}

// climb moves the worths of one item in all classes, and their common worth, to the maximum of the quadratic.
func (l *learner) climb(i int) {
	prior := l.settings.Prior
	var above, below float64
	row := l.worth[i*l.classes:][:l.classes]
	for z, w := range row {
		at := i*l.classes + z
		var slope, weight float64
		for c := range l.chunks {
			slope += l.chunks[c].slope[at]
			weight += l.chunks[c].weight[at]
		}
		curvature := weight / 2
		pull := curvature*w + slope
		above += prior * pull / (curvature + prior)
		below += prior * curvature / (curvature + prior)
		l.chunks[0].slope[at], l.chunks[0].weight[at] = pull, curvature
	}
	mean := above / (below + l.settings.Common)
	l.common[i] = mean
	for z := range row {
		at := i*l.classes + z
		row[z] = (l.chunks[0].slope[at] + prior*mean) / (l.chunks[0].weight[at] + prior)
	}
}

// finished is the model without the state of the fit.
func (l *learner) finished() *fitted {
	l.exponentiate()
	m := l.fitted
	return &m
}
