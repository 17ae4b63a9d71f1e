package interest

import (
	"context"
	"math"

	"fubini/core/parallel"
	"fubini/model/interest"
)

// firstSteps are the steps of a search before they are halved, each in one direction. The third changes the weight of the low-rank part in lists of about 20
// items, and keeps those in lists of 5 and of 100, which other hidden parts of lists ask for.
var firstSteps = []weights{
	{1, 0, 0, 0},
	{0, .5, 0, 0},
	{1, -1 / math.Log(interest.Typical/5.), 1 / math.Log(100./interest.Typical), 0},
	{0, 0, .5, 0},
	{0, 0, 0, .1},
}

// unit are the distances at which a weight costs one pull.
var unit = weights{1, .5, .5, .1}

const (
	// rounds is the number of rounds of the search; after one without a step steps are halved.
	rounds = 6
	// pull is what a weight costs at a distance of one unit from where the search begins, in NDCG: where the lists do not tell,
	// the weights stay.
	pull = 2e-5
	// strongestSmooth bounds the log of the weight of the low-rank part.
	strongestSmooth = 6
)

// first are the weights that a search begins with, and firstSteps its first steps.
func (o Options) first() weights { return weights{math.Log(o.Smooth), o.Short, o.Long, o.Popularity} }

// weigh chooses the weights by which the hidden parts of people's lists are best found from the rest, for people who
// are left out of the regressions and of the low-rank part: the mean NDCG@20. It also returns vectors for a search of
// the singular vectors of all lists to begin with, and writes the lift of the model. Where there are few people the
// weights are those of the options, and there is no lift.
func (l *lists) weigh(ctx context.Context, m *interest.Model, p []float32, o Options) (w weights, vectors []float64, err error) {
	w = o.first()
	if o.Tasks == 0 || len(l.people) < fewestPeople {
		return w, nil, nil
	}
	parts := max(5, len(l.people)/o.Tasks) // into which the people are divided; some of them are left out, one after the other
	draws := min(2, max(1, 2*o.Tasks/len(l.people)))
	var tasks []task
	for part := range min(parts, max(1, parts*o.Tasks/len(l.people))) {
		var inside, outside []int
		for k, u := range l.people {
			if k%parts == part {
				outside = append(outside, u)
			} else {
				inside = append(inside, u)
			}
		}
		if vectors, err = l.smooth(ctx, m, inside, vectors, o); err != nil {
			return w, nil, err
		}
		tasks = append(tasks, l.tasks(ctx, m, outside, draws, p, o)...)
	}
	if err := ctx.Err(); err != nil {
		return w, nil, err
	}
	if len(tasks) == 0 {
		return w, vectors, nil
	}
	w = search(w, func(w weights) float64 {
		found := make([]float64, len(tasks))
		parallel.Until(ctx, len(tasks), o.Jobs, func(_, k int) { found[k] = tasks[k].found(w) })
		var sum, weight float64
		for k, f := range found {
			sum, weight = sum+float64(tasks[k].weight*f), weight+tasks[k].weight
		}
		return sum / weight
	})
	if err := ctx.Err(); err != nil {
		return w, nil, err
	}
	m.Lift = lift(tasks, w, o.Jobs)
	return w, vectors, nil
}

// search climbs a function of the weights, one direction at a time.
func search(w weights, value func(weights) float64) weights {
	start, size := w, 1.0
	worth := func(w weights) float64 {
		v := value(w)
		for k := range w {
			away := (w[k] - start[k]) / unit[k]
			v -= pull * float64(away*away)
		}
		return v
	}
	best := worth(w)
	for range rounds {
		moved := false
		for _, step := range firstSteps {
			for _, by := range []float64{size, -size} {
				for {
					next := w
					for k := range next {
						next[k] += float64(by * step[k])
					}
					if next[atSmooth] > strongestSmooth || next[atShort] < 0 || next[atLong] < 0 {
						break
					}
					v := worth(next)
					if !(v > best) {
						break
					}
					w, best, moved = next, v, true
				}
			}
		}
		if !moved {
			size /= 2
		}
	}
	return w
}
