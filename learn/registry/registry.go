package registry

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/learn/chains"
	learn "fubini/learn/interest"
	"fubini/learn/slots"
	"fubini/model"
	"fubini/model/baseline"
)

// entry is a model by name.
type entry struct {
	name string
	make func() model.Recipe
}

// added has the models that Register added.
var added struct {
	sync.Mutex
	models []entry
}

// entries are all models in the order of tables: the baselines, ours, and those that Register added.
func entries() []entry {
	added.Lock()
	defer added.Unlock()
	return append(ownEntries(), added.models...)
}

func ownEntries() (all []entry) {
	for _, each := range baseline.All() {
		all = append(all, entry{each.Name, each.New})
	}
	return append(all,
		entry{"interest", func() model.Recipe { return &byPicks{learn.Defaults()} }},
		entry{"osm", func() model.Recipe {
			return newByChains(osmOptions(), "prior-u", "epochs", "rate", "batch", "size", "sweeps", "sizes", "prior-sizes")
		}},
		entry{"latent-osm", func() model.Recipe { return &bySlots{Options: slots.Defaults()} }},
		entry{"latent-osm-paper", func() model.Recipe {
			return newByChains(chains.Paper(50), "hidden", "units", "ties", "raw", "prior-w", "prior-u", "epochs", "rate", "absolute", "schedule", "batch", "moves", "samples", "sweeps", "count")
		}},
		entry{unlisted, func() model.Recipe { return newByChains(chainsOptions()) }})
}

// unlisted is the latent model by chains, which tables and figures compare: no model to
// choose, and so not among the names.
const unlisted = "latent-osm-chains"

// Register adds a model under a new name. It can then be configured, trained, tuned, evaluated,
// saved and opened by that name. The recipe and its fitted model may implement the optional
// interfaces of package modelstore.
func Register(name string, make func() model.Recipe) error {
	if name == "" || strings.ContainsAny(name, ".,= ") || make == nil {
		return fmt.Errorf("registry: a model cannot be called %q; a name has no dots, commas, equal signs or spaces", name)
	}
	added.Lock()
	defer added.Unlock()
	if slices.ContainsFunc(append(ownEntries(), added.models...), func(e entry) bool { return e.name == name }) {
		return fmt.Errorf("registry: there is a model %q already", name)
	}
	added.models = append(added.models, entry{name, make})
	return nil
}

// Names returns the names of all models, in the order of tables.
func Names() (names []string) {
	for _, each := range entries() {
		if each.name != unlisted {
			names = append(names, each.name)
		}
	}
	return names
}

// New returns the recipe of the model with this name, with default settings.
func New(name string) (model.Recipe, error) {
	for _, each := range entries() {
		if each.name == name {
			return each.make(), nil
		}
	}
	return nil, fmt.Errorf("registry: there is no model %q; there are %s", name, strings.Join(Names(), ", "))
}

// TakesPicks reports whether a model can be trained on data without ratings: it scores what people pick, not how they rate it.
func TakesPicks(name string) bool {
	return name == "interest" || slices.ContainsFunc(baseline.All(), func(e baseline.Entry) bool { return e.Picks && e.Name == name })
}

// Assignment is a value for a setting: "hidden=20", or "pmf.hidden=20" for one model only.
type Assignment struct{ Model, Name, Value string }

// ParseAssignment reads an assignment. Whether the setting exists is checked by [Configure].
func ParseAssignment(text string) (Assignment, error) {
	name, value, found := strings.Cut(text, "=")
	if !found || name == "" || value == "" {
		return Assignment{}, fmt.Errorf("registry: %q is no setting; name=value or model.name=value is", text)
	}
	s := Assignment{Name: name, Value: value}
	if model, rest, found := strings.Cut(name, "."); found {
		s.Model, s.Name = model, rest
	}
	return s, nil
}

// Configure returns the recipes of models, with settings applied. A setting without the name of
// a model applies to all models that have it; a setting that no model has is an error.
func Configure(models []string, settings []Assignment) ([]model.Recipe, error) {
	recipes := make([]model.Recipe, len(models))
	for k, name := range models {
		recipe, err := New(name)
		if err != nil {
			return nil, err
		}
		recipes[k] = recipe
	}
	for _, s := range settings {
		used, internal := false, ""
		var known []string
		for k, name := range models {
			if s.Model != "" && s.Model != name {
				continue
			}
			for _, each := range recipes[k].Settings() {
				switch {
				case each.Internal == "":
					known = append(known, each.Name)
				case each.Name == s.Name:
					internal = each.Internal
				}
				if each.Name != s.Name || each.Internal != "" {
					continue
				}
				used = true
				if err := each.Parse(s.Value); err != nil {
					return nil, fmt.Errorf("registry: %s: %w", name, err)
				}
			}
		}
		if !used && internal != "" {
			return nil, fmt.Errorf("registry: %s is no setting of %s any more: %s", s.Name, strings.Join(models, ", "), internal)
		}
		if !used {
			slices.Sort(known)
			return nil, fmt.Errorf("registry: no setting %q of %s; there are %s", s.Name, strings.Join(models, ", "), strings.Join(slices.Compact(known), ", "))
		}
	}
	return recipes, nil
}

// Settings returns the settings of a recipe that differ from the defaults of its model.
func Settings(r model.Recipe) map[string]float64 { return setting.Values(r.Settings()) }

// ByData is shown as the value of a setting whose default depends on the data.
const ByData = "by the data"

// Resolved returns the values of all settings of a recipe, in the notation of the command line.
func Resolved(r model.Recipe) map[string]string {
	all := map[string]string{}
	for _, k := range r.Settings() {
		all[k.Name] = ByData
		if v := k.Value(); !math.IsNaN(v) {
			all[k.Name] = k.Format(v)
		}
	}
	return all
}

// Judged adapts a recipe to package evaluate.
func Judged(r model.Recipe, run model.Run) evaluate.Model { return judgedModel{r, run} }

type judgedModel struct {
	recipe model.Recipe
	run    model.Run
}

func (m judgedModel) Fit(ctx context.Context, training ratings.Training) (evaluate.Ranker, error) {
	return m.recipe.Fit(ctx, training.Set(), m.run)
}

// Unregister removes a model that [Register] added.
func Unregister(name string) {
	added.Lock()
	defer added.Unlock()
	added.models = slices.DeleteFunc(added.models, func(e entry) bool { return e.name == name })
}

// retired are settings that models of older files may have, with the value that is the
// only one now.
var retired = map[string]map[string]float64{
	"latent-osm":       {"objective": 0, "moves": 0, "ties": 0, "raw": 0, "absolute": 0, "mean": 0, "last": 0, "schedule": 0, "sweeps": idle, "count": idle},
	"latent-osm-paper": {"objective": 1, "mean": 1, "biases": 0, "company": 0, "levels": 2, "sizes": 0, "prior-sizes": idle, "prior-v": idle, "presence": 0, "last": 1, "size": 2},
	"osm":              {"schedule": 0},
}

// idle stands for the only value of a setting that had no effect, whatever it was.
const idle = -1

// Restore applies settings that were read from a file to the recipe of a model. A setting that
// no longer exists is ignored; with strict, for further training, it must have had the value
// that is fixed now.
func Restore(model string, r model.Recipe, values map[string]float64, strict bool) error {
	left := maps.Clone(values)
	for name, only := range retired[model] {
		v, there := left[name]
		if !there {
			continue
		}
		delete(left, name)
		if strict && only != idle && max(0, v) != only {
			return fmt.Errorf("registry: the model was trained with the setting %s=%g, which %s no longer has; train it anew, by latent-osm-paper for a fit by chains", name, v, model)
		}
	}
	return setting.Apply(r.Settings(), left)
}
