package interest

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"fubini/core/vec"
	"fubini/data/ratings"
)

// Items that somebody placed near each other in time are more alike than other items of the same list. So each list in which ratings have times
// counts once more in periods, pieces of its order in time: two items of a list count for 1 + θ (1 - d/2) where the one counts for
// without times, with d the number of periods between theirs, at most 2. This is what the sums over all pairs of neighbouring periods bring if each of
// these is a further list of weight θ/2, with an empty period at either end. Ratings without a time are of one time, before all others. docs/interest.md#periods has the
// formula, and docs/ideas-interest-lists.md#near-in-time the measurements.

const (
	// period is the number of placements in a period, about.
	period = 20
	// mostPeriods is the largest number of periods of a list: those of longer lists are longer.
	mostPeriods = 64
)

// periodsOf is the number of periods of a list of n placements; 1 where times do not count.
func (l *lists) periodsOf(n int) int {
	if l.periods == 0 {
		return 1
	}
	return min(max(1, int(math.Round(float64(n)/period))), mostPeriods)
}

// timed writes for each placement of a row the period that it is in. The place in time of placements of the same time is the mean of theirs.
func (l *lists) timed(row ratings.Row, order []int, of []uint8) {
	n := row.Len()
	clear(of)
	count := l.periodsOf(n)
	if count == 1 {
		return
	}
	byTime(row.Times, order)
	for from := 0; from < n; {
		to := from + 1
		for to < n && row.Times[order[to]] == row.Times[order[from]] {
			to++
		}
		for _, k := range order[from:to] {
			of[k] = uint8((from + to) * count / (2 * n))
		}
		from = to
	}
}

// byTime writes the places of times into order, the earliest first. Where the bits suffice, numbers made of a time and its place are sorted.
func byTime(times []int64, order []int) {
	earliest, latest := slices.Min(times), slices.Max(times)
	width := bits.Len(uint(len(times)))
	if span := latest - earliest; span < 0 || bits.Len64(uint64(span))+width >= bits.UintSize {
		for k := range order {
			order[k] = k
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(times[a], times[b]) })
		return
	}
	for k, t := range times {
		order[k] = int(t-earliest)<<width | k
	}
	slices.Sort(order)
	for k := range order {
		order[k] &= 1<<width - 1
	}
}

// counts is what two placements of a list count for, by the number of periods between theirs.
func (l *lists) counts(apart int) float64 {
	return 1 + l.periods*max(0, 1-math.Abs(float64(apart))/2)
}

// periodOf is the period of the n-th placement of an item, in the list of person u; 0 where times do not count. If the item is an input, it is likely the last of the
// first inputs of the list.
func (l *lists) periodOf(item uint32, n int, u uint32, first int) uint8 {
	if l.periods == 0 {
		return 0
	}
	place := l.place[item]
	if place < 0 {
		return l.picks[item].periods[n]
	}
	own := l.places[l.start[u]:l.start[u+1]]
	at := first - 1
	if at < 0 || own[at] != uint32(place) {
		at, _ = slices.BinarySearch(own, uint32(place))
	}
	return l.of[l.start[u]+at]
}

// addList adds to counts, by place among the inputs, the weights of the first inputs in the list of person u, times a factor and what each counts for
// beside a placement of a period.
func (l *lists) addList(counts []float64, u uint32, first int, factor float64, in uint8, ahead int) {
	from := l.start[u]
	to := from + first
	if l.periods == 0 {
		vec.AddAt(counts, l.places[from:to], l.values[from:to], factor, ahead)
		return
	}
	by := (*[256]float64)(l.beside[mostPeriods-int(in):])
	vec.AddAtKinds(counts, l.places[from:to], l.values[from:to], l.of[from:to], factor, by, ahead)
}

// pieces are the periods of a person's list, each a list of its own.
func (l *lists) pieces(u int) []sparse {
	from, to := l.start[u], l.start[u+1]
	if l.periods == 0 {
		return []sparse{l.list(u)}
	}
	var sizes [mostPeriods]int
	for _, in := range l.of[from:to] {
		sizes[in]++
	}
	places, weights := make([]uint32, to-from), make([]float32, to-from)
	pieces, begin := make([]sparse, l.periodsOf(l.set.Row(u).Len())), 0
	for k := range pieces {
		end := begin + sizes[k]
		pieces[k] = sparse{places[begin:begin:end], weights[begin:begin:end]}
		begin = end
	}
	for k := from; k < to; k++ {
		piece := &pieces[l.of[k]]
		piece.places, piece.weights = append(piece.places, l.places[k]), append(piece.weights, l.values[k])
	}
	return pieces
}
