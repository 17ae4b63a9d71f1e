package interest

import (
	"cmp"
	"slices"

	"fubini/core/parallel"
	"fubini/core/vec"
	"fubini/model/interest"
)

const (
	// mostScored bounds the number of scores that the calibration is fitted to.
	mostScored = 4_000_000
	// knots is the number of groups of scores, each with the same number of picks, before neighbours are pooled.
	knots = 50
)

// leftOut has the scores of the inputs for some people of the training data, each as if that person's list had been
// left out of the fit. With v = P x for a list x of weight w, and h = w x·v, leaving out the list turns P into
// P + w v vᵀ / (1 - h) (Sherman and Morrison), which is exact but for κ, which is kept as it was.
type leftOut struct {
	people []int
	scores []float64 // person by person, by place among the inputs
}

// sample chooses people at even distances.
func sample(l *lists) *leftOut {
	users, n := l.set.Users().Len(), len(l.inputs)
	count := min(users, max(1, mostScored/n))
	left := &leftOut{scores: make([]float64, count*n)}
	for k := range count {
		left.people = append(left.people, k*users/count)
	}
	return left
}

// add adds what one of the two matrices brings to the scores, given its P.
func (left *leftOut) add(l *lists, p []float64, factor func(length int) float64, jobs int) {
	n := len(l.inputs)
	parallel.Do(len(left.people), jobs, func(_, at int) {
		u := left.people[at]
		row, v := l.set.Row(u).Items, make([]float64, n)
		for _, i := range row {
			if k := int(l.place[i]); k >= 0 {
				vec.AddTimes(v, p[k*n:(k+1)*n], 1)
			}
		}
		var inside float64
		for _, i := range row {
			if k := l.place[i]; k >= 0 {
				inside += v[k]
			}
		}
		rest := 1 - l.weight[u]*inside
		change, share := l.weight[u]/rest, factor(len(row))
		scores := left.scores[at*n : (at+1)*n]
		for k, x := range v {
			scores[k] -= share * x / rest / (p[k*n+k] + change*x*x)
		}
		for _, i := range row {
			if k := l.place[i]; k >= 0 {
				scores[k] += share // no item predicts itself
			}
		}
	})
}

// calibrate fits the share of picks as a function of the score, which must not fall: the mean over groups, neighbours
// in the wrong order pooled (isotonic regression).
func (left *leftOut) calibrate(l *lists, base []float64) interest.Calibration {
	n := len(l.inputs)
	type pair struct {
		score  float64
		picked bool
	}
	pairs := make([]pair, 0, len(left.scores))
	picks := 0
	for at, u := range left.people {
		row := l.set.Row(u).Items
		for k, i := range l.inputs {
			_, picked := slices.BinarySearch(row, i)
			if picked {
				picks++
			}
			pairs = append(pairs, pair{left.scores[at*n+k] + base[i], picked})
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Compare(a.score, b.score) })
	type group struct{ score, picks, size float64 }
	var groups []group
	var g group
	for k, each := range pairs {
		g.score += each.score
		g.size++
		if each.picked {
			g.picks++
		}
		full := g.picks >= float64(picks)/knots && (k+1 == len(pairs) || pairs[k+1].score > each.score)
		if !full && k+1 < len(pairs) {
			continue
		}
		for len(groups) > 0 {
			last := groups[len(groups)-1]
			if last.picks*g.size < g.picks*last.size {
				break
			}
			g = group{g.score + last.score, g.picks + last.picks, g.size + last.size}
			groups = groups[:len(groups)-1]
		}
		groups = append(groups, g)
		g = group{}
	}
	var c interest.Calibration
	for _, g := range groups {
		c.Scores, c.Chance = append(c.Scores, g.score/g.size), append(c.Chance, g.picks/g.size)
	}
	return c
}
