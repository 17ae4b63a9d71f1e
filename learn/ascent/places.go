package ascent

import "slices"

// places are those of every item in the lists of a batch: the tasks, ascending, from start[i] to start[i+1], and the rows of the item in the matrix
// that the tasks share, or its numbers in their lists.
type places struct {
	start     []int
	task, row []uint32
	w, v      []float64 // room: the gradients of an item's unit weights and presence weights
	ones      []float64
}

// index finds the places of all items.
func (p *places) index(tasks []*Task, items int) {
	p.start = slices.Grow(p.start[:0], items+2)[:items+2]
	clear(p.start)
	all := 0
	for _, t := range tasks {
		all += len(t.List.Items)
		for _, i := range t.List.Items {
			p.start[i+2]++
		}
	}
	for i := range items {
		p.start[i+2] += p.start[i+1]
	}
	p.task, p.row = slices.Grow(p.task[:0], all)[:all], slices.Grow(p.row[:0], all)[:all]
	for task, t := range tasks {
		for n, i := range t.List.Items {
			at := p.start[i+1] // which so becomes the start of the next item
			p.task[at], p.row[at] = uint32(task), uint32(t.First+n)
			p.start[i+1]++
		}
	}
}

// none reports that an item is in no list of the batch.
func (p *places) none(i int) bool { return p.start[i] == p.start[i+1] }

// newPlaces is room for the places of items with k units in a number of tasks.
func newPlaces(k, tasks int) places {
	p := places{w: make([]float64, k), v: make([]float64, k), ones: make([]float64, tasks)}
	for n := range p.ones {
		p.ones[n] = 1
	}
	return p
}
