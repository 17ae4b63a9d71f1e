package cells

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"time"

	"fubini/learn/modelstore"
	"fubini/learn/registry"
)

// Store keeps finished cells by name. Get returns fs.ErrNotExist for a name without a cell.
type Store interface {
	Get(name string) ([]byte, error)
	Put(name string, data []byte) error
}

// Origin is the program that made a kept outcome, and all settings of the model, defaults filled in.
// A cell is looked up by the settings that were asked for. It is made again when a later program has other
// defaults. A cell of another program with the same settings, or without a record of them, is taken, and named in the result.
type Origin struct {
	Program  string            `json:"program"`
	Resolved map[string]string `json:"resolved,omitempty"`
	Time     float64           `json:"time_s,omitempty"`
	Error    string            `json:"-"` // why there is no outcome
}

func (o *Origin) maker() *Origin { return o }

func (o *Origin) seconds() float64 { return o.Time }

// Made names a cell that a result uses, and the program that computed it.
type Made struct {
	Cell string `json:"cell"`
	Origin
	Time float64 `json:"time_s"` // in seconds
}

// Key describes a cell: two cells with the same JSON are one.
type Key interface {
	fit() (model string, set map[string]float64)
}

// FitKey is the key of a model fitted to a split, for outcomes other than rankings. A model that is in no registry has the name "",
// and a key around this one that describes it.
type FitKey struct {
	Data   string             `json:"data"`
	Digest string             `json:"fingerprint"`
	Filter bool               `json:"filter"`
	Given  int                `json:"given"`
	Seed   uint64             `json:"seed"`
	Model  string             `json:"model"`
	Set    map[string]float64 `json:"settings"`
}

func (k FitKey) fit() (string, map[string]float64) { return k.Model, k.Set }

// describe returns the name of a cell in the store and all settings of its model, and of the model of picks where one ranks with it.
func describe(prefix string, key Key) (name string, settings map[string]string, err error) {
	text, err := json.Marshal(key)
	if err != nil {
		return "", nil, err
	}
	digest := sha256.Sum256(text)
	name = fmt.Sprintf("cells/%s-%x.json", prefix, digest[:6])
	model, set := key.fit()
	if model == "" { // the key has all there is
		return name, nil, nil
	}
	recipe, err := Configured(model, set)
	if err != nil {
		return "", nil, err
	}
	settings = registry.Resolved(recipe)
	if c, ranked := key.(Cell); ranked && c.Protocol != "" && modelstore.Combines(model, recipe) {
		picks, err := registry.New("interest")
		if err != nil {
			return "", nil, err
		}
		for setting, value := range registry.Resolved(picks) {
			settings["interest "+setting] = value
		}
	}
	return name, settings, nil
}

// Once returns what the store has under a key; what is not there is made, and kept. Without a store it is made.
func Once[T any, P kept[T]](b *Runner, prefix string, key Key, make func() (*T, error)) (*T, error) {
	if b.Store == nil {
		return make()
	}
	name, settings, err := describe(prefix, key)
	if err != nil {
		return nil, err
	}
	return keep[T, P](b, name, settings, make)
}

// stored is what the store has under a name; nil if that is nothing, or was made
// with other settings.
func stored[T any, P kept[T]](b *Runner, name string, settings map[string]string) (*T, error) {
	text, err := b.Store.Get(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	found := new(T)
	if err := json.Unmarshal(text, found); err != nil {
		return nil, fmt.Errorf("paper: %s is damaged, remove it: %w", name, err)
	}
	if was := P(found).maker().Resolved; was != nil && !maps.Equal(asNow(was, settings), settings) {
		return nil, nil
	}
	return found, nil
}

// asNow are the settings of a cell as this program would write them, where now is how it
// writes those that are asked for. Before zero could be said a negative number was none, that
// of prior-v the setting presence=no, and 0 was what the data decide. Weights by tier size were
// a switch beside the precision of their prior. Settings that no longer exist are left out where
// they had the value that is the only one now.
func asNow(was, now map[string]string) map[string]string {
	was = maps.Clone(was)
	if _, asked := was["prior-v"]; asked && was["presence"] == "" {
		was["presence"] = "yes"
		if strings.HasPrefix(was["prior-v"], "-") {
			was["presence"], was["prior-v"] = "no", now["prior-v"]
		}
	}
	for name, text := range was {
		switch {
		case strings.HasPrefix(text, "-"):
			was[name] = "0"
		case text == "0" && (name == "count" || name == "epochs"):
			was[name] = registry.ByData
		}
	}
	switch was["sizes"] {
	case "no":
		was["sizes"] = "0"
	case "yes":
		was["sizes"] = was["prior-sizes"]
		if was["sizes"] == "0" {
			was["sizes"] = "1" // and prior-sizes has the zero
		}
	}
	gone := goneFromChains
	if _, bySlots := now["co-occurrence"]; bySlots {
		if text, before := was["company"]; before {
			was["co-occurrence"] = text
			delete(was, "company")
		}
		gone = goneFromSlots
	}
	if _, there := now["prior-v"]; !there && was["presence"] == "no" {
		delete(was, "prior-v") // of no effect
	}
	maps.DeleteFunc(was, func(name, text string) bool {
		_, there := now[name]
		return !there && gone[name] == text
	})
	return was
}

// Settings that cells of before have and models no longer: of latent-osm, and of the models by
// chains.
var (
	goneFromSlots  = map[string]string{"objective": "slots", "moves": "reinsertion", "count": registry.ByData, "ties": "base", "raw": "no", "absolute": "no", "mean": "no", "last": "no", "schedule": "linear", "sweeps": "2"}
	goneFromChains = map[string]string{"objective": "chains", "mean": "yes", "biases": "no", "company": "0", "levels": "never", "sizes": "0", "prior-sizes": "1", "schedule": "linear", "presence": "no", "last": "yes", "size": "2"}
)

// keep returns what is stored under a name; what is not there is made, and kept.
func keep[T any, P kept[T]](b *Runner, name string, settings map[string]string, make func() (*T, error)) (*T, error) {
	if found, err := stored[T, P](b, name, settings); found != nil || err != nil {
		return found, err
	}
	start := time.Now()
	made, err := make()
	if err != nil {
		return nil, err
	}
	origin := P(made).maker()
	origin.Program, origin.Resolved = b.Program, settings
	if P(made).seconds() == 0 {
		origin.Time = time.Since(start).Seconds()
	}
	if origin.Error != "" {
		return made, nil
	}
	text, err := json.Marshal(made)
	if err != nil {
		return nil, err
	}
	return made, b.Store.Put(name, text)
}
