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

// makers are listed in the order in which tables show them.
var makers = []maker{
	{"item-mean", func(Settings) evaluate.Model { return itemMean{} }},
	{"osm", func(s Settings) evaluate.Model { return osmModel{s} }},
	{"latent-osm", func(s Settings) evaluate.Model { return latentModel{s, ourOptions()} }},
	{"latent-osm-paper", func(s Settings) evaluate.Model { return latentModel{s, paperOptions()} }},
}

// Names lists the models.
func Names() []string {
	names := make([]string, len(makers))
	for k, m := range makers {
		names[k] = m.name
	}
	return names
}

// New returns the model of a name.
func New(name string, settings Settings) (evaluate.Model, error) {
	k := slices.IndexFunc(makers, func(m maker) bool { return m.name == name })
	if k < 0 {
		return nil, fmt.Errorf("zoo: there is no model %q; there are %s", name, strings.Join(Names(), ", "))
	}
	return makers[k].make(settings), nil
}

// everybody is a ranker that does not look at the user.
type everybody interface {
	Score(items []uint32, scores []float64)
}

type forEverybody struct{ everybody }

func (f forEverybody) Score(_ evaluate.User, items []uint32, scores []float64) {
	f.everybody.Score(items, scores)
}

type itemMean struct{}

func (itemMean) Fit(_ context.Context, training ratings.Training) (evaluate.Ranker, error) {
	m, err := rival.FitItemMean(training.Set(), 5)
	if err != nil {
		return nil, err
	}
	return forEverybody{m}, nil
}
