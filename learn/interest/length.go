package interest

import (
	"math"
	"slices"

	"fubini/core/cholesky"
	"fubini/core/parallel"
	"fubini/model/interest"
)

const (
	// somePicks and someOthers bound, about, the numbers of pairs that are looked at to find what the length of a list changes.
	somePicks, someOthers = 10_000, 40_000
	// faintest is the score as which lower ones count for that: their logs would be far away, or none.
	faintest = 1e-4
	// newton is the largest number of steps of a logistic regression.
	newton = 20
)

// pair is a person and an item that is not given: a value of the item, log(n/20) for n given items, whether it is picked, and the weight.
type pair struct{ value, length, picked, weight float64 }

// pairs are those of all people, or some at even distances that count for the others, with a function of the score as value.
func (left *leftOut) pairs(value func(score float64) float64, jobs int) (all []pair) {
	picks := 0
	for _, hidden := range left.hidden {
		picks += len(hidden)
	}
	eachPick, eachOther := 1+picks/somePicks, 1+len(left.scores)/someOthers
	each := make([][]pair, len(left.people))
	parallel.Do(len(each), jobs, func(_, k int) {
		scores, given, hidden := left.of(k), left.parts[k].inputs.places, left.hidden[k]
		length, weight := math.Log(float64(left.parts[k].row.Len())/interest.Typical), left.weight[k]
		for at := k % eachPick; at < len(hidden); at += eachPick {
			each[k] = append(each[k], pair{value(scores[hidden[at]]), length, 1, float64(eachPick) * weight})
		}
		for place := k % eachOther; place < len(scores); place += eachOther {
			if !among(given, place) && !among(hidden, place) {
				each[k] = append(each[k], pair{value(scores[place]), length, 0, float64(eachOther) * weight})
			}
		}
	})
	return slices.Concat(each...)
}

// among reports whether a place is one of some, which are ascending.
func among(places []uint32, place int) bool {
	_, found := slices.BinarySearch(places, uint32(place))
	return found
}

// power returns k of the products s (20/n)^k that stand for the same probability with scores s for lists of n items: by a logistic regression of picks on log s and
// log n, which has the slopes b and -b k.
func (left *leftOut) power(jobs int) float64 {
	b := logistic(left.pairs(func(s float64) float64 { return math.Log(max(faintest, s)) }, jobs), 3)
	if !(b[1] > 0) {
		return 0
	}
	return -b[2] / b[1]
}

// bend writes how the probability follows from that by the curve and from the length.
func (left *leftOut) bend(c interest.Calibration, length *interest.Length, jobs int) {
	b := logistic(left.pairs(func(s float64) float64 { return interest.Logit(c.Curve(s)) }, jobs), 4)
	length.A, length.B, length.C, length.D = b[0], b[1], b[2], b[3]
}

// logistic returns, of a logistic regression, the base and the slopes of the value, of the length and, if there are four numbers, of their product, by Newton's method. A weak prior, normal around
// (0, 1, 0, 0) with precision 1, keeps them finite.
func logistic(pairs []pair, n int) (b [4]float64) {
	b = [4]float64{0, 1, 0, 0}
	step, curvature := make([]float64, n), make([]float64, n*n)
	best := loss(pairs, b, step, curvature)
	for range newton {
		if !cholesky.Solve(curvature, step) { // by rounding: the loss is strictly convex
			break
		}
		before, from, whole := best, b, slices.Clone(step)
		for size := 1.0; size > 1e-3 && best == before; size /= 2 {
			next := from
			for k, v := range whole {
				next[k] -= float64(size * v)
			}
			if l := loss(pairs, next, step, curvature); l < best {
				b, best = next, l
			}
		}
		if !(best < before-1e-6*before) {
			break
		}
	}
	return b
}

// loss is minus the log of the posterior, but for a constant, with its gradient and curvature by the first numbers.
func loss(pairs []pair, b [4]float64, gradient, curvature []float64) (sum float64) {
	n := len(gradient)
	clear(curvature)
	for k := range gradient {
		gap := b[k]
		if k == 1 {
			gap--
		}
		sum += float64(gap*gap) / 2
		gradient[k], curvature[k*n+k] = gap, 1
	}
	for _, p := range pairs {
		x := [4]float64{1, p.value, p.length, float64(p.value * p.length)}
		logit := b[0] + float64(b[1]*x[1]) + float64(b[2]*x[2]) + float64(b[3]*x[3])
		small := math.Exp(-math.Abs(logit))
		chance := 1 / (1 + small)
		if logit < 0 {
			chance = small / (1 + small)
		}
		sum += float64(p.weight * (max(logit, 0) + math.Log1p(small) - float64(p.picked*logit)))
		gap, spread := p.weight*(chance-p.picked), p.weight*float64(chance*(1-chance))
		for r, v := range x[:n] {
			gradient[r] += float64(gap * v)
			for c, w := range x[:r+1] {
				curvature[r*n+c] += float64(spread * float64(v*w))
			}
		}
	}
	return sum
}
