package interest

import (
	"cmp"
	"context"
	"math"
	"slices"

	"fubini/core/parallel"
	"fubini/data/ratings"
	"fubini/model/interest"
)

// lists are the lists of a set, with the indexes that a fit needs.
type lists struct {
	set    *ratings.Set
	people []int   // those with a list that is not empty
	low    float64 // the range of ratings
	high   float64
	lowest float64      // weight of the lowest rating
	weight []float64    // of each list in the regressions
	picks  []placements // of each item: the lists that it is in
	inputs []uint32     // items that predict, ascending
	usual  float64      // mean log popularity of the items of lists
	place  []int32      // of each item among the inputs, -1 for an item that does not predict

	popular []uint32 // the inputs, those in most lists first

	// The inputs in the list of person u, by place, ascending, and their weights, stand from start[u] to start[u+1].
	start  []int
	places []uint32
	values []float32
	of     []uint8 // their periods; nil where times do not count

	periods float64   // θ: what two placements of one period count for beside 1; 0 where the set has no times
	beside  []float64 // what two placements count for by the difference of their periods, from -mostPeriods on

	kinds *alike // what is known of the items; nil for nothing

	diagonal []float64 // of P
	sums     []float32 // room of multiply
	last     struct {  // items that do not predict, and their weights
		items    []int
		products [][]float32
	}
}

// placements are those of an item: people, ascending, and the weights of the item in their lists.
type placements struct {
	people  []uint32
	weights []float32
	periods []uint8 // those of the item in their lists; nil for an input, and where times do not count
}

// index prepares the lists of a set.
func index(set *ratings.Set, o Options) *lists {
	items := set.Items().Len()
	l := &lists{set: set, weight: make([]float64, set.Users().Len()), picks: make([]placements, items), place: make([]int32, items)}
	l.low, l.high = set.Range()
	l.lowest = o.Lowest
	if set.HasTimes() {
		l.periods = o.Periods
		for k := range mostPeriods + 256 { // as many as there are numbers of a byte, from every period on
			l.beside = append(l.beside, l.counts(k-mostPeriods))
		}
	}
	l.people, l.start = make([]int, 0, len(l.weight)), make([]int, 0, len(l.weight)+1)
	counts := make([]int, items) // first, so that no memory is given up for growing
	for u := range l.weight {
		row := set.Row(u)
		if row.Len() > 0 {
			l.people = append(l.people, u)
		}
		for _, i := range row.Items {
			counts[i]++
		}
	}
	people, weights := make([]uint32, set.Len()), make([]float32, set.Len())
	for i, n := range counts {
		l.picks[i] = placements{people: people[:0:n], weights: weights[:0:n]}
		people, weights = people[n:], weights[n:]
	}
	mean := float64(set.Len()) / float64(len(l.people))
	for _, u := range l.people {
		row := set.Row(u)
		l.weight[u] = math.Pow(mean/float64(row.Len()), o.Length)
		for k, i := range row.Items {
			of := &l.picks[i]
			of.people, of.weights = append(of.people, uint32(u)), append(of.weights, l.x(row.Values[k]))
		}
	}
	for _, picks := range l.picks {
		if n := float64(len(picks.people)); n > 0 {
			l.usual += n * math.Log(n) / float64(set.Len())
		}
	}
	all := make([]uint32, items)
	for i := range all {
		all[i] = uint32(i)
		l.place[i] = -1
	}
	slices.SortStableFunc(all, func(a, b uint32) int { return cmp.Compare(len(l.picks[b].people), len(l.picks[a].people)) })
	enough := 0
	for enough < items && len(l.picks[all[enough]].people) >= o.Least {
		enough++
	}
	if enough == 0 {
		enough = items
	}
	l.popular = all[:min(o.Inputs, enough)]
	l.inputs = slices.Sorted(slices.Values(l.popular))
	for k, i := range l.inputs {
		l.place[i] = int32(k)
	}
	l.kinds = alikeOf(set.Items().Kinds(), l.inputs, o.Kinds)
	known := 0 // ratings of inputs
	for _, i := range l.inputs {
		known += counts[i]
	}
	l.places, l.values = make([]uint32, 0, known), make([]float32, 0, known)
	var of []uint8
	var order []int
	if l.periods > 0 {
		l.of = make([]uint8, 0, known)
	}
	for u := range l.weight {
		l.start = append(l.start, len(l.places))
		row := set.Row(u)
		if l.periods > 0 {
			of, order = sized(of, row.Len()), sized(order, row.Len())
			l.timed(row, order, of)
		}
		for k, i := range row.Items {
			if at := l.place[i]; at >= 0 {
				l.places, l.values = append(l.places, uint32(at)), append(l.values, l.x(row.Values[k]))
				if l.periods > 0 {
					l.of = append(l.of, of[k])
				}
			} else if l.periods > 0 {
				l.picks[i].periods = append(l.picks[i].periods, of[k])
			}
		}
	}
	l.start = append(l.start, len(l.places))
	return l
}

// x is the weight of a placement with a rating. It is computed where it is used: a hundred million would be 400 MB.
func (l *lists) x(rating float32) float32 {
	return float32(interest.Weight(float64(rating), l.low, l.high, l.lowest))
}

// grade is a rating on a scale from 1 to 5, and 4 where there are none: 2 to its power, less 1, is the gain of a hidden item that is found.
func (l *lists) grade(rating float32) float64 {
	if !(l.high > l.low) {
		return 4
	}
	return 1 + float64(4*(float64(rating)-l.low)/(l.high-l.low))
}

// together adds to counts, by place among the inputs, the co-occurrence of an item with each of them up to a last one: the
// sum, over the lists with both, of the product of both placements' weights, that of the list, and what the two count for by their times. Ends has, for
// each person, at least the number of inputs up to the last one in their list, and gets that number.
func (l *lists) together(item, last uint32, counts []float64, ends []uint32) {
	end, _ := slices.BinarySearch(l.inputs, last+1)
	people := l.picks[item].people
	for n, u := range people {
		from, ahead := l.start[u], 0
		if n+1 < len(people) {
			ahead = l.start[people[n+1]] - from
		}
		for ends[u] > 0 && l.places[from+int(ends[u])-1] >= uint32(end) {
			ends[u]--
		}
		count := int(ends[u])
		l.addList(counts, u, count, l.weight[u]*float64(l.picks[item].weights[n]), l.periodOf(item, n, u, count), ahead)
	}
}

// ends returns the number of inputs in the list of each person.
func (l *lists) ends() []uint32 {
	ends := make([]uint32, len(l.weight))
	for u := range ends {
		ends[u] = uint32(l.start[u+1] - l.start[u])
	}
	return ends
}

// gram writes the lower triangle of the co-occurrence of the inputs, a symmetric matrix, and a function of its diagonal. If the
// context ends, rows are missing.
func (l *lists) gram(ctx context.Context, a []float32, diagonal func(own float64) float64, jobs int) {
	n := len(l.inputs)
	rooms, ends := make([][]float64, parallel.Size(n, jobs)), make([][]uint32, parallel.Size(n, jobs))
	parallel.Until(ctx, n, jobs, func(worker, at int) {
		if rooms[worker] == nil {
			rooms[worker], ends[worker] = make([]float64, n), l.ends()
		}
		k := n - 1 - at // the longest rows first
		row := rooms[worker][:k+1]
		clear(row)
		l.together(l.inputs[k], l.inputs[k], row, ends[worker]) // each up to fewer inputs than the last
		l.kinds.together(l.inputs[k], k+1, row)
		row[k] = diagonal(row[k])
		for i, v := range row {
			a[k*n+i] = float32(v)
		}
	})
}
