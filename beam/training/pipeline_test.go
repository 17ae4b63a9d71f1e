package training

import (
	"testing"

	"fubini/learn/distributed"
)

// However many steps a job has, no collection has more than 64 readers: Flink refuses a job with one that has.
func TestNoCollectionHasTooManyReaders(t *testing.T) {
	for _, chains := range []bool{false, true} {
		edges, _, err := (&Job{}).build("model", distributed.Kind{Steps: 200, Chains: chains}).Build()
		if err != nil {
			t.Fatal(err)
		}
		readers := map[int]int{} // by collection
		most := 0
		for _, e := range edges {
			for _, in := range e.Input {
				readers[in.From.ID()]++
				most = max(most, readers[in.From.ID()])
			}
		}
		if len(edges) < 600 || most > 64 {
			t.Errorf("chains %v: %d transforms, and up to %d readers of one collection", chains, len(edges), most)
		}
	}
}
