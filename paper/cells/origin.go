package cells

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"

	"fubini/learn/registry"
)

// Store keeps what is finished, by name. Get returns fs.ErrNotExist for what is not
// there.
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
}

// Made is a cell that a result rests on: what it is, who made it, with which
// settings.
type Made struct {
	Cell string `json:"cell"`
	Origin
	Time float64 `json:"time_s"`
}

// Maker is the origin itself, of outcomes that embed it.
func (o *Origin) Maker() *Origin { return o }

// fitKey is a model fitted to a split, for outcomes of which more than a ranking is
// kept.
type FitKey struct {
	Data   string             `json:"data"`
	Digest string             `json:"fingerprint"`
	Filter bool               `json:"filter"`
	Given  int                `json:"given"`
	Seed   uint64             `json:"seed"`
	Model  string             `json:"model"`
	Set    map[string]float64 `json:"settings"`
}

// resolved are all settings of a model with some of them changed.
func Resolved(model string, set map[string]float64) (map[string]string, error) {
	recipe, err := Configured(model, set)
	if err != nil {
		return nil, err
	}
	return registry.Resolved(recipe), nil
}

// stored is what the store has under a name; nil if that is nothing, or was made
// with other settings.
func stored[T any, P kept[T]](b *Bench, name string, settings map[string]string) (*T, error) {
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
	if was := P(found).Maker().Resolved; was != nil && !maps.Equal(asNow(was, settings), settings) {
		return nil, nil
	}
	return found, nil
}

// asNow are the settings of a cell as this program would write them, where now is how it
// writes those that are asked for. Before zero could be said a negative number was none, that
// of prior-v the setting presence=no, and 0 was what the data decide. Settings that no longer
// exist are left out where they had the value that is the only one now.
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
	gone := goneFromChains
	if _, bySlots := now["co-occurrence"]; bySlots {
		if text, before := was["company"]; before {
			was["co-occurrence"] = text
			delete(was, "company")
		}
		gone = goneFromSlots
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
	goneFromChains = map[string]string{"objective": "chains", "mean": "yes", "biases": "no", "company": "0", "levels": "never", "sizes": "no", "prior-sizes": "1", "schedule": "linear"}
)

// reason is why an outcome could not be made; empty for one that was.
func reason(made any) string {
	if u, may := made.(interface{ unmade() string }); may {
		return u.unmade()
	}
	return ""
}

// keep returns what is stored under a name; what is not there is made, and kept.
func keep[T any, P kept[T]](b *Bench, name string, settings map[string]string, make func() (*T, error)) (*T, error) {
	if found, err := stored[T, P](b, name, settings); found != nil || err != nil {
		return found, err
	}
	made, err := make()
	if err != nil {
		return nil, err
	}
	*P(made).Maker() = Origin{Program: b.Program, Resolved: settings}
	if reason(made) != "" {
		return made, nil
	}
	text, err := json.Marshal(made)
	if err != nil {
		return nil, err
	}
	return made, b.Store.Put(name, text)
}
