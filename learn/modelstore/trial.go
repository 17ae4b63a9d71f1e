package modelstore

import (
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
// those held back, on which the tier probabilities are calibrated. Where these are few, both fits have their first epochs in
// common: few ratings are learnt in the others.
type trial struct {
	registry.Trainer
	split   ratings.Split
	lists   []osm.Packed
	shared  int              // epochs that both fits share
	fitted  *ascent.Estimate // nil if it diverged
	tell    func(epoch, epochs int)
	told    later  // its epochs, which may be made beside those of the fit to all ratings
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
			own.told.do(func() { r.Trial(p.Epoch-own.shared, p.Epochs-own.shared) })
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

// share makes the epochs that the fit to all lists has in common with the trial, without the
// ratings held back, and sets both to resume from there. Of the fit to all lists the mean over
// epochs has those after them alone. A checkpoint that is not of these epochs has seen the ratings held back, and is resumed by
// the fit to all lists alone: then the trial starts anew.
func (t *trial) share(ctx context.Context, whole registry.Trainer, lists []osm.Packed, checkpoint *modelfile.File, jobs int) error {
	training := t.split.Training.Set()
	items := training.Items().Len()
	shared, o, own := whole.Shared(), whole.Base(), t.Base()
	own.Epochs, own.Batch, own.Prior = o.Epochs, o.Batch, o.Prior
	held, all := float64(t.split.Holdout.Set().Len()), float64(training.Len())
	if shared == 0 || held > fewHeld*(held+all) {
		t.tell(0, o.Epochs)
		return nil
	}
	fingerprint := training.Fingerprint()
	if checkpoint != nil && (checkpoint.Metadata[keyShared] != fingerprint || o.Resume.Epoch > shared) {
		t.tell(0, o.Epochs)
		return nil
	}
	t.tell(0, o.Epochs-shared)
	after := o.Resume
	if after == nil || after.Epoch < shared {
		alone := *own
		own.Until, own.Resume, own.Save, own.SaveEvery, own.Jobs = shared, o.Resume, o.Save, o.SaveEvery, jobs
		own.Observer = func(p ascent.Progress) {
			after = p.State
			o.Observer(p)
		}
		t.sharing = fingerprint
		_, err := t.Fit(ctx, items, t.lists)
		t.sharing = ""
		if err != nil {
			return err
		}
		*own = alone
	}
	own.Resume, o.Resume, t.shared = after.Clone(), after, shared
	o.Resume.Averaged = 0
	return nil
}

// fit makes the epochs of the trial. A fit that diverged leaves the model without a calibration: the other fit may be good.
func (t *trial) fit(ctx context.Context, jobs int) (err error) {
	t.Base().Jobs = jobs
	fitted, err := t.Fit(ctx, t.split.Training.Set().Items().Len(), t.lists)
	if errors.Is(err, ascent.ErrDiverged) {
		return nil
	}
	t.fitted = fitted
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
