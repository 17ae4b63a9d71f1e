package modelstore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/learn/ascent"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/use/odds"
)

// With few ratings held back, the fit to all ratings makes four fifths of its epochs without them, and is calibrated by the point that these
// end with, to the bit; the model is not one of the fewer ratings.
func TestSharedEpochs(t *testing.T) {
	skipIfShort(t)
	const epochs, share = 10, 0.03
	ctx, set := context.Background(), planted(t, 1000, 40)
	recipe := func(t *testing.T, name string, epochs int) model.Recipe { // without trials of the prior, which a fit of its own would make on fewer ratings
		r := recipe(t, name, epochs)
		if err := setting.Apply(r.Settings(), map[string]float64{"prior-u": 20, "prior-v": 5, "prior-w": 70}); err != nil {
			t.Fatal(err)
		}
		return r
	}
	var observed, tried []int
	s, err := modelstore.Train(ctx, set, modelstore.Request{
		Model: "latent-osm", Recipe: recipe(t, "latent-osm", epochs), Seed: 4, Calibrate: share,
		Observe: func(e modelstore.Epoch, _ int) { observed = append(observed, e.Epoch) },
		Trial:   func(epoch, of int) { tried = append(tried, epoch, of) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}; !reflect.DeepEqual(observed, want) {
		t.Errorf("epochs %v, expected %v", observed, want)
	}
	if want := []int{0, 0}; !reflect.DeepEqual(tried, want) {
		t.Errorf("epochs of the trial, each with their number: %v, expected %v", tried, want)
	}

	split, err := set.Random(share, 4)
	if err != nil {
		t.Fatal(err)
	}
	trainer, lists, err := registry.Prepare(recipe(t, "latent-osm", epochs).(registry.OrderedSetRecipe), split.Training.Set(), model.Run{Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	o, items := trainer.Base(), split.Training.Set().Items().Len()
	o.Until, o.Observer = 8, func(p ascent.Progress) { o.Resume = p.State }
	if _, err := trainer.Fit(ctx, items, lists); err != nil {
		t.Fatal(err)
	}
	o.Epochs, o.Resume.Averaged = 8, 0 // the last point, not the mean over epochs
	fewer, err := trainer.Fit(ctx, items, lists)
	if err != nil {
		t.Fatal(err)
	}
	alone, _, err := odds.Fit(fewer.Catalogue, split, 1)
	if err != nil || alone == nil {
		t.Fatalf("no calibration: %v", err)
	}
	if !reflect.DeepEqual(s.Odds, alone) {
		t.Errorf("calibrated as %+v, by a fit of its own as %+v", s.Odds, alone)
	}
	if reflect.DeepEqual(catalogueOf(t, s).U, fewer.U) {
		t.Error("the model never saw the ratings that were held back")
	}
}

// A calibrated run writes the same bytes wherever it was broken off: before the epochs that both fits share have ended, with
// the last of them, and after.
func TestResumedCalibratedRuns(t *testing.T) {
	skipIfShort(t)
	set := planted(t, 1000, 40)
	r := modelstore.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", 6), Seed: 3, Calibrate: 0.03}
	whole := trainedBytes(t, set, r)
	for _, after := range []int{2, 4, 5} {
		resume := r
		resume.Resume = brokenOffAfter(t, after, set, r)
		if resumed := trainedBytes(t, set, resume); !bytes.Equal(whole, resumed) {
			t.Errorf("broken off after epoch %d, the run wrote other bytes", after)
		}
	}
}

// A checkpoint of a fit to all ratings, as that of a run without calibration, is not taken for the first epochs of the trial: the
// ratings held back were in it.
func TestTrialOfAnotherCheckpoint(t *testing.T) {
	skipIfShort(t)
	set := planted(t, 1000, 40)
	r := modelstore.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", 6), Seed: 3, Calibrate: 0.03}
	want, err := modelstore.Train(context.Background(), set, r)
	if err != nil {
		t.Fatal(err)
	}
	without := r
	without.Calibrate = 0
	r.Resume = brokenOffAfter(t, 2, set, without)
	got, err := modelstore.Train(context.Background(), set, r)
	if err != nil {
		t.Fatal(err)
	}
	if want.Odds == nil || !reflect.DeepEqual(got.Odds, want.Odds) {
		t.Errorf("calibrated as %+v, not as %+v", got.Odds, want.Odds)
	}
}

// Both fits and interest, side by side or one after the other, write the same bytes. The epochs of the trial are told after those of
// the model, and not at all where that was broken off; the checkpoint is resumed to the same bytes.
func TestFitsSideBySide(t *testing.T) {
	t.Run("first epochs of one are the other", func(t *testing.T) { fitsSideBySide(t, 0.025, 0) })
	t.Run("two fits", func(t *testing.T) { fitsSideBySide(t, 0.1, 10) })
}

func fitsSideBySide(t *testing.T, calibrate float64, trial int) {
	const epochs = 10
	set := planted(t, 120, 15)
	r := modelstore.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", epochs), Seed: 3, Calibrate: calibrate, Interest: true}
	told := func(r *modelstore.Request) *[]string {
		var lines []string
		r.Observe = func(e modelstore.Epoch, _ int) { lines = append(lines, fmt.Sprint("epoch ", e.Epoch)) }
		r.Trial = func(epoch, of int) { lines = append(lines, fmt.Sprintf("trial %d of %d", epoch, of)) }
		return &lines
	}
	var whole []byte
	for _, jobs := range []int{1, 2, 3} {
		r := r
		r.Jobs = jobs
		lines := told(&r)
		text := trainedBytes(t, set, r)
		if whole == nil {
			whole = text
		}
		if !bytes.Equal(text, whole) {
			t.Errorf("other bytes with %d jobs", jobs)
		}
		want := []string{fmt.Sprint("trial 0 of ", trial)}
		for n := range epochs {
			want = append(want, fmt.Sprint("epoch ", n+1))
		}
		for n := range trial {
			want = append(want, fmt.Sprintf("trial %d of %d", n+1, trial))
		}
		if !reflect.DeepEqual(*lines, want) {
			t.Errorf("%d jobs: told %q, not %q", jobs, *lines, want)
		}
	}
	for _, after := range []int{4, 9} { // while both fits are one, and once they are two
		r := r
		r.Jobs = 2
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		broken, lines := r, []string(nil)
		broken.Observe = func(e modelstore.Epoch, _ int) {
			if lines = append(lines, fmt.Sprint("epoch ", e.Epoch)); e.Epoch == after {
				time.Sleep(200 * time.Millisecond) // for epochs of the trial, which are not to be told
				stop()
			}
		}
		broken.Trial = func(epoch, _ int) {
			if epoch > 0 {
				lines = append(lines, fmt.Sprint("trial ", epoch))
			}
		}
		broken.Save = func(f *modelfile.File) error { _, r.Resume = written(t, f); return nil }
		if _, err := modelstore.Train(ctx, set, broken); !errors.Is(err, context.Canceled) {
			t.Fatalf("broken off after epoch %d: %v", after, err)
		}
		if last := fmt.Sprint("epoch ", after); len(lines) != after || lines[after-1] != last {
			t.Errorf("broken off after epoch %d: told %q", after, lines)
		}
		if r.Resume == nil {
			t.Fatalf("broken off after epoch %d: no checkpoint", after)
		}
		if text := trainedBytes(t, set, r); !bytes.Equal(text, whole) {
			t.Errorf("broken off after epoch %d and resumed: other bytes", after)
		}
	}
}

// What the data chose of the prior is in the settings of the model, and a model that is asked for it is the same to the bit.
func TestChosenPrior(t *testing.T) {
	skipIfShort(t)
	set := planted(t, 1000, 40)
	train := func(settings map[string]float64) *modelstore.Saved {
		r := recipe(t, "latent-osm", 10)
		if err := setting.Apply(r.Settings(), settings); err != nil {
			t.Fatal(err)
		}
		s, err := modelstore.Train(t.Context(), set, modelstore.Request{Model: "latent-osm", Recipe: r, Seed: 4, Calibrate: 0.03})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	chosen := train(nil)
	if len(chosen.Settings) < 2 { // beside the epochs
		t.Fatalf("settings %v: nothing was chosen", chosen.Settings)
	}
	all := map[string]float64{"prior-u": 20, "prior-v": 5}
	maps.Copy(all, chosen.Settings)
	asked := train(all)
	if !slices.Equal(catalogueOf(t, chosen).Values, catalogueOf(t, asked).Values) || !reflect.DeepEqual(chosen.Odds, asked.Odds) {
		t.Errorf("with %v in place of a choice of %v the model is another", all, chosen.Settings)
	}
}

// A run that is resumed has the precisions that the run before it chose, and ends with the same bits.
func TestResumedChoice(t *testing.T) {
	skipIfShort(t)
	set, r := planted(t, 1000, 40), modelstore.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", 10), Seed: 4}
	whole := trainedBytes(t, set, r)
	if !bytes.Contains(whole, []byte("prior-")) {
		t.Fatal("nothing was chosen")
	}
	r.Resume = brokenOff(t, set, r)
	if resumed := trainedBytes(t, set, r); !bytes.Equal(whole, resumed) {
		t.Error("the resumed run wrote other bytes")
	}
}

// A run with sampled tastes that is broken off and resumed ends with the same bits, on any number of goroutines; from a checkpoint without them it does not go on.
func TestResumedTastes(t *testing.T) {
	skipIfShort(t)
	set, tasteful := planted(t, 200, 40), recipe(t, "latent-osm", 10)
	if err := setting.Apply(tasteful.Settings(), map[string]float64{"tastes": 1, "prior-u": 20, "prior-v": 5, "prior-w": 70}); err != nil {
		t.Fatal(err)
	}
	r := modelstore.Request{Model: "latent-osm", Recipe: tasteful, Seed: 4, Jobs: 1}
	whole := trainedBytes(t, set, r)
	r.Jobs = 2
	if !bytes.Equal(whole, trainedBytes(t, set, r)) {
		t.Error("two goroutines wrote other bytes than one")
	}
	r.Resume = brokenOff(t, set, r)
	if !bytes.Equal(whole, trainedBytes(t, set, r)) {
		t.Error("the resumed run wrote other bytes")
	}
	plain := r
	plain.Resume, plain.Recipe = nil, recipe(t, "latent-osm", 10)
	if err := setting.Apply(plain.Recipe.Settings(), map[string]float64{"tastes": 2, "prior-u": 20, "prior-v": 5, "prior-w": 70}); err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(whole, trainedBytes(t, set, plain)) {
		t.Error("sampled tastes change nothing")
	}
	r.Resume = brokenOff(t, set, plain)
	if _, err := modelstore.Train(t.Context(), set, r); err == nil || !strings.Contains(err.Error(), "tastes never") {
		t.Errorf("resumed from a checkpoint without tastes: %v", err)
	}
}
