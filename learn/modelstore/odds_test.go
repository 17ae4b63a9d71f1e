package modelstore_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"fubini/learn/modelstore"
	"fubini/use/odds"
)

// The odds of a calibrated model hold better on ratings it has not seen than those of
// the same model taken as they are, and tell more than the person's frequencies.
func TestCalibrationHelps(t *testing.T) {
	skipIfShort(t)
	split, err := planted(t, 400, 50).Given(15, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, request := range []modelstore.Request{{Calibrate: 0.2}, {Validate: 0.2}} {
		request.Model, request.Seed, request.Recipe = "latent-osm", 1, recipe(t, "latent-osm", 15)
		s, err := modelstore.Train(ctx, split.Training.Set(), request)
		if err != nil {
			t.Fatal(err)
		}
		c, err := s.Catalogue()
		if err != nil || s.Odds == nil || s.Calibration == nil {
			t.Fatalf("not calibrated: %v", err)
		}
		judge := func(f odds.Forecaster) *odds.Outcome {
			o, err := odds.Judge(ctx, f, split.Holdout, 0)
			if err != nil {
				t.Fatal(err)
			}
			return o
		}
		rated, plain := judge(odds.Slots{Catalogue: c, Calibration: s.Odds}), judge(odds.Slots{Catalogue: c, Calibration: s.Odds, TiersOnly: true})
		raw, frequencies := judge(odds.Slots{Catalogue: c, TiersOnly: true}), judge(odds.Frequencies{})
		if !(plain.LogLoss < raw.LogLoss && plain.All.ECE < raw.All.ECE) {
			t.Errorf("calibrated: loss %.4f, error %.4f; as they are: %.4f, %.4f", plain.LogLoss, plain.All.ECE, raw.LogLoss, raw.All.ECE)
		}
		if !(rated.LogLoss <= plain.LogLoss && plain.LogLoss < frequencies.LogLoss) {
			t.Errorf("losses: ratings of tiers known %.4f, not known %.4f, frequencies %.4f", rated.LogLoss, plain.LogLoss, frequencies.LogLoss)
		}
		if !(math.Abs(s.Calibration.ECE-plain.All.ECE) <= 0.03) {
			t.Errorf("told to be off by %.4f, and are by %.4f", s.Calibration.ECE, plain.All.ECE)
		}
	}
}

// A calibration survives its file; a file without one, or with one of another time,
// is met.
func TestCalibrationsInFiles(t *testing.T) {
	skipIfShort(t)
	s, err := modelstore.Train(context.Background(), planted(t, 300, 30), modelstore.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", 6), Calibrate: 0.2})
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.File()
	if err != nil {
		t.Fatal(err)
	}
	first, read := written(t, f)
	back, err := modelstore.Open(read)
	if err != nil {
		t.Fatal(err)
	}
	again, err := back.File()
	if err != nil {
		t.Fatal(err)
	}
	if second, _ := written(t, again); !bytes.Equal(first, second) || back.Calibration == nil {
		t.Error("written again, the bytes differ")
	}
	next, _, err := modelstore.Extend(context.Background(), back, planted(t, 20, 30), modelstore.Request{Epochs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if next.Odds == nil || next.Odds != back.Odds {
		t.Error("the calibration was lost when new ratings came")
	}
	if next.Calibration != nil || next.UnitShares != nil || next.ItemMean != 0 {
		t.Error("what was measured on the old model is told of the new one")
	}
	kept := f.Metadata["odds"]
	guess := func(people string) string { // by 32 sets of five levels
		return strings.Replace(kept, `"rated":`, `"guess":{"people":[`+people+`],"parameters":[1,0,0,0,0]},"rated":`, 1)
	}
	f.Metadata["odds"] = guess(strings.Repeat("1,", 31) + "1")
	if _, err := modelstore.Open(f); err != nil {
		t.Errorf("a calibration that guesses was refused: %v", err)
	}
	for _, text := range []string{strings.Replace(kept, `"version":1`, `"version":9`, 1), "{", `{"version":1}`,
		strings.Replace(kept, `"power":`, `"power":-`, 1), guess(strings.Repeat("1,", 30) + "1"), guess(strings.Repeat("1,", 31) + "-1")} {
		f.Metadata["odds"] = text
		if _, err := modelstore.Open(f); err == nil {
			t.Errorf("a calibration %.40q was taken", text)
		}
	}
	delete(f.Metadata, "odds")
	bare, err := modelstore.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	if bare.Odds != nil {
		t.Error("a file without a calibration has one")
	}
	few, err := modelstore.Train(context.Background(), planted(t, 20, 10), modelstore.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", 3), Calibrate: 0.2})
	if err != nil || few.Calibration != nil {
		t.Errorf("twenty users: %v, %v", few.Calibration, err)
	}
}
