package interest

import (
	"context"
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
	// slack bounds the weights of all items, as a multiple of the number asked for: room for those of the size at which the cut is, and for items whose sizes were
	// not counted.
	slack = 1.25
	// mostTogether is the largest number of weights, of items that do not predict, that are computed together: 64 MB.
	mostTogether = 1 << 24
)

// weights returns the strongest weights of all: -P_ij / P_jj for an item j that predicts others, and P times its
// co-occurrence counts, those by kinds included, for one that does not. One bound on their size serves all items: those with strong neighbours
// have more weights than others. Where that keeps too many, because a great many weights are of the same size, every item has those asked for.
func (l *lists) weights(ctx context.Context, p []float32, o Options) (interest.Weights, error) {
	n, items := len(l.inputs), l.set.Items().Len()
	keep := min(o.neighbours(items), n)
	least := l.cut(ctx, p, keep, o.Jobs)
	columns, rooms := make([]column, items), make([][]float64, parallel.Size(items, o.Jobs))
	for _, most := range []int{min(widest*keep, n), keep} {
		l.predicted(ctx, p, items, o.Jobs, func(worker, j int, weights []float64) {
			for k, v := range weights {
				if math.Abs(v) < least {
					weights[k] = 0
				}
			}
			columns[j] = strongest(weights, most, &rooms[worker])
		})
		if err := ctx.Err(); err != nil {
			return interest.Weights{}, err
		}
		kept := 0
		for _, c := range columns {
			kept += len(c.places)
		}
		if float64(kept) <= slack*float64(keep)*float64(items) {
			break
		}
	}
	return byRow(columns, l.inputs, items), nil
}

// predicted calls with the weights of all inputs for each of some items, at even distances in the catalogue. The
// weights may be changed. If the context ends, items are left out.
func (l *lists) predicted(ctx context.Context, p []float32, some, jobs int, call func(worker, j int, weights []float64)) {
	n, items := len(l.inputs), l.set.Items().Len()
	batch := min(counted, mostTogether/n)
	rooms := make([][]float64, parallel.Size(batch, jobs))
	for worker := range rooms {
		rooms[worker] = make([]float64, n)
	}
	for from := 0; from < some && ctx.Err() == nil; from += batch {
		var inputs, others []int // items that predict, and others
		for at := from; at < min(from+batch, some); at++ {
			if j := at * items / some; l.place[j] >= 0 {
				inputs = append(inputs, j)
			} else {
				others = append(others, j)
			}
		}
		parallel.Until(ctx, len(inputs), jobs, func(worker, at int) {
			j, room := inputs[at], rooms[worker]
			place := int(l.place[j])
			clear(room)
			vec.AddTimesSingle(room, p[place*n:(place+1)*n], -1/float64(p[place*n+place]))
			room[place] = 0
			call(worker, j, room)
		})
		products := l.others(ctx, p, others, rooms, jobs)
		if len(others) > 0 {
			l.kinds.project(ctx, l, p, jobs)
		}
		parallel.Until(ctx, len(others), jobs, func(worker, at int) {
			clear(rooms[worker])
			vec.AddTimesSingle(rooms[worker], products[at], 1)
			l.kinds.add(rooms[worker], others[at])
			call(worker, others[at], rooms[worker])
		})
	}
}

// others returns the weights of all inputs for items that do not predict: P times their co-occurrence counts. Those of the last call are kept, because
// those of a small catalogue are asked for twice.
func (l *lists) others(ctx context.Context, p []float32, items []int, rooms [][]float64, jobs int) [][]float32 {
	n := len(l.inputs)
	if slices.Equal(l.last.items, items) {
		return l.last.products
	}
	counts, ends := make([]sparse, len(items)), []uint32(nil)
	if len(items) > 0 {
		ends = l.ends()
	}
	parallel.Until(ctx, len(items), jobs, func(worker, at int) {
		room, count := rooms[worker], &counts[at]
		clear(room)
		l.together(uint32(items[at]), l.inputs[n-1], room, ends)
		for k, v := range room {
			if v != 0 {
				count.places, count.weights = append(count.places, uint32(k)), append(count.weights, float32(v))
			}
		}
	})
	l.last.items, l.last.products = items, l.times(ctx, p, counts, jobs)
	return l.last.products
}

// cut returns the size of weights, about, above which there are a number for each item on average; 0 where there are no
// more.
func (l *lists) cut(ctx context.Context, p []float32, keep, jobs int) float64 {
	items := l.set.Items().Len()
	some := min(items, counted)
	each := make([][1 << (31 - fine)]int, parallel.Size(some, jobs)) // of each worker: number of weights by size
	l.predicted(ctx, p, some, jobs, func(worker, _ int, weights []float64) {
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

// strongest returns the weights of the largest absolute value, at most keep; of equal ones the first. The room is for the next call.
func strongest(weights []float64, keep int, room *[]float64) column {
	*room = slices.Grow((*room)[:0], len(weights))
	sizes := *room
	for _, v := range weights {
		if float32(v) != 0 {
			sizes = append(sizes, math.Abs(v))
		}
	}
	var least float64 // size of the weakest that is kept
	equal := 0        // number of those of that size that are kept
	if len(sizes) > keep {
		least, equal = largest(sizes, keep)
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

// largest returns the n-th largest of more than n values, and how many of the n largest are equal to it. None is negative. The values are put in another order, or
// lost.
func largest(values []float64, n int) (least float64, equal int) {
	const many = 256
	if len(values) >= many {
		values, n = narrowed(values, n)
	}
	from, to := 0, len(values) // the n-th largest is among these; those before are larger, those behind smaller
	for {
		a, b, c := values[from], values[(from+to)/2], values[to-1]
		pivot := max(min(a, b), min(max(a, b), c))
		larger, smaller := from, to // between them those equal to the pivot, and those not looked at
		for k := from; k < smaller; {
			switch v := values[k]; {
			case v > pivot:
				values[k], values[larger] = values[larger], v
				larger++
				k++
			case v < pivot:
				smaller--
				values[k], values[smaller] = values[smaller], v
			default:
				k++
			}
		}
		switch {
		case n <= larger:
			to = larger
		case n > smaller:
			from = smaller
		default:
			return pivot, n - larger
		}
	}
}

// narrowed returns the values that may be the n-th largest, and the number that it has among them. They are counted by size: exponent and first four bits of
// the fraction, beginning with those of the largest.
func narrowed(values []float64, n int) ([]float64, int) {
	const dropped, sizes = 48, 512
	var most uint64
	for _, v := range values {
		most = max(most, math.Float64bits(v))
	}
	most >>= dropped
	var count [sizes]int
	for _, v := range values {
		count[min(most-math.Float64bits(v)>>dropped, sizes-1)]++
	}
	size := uint64(0)
	for ; count[size] < n; size++ {
		n -= count[size]
	}
	some := 0
	for _, v := range values {
		values[some] = v
		if min(most-math.Float64bits(v)>>dropped, sizes-1) == size {
			some++
		}
	}
	return values[:some], n
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
