package baseline_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"fubini/model"
	"fubini/model/baseline/planted"
)

// endsAfter is a context that ends when it was asked so many times whether it has.
type endsAfter struct {
	context.Context
	asked *atomic.Int64
	after int64
}

func (e endsAfter) Err() error {
	if e.asked.Add(1) > e.after {
		return context.Canceled
	}
	return nil
}

// Within an epoch every baseline asks its context as often as it has pieces of work, about one
// for every user or block of users; called off at any of them it does little more.
func TestContractStopsWithinAnEpoch(t *testing.T) {
	set := planted.New(t, nil, nil).Split.Training.Set()
	settings := map[string]float64{"hidden": 2, "epochs": 1, "sweeps": 2, "burn": 1, "batch": 4}
	forAll(t, func(t *testing.T, k kind) {
		if k.Name == "item-mean" || k.Name == "popularity" {
			return // one pass over the ratings
		}
		var all atomic.Int64
		if _, err := recipeWith(t, k, settings).Fit(endsAfter{context.Background(), &all, 1 << 40}, set, model.Run{Seed: 1, Jobs: 1}); err != nil {
			t.Fatal(err)
		}
		if least := int64(set.Users().Len() / 4); all.Load() < least {
			t.Fatalf("in an epoch over %d users it asks %d times, not %d", set.Users().Len(), all.Load(), least)
		}
		for _, after := range []int64{0, 1, all.Load() / 3, all.Load() / 2, all.Load() - 1} {
			var asked atomic.Int64
			_, err := recipeWith(t, k, settings).Fit(endsAfter{context.Background(), &asked, after}, set, model.Run{Seed: 1, Jobs: 1})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("called off after %d of %d: %v", after, all.Load(), err)
			}
			// A piece of work asks once; so few questions are few pieces.
			if more := asked.Load() - after; more > 60 {
				t.Errorf("called off after %d of %d, it asks %d times more", after, all.Load(), more)
			}
		}
	})
}
