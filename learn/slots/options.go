package slots

import (
	"context"
	"fmt"

	"fubini/learn/ascent"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Options of Fit. Start from Defaults and change what you mean to change. Zero means zero.
type Options struct {
	ascent.Options
	// CoOccurrence is the number of co-occurrence features of an item; 0 for none. Auto: 16
	// with hidden units, else none. Not with Start.
	CoOccurrence int
	// Levels are the items' rating levels; nil for none. Not with Start nor a correction.
	Levels *Levels
}

// The default number of co-occurrence features of an item, and the largest.
const (
	defaultFeatures = 16
	mostFeatures    = 1000
)

// Defaults are the options of a run that nobody tuned.
func Defaults() Options {
	o := Options{Options: ascent.Defaults(), CoOccurrence: ascent.Auto}
	o.Epochs, o.Units = 50, latent.Gaussian
	return o
}

// Features is the number of co-occurrence features of an item.
func (o *Options) Features() int {
	switch {
	case o.CoOccurrence != ascent.Auto:
		return o.CoOccurrence
	case o.Hidden > 0 && o.Start == nil:
		return defaultFeatures
	}
	return 0
}

func (o *Options) check() error {
	switch {
	case o.Levels != nil && (o.Start != nil || o.Prior.Correction != nil):
		return fmt.Errorf("train: rating levels go neither with a point to start from nor with lists elsewhere")
	case o.CoOccurrence < 0 && o.CoOccurrence != ascent.Auto:
		return fmt.Errorf("train: co-occurrence: %d features of an item must not be negative; 0 is for none", o.CoOccurrence)
	case o.CoOccurrence > mostFeatures:
		return fmt.Errorf("train: co-occurrence: %d features of an item; up to %d are of use", o.CoOccurrence, mostFeatures)
	case o.CoOccurrence > 0 && o.Start != nil:
		return fmt.Errorf("train: co-occurrence does not go with a point to start from, which is the mean of the prior itself")
	case o.Prior.Correction != nil && o.Start != nil:
		return fmt.Errorf("train: lists elsewhere do not go with a point to start from")
	}
	return nil
}

// Fit learns the latent model of a catalogue of items from lists. When the context ends it
// saves the state after the last whole epoch, if asked to, and returns the context's error
// with the point reached.
func (o Options) Fit(ctx context.Context, items int, lists []osm.List) (*latent.Catalogue, error) {
	f, err := newFit(ctx, items, lists, o)
	if err != nil {
		return nil, err
	}
	return f.Train(ctx, ascent.Method{Objective: f, Rule: ascent.Newton})
}

// GradientAt returns the gradient of the objective of lists at a point, without the prior.
func (o Options) GradientAt(ctx context.Context, items int, lists []osm.List, at *ascent.State) (*ascent.Gradient, error) {
	o.Resume, o.CoOccurrence = at, 0 // of the prior alone
	f, err := newFit(ctx, items, lists, o)
	if err != nil {
		return nil, err
	}
	return f.Run.Gradient(ctx, ascent.Method{Objective: f, Rule: ascent.Newton})
}
