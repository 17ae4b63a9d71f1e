// Package model has what any model of rankings is: a [Recipe] holds its settings and fits it to ratings, the fitted
// [Model] scores items for a [Person]. Our own models and the baselines implement the same two interfaces, and so may
// a model from outside.
package model

import (
	"context"
	"slices"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
)

// Recipe is a model before it is fitted: a struct of settings. A constructor has their defaults; a zero means zero.
type Recipe interface {
	// Settings lists the settings by name; setting one changes the recipe.
	Settings() []setting.Setting
	// Fit estimates the parameters from a set of ratings. Errors name the model and the setting.
	Fit(ctx context.Context, set *ratings.Set, run Run) (Model, error)
	// Load reads the parameters that Save of a fitted model wrote, for n items.
	Load(f *modelfile.File, n int) (Model, error)
}

// Model is a fitted model. Several goroutines may use it at once.
type Model interface {
	// Score writes the score of each item for a person; a higher score is better. A person of the training set has
	// the parameters estimated for them. Anybody else is folded in from the known ratings, and the model does not
	// change. A person without ratings gets the scores of an average person.
	Score(p Person, items []uint32, scores []float64)
	// Save writes the parameters that folding in needs. Those of persons of the training set are not written.
	Save(f *modelfile.File) error
}

// Person is somebody for whom items are scored, with their known preferences.
type Person struct {
	Index int         // row in the training set; negative for anybody else
	Known ratings.Row // the items they placed, each with a rating
	// TiersOnly: Known has tiers without ratings; its values only order them.
	TiersOnly bool
}

// Without is the person as if an item had not been placed.
func (p Person) Without(item uint32) Person {
	at := slices.Index(p.Known.Items, item)
	if at < 0 {
		return p
	}
	p.Known = ratings.Row{
		Items:  slices.Delete(slices.Clone(p.Known.Items), at, at+1),
		Values: slices.Delete(slices.Clone(p.Known.Values), at, at+1),
	}
	return p
}

// Run has the arguments that all fits take beside the settings of the model: seed, goroutines, an observer.
type Run struct {
	Seed    uint64
	Jobs    int              // goroutines; 0 means one for each core. The result is the same for any number.
	Observe func(p Progress) // called after every epoch, if not nil
}

// Progress is the state of a fit after an epoch.
type Progress struct {
	Epoch, Epochs int
	Left          int     // estimated number of epochs to come; those of a second fit, on all ratings, included
	Objective     float64 // value that the fit minimises
	Held          float64 // share of held-back pairs in the right order; NaN where none are held back
}
