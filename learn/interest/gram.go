package interest

import (
	"cmp"
	"math"
	"slices"

	"fubini/core/parallel"
	"fubini/data/ratings"
)

// lists are the lists of a set, with the indexes that a fit needs.
type lists struct {
	set    *ratings.Set
	weight []float64  // of each list
	people [][]uint32 // of each item: the lists that it is in, ascending
	inputs []uint32   // items that predict, ascending
	place  []int32    // of each item among the inputs, -1 for an item that does not predict
}

// index prepares the lists of a set.
func index(set *ratings.Set, o Options) *lists {
	items := set.Items().Len()
	l := &lists{set: set, weight: make([]float64, set.Users().Len()), people: make([][]uint32, items), place: make([]int32, items)}
	mean := float64(set.Len()) / float64(max(1, set.Users().Len()))
	for u := range l.weight {
		row := set.Row(u)
		if row.Len() > 0 {
			l.weight[u] = math.Pow(mean/float64(row.Len()), o.Length)
		}
		for _, i := range row.Items {
			l.people[i] = append(l.people[i], uint32(u))
		}
	}
	all := make([]uint32, items)
	for i := range all {
		all[i] = uint32(i)
		l.place[i] = -1
	}
	slices.SortStableFunc(all, func(a, b uint32) int { return cmp.Compare(len(l.people[b]), len(l.people[a])) })
	l.inputs = all[:min(o.Inputs, items)]
	slices.Sort(l.inputs)
	for k, i := range l.inputs {
		l.place[i] = int32(k)
	}
	return l
}

// together adds to counts, by place among the inputs, the weights of the lists that an item shares with each of them.
func (l *lists) together(item uint32, counts []float64) {
	for _, u := range l.people[item] {
		w := l.weight[u]
		for _, i := range l.set.Row(int(u)).Items {
			if at := l.place[i]; at >= 0 {
				counts[at] += w
			}
		}
	}
}

// gram writes the weighted co-occurrence counts of the inputs, a symmetric matrix.
func (l *lists) gram(a []float64, jobs int) {
	n := len(l.inputs)
	parallel.Do(n, jobs, func(_, k int) {
		row := a[k*n : (k+1)*n]
		clear(row)
		l.together(l.inputs[k], row)
	})
}
