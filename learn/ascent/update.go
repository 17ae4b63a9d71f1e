package ascent

import (
	"context"
	"slices"

	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/model/latent"
)

// visit computes the gradients of the lists of a block on several goroutines.
func (f *Run) visit(ctx context.Context, block []int, epoch int) []*Task {
	f.Together(func(w int) {
		for k := w; k < len(block) && ctx.Err() == nil; k += f.jobs {
			t := f.tasks[k]
			t.Number, t.Epoch = block[k], epoch
			f.list(w, t)
		}
	})
	return f.tasks[:len(block)]
}

// list computes the gradient of one list. Of a list with more than Longest items it uses a
// random part of that length, drawn anew in every epoch.
func (f *Run) list(worker int, t *Task) {
	t.List, t.Places = f.Lists[t.Number], nil
	if n := len(t.List.Items); n > f.Longest {
		chosen := make([]int, n)
		rng.Permutation(rng.Stream(f.Seed, "part", uint64(t.Number), uint64(t.Epoch)), chosen)
		t.Places = chosen[:f.Longest]
		slices.Sort(t.Places)
		t.List = t.List.Part(t.Places)
	}
	f.Objective.Gradient(worker, t)
	t.squares = squares(t.Gradient)
}

// stripe is a number of neighbouring items that one worker updates: eight numbers are a
// cache line, which two workers must not write to in turn.
const stripe = 8

// Together calls do once for each worker, at the same time.
func (f *Run) Together(do func(worker int)) {
	team := f.team
	if team == nil { // before training
		team = parallel.NewTeam(f.jobs)
		defer team.Close()
	}
	team.Together(do)
}

// EachItem calls do for every item, on several goroutines.
func (f *Run) EachItem(do func(worker, item int)) {
	f.Together(func(w int) { f.own(w, func(i int) { do(w, i) }) })
}

// own calls do for every item of a worker.
func (f *Run) own(worker int, do func(item int)) {
	items := len(f.times)
	for first := worker * stripe; first < items; first += f.jobs * stripe {
		for i := first; i < min(first+stripe, items); i++ {
			do(i)
		}
	}
}

// update makes one step of all parameters by the gradients of a block. Each item's worth U,
// unit weights W and presence weights V first move to the prior mean, then
// along the gradients of the lists that the item is in. The step sizes are those of the Rule.
// It returns the sum of the squared gradients of U and W.
func (f *Run) update(tasks []*Task) (square float64) {
	c, k := f.State.Now, f.State.Now.K
	u := &Update{Rate: f.CurrentRate(), Lists: float64(len(tasks)), All: float64(len(f.Lists)), State: f.State, Prior: &f.Prior, Times: f.times}
	f.Whole = u.Whole()
	steps := f.Rule(u)
	toPrior := func(i int) {
		step, pull := steps.Item(i)
		f.steps[i] = step
		f.Prior.pull(c, i, pull)
	}
	alongGradient := func(t *Task, n, i int) {
		if f.Sum != nil {
			f.Sum(t, n, i)
		}
		step, common := &f.steps[i], t.Gradient.Common()
		c.U[i] += step[0] * common.U[n]
		t.Gradient.AddWeights(n, step[1], c.W[i*k:(i+1)*k])
		if c.V != nil {
			vec.AddTimes(c.V[i*k:(i+1)*k], common.B, step[2]*latent.Presence(len(t.List.Items)))
		}
	}
	// All steps of one item are made by one goroutine, in the order of the block, so that sums do
	// not depend on the number of workers.
	f.Together(func(w int) {
		f.own(w, toPrior)
		for _, t := range tasks {
			for n, i := range t.List.Items {
				if i/stripe%f.jobs == w {
					alongGradient(t, n, i)
				}
			}
		}
	})
	for _, t := range tasks {
		square += t.squares.U + t.squares.W
	}
	if f.Start == nil { // with a warm start the parameters that all lists share are fixed
		f.updateCommon(tasks, steps)
	}
	return square
}

// updateCommon makes a step of the parameters that all lists share: tie weights, biases and
// weights by tier size.
func (f *Run) updateCommon(tasks []*Task, steps Steps) {
	c := f.State.Now
	stepNu, stepB := steps.Common()
	var nu float64
	nuK, b := make([]float64, c.K), make([]float64, c.K)
	for _, t := range tasks {
		common := t.Gradient.Common()
		nu += common.Nu
		vec.AddTimes(nuK, common.NuK, 1)
		vec.AddTimes(b, common.B, 1)
	}
	if f.SharedTies { // one parameter, in the base and in every unit
		for _, v := range nuK {
			nu += v
		}
	}
	*c.Nu += stepNu * nu
	if f.SharedTies {
		for j := range c.NuK {
			c.NuK[j] = *c.Nu
		}
	}
	if f.Biases {
		vec.AddTimes(c.B, b, stepB)
	}
	for n := range c.Sizes {
		var gradient float64
		for _, t := range tasks {
			gradient += t.Gradient.Common().Sizes[n]
		}
		c.Sizes[n] += steps.Size(n) * (gradient - f.Prior.Sizes/f.Whole*c.Sizes[n])
	}
}
