package zoo_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"fubini/judge/calibrate"
	"fubini/learn/zoo"
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
	for _, request := range []zoo.Request{{Calibrate: 0.2}, {Validate: 0.2}} {
		request.Model, request.Seed, request.Recipe = "latent-osm", 1, recipe(t, "latent-osm", 15)
		s, err := zoo.Train(ctx, split.Training.Set(), request)
		if err != nil {
			t.Fatal(err)
		}
		c, err := s.Catalogue()
		if err != nil || c.Calibration == nil || s.Calibration == nil {
			t.Fatalf("not calibrated: %v", err)
		}
		loss := func(plain bool) *calibrate.Outcome {
			p, err := zoo.Placer(s.Model, plain, nil)
			if err != nil {
				t.Fatal(err)
			}
			o, err := calibrate.Judge(ctx, p, split.Holdout, 0)
			if err != nil {
				t.Fatal(err)
			}
			return o
		}
		rated, plain := loss(false), loss(true)
		calibration := c.Calibration
		c.Calibration = nil
		raw := loss(true)
		c.Calibration = calibration
		frequencies, err := calibrate.Judge(ctx, calibrate.Frequencies{}, split.Holdout, 0)
		if err != nil {
			t.Fatal(err)
		}
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
	s, err := zoo.Train(context.Background(), planted(t, 300, 30), zoo.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", 6), Calibrate: 0.2})
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.File()
	if err != nil {
		t.Fatal(err)
	}
	first, read := written(t, f)
	back, err := zoo.Open(read)
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
	next, _, err := zoo.Extend(context.Background(), back, planted(t, 20, 30), zoo.Request{Epochs: 2})
	if err != nil {
		t.Fatal(err)
	}
	old, _ := back.Catalogue()
	if grown, err := next.Catalogue(); err != nil || grown.Calibration != old.Calibration {
		t.Errorf("the calibration was lost when new ratings came (%v)", err)
	}
	if next.Calibration != nil || next.UnitShares != nil || next.ItemMean != 0 {
		t.Error("what was measured on the old model is told of the new one")
	}
	odds := f.Metadata["odds"]
	guess := func(people string) string { // by 32 sets of five levels
		return strings.Replace(odds, `"rated":`, `"guess":{"people":[`+people+`],"parameters":[1,0,0,0,0]},"rated":`, 1)
	}
	f.Metadata["odds"] = guess(strings.Repeat("1,", 31) + "1")
	if _, err := zoo.Open(f); err != nil {
		t.Errorf("a calibration that guesses was refused: %v", err)
	}
	for _, text := range []string{strings.Replace(odds, `"version":1`, `"version":9`, 1), "{", `{"version":1}`,
		strings.Replace(odds, `"power":`, `"power":-`, 1), guess(strings.Repeat("1,", 30) + "1"), guess(strings.Repeat("1,", 31) + "-1")} {
		f.Metadata["odds"] = text
		if _, err := zoo.Open(f); err == nil {
			t.Errorf("a calibration %.40q was taken", text)
		}
	}
	delete(f.Metadata, "odds")
	bare, err := zoo.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := bare.Catalogue(); err != nil || c.Calibration != nil {
		t.Errorf("a file that does not tell how to read odds: %v", err)
	}
	few, err := zoo.Train(context.Background(), planted(t, 20, 10), zoo.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", 3), Calibrate: 0.2})
	if err != nil || few.Calibration != nil {
		t.Errorf("twenty users: %v, %v", few.Calibration, err)
	}
	if _, err := zoo.Placer(trained(t, zoo.Request{Model: "item-mean"}).Model, true, nil); err == nil {
		t.Error("item means have odds")
	}
}
