package ascent_test

import (
	"reflect"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/learn/ascent"
	"fubini/learn/chains"
	"fubini/learn/slots"
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
	for name, v := range map[string]func() trainer{"slots": bySlots(func(*slots.Options) {}), "chains": byChains(func(*chains.Options) {})} {
		fit := func(change func(o *ascent.Options)) *latent.Catalogue {
			return must[*latent.Catalogue](t)(fitted(t.Context(), v, 12, lists, func(o *ascent.Options) {
				o.Hidden, o.Epochs, o.Seed, o.Batch = 3, 6, 4, 10
				change(o)
			}))
		}
		whole := fit(func(*ascent.Options) {})
		var state *ascent.State
		fit(func(o *ascent.Options) {
			o.Save = func(s *ascent.State) error { state = s.Clone(); return nil }
			o.Until, o.SaveEvery = 4, 100
		})
		if state == nil || state.Epoch != 4 {
			t.Fatalf("%s: paused with %+v", name, state)
		}
		if resumed := fit(func(o *ascent.Options) { o.Resume = state }); !reflect.DeepEqual(resumed, whole) {
			t.Errorf("%s: a pause changed the result", name)
		}
	}
}
