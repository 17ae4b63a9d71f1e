package server

import (
	"encoding/json"
	"fmt"
	"slices"

	"fubini/data/modelfile"
	"fubini/judge/calibrate"
)

// What a model file may carry for those who look at it; all of it may be missing.
const (
	keyAbout   = "about"
	itemEmoji  = "items.emoji"
	itemGroups = "items.groups"
	unitShares = "units.share"
)

// about is what stands in the metadata, and the columns beside it.
type about struct {
	Title       string           `json:"title"`
	Synthetic   bool             `json:"synthetic"`
	ItemMean    float64          `json:"item_mean_ndcg10"` // 0 without
	Calibration *calibrate.Table `json:"calibration"`

	emoji, groups []string
	shares        []float64
}

// readAbout reads what there is and refuses what does not fit the items and units.
func readAbout(f *modelfile.File, items, units int) (a about, err error) {
	if text, there := f.Metadata[keyAbout]; there {
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			return a, fmt.Errorf("metadata %s: %w", keyAbout, err)
		}
	}
	for _, column := range []struct {
		name string
		to   *[]string
	}{{itemEmoji, &a.emoji}, {itemGroups, &a.groups}} {
		if _, there := f.Tensor(column.name); !there {
			continue
		}
		if *column.to, err = f.Strings(column.name, items); err != nil {
			return a, err
		}
	}
	if _, there := f.Tensor(unitShares); there {
		if a.shares, err = modelfile.Get[float64](f, unitShares, units); err != nil {
			return a, err
		}
	}
	return a, nil
}

// groupNames are all groups, each once, in order of the alphabet.
func (a *about) groupNames() []string {
	names := []string{}
	for _, group := range a.groups {
		if group != "" {
			names = append(names, group)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
