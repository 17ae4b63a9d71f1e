package cells

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"time"

	"fubini/learn/modelstore"
	"fubini/learn/registry"
)

// Store keeps finished cells by name. Get returns fs.ErrNotExist for a name without a cell.
type Store interface {
	Get(name string) ([]byte, error)
	Put(name string, data []byte) error
}

// Origin is the program that made a kept outcome, a digest of the code that can change it, and all settings of the model, defaults
// filled in. A cell is looked up by the settings that were asked for. It is made again when the code or a default is another
// now, or has no record. One of another program with the same code is taken, and named in the result.
type Origin struct {
	Program  string            `json:"program"`
	Sources  string            `json:"sources"`
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

// describe returns the name of a cell in the store, and its origin: the code that it comes from, and all settings of its model, and of
// the model of picks where one ranks with it.
func describe(prefix string, key Key) (name string, origin Origin, err error) {
	text, err := json.Marshal(key)
	if err != nil {
		return "", Origin{}, err
	}
	digest := sha256.Sum256(text)
	name = fmt.Sprintf("cells/%s-%x.json", prefix, digest[:6])
	model, set := key.fit()
	if model == "" { // the key has all there is
		return name, Origin{Sources: madeFrom(key, nil)}, nil
	}
	recipe, err := Configured(model, set)
	if err != nil {
		return "", Origin{}, err
	}
	settings := registry.Resolved(recipe)
	if c, ranked := key.(Cell); ranked && c.Protocol != "" && modelstore.Combines(model, recipe) {
		picks, err := registry.New("interest")
		if err != nil {
			return "", Origin{}, err
		}
		for setting, value := range registry.Resolved(picks) {
			settings["interest "+setting] = value
		}
	}
	return name, Origin{Sources: madeFrom(key, recipe), Resolved: settings}, nil
}

// Once returns what the store has under a key; what is not there is made, and kept. Without a store it is made.
func Once[T any, P kept[T]](b *Runner, prefix string, key Key, make func() (*T, error)) (*T, error) {
	if b.Store == nil {
		return make()
	}
	name, origin, err := describe(prefix, key)
	if err != nil {
		return nil, err
	}
	return keep[T, P](b, name, origin, make)
}

// stored is what the store has under a name; nil if that is nothing, or was made
// by other code or with other settings.
func stored[T any, P kept[T]](b *Runner, name string, now Origin) (*T, error) {
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
	if was := P(found).maker(); was.Sources != now.Sources || !maps.Equal(was.Resolved, now.Resolved) {
		return nil, nil
	}
	return found, nil
}

// keep returns what is stored under a name; what is not there is made, and kept.
func keep[T any, P kept[T]](b *Runner, name string, now Origin, make func() (*T, error)) (*T, error) {
	if found, err := stored[T, P](b, name, now); found != nil || err != nil {
		return found, err
	}
	start := time.Now()
	made, err := make()
	if err != nil {
		return nil, err
	}
	origin := P(made).maker()
	origin.Program, origin.Sources, origin.Resolved = b.Program, now.Sources, now.Resolved
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
