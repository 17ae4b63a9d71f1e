package interest

import (
	"context"
	"math"
	"slices"

	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/model/interest"
)

const (
	// mostScored bounds the number of scores that the calibration is fitted to.
	mostScored = 2_000_000
	// knots is the number of groups of scores, each with the same number of picks, before neighbours are pooled.
	knots = 200
)

// leftOut has the scores of the inputs for parts of the lists of some people of the training data, each as if that person's list had been left
// out of the regressions. The low-rank part is kept: one list hardly moves it.
type leftOut struct {
	people []int
	parts  []part     // of their lists
	hidden [][]uint32 // of each person the inputs that are not given, by place
	weight []float64  // of each person in the calibration
	scores []float64  // person by person, by place among the inputs
}

// known draws the places of a person's list that are given to calibrate by, ascending: a number of them whose log is uniform, at random. Every person with more than n items is to count
// alike in what is said of n given ones, so that a list of N, for which each n is log N times as rare, weighs log N.
func (l *lists) known(u int, seed uint64) []int {
	row, r := l.set.Row(u), rng.Stream(seed, "interest cut", uint64(u))
	given := min(int(math.Exp(r.Float64()*math.Log(float64(row.Len())))), row.Len())
	at := r.Perm(row.Len())[:given]
	slices.Sort(at)
	return at
}

// leaveOut computes the scores for given places of the lists of people at even distances in the set.
func (l *lists) leaveOut(ctx context.Context, m *interest.Model, p []float32, given func(u int) []int, jobs int) (*leftOut, error) {
	n := len(l.inputs)
	count := min(len(l.people), max(1, mostScored/n))
	left := &leftOut{scores: make([]float64, count*n)}
	for k := range count {
		u := l.people[k*len(l.people)/count]
		left.people = append(left.people, u)
		left.parts = append(left.parts, l.part(u, given(u)))
		left.hidden = append(left.hidden, rest(l.list(u).places, left.parts[k].inputs.places))
		left.weight = append(left.weight, math.Log(float64(l.set.Row(u).Len())))
	}
	rooms, group, all := make([]room, parallel.Size(count, jobs)), l.group(1), []float32(nil)
	for from := 0; from < count; from += group {
		people := left.people[from:min(from+group, count)]
		pieces, first, of := make([][]sparse, len(people)), make([]int, len(people)), []sparse(nil)
		for k, u := range people {
			pieces[k], first[k] = l.pieces(u), len(of)
			of = append(append(of, pieces[k]...), left.parts[from+k].shorter)
		}
		products := l.timesInto(ctx, p, of, &all, jobs)
		parallel.Until(ctx, len(people), jobs, func(worker, k int) {
			part, next, r := left.parts[from+k], first[k]+len(pieces[k]), rooms[worker].of(m.Items())
			if err := m.Parts(part.row, r.near, r.smooth); err != nil {
				panic(err) // the items are those of the set
			}
			without := l.absent(people[k], pieces[k], joined(products[first[k]:next]), &rooms[worker])
			without.part(part, products[next], r.near)
			m.Combine(part.row, r.near, r.smooth)
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

// rest returns those of some places, ascending, that are not among some of them.
func rest(places, given []uint32) (rest []uint32) {
	for _, place := range places {
		if len(given) > 0 && given[0] == place {
			given = given[1:]
		} else {
			rest = append(rest, place)
		}
	}
	return rest
}

// bin is a range of scores.
type bin struct{ score, picks, size float64 } // sums over pairs, each times the weight of the person: of scores, of picks, and of ones

// add adds another range.
func (b *bin) add(other bin) {
	b.score, b.picks, b.size = b.score+other.score, b.picks+other.picks, b.size+other.size
}

// calibrate fits the share of picks among the items that are not given as a function of the score and the number of items given. The scores are changed: each is
// multiplied by a power of that number, and those of given items are -Inf.
func (l *lists) calibrate(left *leftOut, jobs int) interest.Calibration {
	length := &interest.Length{Power: left.power(jobs)}
	parallel.Do(len(left.people), jobs, func(_, k int) {
		vec.Scale(left.of(k), length.Scaled(left.parts[k].row.Len()))
		for _, place := range left.parts[k].inputs.places {
			left.of(k)[place] = math.Inf(-1)
		}
	})
	c := left.curve(jobs)
	left.bend(c, length, jobs)
	c.Length = length
	return c
}

// curve fits the share of picks as a function of the score, which must not fall: the mean over groups, neighbours in the wrong order pooled (isotonic regression).
func (left *leftOut) curve(jobs int) (c interest.Calibration) {
	var groups []bin
	for _, g := range left.grouped(left.bounds(), jobs) {
		if g.size == 0 {
			continue
		}
		for len(groups) > 0 {
			last := groups[len(groups)-1]
			if last.picks*g.size < g.picks*last.size {
				break
			}
			g.add(last)
			groups = groups[:len(groups)-1]
		}
		groups = append(groups, g)
	}
	for _, g := range groups {
		c.Scores, c.Chance = append(c.Scores, g.score/g.size), append(c.Chance, g.picks/g.size)
	}
	if groups == nil { // nobody has more items than one
		c.Scores, c.Chance = []float64{0}, []float64{0}
	}
	return c
}

// of are the scores for a person's list.
func (left *leftOut) of(k int) []float64 {
	n := len(left.scores) / len(left.people)
	return left.scores[k*n : (k+1)*n]
}

// bounds returns the scores at which groups end, ascending: each has the same number of picks, or more where picks have one score. The
// last group has no bound.
func (left *leftOut) bounds() (bounds []float64) {
	var scores []float64 // of picks
	for k, hidden := range left.hidden {
		for _, place := range hidden {
			scores = append(scores, left.of(k)[place])
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

// grouped returns the groups of the people and inputs by bounds; those of score -Inf are left out. Sums are over pieces of the people, and then over these.
func (left *leftOut) grouped(bounds []float64, jobs int) []bin {
	const pieces = 16
	start := func(k int) int { return k * len(left.people) / pieces }
	each := make([][]bin, pieces)
	parallel.Do(pieces, jobs, func(_, piece int) {
		groups, own := make([]bin, len(bounds)+1), make([]bin, len(bounds)+1)
		for at := start(piece); at < start(piece+1); at++ {
			scores := left.of(at)
			clear(own)
			for _, s := range scores {
				if s == math.Inf(-1) {
					continue
				}
				of := 0 // nearly all scores are in the first groups
				for of < len(bounds) && bounds[of] < s {
					of++
				}
				own[of].score += s
				own[of].size++
			}
			for _, place := range left.hidden[at] {
				of, _ := slices.BinarySearch(bounds, scores[place])
				own[of].picks++
			}
			weight := left.weight[at]
			for k, g := range own {
				groups[k].add(bin{float64(weight * g.score), float64(weight * g.picks), float64(weight * g.size)})
			}
		}
		each[piece] = groups
	})
	for _, groups := range each[1:] {
		for k, g := range groups {
			each[0][k].add(g)
		}
	}
	return each[0]
}
