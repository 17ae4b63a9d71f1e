package modelstore

import (
	"context"
	"errors"
	"fmt"
	"math"

	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/infer/mcmc"
	"fubini/judge/evaluate"
	"fubini/judge/metric"
	"fubini/learn/ascent"
	"fubini/learn/cooccurrence"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/odds"
)

// Request is a model to be trained for use.
type Request struct {
	Model   string       // a name
	Recipe  model.Recipe // with settings; nil means those of the model's own
	Seed    uint64
	Jobs    int    // goroutines; 0 means one for each core
	Epochs  int    // of Extend; 0 means the model's own number
	Program string // version of the program, for the file

	// Validate is a share of each user's ratings that is held back from training to
	// judge every epoch by NDCG@10 on it; training ends when that has not risen for
	// Patience epochs (0 means 10), and the best epoch is the result. 0 means none.
	Validate float64
	Patience int

	// Calibrate is a share of each user's ratings to calibrate the odds of a model of
	// ours by: a model is trained without them first, the odds it gives them are held
	// against where they stand, and then the result is trained on all. With Validate
	// the ratings held back for that serve, at no cost. 0 means none.
	Calibrate float64

	// Observe, if not nil, is told of every epoch; Trial of every epoch of the other
	// model, which Calibrate trains.
	Observe func(e Epoch, epochs int)
	Trial   func(epoch, epochs int)
	// Save, if not nil, is given a checkpoint every SaveEvery epochs, and when
	// the context ends. Resume goes on from one.
	Save      func(f *modelfile.File) error
	SaveEvery int
	Resume    *modelfile.File
}

// Train learns a model from all ratings of a set. When the context ends it
// returns the context's error, after the checkpoint was saved.
func Train(ctx context.Context, set *ratings.Set, r Request) (*Saved, error) {
	if r.Recipe == nil {
		recipe, err := registry.New(r.Model)
		if err != nil {
			return nil, err
		}
		r.Recipe = recipe
	}
	switch recipe := r.Recipe.(type) {
	case Trainer:
		return recipe.Train(ctx, set, r)
	case registry.Family:
		return trainFamily(ctx, set, r, recipe)
	}
	return fitOnce(ctx, set, r)
}

// Trainer is a recipe with a training of its own: validation, calibration and checkpoints as a request asks for.
type Trainer interface {
	Train(ctx context.Context, set *ratings.Set, r Request) (*Saved, error)
}

// fitOnce fits a model that has nothing but Fit.
func fitOnce(ctx context.Context, set *ratings.Set, r Request) (*Saved, error) {
	if r.Validate != 0 || r.Calibrate != 0 || r.Save != nil || r.Resume != nil {
		return nil, fmt.Errorf("modelstore: %s trains in one go and stops by itself: no validation, no calibration, no checkpoints", r.Model)
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

// saved puts a result together.
func (r Request) saved(set *ratings.Set, m model.Model, history []Epoch) *Saved {
	saved := NewSaved(r.Model, set, m)
	saved.Program, saved.Seed, saved.History, saved.Settings = r.Program, r.Seed, history, registry.Settings(r.Recipe)
	return saved
}

func trainFamily(ctx context.Context, set *ratings.Set, r Request, recipe registry.Family) (*Saved, error) {
	data := set.Fingerprint()
	from := set
	var validation judged
	var split ratings.Split
	if r.Validate != 0 {
		var err error
		if split, err = set.Random(r.Validate, r.Seed); err != nil {
			return nil, err
		}
		from = split.Training.Set()
	}
	t := recipe.TrainerOn(from)
	o := t.Base()
	o.Seed, o.Jobs = r.Seed, r.Jobs
	if r.SaveEvery != 0 {
		o.SaveEvery = r.SaveEvery
	}
	if r.Validate != 0 {
		var err error
		if r.Patience != 0 {
			o.Patience = r.Patience
		}
		if o.Validate, err = validation.by(ctx, set, split, r.Jobs); err != nil {
			return nil, err
		}
	}
	lists, err := osm.ListsOf(from)
	if err != nil {
		return nil, err
	}
	var history []Epoch
	var features *cooccurrence.Features
	if r.Resume != nil {
		if o.Resume, history, err = Resume(r.Resume, r.Model, data, set.Items().Len(), o); err != nil {
			return nil, err
		}
		features = o.Resume.CoOccurrence
	}
	o.Observer = func(p ascent.Progress) {
		e := epochOf(p)
		if !math.IsNaN(p.Validation) {
			e.Validation, e.ERR = validation.ndcg, validation.err
		}
		history, features = append(history, e), p.State.CoOccurrence
		if r.Observe != nil {
			r.Observe(e, p.Epochs)
		}
	}
	if r.Save != nil {
		o.Save = func(s *ascent.State) error {
			f, err := Checkpoint(r.Model, data, s, history)
			if err != nil {
				return err
			}
			return r.Save(f)
		}
	}
	c, err := t.Fit(ctx, set.Items().Len(), lists)
	if err == nil {
		err = validation.failed
	}
	if err != nil && !errors.Is(err, ascent.ErrDiverged) || c == nil {
		return nil, err
	}
	saved := r.saved(set, &registry.Latent{Catalogue: c, CoOccurrence: features}, history)
	saved.ItemMean = validation.itemMean
	shared, failed := shares(c, lists)
	if failed != nil {
		return nil, failed
	}
	saved.UnitShares = shared
	if err != nil {
		return saved, err
	}
	if r.Validate != 0 {
		saved.Odds, saved.Calibration, err = fitOdds(ctx, c, split)
	} else if r.Calibrate != 0 {
		saved.Odds, saved.Calibration, err = r.trial(ctx, set, recipe)
	}
	return saved, err
}

// trial calibrates by a model that is trained on fewer ratings, with the same
// options.
func (r Request) trial(ctx context.Context, set *ratings.Set, recipe registry.Family) (*odds.Calibration, *odds.Reliability, error) {
	split, err := set.Random(r.Calibrate, r.Seed)
	if errors.Is(err, ratings.ErrNothingLeft) {
		return nil, nil, nil // as with too few held-back ratings
	}
	if err != nil {
		return nil, nil, err
	}
	lists, err := osm.ListsOf(split.Training.Set())
	if err != nil {
		return nil, nil, err
	}
	t := recipe.TrainerOn(split.Training.Set())
	o := t.Base()
	o.Seed, o.Jobs = r.Seed, r.Jobs
	if r.Trial != nil {
		o.Observer = func(p ascent.Progress) { r.Trial(p.Epoch, p.Epochs) }
	}
	c, err := t.Fit(ctx, set.Items().Len(), lists)
	if errors.Is(err, ascent.ErrDiverged) {
		return nil, nil, nil // the model itself did not; its odds stay as they are
	}
	if err != nil {
		return nil, nil, err
	}
	return fitOdds(ctx, c, split)
}

// judged is what held-back ratings said of the last epoch.
type judged struct {
	ndcg, err float64
	itemMean  float64 // the NDCG@10 of item means, to hold it against
	failed    error
}

// by returns the judge of an epoch: the mean NDCG@10 over users.
func (j *judged) by(ctx context.Context, set *ratings.Set, split ratings.Split, jobs int) (func(c *latent.Catalogue) float64, error) {
	low, high := set.Range()
	low, high = min(low, 1), max(high, 5)
	gain := metric.Gain(metric.Exp2)
	if high > 60 { // 2^r would not be a number any more
		gain = metric.Linear
	}
	options := evaluate.Options{Metrics: evaluate.PaperMetrics(gain, low, high), Jobs: jobs}
	means, err := registry.New("item-mean")
	if err != nil {
		return nil, err
	}
	reference, err := evaluate.Run(ctx, registry.Judged(means, model.Run{Jobs: jobs}), split, options)
	if err != nil {
		return nil, err
	}
	j.itemMean = reference.Average("ndcg@10")
	return func(c *latent.Catalogue) float64 {
		result, err := evaluate.Judge(ctx, &registry.Latent{Catalogue: c}, split.Holdout, options)
		if err != nil {
			if ctx.Err() == nil {
				j.failed = err
			}
			return j.ndcg
		}
		j.ndcg, j.err = result.Average("ndcg@10"), result.Average("err")
		return j.ndcg
	}, nil
}

// epochOf is a line of history.
func epochOf(p ascent.Progress) Epoch {
	return Epoch{
		Epoch: p.Epoch, LogLikelihood: p.LogLikelihood, Distance: p.Distance, Gradient: p.Gradient,
		Split: p.Moves.Of(mcmc.Split).Rate(), Merge: p.Moves.Of(mcmc.Merge).Rate(),
	}
}
