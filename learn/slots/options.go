package slots

import (
	"fmt"

	"fubini/learn/ascent"
	"fubini/model/latent"
)

// Options of [Options.Fit]. Start from [Defaults]: a zero is taken as zero.
type Options struct {
	ascent.Options
	// CoOccurrence is the number of co-occurrence features of an item; 0 for none. Auto means 16
	// with hidden units and 0 without. It excludes Start.
	CoOccurrence int
	// Levels are the rating levels of items; nil for none. They exclude Start.
	Levels *Levels
}

// The default number of co-occurrence features of an item, and the largest.
const (
	defaultFeatures = 16
	mostFeatures    = 1000
)

// Defaults returns the options of latent-osm: 20 Gaussian hidden units, 50 epochs.
func Defaults() Options {
	o := Options{Options: ascent.Defaults(), CoOccurrence: ascent.Auto}
	o.Epochs, o.Units = 50, latent.Gaussian
	return o
}

// Features is the number of co-occurrence features of an item, with Auto resolved.
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
	case o.Levels != nil && o.Start != nil:
		return fmt.Errorf("slots: rating levels do not go with a point to start from")
	case o.CoOccurrence < 0 && o.CoOccurrence != ascent.Auto:
		return fmt.Errorf("slots: co-occurrence: %d features of an item must not be negative; 0 is for none", o.CoOccurrence)
	case o.CoOccurrence > mostFeatures:
		return fmt.Errorf("slots: co-occurrence: %d features of an item; up to %d are of use", o.CoOccurrence, mostFeatures)
	case o.CoOccurrence > 0 && o.Start != nil:
		return fmt.Errorf("slots: co-occurrence does not go with a point to start from, which is the mean of the prior itself")
	}
	return nil
}
