package zoo

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
	"fubini/learn/train"
	"fubini/model/latent"
)

// Request is a model to be trained for use.
type Request struct {
	Settings
	Model   string // a name of Trainable
	Hidden  int    // units; 0 means the model's own number, negative none
	Units   string // "binary" or "gaussian"; empty means the model's own
	Epochs  int    // 0 means the model's own number
	Program string // version of the program, for the file

	// Validate is a share of each user's ratings that is held back from training to
	// judge every epoch by NDCG@10 on it; training ends when that has not risen for
	// Patience epochs (0 means 10), and the best epoch is the result. 0 means none.
	Validate float64
	Patience int

	// Observe, if not nil, is told of every epoch.
	Observe func(e Epoch, epochs int)
	// Save, if not nil, is given a checkpoint every SaveEvery epochs, and when
	// the context ends. Resume goes on from one.
	Save      func(f *modelfile.File) error
	SaveEvery int
	Resume    *modelfile.File
}

// Trainable lists the models that can be trained into a file.
func Trainable() []string { return []string{"latent-osm", "latent-osm-paper", "osm"} }

// options are those of the trainer for a request.
func (r Request) options() (train.LatentOptions, error) {
	var o train.LatentOptions
	switch r.Model {
	case "latent-osm":
		o = ourOptions()
	case "latent-osm-paper":
		o = paperOptions()
	case "osm":
		if r.Hidden > 0 || r.Units != "" {
			return o, fmt.Errorf("zoo: osm has no hidden units; train latent-osm")
		}
		o = train.LatentOptions{Hidden: -1}
	default:
		return o, fmt.Errorf("zoo: there is no model %q to train; there are %v", r.Model, Trainable())
	}
	if r.Hidden != 0 {
		o.Hidden = r.Hidden
	}
	if r.Units != "" {
		units, err := latent.ParseUnits(r.Units)
		if err != nil {
			return o, err
		}
		o.Units = units
	}
	if r.Epochs != 0 {
		o.Epochs = r.Epochs
	}
	o.Seed, o.Jobs, o.SaveEvery = r.Seed, r.Jobs, r.SaveEvery
	return o, nil
}

// Train learns a model from all ratings of a set. When the context ends it
// returns the context's error, after the checkpoint was saved.
func Train(ctx context.Context, set *ratings.Set, r Request) (*Saved, error) {
	o, err := r.options()
	if err != nil {
		return nil, err
	}
	data := set.Fingerprint()
	from := set
	var validation judged
	if r.Validate != 0 {
		split, err := set.Random(r.Validate, r.Seed)
		if err != nil {
			return nil, err
		}
		from = split.Training.Set()
		o.Patience = r.Patience
		o.Validate = validation.by(ctx, set, split, r.Jobs)
	}
	lists, err := tierLists(from)
	if err != nil {
		return nil, err
	}
	var history []Epoch
	if r.Resume != nil {
		if o.Resume, history, err = Resume(r.Resume, r.Model, data, set.Items().Len(), o); err != nil {
			return nil, err
		}
	}
	o.Observer = func(p train.LatentProgress) {
		e := Epoch{
			Epoch: p.Epoch, LogLikelihood: p.LogLikelihood, Distance: p.Distance, Gradient: p.Gradient,
			Split: p.Moves.Of(mcmc.Split).Rate(), Merge: p.Moves.Of(mcmc.Merge).Rate(),
		}
		if !math.IsNaN(p.Validation) {
			e.Validation, e.ERR = validation.ndcg, validation.err
		}
		history = append(history, e)
		if r.Observe != nil {
			r.Observe(e, p.Epochs)
		}
	}
	if r.Save != nil {
		o.Save = func(s *train.LatentState) error {
			f, err := Checkpoint(r.Model, data, s, history)
			if err != nil {
				return err
			}
			return r.Save(f)
		}
	}
	c, err := train.FitLatent(ctx, set.Items().Len(), lists, o)
	if err == nil {
		err = validation.failed
	}
	if err != nil && !errors.Is(err, train.ErrDiverged) || c == nil {
		return nil, err
	}
	saved := NewSaved(r.Model, set, c)
	saved.Program, saved.Seed, saved.History = r.Program, r.Seed, history
	return saved, err
}

// judged is what held-back ratings said of the last epoch.
type judged struct {
	ndcg, err float64
	failed    error
}

// by returns the judge of an epoch: the mean NDCG@10 over users.
func (j *judged) by(ctx context.Context, set *ratings.Set, split ratings.Split, jobs int) func(c *latent.Catalogue) float64 {
	low, high := set.Range()
	low, high = min(low, 1), max(high, 5)
	gain := metric.Gain(metric.Exp2)
	if high > 60 { // 2^r would not be a number any more
		gain = metric.Linear
	}
	options := evaluate.Options{Metrics: evaluate.PaperMetrics(gain, low, high), Jobs: jobs}
	return func(c *latent.Catalogue) float64 {
		result, err := evaluate.Judge(ctx, &latentRanker{c}, split.Holdout, options)
		if err != nil {
			if ctx.Err() == nil {
				j.failed = err
			}
			return j.ndcg
		}
		j.ndcg, j.err = result.Average("ndcg@10"), result.Average("err")
		return j.ndcg
	}
}
