package slots

import (
	"context"
	"runtime"
	"testing"

	"fubini/model/osm"
)

// A longer fit allocates for its epochs, a little each, and nothing for the lists and batches in them: the same fit with four times the
// lists in an epoch, in as many batches of four times the size, allocates as much for an epoch more.
func TestVisitsDoNotAllocate(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector allocates by itself")
	}
	few, many := perEpoch(t, 300, 10), perEpoch(t, 1200, 40)
	t.Logf("%.0f allocations in an epoch of 300 lists, %.0f in one of 1,200", few, many)
	const slack = 30 // for what the runtime does meanwhile
	if !(many < few+slack) {
		t.Errorf("900 lists more cost %.0f allocations more in each epoch", many-few)
	}
}

// perEpoch is the mean number of allocations that an epoch more takes in a fit with one goroutine.
func perEpoch(t *testing.T, people, batch int) float64 {
	const items, more = 2000, 20
	packed := osm.Pack(randomLists(t, items, people, func(int) int { return 20 }))
	count := func(epochs int) float64 {
		o := Defaults()
		o.Epochs, o.Jobs, o.Batch, o.CoOccurrence = epochs, 1, batch, 0
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := o.Fit(context.Background(), items, packed); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return float64(after.Mallocs - before.Mallocs)
	}
	return (count(10+more) - count(10)) / more
}
