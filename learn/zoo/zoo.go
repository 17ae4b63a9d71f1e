package zoo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/model/rival"
)

// Settings are what all models share.
type Settings struct {
	Seed uint64
	Jobs int // goroutines; 0 means one for each core
}

// maker builds a model that is ready to be fitted.
type maker struct {
	name string
	make func(s Settings) evaluate.Model
}

// makers are our own models, in the order in which tables show them. Rivals come
// before them.
var makers = []maker{
	{"osm", func(s Settings) evaluate.Model { return osmModel{s} }},
	{"latent-osm", func(s Settings) evaluate.Model { return latentModel{s, ourOptions()} }},
	{"latent-osm-paper", func(s Settings) evaluate.Model { return latentModel{s, paperOptions()} }},
}

// Names lists the models.
func Names() []string {
	names := rival.Names()
	for _, m := range makers {
		names = append(names, m.name)
	}
	return names
}

// New returns the model of a name.
func New(name string, settings Settings) (evaluate.Model, error) {
	if k := slices.IndexFunc(makers, func(m maker) bool { return m.name == name }); k >= 0 {
		return makers[k].make(settings), nil
	}
	recipe, err := rival.New(name)
	if err != nil {
		return nil, fmt.Errorf("zoo: there is no model %q; there are %s", name, strings.Join(Names(), ", "))
	}
	return rivalModel{settings, recipe}, nil
}

// everybody is a ranker that does not look at the user.
type everybody interface {
	Score(items []uint32, scores []float64)
}

type forEverybody struct{ everybody }

func (f forEverybody) Score(_ evaluate.User, items []uint32, scores []float64) {
	f.everybody.Score(items, scores)
}

// rivalRanker ranks by a fitted rival.
type rivalRanker struct{ rival.Model }

func (r rivalRanker) Score(user evaluate.User, items []uint32, scores []float64) {
	r.Model.Score(rival.Person{Index: user.Index, Known: user.Known}, items, scores)
}

// rivalModel is a rival with its settings.
type rivalModel struct {
	Settings
	recipe rival.Recipe
}

func (m rivalModel) Fit(ctx context.Context, training ratings.Training) (evaluate.Ranker, error) {
	fitted, err := m.recipe.Fit(ctx, training.Set(), rival.Run{Seed: m.Seed, Jobs: m.Jobs})
	if err != nil {
		return nil, err
	}
	return rivalRanker{fitted}, nil
}
