package demo

import (
	"context"

	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model/latent"
)

// TrainingPeople is the number of synthetic people that a model learns from. HeldOutPeople is the number of people
// drawn after them, on whom its odds are calibrated.
const (
	TrainingPeople = 3000
	HeldOutPeople  = 300
)

// settings train the model in seconds, with as many units as tastes were planted. Binary units, for Gaussian ones may
// be turned into each other at no cost and would not show tastes one by one. The priors are weak and steps are whole
// Newton steps: there are many people to each parameter.
var settings = map[string]float64{
	"units": float64(latent.Binary), "hidden": 8, "biases": 1, "presence": 0, "prior-w": 1, "prior-u": 5, "epochs": 20, "rate": 1,
}

// Training holds the settings of [World.Train]. Zero is a seed like any other.
type Training struct {
	Seed    uint64
	Jobs    int    // goroutines; below 1 means one for each core
	Program string // version of the program, for the file
	Observe func(e modelstore.Epoch, epochs int)

	people, heldOut int // in tests, instead of the constants
}

// fit trains latent-osm with some settings, as a request has it.
func (t Training) fit(ctx context.Context, set *ratings.Set, settings map[string]float64, r modelstore.Request) (*modelstore.Saved, error) {
	r.Model, r.Seed, r.Jobs, r.Program, r.Observe = "latent-osm", t.Seed, t.Jobs, t.Program, t.Observe
	var err error
	if r.Recipe, err = registry.New(r.Model); err != nil {
		return nil, err
	}
	if err := setting.Apply(r.Recipe.Settings(), settings); err != nil {
		return nil, err
	}
	return modelstore.Train(ctx, set, r)
}

// Train draws the people, learns a model from all but the held-out ones, and judges its odds on these. The model
// carries emoji, groups and the title that says that it is synthetic.
func (w *World) Train(ctx context.Context, t Training) (*modelstore.Saved, error) {
	if t.people == 0 {
		t.people, t.heldOut = TrainingPeople, HeldOutPeople
	}
	people, err := w.People(ctx, t.Seed, t.people+t.heldOut, t.Jobs)
	if err != nil {
		return nil, err
	}
	set, err := w.Ratings(people[:t.people])
	if err != nil {
		return nil, err
	}
	heldOut, err := w.Ratings(people[t.people:])
	if err != nil {
		return nil, err
	}
	saved, err := t.fit(ctx, set, settings, modelstore.Request{Validate: 0.2})
	if err != nil {
		return nil, err
	}
	w.label(saved)
	saved.Calibration, err = saved.Calibrate(ctx, heldOut, t.Jobs)
	return saved, err
}

// label gives a model of the world's foods their emoji and groups, and the mark that its people are made up.
func (w *World) label(s *modelstore.Saved) {
	s.Title, s.Synthetic = Title, true
	s.ItemEmoji, s.ItemGroups = make([]string, len(s.ItemIDs)), make([]string, len(s.ItemIDs))
	for _, item := range w.Items {
		if i, known := s.Find(item.ID); known {
			s.ItemEmoji[i], s.ItemGroups[i] = item.Emoji, item.Group
		}
	}
}
