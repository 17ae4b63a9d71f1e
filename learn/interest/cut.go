package interest

import (
	"math"
	"slices"

	"fubini/core/parallel"
	"fubini/core/vec"
	"fubini/model/interest"
)

const (
	// counted is the number of items, about, whose weights are counted by size to find where to cut.
	counted = 4096
	// fine is the number of bits of a weight's size that make its group: the exponent and the first seven of the fraction,
	// so that weights of a group differ by less than 1 %.
	fine = 16
	// widest bounds the weights kept for one item, as a multiple of their mean number.
	widest = 16
	// keptWeights is the largest number of weights, of items that do not predict, that are kept from the count to the cut.
	keptWeights = 1 << 23
)

// weights returns the strongest weights of all: -P_ij / P_jj for an item j that predicts others, and P times its
// co-occurrence counts for one that does not. One bound on their size serves all items: those with strong neighbours
// have more weights than others.
func (l *lists) weights(p []float32, o Options) interest.Weights {
	n, items := len(l.inputs), l.set.Items().Len()
	keep := min(o.neighbours(items), n)
	var kept [][]float64
	if (items-n)*n <= keptWeights {
		kept = make([][]float64, items)
	}
	least := l.cut(p, keep, kept, o.Jobs)
	columns := make([]column, items)
	l.predicted(p, items, kept, o.Jobs, func(_, j int, weights []float64) {
		for k, v := range weights {
			if math.Abs(v) < least {
				weights[k] = 0
			}
		}
		columns[j] = strongest(weights, min(widest*keep, n))
	})
	return byRow(columns, l.inputs, items)
}

// predicted calls with the weights of all inputs for each of some items, at even distances in the catalogue. The
// weights may be changed. Unless it is nil, kept has those of items that do not predict, by item, from the first call to the next.
func (l *lists) predicted(p []float32, some int, kept [][]float64, jobs int, call func(worker, j int, weights []float64)) {
	n, items := len(l.inputs), l.set.Items().Len()
	size := parallel.Size(some, jobs)
	rooms, counts := make([][]float64, size), make([][]float64, size)
	parallel.Do(some, jobs, func(worker, at int) {
		if rooms[worker] == nil {
			rooms[worker], counts[worker] = make([]float64, n), make([]float64, n)
		}
		j, room := at*items/some, rooms[worker]
		clear(room)
		if at := int(l.place[j]); at >= 0 {
			vec.AddTimesSingle(room, p[at*n:(at+1)*n], -1/float64(p[at*n+at]))
			room[at] = 0
		} else if kept != nil && kept[j] != nil {
			copy(room, kept[j])
		} else {
			count := counts[worker]
			clear(count)
			l.together(uint32(j), l.inputs[n-1], count)
			for k, v := range count {
				if v != 0 {
					vec.AddTimesSingle(room, p[k*n:(k+1)*n], v)
				}
			}
			if kept != nil {
				kept[j] = slices.Clone(room)
			}
		}
		call(worker, j, room)
	})
}

// cut returns the size of weights, about, above which there are a number for each item on average; 0 where there are no
// more.
func (l *lists) cut(p []float32, keep int, kept [][]float64, jobs int) float64 {
	items := l.set.Items().Len()
	some := min(items, counted)
	each := make([][1 << (31 - fine)]int, parallel.Size(some, jobs)) // of each worker: number of weights by size
	l.predicted(p, some, kept, jobs, func(worker, _ int, weights []float64) {
		for _, v := range weights {
			if size := math.Abs(v); size > 0 {
				each[worker][math.Float32bits(float32(size))>>fine]++
			}
		}
	})
	left := keep * some
	for group := len(each[0]) - 1; group > 0; group-- {
		for worker := range each {
			left -= each[worker][group]
		}
		if left < 0 {
			return float64(math.Float32frombits(uint32(group) << fine))
		}
	}
	return 0
}

// column has the stored weights for one item predicted, by place among the inputs, ascending.
type column struct {
	places []int32
	values []float32
}

// strongest returns the weights of the largest absolute value, at most keep; of equal ones the first.
func strongest(weights []float64, keep int) column {
	sizes := make([]float64, 0, len(weights))
	for _, v := range weights {
		if float32(v) != 0 {
			sizes = append(sizes, math.Abs(v))
		}
	}
	var least float64 // size of the weakest that is kept
	equal := 0        // number of those of that size that are kept
	if len(sizes) > keep {
		slices.Sort(sizes)
		sizes = sizes[len(sizes)-keep:]
		least = sizes[0]
		for equal < keep && sizes[equal] == least {
			equal++
		}
	}
	c := column{make([]int32, 0, len(sizes)), make([]float32, 0, len(sizes))}
	for k, v := range weights {
		size := math.Abs(v)
		if float32(v) == 0 || size < least {
			continue
		}
		if size == least {
			if equal == 0 {
				continue
			}
			equal--
		}
		c.places, c.values = append(c.places, int32(k)), append(c.values, float32(v))
	}
	return c
}

// byRow turns columns into the rows of a sparse matrix.
func byRow(columns []column, inputs []uint32, items int) interest.Weights {
	w := interest.Weights{Start: make([]int64, items+1)}
	for _, c := range columns {
		for _, k := range c.places {
			w.Start[inputs[k]+1]++
		}
	}
	for i := range items {
		w.Start[i+1] += w.Start[i]
	}
	w.Target, w.Value = make([]uint32, w.Start[items]), make([]float32, w.Start[items])
	next := slices.Clone(w.Start)
	for j, c := range columns {
		for at, k := range c.places {
			i := inputs[k]
			w.Target[next[i]], w.Value[next[i]] = uint32(j), c.values[at]
			next[i]++
		}
	}
	return w
}
