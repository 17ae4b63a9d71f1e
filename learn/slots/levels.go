package slots

import (
	"fmt"

	"fubini/core/vec"
	"fubini/learn/ascent"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Levels are a regressor for worths that is comparable across lists, such as the mean rating of
// an item. The prior mean of a worth is the slope times the item's level; the slope is
// estimated. Each list uses levels computed without its own ratings: otherwise the slope
// would fit the ratings that the levels were computed from. See docs/maths.md#levels.
type Levels struct {
	Items  []float64   // level of each item, from all lists
	Others [][]float64 // level of each item of each list, from all other lists
}

func (v *Levels) check(items int, lists []osm.Packed) error {
	if len(v.Items) != items || len(v.Others) != len(lists) {
		return fmt.Errorf("slots: levels of %d items and %d lists, where there are %d and %d", len(v.Items), len(v.Others), items, len(lists))
	}
	for l, list := range lists {
		if len(v.Others[l]) != len(list.Items) {
			return fmt.Errorf("slots: list %d has %d items and levels of %d", l, len(list.Items), len(v.Others[l]))
		}
	}
	return nil
}

// levels is the regression of worths on levels.
type levels struct {
	*Levels
	run    *ascent.Run
	square float64 // sum of the squares of the levels of all places that an epoch uses
}

func newLevels(v *Levels, run *ascent.Run) *levels {
	l := &levels{Levels: v, run: run}
	for n, list := range v.Others {
		l.square += run.Used(run.Lists[n]) * vec.Dot(list, list)
	}
	run.Prior.Levels = make([]float64, len(v.Items))
	l.setPrior()
	return l
}

// setPrior sets the prior mean of worths.
func (l *levels) setPrior() {
	for i, v := range l.Items {
		l.run.Prior.Levels[i] = l.run.State.Slope * v
	}
}

// leaveOut replaces the levels in the worths of a list's model by those from all other
// lists, which it returns.
func (l *levels) leaveOut(t *ascent.Task, model *latent.Model, own []float64) []float64 {
	all := l.Others[t.Number]
	for n, i := range t.List.Items {
		at := n
		if t.Places != nil {
			at = t.Places[n]
		}
		own = append(own, all[at])
		model.Raise(n, l.run.State.Slope*(all[at]-l.Items[i]))
	}
	return own
}

// step makes a step of the slope, a share of a Newton step. All worths move with it: the
// difference between a worth and its prior mean stays. own returns the levels of a list, as
// leaveOut did.
func (l *levels) step(tasks []*ascent.Task, own func(t *ascent.Task) []float64) {
	// A squared gradient is 0.2 to 0.8 where lists have an order; lists of one tier have next to none, and a step divided by
	// next to nothing would be without bounds.
	const least = 0.01
	s := l.run.State
	if l.square == 0 || !(s.Curvature.U > least) {
		return
	}
	var gradient float64
	for _, t := range tasks {
		gradient += vec.Dot(t.Gradient.WithoutW().U, own(t))
	}
	step := l.run.CurrentRate() * l.run.Whole * gradient / (l.square * s.Curvature.U)
	s.Slope += step
	vec.AddTimes(s.Now.U, l.Items, step)
	l.setPrior()
}
