package modelstore

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/learn/ascent"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/model/osm"
	"fubini/use/odds"
)

// trial is the second fit of a calibrated model, with the same options: to all ratings but
// those held back, on which the tier probabilities are calibrated. Where these are few, it is the fit to all ratings before its
// last epochs: these suffice to learn few ratings, and the point before them to calibrate by.
type trial struct {
	registry.Trainer
	split   ratings.Split
	lists   []osm.Packed
	epochs  int              // of the fit to all ratings, that the trial has; 0 for a fit of its own
	state   *ascent.State    // after them
	fitted  *ascent.Estimate // nil if it diverged
	tell    func(epoch, epochs int)
	shown   later  // its epochs, which may be made beside those of the fit to all ratings
	sharing string // while they are made: the fingerprint of the ratings that they are of
}

// fewHeld is the largest share of ratings held back with which a fit to the others may stand in for the first epochs of a
// fit to all. docs/odds.md has the figures.
const fewHeld = 0.03

// hold holds ratings back, for validation or for calibration; nil for neither, or if nothing is
// left to hold back. For calibration it holds back no more than that uses.
func (r Request) hold(set *ratings.Set) (*ratings.Split, error) {
	switch {
	case r.Validate != 0:
		split, err := set.Random(r.Validate, r.Seed)
		return &split, err
	case r.Calibrate != 0:
		split, err := odds.HoldBack(set, r.Calibrate, r.Seed)
		if errors.Is(err, ratings.ErrNothingLeft) {
			return nil, nil // as with too few held-back ratings
		}
		return &split, err
	}
	return nil, nil
}

func (r Request) trial(recipe registry.OrderedSetRecipe, split ratings.Split) (*trial, error) {
	t, lists, err := registry.Prepare(recipe, split.Training.Set(), model.Run{Seed: r.Seed, Jobs: r.Jobs})
	if err != nil {
		return nil, err
	}
	own := &trial{Trainer: t, split: split, lists: lists, tell: func(int, int) {}}
	if r.Trial != nil {
		own.tell = r.Trial
		t.Base().Observer = func(p ascent.Progress) {
			own.shown.do(func() { r.Trial(p.Epoch, cmp.Or(own.epochs, p.Epochs)) })
		}
	}
	return own, nil
}

// keyShared is where a checkpoint has the fingerprint of the ratings that the shared epochs are of.
const keyShared = "shared"

// mark tells in a checkpoint that it is of the shared epochs.
func (t *trial) mark(checkpoint *modelfile.File) {
	if t != nil && t.sharing != "" {
		checkpoint.Metadata[keyShared] = t.sharing
	}
}

// share makes the first epochs of the fit to all lists without the ratings held back, and sets it to resume from there; the point
// that they end with is that of the trial. Of the fit to all lists the mean over epochs has those after them alone. A checkpoint that is
// not of these epochs has seen the ratings held back, and is resumed by the fit to all lists alone: then the trial makes them anew.
func (t *trial) share(ctx context.Context, whole registry.Trainer, lists []osm.Packed, checkpoint *modelfile.File, jobs int) error {
	training := t.split.Training.Set()
	shared, o, own := whole.Shared(), whole.Base(), t.Base()
	own.Epochs, own.Batch, own.Prior = o.Epochs, o.Batch, o.Prior
	held, all := float64(t.split.Holdout.Set().Len()), float64(training.Len())
	if shared == 0 || held > fewHeld*(held+all) {
		t.tell(0, o.Epochs)
		return nil
	}
	t.epochs = shared
	fingerprint := ""
	if checkpoint != nil || o.Save != nil {
		fingerprint = training.Fingerprint()
	}
	if checkpoint != nil && (checkpoint.Metadata[keyShared] != fingerprint || o.Resume.Epoch > shared) {
		t.tell(0, shared)
		return nil
	}
	t.tell(0, 0)
	t.state = o.Resume
	if t.state == nil || t.state.Epoch < shared {
		alone := *own
		own.Resume, own.Save, own.SaveEvery, own.Jobs, own.Observer = o.Resume, o.Save, o.SaveEvery, jobs, o.Observer
		t.sharing = fingerprint
		err := t.begin(ctx)
		t.sharing = ""
		if err != nil {
			return err
		}
		*own = alone
	}
	o.Resume = t.state.Clone()
	o.Resume.Averaged = 0
	return nil
}

// begin makes the first epochs, and keeps the state after them.
func (t *trial) begin(ctx context.Context) error {
	own := t.Base()
	observer := own.Observer
	own.Until, own.Observer = t.epochs, func(p ascent.Progress) {
		t.state = p.State
		if observer != nil {
			observer(p)
		}
	}
	_, err := t.Fit(ctx, t.split.Training.Set().Items().Len(), t.lists)
	return err
}

// fit fits the trial. One of fewer epochs ends with their last point, because the fit to all ratings has the mean over few epochs, to which that
// is nearer than a mean over many. A fit that diverged leaves the model without a calibration: the other fit may be good.
func (t *trial) fit(ctx context.Context, jobs int) (err error) {
	own := t.Base()
	own.Jobs = jobs
	if t.epochs > 0 {
		if t.state == nil {
			err = t.begin(ctx)
		}
		if err == nil {
			own.Epochs, own.Until, own.Resume = t.epochs, t.epochs, t.state
			own.Resume.Averaged = 0
		}
	}
	if err == nil {
		t.fitted, err = t.Fit(ctx, t.split.Training.Set().Items().Len(), t.lists)
	}
	if errors.Is(err, ascent.ErrDiverged) {
		t.fitted, err = nil, nil
	}
	return err
}

// later makes calls in their order, none before its release.
type later struct {
	sync.Mutex
	released bool
	calls    []func()
}

func (l *later) do(call func()) {
	l.Lock()
	defer l.Unlock()
	if l.released {
		call()
	} else {
		l.calls = append(l.calls, call)
	}
}

func (l *later) release() {
	l.Lock()
	defer l.Unlock()
	l.released = true
	for _, call := range l.calls {
		call()
	}
	l.calls = nil
}
