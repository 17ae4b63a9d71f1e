package training

import (
	"testing"

	"fubini/learn/distributed"
)

// However many steps a job has, no collection has more than 64 readers, and there are few paths through the job: Flink refuses the
// one, and its optimiser walks the other.
func TestManyStepsAreOneJob(t *testing.T) {
	for _, chains := range []bool{false, true} {
		edges, _, err := (&Job{}).build("model", distributed.Kind{Steps: 200, Chains: chains}).Build()
		if err != nil {
			t.Fatal(err)
		}
		readers := map[int]int{}   // by collection
		paths := map[int]float64{} // to each collection, from the start of the job
		most, longest := 0, 0.0
		for _, e := range edges { // in the order in which they were made
			var here float64
			for _, in := range e.Input {
				readers[in.From.ID()]++
				most = max(most, readers[in.From.ID()])
				here += max(1, paths[in.From.ID()])
			}
			for _, out := range e.Output {
				paths[out.To.ID()] = here
				longest = max(longest, here)
			}
		}
		if len(edges) < 600 || most > 64 {
			t.Errorf("chains %v: %d transforms, and up to %d readers of one collection", chains, len(edges), most)
		}
		if !chains && longest > 1e12 { // 2 to the power of the steps is 1e60; chains make a second path from step to step
			t.Errorf("%g paths through the job", longest)
		}
	}
}
