package modelstore

import (
	"fmt"
	"strconv"

	"fubini/data/modelfile"
	"fubini/learn/registry"
	"fubini/model/interest"
)

// itemsSeen is the tensor of counts.
const itemsSeen = "items.seen"

// settings are those of any model in a file.
type settings struct {
	Ratings int                `json:"ratings"`
	Users   int                `json:"users"`
	Low     float64            `json:"low"`
	High    float64            `json:"high"`
	Set     map[string]float64 `json:"set,omitempty"`
}

// File returns the model as a safetensors file.
func (s *Saved) File() (*modelfile.File, error) {
	f := modelfile.New()
	f.Metadata[modelfile.KeyModel] = s.Name
	f.Metadata[modelfile.KeyProgramVersion] = s.Program
	f.Metadata[modelfile.KeySeed] = strconv.FormatUint(s.Seed, 10)
	f.Metadata[modelfile.KeyData] = s.Data
	if err := f.SetJSON(modelfile.KeySettings, settings{Ratings: s.Ratings, Users: s.Users, Low: s.Low, High: s.High, Set: s.Settings}); err != nil {
		return nil, err
	}
	if err := f.SetJSON(modelfile.KeyHistory, s.History); err != nil {
		return nil, err
	}
	f.SetStrings(modelfile.ItemIDs, s.ItemIDs)
	f.SetStrings(modelfile.ItemNames, s.ItemNames)
	modelfile.Set(f, itemsSeen, s.Seen, len(s.Seen))
	if s.Odds != nil {
		if err := f.SetJSON(keyOdds, oddsFile{oddsVersion, s.Odds}); err != nil {
			return nil, err
		}
	}
	if err := s.About.save(f); err != nil {
		return nil, err
	}
	if err := s.saveBoard(f); err != nil {
		return nil, err
	}
	if s.Interest != nil && s.HasTaste() { // else it is the model itself
		if err := s.Interest.Save(f); err != nil {
			return nil, err
		}
	}
	return f, s.Model.Save(f)
}

// Open reads a model from a safetensors file.
func Open(f *modelfile.File) (*Saved, error) {
	s := &Saved{Name: f.Metadata[modelfile.KeyModel], Program: f.Metadata[modelfile.KeyProgramVersion], Data: f.Metadata[modelfile.KeyData]}
	recipe, err := registry.New(s.Name)
	if err != nil {
		return nil, fmt.Errorf("modelstore: the file holds a model %q, which this program does not know", s.Name)
	}
	if s.Seed, err = strconv.ParseUint(f.Metadata[modelfile.KeySeed], 10, 64); err != nil {
		return nil, fmt.Errorf("modelstore: the file's seed is %q", f.Metadata[modelfile.KeySeed])
	}
	var about settings
	if err := f.JSON(modelfile.KeySettings, &about); err != nil {
		return nil, err
	}
	if err := f.JSON(modelfile.KeyHistory, &s.History); err != nil {
		return nil, err
	}
	s.Ratings, s.Users, s.Low, s.High, s.Settings = about.Ratings, about.Users, about.Low, about.High, about.Set
	if err := registry.Restore(s.Name, recipe, s.Settings, false); err != nil {
		return nil, fmt.Errorf("modelstore: the file's settings: %w", err)
	}
	if s.ItemIDs, err = f.Strings(modelfile.ItemIDs, -1); err != nil {
		return nil, err
	}
	if s.ItemNames, err = f.Strings(modelfile.ItemNames, len(s.ItemIDs)); err != nil {
		return nil, err
	}
	if s.Seen, err = modelfile.Get[uint32](f, itemsSeen, len(s.ItemIDs)); err != nil {
		return nil, err
	}
	if len(s.ItemIDs) == 0 {
		return nil, fmt.Errorf("modelstore: the file has no items")
	}
	if s.Model, err = recipe.Load(f, len(s.ItemIDs)); err != nil {
		return nil, err
	}
	if s.Odds, err = loadOdds(f, s.Model); err != nil {
		return nil, err
	}
	if picks, alone := s.Model.(*registry.Interest); alone {
		s.Interest = picks.Model
	} else if s.Interest, err = interest.Load(f, len(s.ItemIDs)); err != nil {
		return nil, err
	}
	units := 0
	if c, err := s.Catalogue(); err == nil {
		units = c.K
	}
	if err := s.About.load(f, len(s.ItemIDs), units); err != nil {
		return nil, err
	}
	if _, known := s.Find(s.ItemIDs[0]); !known || len(s.index) != len(s.ItemIDs) {
		return nil, fmt.Errorf("modelstore: the file names an item twice")
	}
	if err := s.loadBoard(f); err != nil {
		return nil, err
	}
	return s, nil
}
