package train

import (
	"fmt"

	"fubini/core/vec"
	"fubini/model/osm"
)

// Levels tell of worths beside comparisons within a list: numbers that mean the same
// in all lists, such as stars. The prior of an item's worth has its mean at the
// item's level times a slope, which is learned. A list takes no part in the levels by
// which it is learned from: otherwise the slope would say how well levels tell what
// they were made of. See docs/maths.md#levels.
type Levels struct {
	Items  []float64   // of each item
	Others [][]float64 // of each list and place in it, by all other lists
}

func (v *Levels) check(items int, lists []osm.List) error {
	if len(v.Items) != items || len(v.Others) != len(lists) {
		return fmt.Errorf("train: levels of %d items and %d lists, where there are %d and %d", len(v.Items), len(v.Others), items, len(lists))
	}
	for l, list := range lists {
		if len(v.Others[l]) != len(list.Items) {
			return fmt.Errorf("train: list %d has %d items and levels of %d", l, len(list.Items), len(v.Others[l]))
		}
	}
	return nil
}

// square is the sum of the squares of all levels that lists are learned by.
func (v *Levels) square() (sum float64) {
	for _, list := range v.Others {
		sum += vec.Dot(list, list)
	}
	return sum
}

// others sets the levels of a task's list, of which only the chosen places may be in
// use, and makes up for the list's own part in the worths.
func (f *latentFit) others(t *task, k *kit, l int, chosen []int) {
	t.levels = t.levels[:0]
	own := f.Levels.Others[l]
	for n, i := range t.list.Items {
		at := n
		if chosen != nil {
			at = chosen[n]
		}
		t.levels = append(t.levels, own[at])
		k.model.Raise(n, f.state.Slope*(own[at]-f.Levels.Items[i]))
	}
}

// level is the mean of the prior of an item's worth.
func (f *latentFit) level(i int) float64 {
	if f.Levels == nil {
		return 0
	}
	return f.state.Slope * f.Levels.Items[i]
}

// tilt makes a step of the slope by the gradients of a block. Every worth moves with
// it: what it has beside its level stays.
func (f *latentFit) tilt(tasks []*task, s *stride) {
	if f.square == 0 {
		return // levels that tell nothing
	}
	var gradient float64
	for _, t := range tasks {
		gradient += vec.Dot(t.gradient.Common().U, t.levels)
	}
	step := s.rate * s.whole * gradient / (f.square * s.sight.U)
	f.state.Slope += step
	vec.AddTimes(f.state.Now.U, f.Levels.Items, step)
}
