package chains

import (
	"context"
	"fmt"

	"fubini/infer/mcmc"
	"fubini/learn/ascent"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Ties is the choice of the tie weights nu_k of the hidden units.
type Ties int

// With BaseTies nu_k is 0; with SharedTies it is nu of the model, as in the paper.
const (
	BaseTies Ties = iota
	SharedTies
)

// Options of [Options.Fit]. Start from [Defaults] or [Paper]: a zero is taken as zero.
type Options struct {
	ascent.Options
	Ties     Ties
	Schedule ascent.Schedule
	Raw      bool // scores neither centred nor normalised by size, as in the paper
	Absolute bool // the rate is the step itself, as in the paper, not a share of a Newton step
	Last     bool // the result is the last point, not the mean over the second half of the epochs

	Moves   mcmc.Moves // moves of a chain
	Samples int        // states of a chain, in a visit, over which the gradient is averaged
	Sweeps  int        // sweeps before each of them; a sweep begins with a draw of the units
	Count   int        // splits and merges in a sweep; Auto means the number of items
}

// Defaults returns untuned options: 20 binary hidden units, 100 epochs, 2 sweeps of
// reinsertions a visit.
func Defaults() Options {
	o := Options{Options: ascent.Defaults(), Samples: 1, Sweeps: 2, Count: ascent.Auto}
	o.Epochs = 100
	return o
}

// Paper returns the settings of the paper. Stated there: one tie weight for model and units, no
// biases, no prior, raw scores, split-and-merge chains from a uniform start, batches (the paper's blocks) of 100
// users, rate 0.01, the last point. Not stated, and chosen here: 10 moves a visit, gradients
// averaged over a batch.
func Paper(hidden int) Options {
	o := Defaults()
	o.Hidden, o.Units, o.Ties, o.Raw, o.Presence = hidden, latent.Binary, SharedTies, true, false
	o.Batch, o.Rate, o.Absolute, o.Schedule, o.Last = 100, 0.01, true, ascent.Constant, true
	o.Prior.W, o.Prior.U = 0, 0
	o.Moves, o.Sweeps, o.Count = mcmc.SplitMergeMoves, 1, 10
	return o
}

// Base returns the options of package ascent, with Raw applied to them.
func (o *Options) Base() *ascent.Options {
	if o.Raw {
		o.Size, o.Centred = 0, false
	}
	return &o.Options
}

// Resolve leaves the options as they are: what is Auto, the fit resolves by a rule.
func (o *Options) Resolve(context.Context, int, []osm.Packed) error { return nil }

// Shared is 0: the states of chains are those of one set of lists.
func (o *Options) Shared() (epochs int) { return 0 }

func (o *Options) check() error {
	switch {
	case o.Samples < 1 || o.Sweeps < 1:
		return fmt.Errorf("chains: %d samples of %d sweeps each in a visit must be positive", o.Samples, o.Sweeps)
	case o.Count < 1 && o.Count != ascent.Auto:
		return fmt.Errorf("chains: count %d of splits and merges in a sweep must be positive", o.Count)
	}
	return nil
}

// method is the way of training.
func (o *Options) method(objective ascent.Objective) ascent.Method {
	rule := ascent.Rule(ascent.Newton)
	if o.Absolute {
		rule = ascent.Absolute
	}
	return ascent.Method{Objective: objective, Rule: rule, Schedule: o.Schedule, Last: o.Last, SharedTies: o.Ties == SharedTies}
}
