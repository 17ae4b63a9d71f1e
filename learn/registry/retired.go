package registry

import (
	"fmt"
	"maps"

	"fubini/core/setting"
	"fubini/model"
)

// retired are settings that models of older files may have, with the value that is the
// only one now.
var retired = map[string]map[string]float64{
	"latent-osm":       {"objective": 0, "moves": 0, "ties": 0, "raw": 0, "absolute": 0, "mean": 0, "last": 0, "schedule": 0, "sweeps": idle, "count": idle},
	"latent-osm-paper": {"objective": 1, "mean": 1, "biases": 0, "company": 0, "levels": 2, "sizes": 0, "prior-sizes": idle},
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
