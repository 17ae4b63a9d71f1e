package ascent

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/model/latent"
)

// ErrDiverged is returned with the point before the last epoch when a parameter is not finite any more.
var ErrDiverged = errors.New("train: diverged")

// Train makes the epochs: passes over all lists, in a new random order, with one update of the
// parameters for each block of lists (a minibatch of Batch lists). It returns the mean over the
// second half of the epochs, or the best epoch by Validate. When the context ends it returns
// the context's error and the current point, and saves the state after the last whole epoch.
func (f *Run) Train(ctx context.Context, m Method) (*latent.Catalogue, error) {
	f.Method, f.team = m, parallel.NewTeam(f.jobs)
	defer func() {
		f.team.Close()
		f.team = nil
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
		slots, blocks := 0, 0
		for block := range slices.Chunk(order, f.Batch) {
			tasks := f.visit(ctx, block, epoch)
			if err := ctx.Err(); err != nil {
				f.State = begun
				return f.State.Point(f.Last), errors.Join(err, f.save(true))
			}
			f.State.Curvature.update(tasks)
			f.State.updateSizes(tasks)
			progress.Gradient += f.update(tasks)
			blocks++
			f.Objective.Updated(tasks, blocks)
			for _, t := range tasks {
				progress.LogLikelihood += t.LogLikelihood
				progress.Distance += t.Distance / float64(len(f.Lists))
				progress.Moves.Add(&t.Tally)
				slots += len(t.List.Items)
			}
		}
		progress.LogLikelihood /= float64(slots)
		progress.Gradient = math.Sqrt(progress.Gradient / float64(blocks))
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
