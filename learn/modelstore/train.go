package modelstore

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"fubini/core/parallel"
	"fubini/data/ratings"
	"fubini/infer/mcmc"
	"fubini/learn/ascent"
	"fubini/learn/interest"
	"fubini/learn/registry"
	"fubini/model"
	picking "fubini/model/interest"
	"fubini/use/odds"
)

// Train fits a model to all ratings of a set. When the context ends it saves a checkpoint and
// returns the context's error.
func Train(ctx context.Context, set *ratings.Set, r Request) (*Saved, error) {
	set = set.Spread() // one scale of levels for all users
	if r.Recipe == nil {
		recipe, err := registry.New(r.Model)
		if err != nil {
			return nil, err
		}
		r.Recipe = recipe
	}
	if recipe, ours := r.Recipe.(registry.OrderedSetRecipe); ours {
		return trainOrderedSet(ctx, set, r, recipe)
	}
	return fitOnce(ctx, set, r)
}

// fitOnce fits a baseline, or any recipe but those of Ordered Set Models.
func fitOnce(ctx context.Context, set *ratings.Set, r Request) (*Saved, error) {
	if r.Validate != 0 || r.Calibrate != 0 || r.Save != nil || r.Resume != nil || r.Interest {
		return nil, fmt.Errorf("modelstore: %s trains in one go and stops by itself: no validation, no calibration, no checkpoints, no model of picks", r.Model)
	}
	var history []Epoch
	done := 0 // epochs of all stages
	run := model.Run{Seed: r.Seed, Jobs: r.Jobs, Observe: func(p model.Progress) {
		e := Epoch{Epoch: p.Epoch, Objective: p.Objective}
		if !math.IsNaN(p.Held) {
			e.Held = p.Held
		}
		if p.Epoch == 1 { // after a trial on fewer ratings it starts again
			history = history[:0]
		}
		history = append(history, e)
		if done++; r.Observe != nil { // one count over both
			e.Epoch = done
			r.Observe(e, done+p.Left)
		}
	}}
	fitted, err := r.Recipe.Fit(ctx, set, run)
	if err != nil {
		return nil, err
	}
	return r.saved(set, fitted, history), nil
}

// saved returns a fitted model with its items and its history.
func (r Request) saved(set *ratings.Set, m model.Model, history []Epoch) *Saved {
	saved := NewSaved(r.Model, set, m)
	saved.Program, saved.Seed, saved.History, saved.Settings = r.Program, r.Seed, history, registry.Settings(r.Recipe)
	return saved
}

// trainOrderedSet fits an Ordered Set Model: it divides the ratings if they are to be validated,
// turns each user's ratings into a tier list, fits the lists ([registry.Trainer], which for
// latent-osm is slots.Options) and calibrates the tier probabilities.
func trainOrderedSet(ctx context.Context, set *ratings.Set, r Request, recipe registry.OrderedSetRecipe) (*Saved, error) {
	if r.Interest {
		if err := interest.Fits(set.Items().Len(), interest.Defaults()); err != nil {
			return nil, err
		}
	}
	data := ""
	if r.Save != nil || r.Resume != nil { // of checkpoints
		data = set.Fingerprint()
	}
	from := set
	var held validation
	split, err := r.hold(set)
	if err != nil {
		return nil, err
	}
	if r.Validate != 0 {
		from = split.Training.Set()
	}
	t, lists, err := registry.Prepare(recipe, from, model.Run{Seed: r.Seed, Jobs: r.Jobs})
	if err != nil {
		return nil, err
	}
	o := t.Base()
	if r.SaveEvery != 0 {
		o.SaveEvery = r.SaveEvery
	}
	if r.Validate != 0 {
		if o.Validate, err = held.criterion(ctx, set, *split, r.Jobs); err != nil {
			return nil, err
		}
	}
	var history []Epoch
	if r.Resume != nil {
		if o.Resume, history, err = Resume(r.Resume, r.Model, data, set.Items().Len(), o); err != nil {
			return nil, err
		}
	}
	o.Observer = func(p ascent.Progress) {
		e := epochOf(p)
		if !math.IsNaN(p.Validation) {
			e.Validation, e.ERR = held.ndcg, held.err
		}
		history = append(history, e)
		if r.Observe != nil {
			r.Observe(e, p.Epochs)
		}
	}
	var second *trial
	if r.Save != nil {
		o.Save = func(s *ascent.State) error {
			f, err := Checkpoint(r.Model, data, s, history)
			if err != nil {
				return err
			}
			second.mark(f)
			return r.Save(f)
		}
	}
	if r.Validate == 0 && split != nil {
		if second, err = r.trial(recipe, *split); err != nil {
			return nil, err
		}
	}
	if err := t.Resolve(ctx, set.Items().Len(), lists); err != nil {
		return nil, err
	}
	// Two lanes, because two fits on a core each are faster than each in turn on both: the fit to all ratings, and interest. The fit that
	// calibrates, and the calibration, are for the lane that is done first.
	var fitted *ascent.Estimate
	var picks *picking.Model
	var unitShares []float64
	var corrected *odds.Calibration
	var reliability *odds.Reliability
	ready := make(chan struct{}) // the epochs that both fits share are made
	var taken atomic.Bool        // by one of the lanes
	calibrate := func(ctx context.Context, jobs int) (err error) {
		if second == nil || !taken.CompareAndSwap(false, true) {
			return nil
		}
		select {
		case <-ready:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err = second.fit(ctx, jobs); err == nil && second.fitted != nil {
			corrected, reliability, err = fitOdds(ctx, second.fitted.Catalogue, *split, jobs)
		}
		return err
	}
	taste := func(ctx context.Context, jobs int) (err error) {
		if second != nil {
			sharing := jobs
			if !r.Interest { // nothing runs beside these epochs
				sharing = r.Jobs
			}
			if err := second.share(ctx, t, lists, r.Resume, sharing); err != nil {
				return err
			}
		}
		close(ready)
		o.Jobs = jobs
		fitted, err = t.Fit(ctx, set.Items().Len(), lists)
		if err = cmp.Or(err, held.failed); err != nil {
			return err
		}
		unitShares = shares(fitted.Catalogue, lists, jobs)
		if second != nil {
			second.shown.release()
		}
		return calibrate(ctx, jobs)
	}
	beside := func(ctx context.Context, jobs int) (err error) {
		if r.Interest {
			if picks, err = interest.Fit(ctx, set, interest.ForRun(model.Run{Seed: r.Seed, Jobs: jobs})); err != nil {
				return err
			}
		}
		return calibrate(ctx, jobs)
	}
	if second == nil && !r.Interest {
		err = taste(ctx, r.Jobs)
	} else {
		err = parallel.Both(ctx, r.Jobs, taste, beside)
	}
	if err != nil {
		return nil, err
	}
	saved := r.saved(set, &registry.Latent{Catalogue: fitted.Catalogue, CoOccurrence: fitted.CoOccurrence}, history)
	saved.ItemMean, saved.UnitShares, saved.Interest = held.itemMean, unitShares, picks
	addChosen(saved.Settings, o.Prior, recipe)
	if r.Validate != 0 {
		corrected, reliability, err = fitOdds(ctx, fitted.Catalogue, *split, r.Jobs)
	}
	saved.Odds, saved.Calibration = corrected, reliability
	return saved, err
}

// addChosen adds to settings what of the prior the recipe leaves to the data and was chosen by items held back: precisions, and sampled tastes.
func addChosen(settings map[string]float64, p ascent.Prior, recipe registry.OrderedSetRecipe) {
	left := recipe.TrainerOn(nil).Base().Prior
	for name, v := range map[string][2]float64{"prior-u": {p.U, left.U}, "prior-v": {p.V, left.V}, "prior-w": {p.W, left.W}} {
		if v[0] != v[1] {
			settings[name] = v[0]
		}
	}
	if p.Tastes == ascent.Always && left.Tastes == ascent.ByData {
		settings["tastes"] = float64(ascent.Always)
	}
}

// epochOf is the entry of an epoch in the history.
func epochOf(p ascent.Progress) Epoch {
	return Epoch{
		Epoch: p.Epoch, LogLikelihood: p.LogLikelihood, Distance: p.Distance, Gradient: p.Gradient,
		Split: p.Moves.Of(mcmc.Split).Rate(), Merge: p.Moves.Of(mcmc.Merge).Rate(),
	}
}
