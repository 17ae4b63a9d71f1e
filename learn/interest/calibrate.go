package interest

import (
	"cmp"
	"slices"

	"fubini/core/parallel"
	"fubini/model/interest"
)

const (
	// mostScored bounds the number of scores that the calibration is fitted to.
	mostScored = 4_000_000
	// knots is the number of groups of scores, each with the same number of picks, before neighbours are pooled.
	knots = 200
)

// leftOut has the scores of the inputs for some people of the training data, each as if that person's list had been left
// out of the regressions. The low-rank part is kept: one list hardly moves it.
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
	parallel.Do(count, jobs, func(_, at int) {
		u := left.people[at]
		row := l.set.Row(u)
		near, smooth := make([]float64, m.Items()), make([]float64, m.Items())
		if err := m.Parts(row, near, smooth); err != nil {
			panic(err) // the items are those of the set
		}
		l.absent(u, p).near(row.Items, l.x[u], near)
		m.Combine(row, near, smooth)
		for k, i := range l.inputs {
			left.scores[at*n+k] = near[i]
		}
	})
	return left
}

// calibrate fits the share of picks as a function of the score, which must not fall: the mean over groups, neighbours
// in the wrong order pooled (isotonic regression).
func (l *lists) calibrate(left *leftOut, jobs int) interest.Calibration {
	pairs, picks := l.pairs(left, jobs), 0
	for _, each := range pairs {
		if each.picked {
			picks++
		}
	}
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

// pair is a score and whether the person picked the item.
type pair struct {
	score  float64
	picked bool
}

// pairs returns those of the people and inputs, by score.
func (l *lists) pairs(left *leftOut, jobs int) []pair {
	n := len(l.inputs)
	pairs := make([]pair, len(left.scores))
	parallel.Do(len(left.people), jobs, func(_, at int) {
		row := l.set.Row(left.people[at]).Items
		for k, i := range l.inputs {
			_, picked := slices.BinarySearch(row, i)
			pairs[at*n+k] = pair{left.scores[at*n+k], picked}
		}
	})
	return sorted(pairs, jobs)
}

// sorted sorts pairs by score: pieces first, which are then merged two by two.
func sorted(pairs []pair, jobs int) []pair {
	const pieces = 16
	start := func(k int) int { return k * len(pairs) / pieces }
	parallel.Do(pieces, jobs, func(_, k int) {
		slices.SortFunc(pairs[start(k):start(k+1)], func(a, b pair) int { return cmp.Compare(a.score, b.score) })
	})
	room := make([]pair, len(pairs))
	for width := 1; width < pieces; width *= 2 {
		parallel.Do(pieces/width/2, jobs, func(_, k int) {
			from, half, to := start(2*k*width), start((2*k+1)*width), start((2*k+2)*width)
			merge(pairs[from:half], pairs[half:to], room[from:to])
		})
		pairs, room = room, pairs
	}
	return pairs
}

// merge writes two sorted lists as one; of equal scores those of the first come first.
func merge(a, b, out []pair) {
	for k := range out {
		if len(b) == 0 || len(a) > 0 && a[0].score <= b[0].score {
			out[k], a = a[0], a[1:]
		} else {
			out[k], b = b[0], b[1:]
		}
	}
}
