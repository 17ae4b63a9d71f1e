package ascent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/model/latent"
)

// ErrDiverged is returned with the point before the last epoch when a parameter is not finite any more.
var ErrDiverged = errors.New("ascent: diverged")

// Train makes the epochs: passes over all lists, in a new random order, with one update of the
// parameters for each batch of lists (Batch of them). It returns the mean over the
// second half of the epochs, or the best epoch by Validate. When the context ends it returns
// the context's error and the current point, and saves the state after the last whole epoch.
func (f *Run) Train(ctx context.Context, m Method) (*Estimate, error) {
	point, err := f.train(ctx, m)
	return &Estimate{point, f.State.CoOccurrence}, err
}

func (f *Run) train(ctx context.Context, m Method) (*latent.Catalogue, error) {
	f.Method, f.workers = m, parallel.NewWorkers(f.jobs)
	defer func() {
		f.workers.Close()
		f.workers = nil
	}()
	order := make([]int, len(f.Lists))
	for f.State.Epoch < f.Until {
		epoch := f.State.Epoch
		if err := ctx.Err(); err != nil {
			return f.State.Point(f.Last), errors.Join(err, f.save(true))
		}
		f.good = f.State.Now.Clone()
		begun := f.State
		if f.Save != nil { // to continue from, should the context end within the epoch
			begun = f.State.Clone()
		}
		rng.Permutation(rng.Stream(f.Seed, "order", uint64(epoch)), order)
		progress := Progress{Epoch: epoch + 1, Epochs: f.Epochs, Validation: math.NaN(), State: f.State}
		places, batches, unpulled, all := 0, 0, 0, (len(order)+f.Batch-1)/f.Batch
		for batch := range slices.Chunk(order, f.Batch) {
			tasks := f.visit(ctx, batch, epoch)
			if err := ctx.Err(); err != nil {
				f.State = begun
				return f.State.Point(f.Last), errors.Join(err, f.save(true))
			}
			f.State.Curvature.update(tasks)
			f.State.updateSizes(tasks)
			batches++
			unpulled++
			pulls := 0
			if unpulled >= f.PullEvery || batches == all {
				pulls, unpulled = unpulled, 0
			}
			progress.Gradient += f.update(tasks, pulls)
			f.Objective.Updated(tasks, batches)
			for _, t := range tasks {
				progress.LogLikelihood += t.LogLikelihood
				progress.Distance += t.Distance / float64(len(f.Lists))
				progress.Moves.Add(&t.Tally)
				places += len(t.List.Items)
			}
		}
		progress.LogLikelihood /= float64(places)
		progress.Gradient = math.Sqrt(progress.Gradient / float64(batches))
		if !f.State.Now.Finite() || math.IsNaN(progress.Gradient) {
			return f.good, fmt.Errorf("%w: parameters left the range of numbers in epoch %d; lower the rate (%g) or raise the priors", ErrDiverged, epoch+1, f.Rate)
		}
		f.State.Epoch++
		if 2*epoch >= f.Epochs {
			f.State.Averaged++
			f.State.Mean.MoveTowards(f.State.Now, 1/float64(f.State.Averaged))
		}
		done := f.validate(&progress)
		if f.Observer != nil {
			f.Observer(progress)
		}
		if err := f.save(false); err != nil {
			return f.State.Point(f.Last), err
		}
		if done {
			break
		}
	}
	return f.State.Point(f.Last), nil
}

// visit computes the gradients of the lists of a batch on several goroutines. Each takes the next list when it is done
// with one, those with most work first, so that the goroutines end at about the same time; a task does not depend on the goroutine.
func (f *Run) visit(ctx context.Context, batch []int, epoch int) []*Task {
	f.turns = f.turns[:0]
	for k, l := range batch {
		f.turns = append(f.turns, turn{k, f.works[l]})
	}
	slices.SortFunc(f.turns, func(a, b turn) int { return cmp.Or(cmp.Compare(b.work, a.work), cmp.Compare(a.task, b.task)) })
	var next atomic.Int64
	f.Together(func(w int) {
		for ctx.Err() == nil {
			k := int(next.Add(1)) - 1
			if k >= len(batch) {
				return
			}
			t := f.tasks[f.turns[k].task]
			t.Number, t.Epoch = batch[t.Index], epoch
			f.list(w, t)
		}
	})
	return f.tasks[:len(batch)]
}

// turn is a task of a batch and its work.
type turn struct{ task, work int }

// list computes the gradient of one list. Of a list with more than Longest items it uses a
// random part of that length, drawn anew in every epoch.
func (f *Run) list(worker int, t *Task) {
	list := f.Lists[t.Number]
	if n := len(list.Items); n > f.Longest {
		t.chosen = slices.Grow(t.chosen[:0], n)[:n]
		rng.Permutation(rng.Stream(f.Seed, "part", uint64(t.Number), uint64(t.Epoch)), t.chosen)
		t.Places = t.ascending(t.chosen[:f.Longest], n)
		t.List = t.unpacker.Part(list, t.Places)
	} else {
		t.Places, t.List = nil, t.unpacker.List(list)
	}
	f.Objective.Gradient(worker, t)
	t.squares = squares(t.Gradient)
}

// ascending sorts numbers below n, each at most once there, by marking them: quicker than by comparing them.
func (t *Task) ascending(numbers []int, n int) []int {
	t.marked = slices.Grow(t.marked[:0], n)[:n]
	clear(t.marked)
	for _, k := range numbers {
		t.marked[k] = true
	}
	at := 0
	for k, marked := range t.marked {
		numbers[at] = k
		if marked {
			at++
		}
		if at == len(numbers) {
			break
		}
	}
	return numbers
}

// update takes the squared gradients of a batch into the running means.
func (h *Curvature) update(tasks []*Task) {
	var batch Curvature
	var items float64
	for _, t := range tasks {
		items += float64(len(t.List.Items))
		batch.U += t.squares.U
		batch.W += t.squares.W
		batch.V += t.squares.V
		batch.Nu += t.squares.Nu
		batch.NuK += t.squares.NuK
		batch.B += t.squares.B
	}
	lists := float64(len(tasks))
	h.U, h.W, h.V = running(h.U, batch.U/items), running(h.W, batch.W/items), running(h.V, batch.V/items)
	h.Nu, h.NuK, h.B = running(h.Nu, batch.Nu/lists), running(h.NuK, batch.NuK/lists), running(h.B, batch.B/lists)
}

// updateSizes is the same for the weight of every tier size.
func (s *State) updateSizes(tasks []*Task) {
	for n := range s.SizeCurvature {
		var sum float64
		for _, t := range tasks {
			g := t.Gradient.WithoutW().Sizes[n]
			sum += g * g
		}
		s.SizeCurvature[n] = running(s.SizeCurvature[n], sum/float64(len(tasks)))
	}
}

// update makes one step of all parameters by the gradients of a batch. Each item's worth U,
// unit weights W and presence weights V first move to the prior mean, by pulls steps at once, 0 for none, then
// along the gradients of the lists that the item is in. The step sizes are those of the Rule.
// It returns the sum of the squared gradients of U and W.
func (f *Run) update(tasks []*Task, pulls int) (square float64) {
	c := f.State.Now
	u := &Update{Rate: f.CurrentRate(), Lists: float64(len(tasks)), All: float64(len(f.Lists)), State: f.State, Prior: &f.Prior, Times: f.times}
	f.Whole = u.Whole()
	steps := f.Rule(u)
	for n, t := range tasks {
		common, presence := t.Gradient.WithoutW(), latent.Presence(len(t.List.Items))
		for j, v := range common.B {
			f.biases[n*c.K+j] = presence * v
		}
		if t.Rows != nil {
			f.worths = append(f.worths, make([]float64, max(0, t.First+len(common.U)-len(f.worths)))...)
			copy(f.worths[t.First:], common.U)
		}
	}
	// All steps of one item are made by one goroutine, in the order of the batch, so that sums do
	// not depend on the number of workers.
	f.Together(func(w int) {
		places := &f.places[w]
		places.index(tasks, c.Items)
		f.own(w, func(i int) {
			if pulls == 0 && places.none(i) {
				return
			}
			step, pull := steps.Item(i)
			if pulls > 0 {
				steps := float64(pulls)
				f.Prior.pull(c, i, Kinds{min(1, steps*pull.U), min(1, steps*pull.W), min(1, steps*pull.V)})
			}
			f.alongGradients(tasks, places, i, step)
		})
	})
	for _, t := range tasks {
		square += t.squares.U + t.squares.W
	}
	if f.Start == nil { // with a warm start the parameters that all lists share are fixed
		f.updateCommon(tasks, steps)
	}
	return square
}

// alongGradients moves the parameters of an item along the sum of the gradients of the lists that it is in, and adds that to Sum.
func (f *Run) alongGradients(tasks []*Task, p *places, i int, step Kinds) {
	if p.none(i) {
		return
	}
	first, end := p.start[i], p.start[i+1]
	c, k := f.State.Now, f.State.Now.K
	from, to, in, rows := i*k, (i+1)*k, p.task[first:end], p.row[first:end]
	ones := p.ones[:len(in)]
	var u float64
	clear(p.w)
	if all := tasks[0].Rows; all != nil {
		for _, row := range rows {
			u += f.worths[row]
		}
		vec.AddRowsAt(p.w, all, rows, ones)
	} else {
		for at, task := range in {
			t, n := tasks[task], int(rows[at])
			u += t.Gradient.WithoutW().U[n]
			t.Gradient.AddWeights(n, 1, p.w)
		}
	}
	c.U[i] += step.U * u
	var sumW, sumV []float64
	if f.Sum != nil {
		f.Sum.U[i] += u
		sumW = f.Sum.W[from:to]
		if c.V != nil {
			sumV = f.Sum.V[from:to]
		}
	}
	along(p.w, step.W, c.W[from:to], sumW)
	if c.V == nil {
		return
	}
	clear(p.v)
	vec.AddRowsAt(p.v, f.biases, in, ones)
	along(p.v, step.V, c.V[from:to], sumV)
}

// along adds a step along a gradient to parameters, and the gradient to a sum, nil for none.
func along(gradient []float64, step float64, to, sum []float64) {
	if sum == nil {
		vec.AddTimes(to, gradient, step)
		return
	}
	vec.AddTimesTwo(to, sum, gradient, step, 1)
}

// updateCommon makes a step of the parameters that all lists share: tie weights, biases and
// weights by tier size.
func (f *Run) updateCommon(tasks []*Task, steps Steps) {
	c := f.State.Now
	stepNu, stepB := steps.Common()
	var nu float64
	nuK, b := make([]float64, c.K), make([]float64, c.K)
	for _, t := range tasks {
		common := t.Gradient.WithoutW()
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
			gradient += t.Gradient.WithoutW().Sizes[n]
		}
		c.Sizes[n] += steps.SizeWeight(n) * (gradient - f.Prior.Sizes/f.Whole*c.Sizes[n])
	}
}

// validate computes the criterion of an epoch and reports whether to stop early.
func (f *Run) validate(p *Progress) (done bool) {
	if f.Validate == nil {
		return false
	}
	s, current := f.State, f.State.current(f.Last)
	p.Validation = f.Validate(current)
	if s.Best == nil || p.Validation > s.BestValidation {
		s.Best, s.BestAt, s.BestValidation = current.Clone(), p.Epoch, p.Validation
	}
	return p.Epoch-s.BestAt >= f.Patience
}

func (f *Run) save(now bool) error {
	if f.Save == nil || !now && f.State.Epoch%f.SaveEvery != 0 && f.State.Epoch != f.Until {
		return nil
	}
	return f.Save(f.State)
}
