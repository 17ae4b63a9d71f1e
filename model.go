package fubini

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"fubini/app/lookup"
	"fubini/app/recommend"
	"fubini/data/modelfile"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
)

// Model is a trained model with the names of its items. Several goroutines may use it.
type Model struct {
	*modelstore.Saved
	finder  func() *lookup.Finder
	mutex   sync.Mutex
	answers map[modelstore.Aim]*recommend.Recommender // made when they are first asked for
}

// Option changes how a model is trained or judged.
type Option func(*options) error

type options struct {
	modelstore.Request
	named    bool // the model was chosen by name
	settings []registry.Assignment
	aim      modelstore.Aim
	note     func(text string)
	// Of Evaluate.
	given int
}

// Named chooses the model by its name; [Names] lists them. The default is latent-osm, and interest for data without ratings.
func Named(name string) Option {
	return func(o *options) error {
		o.Model, o.named = name, true
		return nil
	}
}

// With changes a setting of the model; `fubini model settings NAME` lists them with their meanings, defaults and ranges.
func With(name, value string) Option {
	return func(o *options) error {
		o.settings = append(o.settings, registry.Assignment{Name: name, Value: value})
		return nil
	}
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

// For chooses what the model is to recommend by: [Taste], [Interest] or [Balanced], both.
func For(aim Aim) Option {
	return func(o *options) error {
		o.aim = aim
		return nil
	}
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
	return func(o *options) error {
		o.Observe = func(e modelstore.Epoch, epochs int) { observe(e.Epoch, epochs) }
		return nil
	}
}

func newOptions(all []Option) (*options, error) {
	o := &options{Request: modelstore.Request{Model: "latent-osm", Seed: 1, SaveEvery: 1}, note: func(string) {}}
	for _, option := range all {
		if err := option(o); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// Aim is what recommendations are ordered by.
type Aim = modelstore.Aim

// The aims. Balanced is the default where a model has both of the others, unless its lists show nothing of whose they are,
// as those drawn by lot: then it is Taste.
const (
	Taste    = modelstore.AimTaste    // how the person would place an item, if they picked it
	Interest = modelstore.AimInterest // whether the person would pick it
	Balanced = modelstore.AimBalanced // both
)

// Names are the names of all models: ours, the baselines, and those that [Register] added.
func Names() []string { return registry.Names() }

// Train fits a model to data, as `fubini train` does: with interest, which is what people pick, beside taste, and with
// calibrated odds.
func Train(ctx context.Context, data *Data, all ...Option) (*Model, error) {
	o, err := newOptions(all)
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

// choose settles the model, its settings and the parts of it that the data allow.
func (o *options) choose(data *Data) error {
	switch {
	case o.aim == Interest && !o.named, data.Picks && !o.named:
		o.Model = "interest"
	case data.Picks && !registry.TakesPicks(o.Model):
		return fmt.Errorf("the data have no ratings, which %s needs: leave the model out for interest alone", o.Model)
	}
	recipes, err := registry.Configure([]string{o.Model}, o.settings)
	if err != nil {
		return err
	}
	o.Recipe = recipes[0]
	if modelstore.Combines(o.Model, o.Recipe) && o.Calibrate == 0 {
		o.Calibrate = 0.1
	}
	why, err := o.AddInterest(data.Items().Len(), o.aim)
	if why != nil {
		o.note(fmt.Sprintf("interest is left out, and the model has taste alone: %v", why))
	}
	return err
}

// NewModel is a model for use from one that was trained or read elsewhere.
func NewModel(saved *modelstore.Saved) *Model {
	return &Model{Saved: saved, finder: sync.OnceValue(func() *lookup.Finder { return lookup.New(saved) }), answers: map[modelstore.Aim]*recommend.Recommender{}}
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
	saved, err := modelstore.Open(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return NewModel(saved), nil
}

// Save writes the model to a file, whole or not at all.
func (m *Model) Save(path string) error {
	content, err := m.File()
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
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
	Close   []string // names of the items that it may be
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
	return fmt.Sprintf("the model has no item %q", e.Text)
}
