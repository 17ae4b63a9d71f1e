package modelstore_test

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fubini/data/modelfile"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model/latent"
	"fubini/use/odds"
)

func fill(n int, text string) []string {
	return slices.Repeat([]string{text}, n)
}

// What a model carries for those who look at it survives its file; a file without
// it is read as before, with nothing.
func TestAboutSurvivesTheFile(t *testing.T) {
	plain := trained(t, modelstore.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", 2)})
	f, err := plain.File()
	if err != nil {
		t.Fatal(err)
	}
	if _, there := f.Metadata["about"]; there {
		t.Error("a model without a title says something about itself")
	}
	_, read := written(t, f)
	back, err := modelstore.Open(read)
	if err != nil {
		t.Fatal(err)
	}
	if want := (modelstore.About{UnitShares: plain.UnitShares}); !reflect.DeepEqual(back.About, want) {
		t.Errorf("read %+v, want %+v", back.About, want)
	}
	plain.About = modelstore.About{
		Title: "A <title>", Synthetic: true, ItemEmoji: fill(15, "🍜"), ItemGroups: fill(15, "noodles"), UnitShares: plain.UnitShares,
		ItemMean: 0.75, Calibration: &odds.Reliability{Bins: []odds.Bin{{P: 0.1, Observed: 0.2, Low: 0.1, High: 0.4, Count: 20}}, ECE: 0.1, Events: 20},
	}
	if f, err = plain.File(); err != nil {
		t.Fatal(err)
	}
	_, read = written(t, f)
	if back, err = modelstore.Open(read); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back.About, plain.About) {
		t.Errorf("read %+v, wrote %+v", back.About, plain.About)
	}
	next, added, err := modelstore.Extend(context.Background(), back, planted(t, 5, 18), modelstore.Request{Epochs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if added.Items == 0 || len(next.ItemEmoji) != len(next.ItemIDs) || len(next.ItemGroups) != len(next.ItemIDs) || !next.Synthetic || next.Calibration != nil {
		t.Errorf("after %d new items: %d emoji, %d groups of %d, synthetic %v, calibration %v",
			added.Items, len(next.ItemEmoji), len(next.ItemGroups), len(next.ItemIDs), next.Synthetic, next.Calibration)
	}
}

func TestAboutThatDoesNotFit(t *testing.T) {
	s := trained(t, modelstore.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", 2)})
	units := len(s.UnitShares)
	for name, c := range map[string]struct {
		change func(f *modelfile.File)
		says   string
	}{
		"too few emoji":   {func(f *modelfile.File) { f.SetStrings("items.emoji", fill(3, "🍜")) }, "items.emoji"},
		"too many groups": {func(f *modelfile.File) { f.SetStrings("items.groups", fill(16, "x")) }, "items.groups"},
		"other units":     {func(f *modelfile.File) { modelfile.Set(f, "units.share", make([]float64, units+1), units+1) }, "units.share"},
		"no share": {func(f *modelfile.File) {
			modelfile.Set(f, "units.share", slices.Repeat([]float64{1.5}, units), units)
		}, "share 1.5"},
		"unknown key": {func(f *modelfile.File) { f.Metadata["about"] = `{"colour":"red"}` }, "colour"},
		"NDCG":        {func(f *modelfile.File) { f.Metadata["about"] = `{"item_mean_ndcg10":2}` }, "item means"},
		"probability": {func(f *modelfile.File) {
			f.Metadata["about"] = `{"calibration":{"bins":[{"p":-1,"observed":0,"low":0,"high":0,"count":1}],"ece":0,"events":1}}`
		}, "probability -1"},
		"empty bin": {func(f *modelfile.File) {
			f.Metadata["about"] = `{"calibration":{"bins":[{"p":0,"observed":0,"low":0,"high":0,"count":0}],"ece":0,"events":0}}`
		}, "bin of 0"},
		"events": {func(f *modelfile.File) { f.Metadata["about"] = `{"calibration":{"bins":[],"ece":0,"events":7}}` }, "7 in all"},
	} {
		f, err := s.File()
		if err != nil {
			t.Fatal(err)
		}
		c.change(f)
		_, read := written(t, f)
		if _, err := modelstore.Open(read); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// byHand is a model of six items and two units whose pulls are plain to see.
func byHand(units latent.Units) *modelstore.Saved {
	c := latent.NewCatalogue(6, 2, units, latent.Options{Size: 2, Centred: true})
	for i, w := range []float64{3, 2, 0, 0, -1, -1} {
		c.W[2*i] = 10 + w // a constant on all items says nothing
		c.W[2*i+1] = -w
	}
	return &modelstore.Saved{Name: "latent-osm", ItemIDs: []string{"a", "b", "c", "d", "e", "f"}, Model: &registry.Latent{Catalogue: c}, About: modelstore.About{UnitShares: []float64{0.25, 0.25}}}
}

// A unit is told by what it pulls up, and so is its opposite.
func TestUnitsAreDescribedByTheirLargestWeights(t *testing.T) {
	units, err := byHand(latent.Binary).Units(2)
	if err != nil {
		t.Fatal(err)
	}
	want := []modelstore.Unit{
		{Unit: 0, Share: 0.25, Up: []int{0, 1}, Down: []int{5, 4}},
		{Unit: 1, Opposite: true, Share: 0.75, Up: []int{0, 1}, Down: []int{4, 5}},
	}
	if !reflect.DeepEqual(units, want) {
		t.Errorf("got %+v, want %+v", units, want)
	}
	many, err := byHand(latent.Binary).Units(100)
	if err != nil || len(many[0].Up) != 3 || len(many[0].Down) != 3 {
		t.Errorf("up and down share items: %+v, %v", many, err)
	}
	mean := trained(t, modelstore.Request{Model: "item-mean", Recipe: recipe(t, "item-mean", 0)})
	if _, err := mean.Units(2); err == nil {
		t.Error("item means have hidden units")
	}
}

// Training tells the share of people that each unit is on in, and with held-back
// ratings what item means do on them.
func TestTrainingFillsIn(t *testing.T) {
	s := trained(t, modelstore.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", 3), Validate: 0.3})
	c := catalogueOf(t, s)
	if len(s.UnitShares) != c.K || !(s.ItemMean > 0.5 && s.ItemMean <= 1) {
		t.Errorf("%d shares of %d units, item means %g", len(s.UnitShares), c.K, s.ItemMean)
	}
	for k, share := range s.UnitShares {
		if !(share >= 0 && share <= 1) {
			t.Errorf("unit %d is on in a share %g", k, share)
		}
	}
	if s := trained(t, modelstore.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", 3)}); s.ItemMean != 0 {
		t.Errorf("item means judged on nothing: %g", s.ItemMean)
	}
}

// Every item of every list is placed once among the others: its places are so many
// events, of which one happens. The result is the same for any number of
// jobs, and a model that knows nothing of the world is less honest than one that does.
func TestCalibrate(t *testing.T) {
	s := trained(t, modelstore.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", 20)})
	set := planted(t, 130, 15)
	one, err := s.Calibrate(context.Background(), set, 1)
	if err != nil {
		t.Fatal(err)
	}
	three, err := s.Calibrate(context.Background(), set, 3)
	if err != nil || !reflect.DeepEqual(one, three) {
		t.Errorf("three jobs find %+v, one %+v, %v", three, one, err)
	}
	happened := 0.0
	for _, b := range one.Bins {
		happened += b.Observed * float64(b.Count)
	}
	if !(math.Abs(happened-float64(set.Len())) < 1) { // a bin may end within an event, and counts are whole
		t.Errorf("%g events came true, of %d items", happened, set.Len())
	}
	c := catalogueOf(t, s)
	for i := range c.U {
		c.U[i] *= -6
	}
	wrong, err := s.Calibrate(context.Background(), set, 0)
	if err != nil || !(wrong.ECE > one.ECE+0.02) {
		t.Errorf("calibration error %g, and %g of a model that has it backwards, %v", one.ECE, wrong.ECE, err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := s.Calibrate(ctx, set, 2); err == nil {
		t.Error("goes on after the end")
	}
}
