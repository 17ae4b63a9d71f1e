package interest

import (
	"context"
	"slices"

	"fubini/core/parallel"
	"fubini/model/interest"
)

const (
	// mostScored bounds the number of scores that the calibration is fitted to.
	mostScored = 2_000_000
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
func (l *lists) leaveOut(ctx context.Context, m *interest.Model, p []float32, jobs int) (*leftOut, error) {
	n := len(l.inputs)
	count := min(len(l.people), max(1, mostScored/n))
	left := &leftOut{scores: make([]float64, count*n)}
	for k := range count {
		left.people = append(left.people, l.people[k*len(l.people)/count])
	}
	rooms, group, all := make([]room, parallel.Size(count, jobs)), l.group(0), []float32(nil)
	for from := 0; from < count; from += group {
		people := left.people[from:min(from+group, count)]
		pieces, first, of := make([][]sparse, len(people)), make([]int, len(people)), []sparse(nil)
		for k, u := range people {
			pieces[k], first[k] = l.pieces(u), len(of)
			of = append(of, pieces[k]...)
		}
		products := l.timesInto(ctx, p, of, &all, jobs)
		parallel.Until(ctx, len(people), jobs, func(worker, k int) {
			row, r := l.set.Row(people[k]), rooms[worker].of(m.Items())
			if err := m.Parts(row, r.near, r.smooth); err != nil {
				panic(err) // the items are those of the set
			}
			without := l.absent(people[k], pieces[k], joined(products[first[k]:first[k]+len(pieces[k])]), &rooms[worker])
			without.near(l.list(people[k]), without.whole, r.near)
			m.Combine(row, r.near, r.smooth)
			for place, i := range l.inputs {
				left.scores[(from+k)*n+place] = r.near[i]
			}
		})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// bin is a range of scores.
type bin struct{ score, picks, size float64 } // sums of scores and of picks, number of pairs

// calibrate fits the share of picks as a function of the score, which must not fall: the mean over groups, neighbours
// in the wrong order pooled (isotonic regression).
func (l *lists) calibrate(left *leftOut, jobs int) interest.Calibration {
	var groups []bin
	for _, g := range l.grouped(left, l.bounds(left), jobs) {
		if g.size == 0 {
			continue
		}
		for len(groups) > 0 {
			last := groups[len(groups)-1]
			if last.picks*g.size < g.picks*last.size {
				break
			}
			g = bin{g.score + last.score, g.picks + last.picks, g.size + last.size}
			groups = groups[:len(groups)-1]
		}
		groups = append(groups, g)
	}
	var c interest.Calibration
	for _, g := range groups {
		c.Scores, c.Chance = append(c.Scores, g.score/g.size), append(c.Chance, g.picks/g.size)
	}
	return c
}

// bounds returns the scores at which groups end, ascending: each has the same number of picks, or more where picks have one score. The
// last group has no bound.
func (l *lists) bounds(left *leftOut) (bounds []float64) {
	var scores []float64 // of picks
	for at, u := range left.people {
		for _, i := range l.set.Row(u).Items {
			if k := l.place[i]; k >= 0 {
				scores = append(scores, left.scores[at*len(l.inputs)+int(k)])
			}
		}
	}
	slices.Sort(scores)
	picks := 0 // of the group
	for k, s := range scores {
		picks++
		if float64(picks) >= float64(len(scores))/knots && (k+1 == len(scores) || scores[k+1] > s) {
			bounds, picks = append(bounds, s), 0
		}
	}
	return bounds
}

// grouped returns the groups of the people and inputs by bounds. Sums are over pieces of the people, and then over these.
func (l *lists) grouped(left *leftOut, bounds []float64, jobs int) []bin {
	const pieces = 16
	n, start := len(l.inputs), func(k int) int { return k * len(left.people) / pieces }
	each := make([][]bin, pieces)
	parallel.Do(pieces, jobs, func(_, piece int) {
		groups := make([]bin, len(bounds)+1)
		for at := start(piece); at < start(piece+1); at++ {
			scores := left.scores[at*n : (at+1)*n]
			for _, s := range scores {
				of := 0 // nearly all scores are in the first groups
				for of < len(bounds) && bounds[of] < s {
					of++
				}
				groups[of].score += s
				groups[of].size++
			}
			for _, i := range l.set.Row(left.people[at]).Items {
				if k := l.place[i]; k >= 0 {
					of, _ := slices.BinarySearch(bounds, scores[k])
					groups[of].picks++
				}
			}
		}
		each[piece] = groups
	})
	for _, groups := range each[1:] {
		for k, g := range groups {
			each[0][k] = bin{each[0][k].score + g.score, each[0][k].picks + g.picks, each[0][k].size + g.size}
		}
	}
	return each[0]
}
