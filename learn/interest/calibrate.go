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
	knots = 200
)

// leftOut has the even scores of the inputs for some people of the training data, each as if that person's list had been
// left out of the regressions. With v = P x for a list x of weight w, and h = w x·v, leaving out the list turns P into
// P + w v vᵀ / (1 - h) (Sherman and Morrison), which is exact but for κ, which is kept as it was. The low-rank part is
// kept too: one list hardly moves it.
type leftOut struct {
	people []int
	scores []float64 // person by person, by place among the inputs
}

// leaveOut computes the scores for people at even distances in the set.
func (l *lists) leaveOut(m *interest.Model, p []float64, jobs int) *leftOut {
	n := len(l.inputs)
	count := min(len(l.people), max(1, mostScored/n))
	left := &leftOut{scores: make([]float64, count*n)}
	for k := range count {
		left.people = append(left.people, l.people[k*len(l.people)/count])
	}
	smooth := *m // without the weights between items
	smooth.Near = interest.Weights{Start: make([]int64, m.Items()+1)}
	parallel.Do(count, jobs, func(_, at int) {
		u := left.people[at]
		row := l.set.Row(u)
		v, all := make([]float64, n), make([]float64, m.Items())
		for k, i := range row.Items {
			if place := int(l.place[i]); place >= 0 {
				vec.AddTimes(v, p[place*n:(place+1)*n], l.x[u][k])
			}
		}
		if err := smooth.Score(row, all); err != nil {
			panic(err) // the items are those of the set
		}
		scores := left.scores[at*n : (at+1)*n]
		for k, i := range l.inputs {
			scores[k] = all[i]
		}
		var inside float64
		for k, i := range row.Items {
			if place := l.place[i]; place >= 0 {
				inside += l.x[u][k] * v[place]
				scores[place] += l.x[u][k] // no item predicts itself
			}
		}
		rest := 1 - l.weight[u]*inside
		change := l.weight[u] / rest
		for k, x := range v {
			scores[k] = m.Even(scores[k]-x/rest/(p[k*n+k]+change*x*x), row.Len())
		}
	})
	return left
}

// calibrate fits the share of picks as a function of the score, which must not fall: the mean over groups, neighbours
// in the wrong order pooled (isotonic regression).
func (l *lists) calibrate(left *leftOut) interest.Calibration {
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
			pairs = append(pairs, pair{left.scores[at*n+k], picked})
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
