package interest

import (
	"math"
	"slices"

	"fubini/core/cholesky"
	"fubini/core/parallel"
	"fubini/model/interest"
)

const (
	// stride is the number of inputs of which one that is no pick is looked at to find what the length of a list changes, and counts for all.
	stride = 16
	// faintest is the score as which lower ones count for that: their logs would be far away, or none.
	faintest = 1e-4
	// newton is the largest number of steps of a logistic regression.
	newton = 20
)

// pair is a person and an item that is not given: a value of the item, log(n/20) for n given items, whether it is picked, and the weight.
type pair struct{ value, length, picked, weight float64 }

// pairs are those of all people, with a function of the score as value.
func (left *leftOut) pairs(value func(score float64) float64, jobs int) (all []pair) {
	each := make([][]pair, len(left.people))
	parallel.Do(len(each), jobs, func(_, k int) {
		scores, given, hidden := left.of(k), left.parts[k].inputs.places, left.hidden[k]
		length, weight := math.Log(float64(left.parts[k].row.Len())/interest.Typical), left.weight[k]
		own := make([]pair, 0, len(hidden)+len(scores)/stride+1)
		for _, place := range hidden {
			own = append(own, pair{value(scores[place]), length, 1, weight})
		}
		for place := k % stride; place < len(scores); place += stride {
			if !among(given, place) && !among(hidden, place) {
				own = append(own, pair{value(scores[place]), length, 0, stride * weight})
			}
		}
		each[k] = own
	})
	for _, own := range each {
		all = append(all, own...)
	}
	return all
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
	prior := [4]float64{0, 1, 0, 0}
	form := func(b *[4]float64, p *pair) float64 {
		return b[0] + float64(b[2]*p.length) + float64((b[1]+float64(b[3]*p.length))*p.value)
	}
	loss := func(b [4]float64) (sum float64) {
		for k, v := range b {
			sum += float64((v-prior[k])*(v-prior[k])) / 2
		}
		for k := range pairs {
			p := &pairs[k]
			logit := form(&b, p)
			sum += float64(p.weight * (max(logit, 0) + math.Log1p(math.Exp(-math.Abs(logit))) - float64(p.picked*logit)))
		}
		return sum
	}
	b = prior
	best := loss(b)
	for range newton {
		step, curvature := make([]float64, n), make([]float64, n*n)
		for k := range step {
			step[k], curvature[k*n+k] = prior[k]-b[k], 1
		}
		for k := range pairs {
			p := &pairs[k]
			x := [4]float64{1, p.value, p.length, float64(p.value * p.length)}
			chance := 1 / (1 + math.Exp(-form(&b, p)))
			gap, spread := p.weight*(p.picked-chance), p.weight*float64(chance*(1-chance))
			for r, v := range x[:n] {
				step[r] += float64(gap * v)
				for c, w := range x[:n] {
					curvature[r*n+c] += float64(spread * float64(v*w))
				}
			}
		}
		cholesky.Must(cholesky.Solve(curvature, step))
		before := best
		for size := 1.0; size > 1e-3 && best == before; size /= 2 {
			next := b
			for k, v := range step {
				next[k] += float64(size * v)
			}
			if l := loss(next); l < best {
				b, best = next, l
			}
		}
		if !(best < before-1e-6*before) {
			break
		}
	}
	return b
}
