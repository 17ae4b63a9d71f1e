package demo

import (
	"context"

	"fubini/learn/modelstore"
	"fubini/learn/registry"
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
var settings = []registry.Assignment{
	{Name: "units", Value: "binary"}, {Name: "hidden", Value: "8"}, {Name: "biases", Value: "yes"},
	{Name: "prior-w", Value: "1"}, {Name: "prior-u", Value: "5"}, {Name: "presence", Value: "no"},
	{Name: "epochs", Value: "20"}, {Name: "rate", Value: "1"},
}

// Training holds the settings of [World.Train]. Zero is a seed like any other.
type Training struct {
	Seed    uint64
	Jobs    int    // goroutines; below 1 means one for each core
	Program string // version of the program, for the file
	Observe func(e modelstore.Epoch, epochs int)

	people, heldOut int // in tests, instead of the constants
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
	const name = "latent-osm"
	recipes, err := registry.Configure([]string{name}, settings)
	if err != nil {
		return nil, err
	}
	saved, err := modelstore.Train(ctx, set, modelstore.Request{
		Model: name, Recipe: recipes[0], Seed: t.Seed, Jobs: t.Jobs, Program: t.Program, Observe: t.Observe, Validate: 0.2,
	})
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
