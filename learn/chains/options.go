package chains

import (
	"fmt"

	"fubini/learn/ascent"
	"fubini/model/latent"
)

// Ties is the tie weight of a hidden unit.
type Ties int

// BaseTies gives units none, SharedTies that of the base, as in the paper.
const (
	BaseTies Ties = iota
	SharedTies
)

// Options of Fit. Start from Defaults or Paper and change what you mean to change. Zero
// means zero.
type Options struct {
	ascent.Options
	Ties     Ties
	Schedule ascent.Schedule
	Absolute bool // the rate is the step itself, as in the paper, not a share of a Newton step
	Last     bool // the result is the last point, not the average over the second half

	// How chains move; sweeps per visit, each with a new draw of the units; and splits and
	// merges in a sweep, Auto for as many as items.
	Moves  latent.Moves
	Sweeps int
	Count  int
}

// Defaults are the options of a run that nobody tuned.
func Defaults() Options {
	o := Options{Options: ascent.Defaults(), Sweeps: 2, Count: ascent.Auto}
	o.Epochs = 100
	return o
}

// Paper are the settings of the paper, to the letter where it is not silent: one
// tie weight shared by base and units, no biases, no prior, raw potentials,
// split-and-merge chains from a uniform start, blocks of 100 users, rate 0.01, the
// last point. Where it is silent: 10 moves per visit, gradients averaged.
func Paper(hidden int) Options {
	o := Defaults()
	o.Hidden, o.Units, o.Ties, o.Raw, o.Presence = hidden, latent.Binary, SharedTies, true, false
	o.Batch, o.Rate, o.Absolute, o.Schedule, o.Last = 100, 0.01, true, ascent.Constant, true
	o.Prior.W, o.Prior.U = 0, 0
	o.Moves, o.Sweeps, o.Count = latent.SplitMerge, 1, 10
	return o
}

func (o *Options) check() error {
	switch {
	case o.Sweeps < 1:
		return fmt.Errorf("train: %d sweeps in a visit must be positive", o.Sweeps)
	case o.Count < 1 && o.Count != ascent.Auto:
		return fmt.Errorf("train: count %d of splits and merges in a sweep must be positive", o.Count)
	case o.Prior.Correction != nil:
		return fmt.Errorf("train: lists elsewhere go with the slot likelihood alone: chains have no gradient without moving")
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
