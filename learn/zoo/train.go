package zoo

import (
	"context"
	"errors"
	"fmt"
	"math"

	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/infer/mcmc"
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
		o = train.LatentOptions{Units: latent.Gaussian}
	case "latent-osm-paper":
		o = train.Paper(50)
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
	lists, err := tierLists(set)
	if err != nil {
		return nil, err
	}
	data := set.Fingerprint()
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
			e.Validation = p.Validation
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
	if err != nil && !errors.Is(err, train.ErrDiverged) || c == nil {
		return nil, err
	}
	saved := NewSaved(r.Model, set, c)
	saved.Program, saved.Seed, saved.History = r.Program, r.Seed, history
	return saved, err
}
