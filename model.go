package fubini

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"

	"fubini/app/build"
	"fubini/app/lookup"
	"fubini/app/recommend"
	"fubini/data/modelfile"
	"fubini/learn/leaderboard"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
)

// Model is a trained model with the names of its items. Several goroutines may use it.
type Model struct {
	*modelstore.Saved
	finder  func() *lookup.Finder
	answers func() (*recommend.Recommender, error) // made when it is first asked for
}

// Option changes how a model is trained or judged, or votes are fitted.
type Option func(*options) error

type options struct {
	modelstore.Request
	named    bool // the model was chosen by name
	settings []registry.Assignment
	recipe   func(name string) (Recipe, error) // nil for that of the settings
	// Of the request: whether the share for calibration was given, and what changes the rest of it.
	calibrated bool
	adjust     []func(r *TrainRequest)
	aim        modelstore.Aim
	note       func(text string)
	// Of Evaluate.
	given int
	// Of Fit.
	fit        leaderboard.Request
	spaceGiven bool
	covariates []covariate
	// Names of the options given that only Train and Evaluate take, and of those that only Fit takes.
	ofTrain, ofFit []string
}

// covariate is a number for each item.
type covariate struct {
	name string
	of   map[string]float64
}

// trainOption is an option of Train and Evaluate.
func trainOption(name string, set func(o *options)) Option {
	return func(o *options) error {
		o.ofTrain = append(o.ofTrain, name)
		set(o)
		return nil
	}
}

// Named chooses the model by its name; [Names] lists them. The default is latent-osm, and interest for data without ratings.
func Named(name string) Option {
	return trainOption("Named", func(o *options) { o.Model, o.named = name, true })
}

// With changes a setting of the model; `fubini model settings NAME` lists them with their meanings, defaults and ranges.
func With(name, value string) Option {
	return trainOption("With", func(o *options) {
		o.settings = append(o.settings, registry.Assignment{Name: name, Value: value})
	})
}

// Seed sets the seed of all random numbers; the default is 1.
func Seed(seed uint64) Option {
	return func(o *options) error {
		o.Seed = seed
		return nil
	}
}

// Jobs sets the number of goroutines; the default is one for each core. The result does not depend on it.
func Jobs(n int) Option {
	return func(o *options) error {
		o.Jobs = n
		return nil
	}
}

// For chooses what recommendations are ordered by: [Taste], [Interest] or [Balanced], which is both.
func For(aim Aim) Option {
	return trainOption("For", func(o *options) { o.aim = aim })
}

// Calibrate sets the share of the ratings, about 20,000 of them at most, that are held back to calibrate the odds; 0 is no
// calibration. The default is 0.1 for osm and latent-osm.
func Calibrate(share float64) Option {
	return trainOption("Calibrate", func(o *options) { o.Calibrate, o.calibrated = share, true })
}

// TrainRequest is all that a fit for use can be asked for.
type TrainRequest = modelstore.Request

// Adjust changes the request of [Train] after the model and its parts are chosen: for checkpoints, validation and observers.
func Adjust(change func(r *TrainRequest)) Option {
	return trainOption("Adjust", func(o *options) { o.adjust = append(o.adjust, change) })
}

// Configure has a function make the recipe of the model that [Train] chose by name, in the place of the settings of [With].
func Configure(recipe func(name string) (Recipe, error)) Option {
	return trainOption("Configure", func(o *options) { o.recipe = recipe })
}

// Notes sets a function that is called with messages for the user: parts of the model that were left out, and why.
func Notes(note func(text string)) Option {
	return func(o *options) error {
		o.note = note
		return nil
	}
}

// OnEpoch sets a function that is called after every epoch of the fit.
func OnEpoch(observe func(epoch, of int)) Option {
	return trainOption("OnEpoch", func(o *options) {
		o.Observe = func(e modelstore.Epoch, epochs int) { observe(e.Epoch, epochs) }
	})
}

func newOptions(all []Option) (*options, error) {
	o := &options{Request: modelstore.Request{Model: "latent-osm", Seed: 1, SaveEvery: 1, Program: build.Read().Version}, fit: leaderboard.Defaults(), note: func(string) {}}
	for _, option := range all {
		if err := option(o); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// trainOptions are those of Train and Evaluate.
func trainOptions(all []Option) (*options, error) {
	o, err := newOptions(all)
	if err == nil && len(o.ofFit) > 0 {
		err = fmt.Errorf("the option %s is of Fit, not of Train and Evaluate", o.ofFit[0])
	}
	return o, err
}

// Aim is what recommendations are ordered by.
type Aim = modelstore.Aim

// The aims. Balanced is the default where a model has both of the others, and Taste where the items of a list do not depend on the
// person, as when they were drawn at random.
const (
	Taste    = modelstore.AimTaste    // how the person would place an item, if they picked it
	Interest = modelstore.AimInterest // whether the person would pick it
	Balanced = modelstore.AimBalanced // both
	Next     = modelstore.AimNext     // whether the person would pick it next, by the order of their list in time
)

// Must returns the value, or panics with the error: for programs of a few lines, as in fubini.Must(fubini.Load("model.safetensors")).
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Names are the names of all models: ours, the baselines, and those that [Register] added.
func Names() []string { return registry.Names() }

// Train fits a model to data, as `fubini train` does: with interest, which is what people pick, beside taste, and with
// calibrated odds. The command reads the catalogue beside its data; here interest has groups and years of items after
//
//	data.Set = data.Described(about) // about returns the groups and the year of an item: []string{"horror"}, 1979
func Train(ctx context.Context, data *Data, all ...Option) (*Model, error) {
	o, err := trainOptions(all)
	if err != nil {
		return nil, err
	}
	if err := o.choose(data); err != nil {
		return nil, err
	}
	saved, err := modelstore.Train(ctx, data.Set, o.Request)
	if err != nil {
		return nil, err
	}
	return NewModel(saved), nil
}

// ErrNoRatings is the error, wrapped, that [Train] returns when the data only tell who picked what, and the model or the aim needs
// ratings.
var ErrNoRatings = errors.New("no ratings")

// choose sets the model, its settings and those of its parts that the data allow.
func (o *options) choose(data *Data) error {
	if o.aim == Next {
		return fmt.Errorf("fubini: For(Next) is an order of recommendations: leave it out, since what it needs is fitted to all data with times, and ask for By(Next)")
	}
	if o.aim == Interest && !o.named {
		o.Model = "interest"
	}
	if data.Picks {
		if err := o.choosePicks(data); err != nil {
			return err
		}
	}
	recipe := o.recipe
	if recipe == nil {
		recipe = func(name string) (Recipe, error) {
			recipes, err := registry.Configure([]string{name}, o.settings)
			if err != nil {
				return nil, err
			}
			return recipes[0], nil
		}
	}
	var err error
	if o.Recipe, err = recipe(o.Model); err != nil {
		return err
	}
	if modelstore.Combines(o.Model, o.Recipe) && !o.calibrated {
		o.Calibrate = 0.1
	}
	why, err := o.AddInterest(data.Items().Len(), o.aim)
	if why != nil {
		o.note(fmt.Sprintf("interest is left out, and the model has taste alone: %v", why))
	}
	for _, change := range o.adjust {
		change(&o.Request)
	}
	return err
}

// choosePicks is choose for data without ratings: interest alone, or the model asked for, if that is one of picks.
func (o *options) choosePicks(data *Data) error {
	const why = "it holds who picked what, and not how they placed it"
	if o.aim == Taste || o.aim == Balanced {
		return fmt.Errorf("%s has %w: %s; interest alone can be trained on it, not %s", data.Name, ErrNoRatings, why, o.aim)
	}
	if !o.named {
		o.Model = "interest"
		o.note(fmt.Sprintf("%s has no ratings: %s; the model has interest alone, and no taste", data.Name, why))
	}
	if !registry.TakesPicks(o.Model) {
		return fmt.Errorf("%s has %w: %s, which %s needs; interest is trained if no model is named", data.Name, ErrNoRatings, why, o.Model)
	}
	return nil
}

// NewModel is a model for use from one that was trained or read elsewhere.
func NewModel(saved *modelstore.Saved) *Model {
	return &Model{Saved: saved, finder: sync.OnceValue(func() *lookup.Finder { return lookup.New(saved) }),
		answers: sync.OnceValues(func() (*recommend.Recommender, error) { return recommend.New(saved, recommend.Defaults()) })}
}

// Load reads a model from a file that Save or the command wrote.
func Load(path string) (*Model, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	content, err := modelfile.Read(file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	m, err := Open(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// Open is [Load] for the content of a file that was read elsewhere.
func Open(content *File) (*Model, error) {
	saved, err := modelstore.Open(content)
	if err != nil {
		return nil, err
	}
	return NewModel(saved), nil
}

// Save writes the model to a file, whole or not at all.
func (m *Model) Save(path string) error {
	content, err := m.File()
	if err != nil {
		return err
	}
	// os.CreateTemp would keep the file from all but its owner.
	file, err := os.OpenFile(fmt.Sprintf("%s.%016x", path, rand.Uint64()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	defer os.Remove(file.Name()) // it is gone if all went well
	_, err = content.WriteTo(file)
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// item finds an item by its id or title.
func (m *Model) item(text string) (int, error) {
	match := m.finder().Find(text)
	if match.How.Found() {
		return match.Item, nil
	}
	names := match.Candidates
	if len(names) == 0 {
		names = m.finder().Closest(text, 3)
	}
	var close []string
	for _, i := range names[:min(len(names), 5)] {
		close = append(close, m.ItemNames[i])
	}
	return 0, &NoItemError{Text: text, Close: close, Several: len(match.Candidates) > 0}
}

// NoItemError is the error for a text that is no item of the model, or fits several.
type NoItemError struct {
	Text    string
	Close   []string // names of the items that it may be; none where no name is near
	Several bool     // each of them fits
}

// Error names the closest items.
func (e *NoItemError) Error() string {
	switch {
	case e.Several:
		return fmt.Sprintf("%q may be one of several items: %q; add the year, or give the id", e.Text, e.Close)
	case len(e.Close) > 0:
		return fmt.Sprintf("the model has no item %q; the closest names are %q", e.Text, e.Close)
	}
	return fmt.Sprintf("the model has no item %q, and none with a name like it", e.Text)
}
