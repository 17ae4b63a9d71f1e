package modelstore

import (
	"encoding/json"
	"fmt"
	"math"

	"fubini/data/catalogue"
	"fubini/data/modelfile"
	"fubini/use/odds"
)

// About has descriptions of a model for people. Everything is optional.
type About struct {
	Title     string `json:"title,omitempty"`
	Synthetic bool   `json:"synthetic,omitempty"` // the training ratings are synthetic

	ItemEmoji  []string `json:"-"` // emoji of each item, or empty; nil for none
	ItemGroups []string `json:"-"` // group of each item, or empty; nil for none
	// ItemFacts is what a catalogue says of each item; nil for none. Names are in Saved.ItemNames.
	ItemFacts []catalogue.Item `json:"-"`

	UnitShares  []float64         `json:"-"`                          // share of the training users with each hidden unit
	ItemMean    float64           `json:"item_mean_ndcg10,omitempty"` // NDCG@10 of item means on the validation ratings; 0 without validation
	Calibration *odds.Reliability `json:"calibration,omitempty"`      // reliability of the tier probabilities on held-out ratings
}

// Where they are in a file.
const (
	keyAbout   = "about"
	itemEmoji  = "items.emoji"
	itemGroups = "items.groups"
	itemFacts  = "items.facts" // a JSON object for each item, or empty
	unitShares = "units.share"
)

// save stores what there is.
func (a *About) save(f *modelfile.File) error {
	if a.ItemEmoji != nil {
		f.SetStrings(itemEmoji, a.ItemEmoji)
	}
	if a.ItemGroups != nil {
		f.SetStrings(itemGroups, a.ItemGroups)
	}
	if a.ItemFacts != nil {
		texts := make([]string, len(a.ItemFacts))
		for i := range texts {
			if a.ItemFacts[i].Empty() {
				continue
			}
			text, err := json.Marshal(a.ItemFacts[i])
			if err != nil {
				return fmt.Errorf("modelstore: facts of item %d: %w", i, err)
			}
			texts[i] = string(text)
		}
		f.SetStrings(itemFacts, texts)
	}
	modelfile.SetSome(f, unitShares, a.UnitShares, len(a.UnitShares))
	if a.Title == "" && !a.Synthetic && a.ItemMean == 0 && a.Calibration == nil {
		return nil
	}
	return f.SetJSON(keyAbout, a)
}

// load reads what there is, and refuses what does not fit the items and units.
func (a *About) load(f *modelfile.File, items, units int) (err error) {
	for _, column := range []struct {
		name string
		to   *[]string
	}{{itemEmoji, &a.ItemEmoji}, {itemGroups, &a.ItemGroups}} {
		if _, there := f.Tensor(column.name); !there {
			continue
		}
		if *column.to, err = f.Strings(column.name, items); err != nil {
			return err
		}
	}
	if err := a.loadFacts(f, items); err != nil {
		return err
	}
	if a.UnitShares, err = modelfile.Optional[float64](f, unitShares, units); err != nil {
		return err
	}
	for k, share := range a.UnitShares {
		if !(share >= 0 && share <= 1) {
			return fmt.Errorf("modelstore: the file gives hidden unit %d to a share %g of people", k, share)
		}
	}
	if _, there := f.Metadata[keyAbout]; !there {
		return nil
	}
	if err := f.JSON(keyAbout, a); err != nil {
		return err
	}
	return a.check()
}

// loadFacts reads what a catalogue said of the items.
func (a *About) loadFacts(f *modelfile.File, items int) error {
	if _, there := f.Tensor(itemFacts); !there {
		return nil
	}
	texts, err := f.Strings(itemFacts, items)
	if err != nil {
		return err
	}
	a.ItemFacts = make([]catalogue.Item, items)
	for i, text := range texts {
		if text == "" {
			continue
		}
		if err := json.Unmarshal([]byte(text), &a.ItemFacts[i]); err != nil {
			return fmt.Errorf("modelstore: the file's facts of item %d: %w", i, err)
		}
		if !a.ItemFacts[i].Safe() {
			return fmt.Errorf("modelstore: the file's facts of item %d have an address that is neither http nor a file", i)
		}
	}
	return nil
}

// check refuses impossible values, because pages draw them as they are.
func (a *About) check() error {
	if !(a.ItemMean >= 0 && a.ItemMean <= 1) {
		return fmt.Errorf("modelstore: the file has an NDCG of item means of %g", a.ItemMean)
	}
	if a.Calibration == nil {
		return nil
	}
	held := a.Calibration
	for k, bins := range [][]odds.Bin{held.Bins, held.Even} {
		events := 0
		for _, b := range bins {
			for _, p := range []float64{b.P, b.Observed, b.Low, b.High} {
				if !(p >= 0 && p <= 1) {
					return fmt.Errorf("modelstore: the file's calibration has a probability %g", p)
				}
			}
			if b.Count < 1 || b.Count > math.MaxInt32 {
				return fmt.Errorf("modelstore: the file's calibration has a bin of %d events", b.Count)
			}
			events += b.Count
		}
		if absent := k == 1 && held.Even == nil; !absent && events != held.Events || !(held.ECE >= 0 && held.ECE <= 1) {
			return fmt.Errorf("modelstore: the file's calibration has %d events in its bins, %d in all, and an error of %g", events, held.Events, held.ECE)
		}
	}
	return nil
}
