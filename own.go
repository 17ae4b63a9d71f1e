package fubini

import (
	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/learn/registry"
	"fubini/model"
)

// The types that a model of one's own is written with; see [Register].
type (
	Recipe  = model.Recipe    // a model before it is fitted: its settings, a fit, and how its file is read
	Scorer  = model.Model     // a fitted model
	Known   = model.Person    // somebody for whom items are scored, with what they placed
	Run     = model.Run       // seed, goroutines and progress of a fit
	Table   = ratings.Set     // who rated what
	Row     = ratings.Row     // the ratings of one user
	Setting = setting.Setting // a number that changes how a model is fitted
	File    = modelfile.File  // what a model is kept in
)

// Register adds a model by name, which can then be trained, tuned, judged, saved and served like ours. It is an error if the
// name is taken.
func Register(name string, make func() Recipe) error { return registry.Register(name, make) }

// Number is a setting of a recipe: the field that holds it, the value that it has in a new recipe, and its name, meaning and range.
func Number(field *float64, own float64, s Setting) Setting { return setting.Float(field, own, s) }

// Keep puts numbers into a model file, for Save of a [Scorer].
func Keep(f *File, name string, values []float64) { modelfile.Set(f, name, values) }

// Kept returns n numbers that Keep put into a model file, for Load of a [Recipe].
func Kept(f *File, name string, n int) ([]float64, error) { return modelfile.Get[float64](f, name, n) }
