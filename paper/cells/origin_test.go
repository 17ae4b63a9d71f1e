package cells_test

import (
	"context"
	"strings"
	"testing"

	"fubini/paper/cells"
	"fubini/paper/cells/planted"
)

// A kept cell is taken while code and settings are those that made it, and made again when either is another.
func TestCellsOfOtherCodeAreMadeAgain(t *testing.T) {
	d, store, runs := planted.Small(t), planted.Memory{}, 0
	split, err := d.Split(3, 1)
	if err != nil {
		t.Fatal(err)
	}
	cell := cells.Cell{Data: d.Name, Digest: d.Set.Fingerprint(), Given: 3, MinTest: d.MinTest, Seed: 1, Model: "item-mean"}
	run := func(program string) *cells.Outcome {
		b := &cells.Runner{Store: store, Jobs: 1, Program: program, Observe: func(cells.Cell) { runs++ }}
		o, err := b.Run(context.Background(), cell, split)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	first := run("one")
	if first.Sources == "" || first.Resolved["shrink"] == "" {
		t.Errorf("the origin is %+v", first.Origin)
	}
	if again := run("two"); runs != 1 || again.Program != "one" {
		t.Errorf("%d runs; a cell of the same code is by %s", runs, again.Program)
	}
	for _, change := range []struct{ old, new string }{{`"sources":"` + first.Sources, `"sources":"0`}, {`"shrink":"`, `"shrink":"9`}, {`"sources":"` + first.Sources + `"`, `"other":"x"`}} {
		runs = 0
		for name, text := range store {
			if !strings.Contains(string(text), change.old) {
				t.Fatalf("no %s in %s", change.old, text)
			}
			store[name] = []byte(strings.Replace(string(text), change.old, change.new, 1))
		}
		if again := run("three"); runs != 1 || again.Sources != first.Sources {
			t.Errorf("%s: %d runs", change.new, runs)
		}
	}
}
