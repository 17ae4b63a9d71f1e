package modelstore_test

import (
	"context"
	"testing"

	"fubini/learn/modelstore"
	"fubini/learn/registry"
)

// Progress is one count from the first epoch to the last, also of models that learn
// twice: once to see how long, and once on all ratings.
func TestProgressCountsOnce(t *testing.T) {
	set := groups(t, 40, 60, 5, 25)
	for _, name := range registry.Names() {
		t.Run(name, func(t *testing.T) {
			seen, total := 0, 0
			recipe, err := registry.New(name)
			if err != nil {
				t.Fatal(err)
			}
			saved, err := modelstore.Train(context.Background(), set, modelstore.Request{Model: name, Recipe: recipe, Seed: 1, Observe: func(e modelstore.Epoch, epochs int) {
				if seen++; e.Epoch != seen || epochs < seen {
					t.Errorf("epoch %d of %d, told as number %d", e.Epoch, epochs, seen)
				}
				total = epochs
			}})
			if err != nil {
				t.Fatal(err)
			}
			if seen != total || seen < len(saved.History) {
				t.Errorf("it ended after epoch %d of %d, with a history of %d", seen, total, len(saved.History))
			}
			for k, e := range saved.History {
				if e.Epoch != k+1 {
					t.Errorf("epoch %d is number %d of the history", e.Epoch, k+1)
				}
			}
		})
	}
}
