package train_test

import (
	"reflect"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/learn/train"
	"fubini/model/latent"
	"fubini/model/osm"
)

// A run that pauses and goes on ends in the same bits as one that never paused, with
// chains and without.
func TestPauseChangesNothing(t *testing.T) {
	var lists []osm.List
	r := rng.Stream(1, "pause")
	for range 30 {
		items := make([]int, 12)
		rng.Permutation(r, items)
		levels := make([]int, 5)
		for k := range levels {
			levels[k] = r.IntN(3)
		}
		lists = append(lists, osm.List{Items: items[:5], Order: must[*partition.Partition](t)(partition.FromLevels(levels))})
	}
	for name, objective := range map[string]train.Objective{"slots": train.Slots, "chains": train.Chains} {
		o := with(train.LatentDefaults(), func(o *train.LatentOptions) {
			o.Objective, o.Hidden, o.Epochs, o.Seed, o.Batch = objective, 3, 6, 4, 10
		})
		whole := must[*latent.Catalogue](t)(train.FitLatent(t.Context(), 12, lists, o))
		var state *train.LatentState
		o.Save = func(s *train.LatentState) error {
			state = s.Clone()
			return nil
		}
		o.Until, o.SaveEvery = 4, 100
		must[*latent.Catalogue](t)(train.FitLatent(t.Context(), 12, lists, o))
		if state == nil || state.Epoch != 4 {
			t.Fatalf("%s: paused with %+v", name, state)
		}
		o.Until, o.Save, o.Resume = 0, nil, state
		if objective == train.Slots {
			o.Resume.Ranks = nil
		}
		if resumed := must[*latent.Catalogue](t)(train.FitLatent(t.Context(), 12, lists, o)); !reflect.DeepEqual(resumed, whole) {
			t.Errorf("%s: a pause changed the result", name)
		}
	}
	if _, err := train.FitLatent(t.Context(), 12, lists, with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Epochs, o.Until = 3, 4 })); err == nil {
		t.Error("paused behind the end")
	}
	if _, err := train.FitLatent(t.Context(), 12, lists, with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Shares = []float64{1} })); err == nil {
		t.Error("shares of other items")
	}
}
