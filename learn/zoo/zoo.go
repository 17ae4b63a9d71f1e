package zoo

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/learn/slots"
	"fubini/model"
	"fubini/model/baseline"
)

// What any model is; see package model.
type (
	Recipe = model.Recipe
	Fitted = model.Model
	Run    = model.Run
	Person = model.Person
)

// entry is a model by name.
type entry struct {
	name string
	make func() Recipe
}

// registry has all models in the order of tables: the baselines, ours, and those that Register added.
var registry struct {
	sync.Mutex
	added []entry
}

// entries are all models.
func entries() []entry {
	registry.Lock()
	defer registry.Unlock()
	return append(ownEntries(), registry.added...)
}

func ownEntries() (all []entry) {
	for _, each := range baseline.All() {
		all = append(all, entry{each.Name, each.New})
	}
	return append(all,
		entry{"osm", func() Recipe {
			return newByChains(osmOptions(), "prior-u", "epochs", "rate", "batch", "size", "sweeps", "sizes", "prior-sizes")
		}},
		entry{"latent-osm", func() Recipe { return &bySlots{Options: slots.Defaults()} }},
		entry{"latent-osm-paper", func() Recipe {
			return newByChains(paperOptions(), "hidden", "units", "ties", "raw", "size", "prior-w", "prior-v", "presence", "prior-u", "epochs", "rate", "absolute", "schedule", "last", "batch", "moves", "sweeps", "count")
		}},
		entry{unlisted, func() Recipe { return newByChains(chainsOptions()) }})
}

// unlisted is the latent model by chains, which tables and figures compare: no model to
// choose, and so not among the names.
const unlisted = "latent-osm-chains"

// Register adds a model under a name that no other has. Its recipe can then be configured, trained, tuned, evaluated,
// saved and opened by that name. It may implement [RequestTrainer], and its fitted model [Explainer] or [VectorModel].
func Register(name string, make func() Recipe) error {
	if name == "" || strings.ContainsAny(name, ".,= ") || make == nil {
		return fmt.Errorf("zoo: a model cannot be called %q; a name has no dots, commas, equal signs or spaces", name)
	}
	registry.Lock()
	defer registry.Unlock()
	if slices.ContainsFunc(append(ownEntries(), registry.added...), func(e entry) bool { return e.name == name }) {
		return fmt.Errorf("zoo: there is a model %q already", name)
	}
	registry.added = append(registry.added, entry{name, make})
	return nil
}

// Names lists the models in the order of tables.
func Names() (names []string) {
	for _, each := range entries() {
		if each.name != unlisted {
			names = append(names, each.name)
		}
	}
	return names
}

// New returns the recipe of a name, with its default settings.
func New(name string) (Recipe, error) {
	for _, each := range entries() {
		if each.name == name {
			return each.make(), nil
		}
	}
	return nil, fmt.Errorf("zoo: there is no model %q; there are %s", name, strings.Join(Names(), ", "))
}

// Setting is one of a model's settings by name, as a command line has it: "hidden=20", or "pmf.hidden=20" for one model
// alone.
type Setting struct{ Model, Name, Value string }

// ParseSetting reads a setting. That the name exists is checked when it is used.
func ParseSetting(text string) (Setting, error) {
	name, value, found := strings.Cut(text, "=")
	if !found || name == "" || value == "" {
		return Setting{}, fmt.Errorf("zoo: %q is no setting; name=value or model.name=value is", text)
	}
	s := Setting{Name: name, Value: value}
	if model, rest, found := strings.Cut(name, "."); found {
		s.Model, s.Name = model, rest
	}
	return s, nil
}

// Configure returns the recipes of some models with settings applied. A setting without a model's name is for all of
// them that have it; one that no model has is an error.
func Configure(models []string, settings []Setting) ([]Recipe, error) {
	recipes := make([]Recipe, len(models))
	for k, name := range models {
		recipe, err := New(name)
		if err != nil {
			return nil, err
		}
		recipes[k] = recipe
	}
	for _, s := range settings {
		used := false
		var known []string
		for k, name := range models {
			if s.Model != "" && s.Model != name {
				continue
			}
			for _, each := range recipes[k].Settings() {
				known = append(known, each.Name)
				if each.Name != s.Name {
					continue
				}
				used = true
				if err := each.Parse(s.Value); err != nil {
					return nil, fmt.Errorf("zoo: %s: %w", name, err)
				}
			}
		}
		if !used {
			slices.Sort(known)
			return nil, fmt.Errorf("zoo: no setting %q of %s; there are %s", s.Name, strings.Join(models, ", "), strings.Join(slices.Compact(known), ", "))
		}
	}
	return recipes, nil
}

// Settings are those of a recipe that differ from the defaults of its model.
func Settings(r Recipe) map[string]float64 { return setting.Values(r.Settings()) }

// ByData is the text of a setting that is estimated from the data.
const ByData = "by the data"

// Resolved are all settings of a recipe, as a command line has them.
func Resolved(r Recipe) map[string]string {
	all := map[string]string{}
	for _, k := range r.Settings() {
		all[k.Name] = ByData
		if v := k.Value(); !math.IsNaN(v) {
			all[k.Name] = k.Format(v)
		}
	}
	return all
}

// Judged makes a recipe a model that [evaluate] can fit and judge.
func Judged(r Recipe, run Run) evaluate.Model { return judgedModel{r, run} }

type judgedModel struct {
	recipe Recipe
	run    Run
}

func (m judgedModel) Fit(ctx context.Context, training ratings.Training) (evaluate.Ranker, error) {
	return m.recipe.Fit(ctx, training.Set(), m.run)
}
