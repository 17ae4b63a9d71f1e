package partition_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
)

func parse(t testing.TB, text string) *partition.Partition {
	t.Helper()
	x, err := partition.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestMovesByHand(t *testing.T) {
	x := parse(t, "0~2 > 1~3~4")
	step := func(want string) {
		t.Helper()
		if err := x.Check(); err != nil {
			t.Fatal(err)
		}
		if x.String() != want {
			t.Fatalf("got %s, want %s", x, want)
		}
	}
	x.Split(1, []int{4, 1})
	step("0~2 > 1~4 > 3")
	x.Merge(0)
	step("0~1~2~4 > 3")
	if slot := x.Lift(3); slot != 2 {
		t.Errorf("3 came from slot %d, want the gap 2 below the one block left", slot)
	}
	step("0~1~2~4 (3 lifted)")
	x.Insert(0)
	step("3 > 0~1~2~4")
	if slot := x.Lift(2); slot != 3 {
		t.Errorf("2 came from slot %d, want block 1, slot 3", slot)
	}
	x.Insert(1)
	step("2~3 > 0~1~4")
	x.Lift(0)
	x.Insert(4)
	step("2~3 > 1~4 > 0")
}

// Lift reports the slot that undoes it, for every item of every partition.
func TestInsertUndoesLift(t *testing.T) {
	for n := 1; n <= 5; n++ {
		for x := range partition.All(n) {
			before := x.Clone()
			for item := range n {
				y := before.Clone()
				slot := y.Lift(item)
				if y.Lifted() != item {
					t.Fatalf("lifted %d, holds %d", item, y.Lifted())
				}
				y.Insert(slot)
				if err := y.Check(); err != nil {
					t.Fatal(err)
				}
				if !y.Equal(before) {
					t.Fatalf("%s: lift of %d and insert into slot %d gave %s", before, item, slot, y)
				}
			}
		}
	}
}

// The slots of an item lead to different partitions, 2T+1 of them.
func TestSlotsAreAllDifferent(t *testing.T) {
	for x := range partition.All(4) {
		y := x.Clone()
		y.Lift(2)
		slots := 2*y.Len() + 1
		reached := map[string]bool{}
		for slot := range slots {
			z := y.Clone()
			z.Insert(slot)
			reached[z.String()] = true
		}
		if len(reached) != slots {
			t.Errorf("%s: %d slots lead to %d partitions", y, slots, len(reached))
		}
	}
}

func TestAllListsEachOnce(t *testing.T) {
	for n := 1; n <= 7; n++ {
		seen := map[string]bool{}
		for x := range partition.All(n) {
			if err := x.Check(); err != nil {
				t.Fatal(err)
			}
			seen[x.String()] = true
		}
		if want := partition.Fubini(n).Int64(); int64(len(seen)) != want {
			t.Errorf("n = %d: %d different partitions, Fubini says %d", n, len(seen), want)
		}
	}
	listed := 0
	for range partition.All(5) { // stopping early is allowed
		if listed++; listed == 3 {
			break
		}
	}
	if listed != 3 {
		t.Errorf("stopped after %d of 3", listed)
	}
}

func TestBadBlocksAreRefused(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"", "not an item number"},
		{"0 > ", "not an item number"},
		{"0 > > 1", "not an item number"},
		{"0~0", "two places"},
		{"0 > 2", "numbered 0 to 1"},
		{"-1 > 0", "numbered 0 to 1"},
		{"0 > x", `"x"`},
		{"0 > 99999999999999999999", "not an item number"},
	} {
		if x, err := partition.Parse(c.text); err == nil {
			t.Errorf("%q was read as %s", c.text, x)
		} else if !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v; expected it to say %q", c.text, err, c.says)
		}
	}
	for _, blocks := range [][][]int{nil, {}, {{}}, {{0}, {}}} {
		if x, err := partition.FromBlocks(blocks); err == nil {
			t.Errorf("%v was taken as %s", blocks, x)
		}
	}
}

func TestBrokenPromisesPanic(t *testing.T) {
	for name, broken := range map[string]func(x *partition.Partition){
		"split leaves nothing below":    func(x *partition.Partition) { x.Split(0, []int{0, 2}) },
		"split leaves nothing above":    func(x *partition.Partition) { x.Split(0, nil) },
		"split names a stranger":        func(x *partition.Partition) { x.Split(0, []int{1}) },
		"split names an item twice":     func(x *partition.Partition) { x.Split(0, []int{0, 0}) },
		"merge has no partner":          func(x *partition.Partition) { x.Merge(1) },
		"two lifts":                     func(x *partition.Partition) { x.Lift(0); x.Lift(1) },
		"insert without lift":           func(x *partition.Partition) { x.Insert(0) },
		"insert beyond the last slot":   func(x *partition.Partition) { x.Lift(0); x.Insert(5) },
		"block of a lifted item":        func(x *partition.Partition) { x.Lift(0); x.BlockOf(0) },
		"copy between different sizes":  func(x *partition.Partition) { x.CopyFrom(partition.OneBlock(2)) },
		"distance over different sizes": func(x *partition.Partition) { partition.Distance(x, partition.OneBlock(2)) },
		"no items at all":               func(*partition.Partition) { partition.OneBlock(0) },
		"too many to list":              func(*partition.Partition) { partition.All(13) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.HasPrefix(said, "partition:") {
					t.Errorf("expected a panic of this package, got %s", said)
				}
			}()
			broken(parse(t, "0~2 > 1"))
		})
	}
}

func TestJSONRoundTrip(t *testing.T) {
	for x := range partition.All(4) {
		data, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		var y partition.Partition
		if err := json.Unmarshal(data, &y); err != nil {
			t.Fatal(err)
		}
		if !y.Equal(x) {
			t.Fatalf("%s came back from %s as %s", x, data, &y)
		}
		if !parse(t, x.String()).Equal(x) {
			t.Fatalf("%s does not parse to itself", x)
		}
	}
	var y partition.Partition
	for _, bad := range []string{`[]`, `[[0],[0]]`, `[[0],[]]`, `{"a":1}`, `[[0.5]]`} {
		if err := json.Unmarshal([]byte(bad), &y); err == nil {
			t.Errorf("%s was read as %s", bad, &y)
		}
	}
	lifted := parse(t, "0 > 1")
	lifted.Lift(0)
	if data, err := json.Marshal(lifted); err == nil {
		t.Errorf("a partition with an item in the air was written as %s", data)
	}
}

func TestMovesDoNotAllocate(t *testing.T) {
	x := partition.OneBlock(20)
	y := x.Clone()
	u := partition.NewUniform(20)
	r := rng.Stream(1, "allocations")
	upper := []int{3, 7, 9}
	allocations := testing.AllocsPerRun(1000, func() {
		u.Draw(r, x)
		y.CopyFrom(x)
		slot := x.Lift(5)
		x.Insert(slot)
		for x.Len() > 1 {
			x.Merge(0)
		}
		x.Split(0, upper)
		for item := range 20 { // all the way to singletons
			x.Lift(item)
			x.Insert(0)
		}
	})
	if allocations != 0 {
		t.Errorf("%g allocations in split, merge, lift, insert, copy and uniform draw", allocations)
	}
}

func ExamplePartition() {
	x, _ := partition.FromBlocks([][]int{{0, 2}, {1, 3}})
	fmt.Println(x)
	x.Split(1, []int{3})
	fmt.Println(x)
	x.Lift(0)
	x.Insert(4) // the gap between the second and the third block
	fmt.Println(x)
	// Output:
	// 0~2 > 1~3
	// 0~2 > 3 > 1
	// 2 > 3 > 0 > 1
}

func ExampleFromLevels() {
	stars := []int{3, 5, 3, 1}
	x, _ := partition.FromLevels(stars)
	fmt.Println(x, x.Levels(), x.Scores(make([]float64, 4)))
	// Output: 1 > 0~2 > 3 [2 3 2 1] [1.5 3 1.5 0]
}

func ExampleFubini() {
	for n := range 7 {
		fmt.Print(partition.Fubini(n), " ")
	}
	fmt.Println(partition.Fubini(10))
	// Output: 1 1 3 13 75 541 4683 102247563
}

// A partition that is overwritten with fewer items, or with as many as it once had, takes no memory, and is as good as new.
func TestReset(t *testing.T) {
	x := partition.OneBlock(9)
	x.SetRanks([]int{0, 1, 2, 3, 4, 5, 6, 7, 8})
	for _, n := range []int{3, 9, 1, 9} {
		if allocated := testing.AllocsPerRun(1, func() { x.Reset(n) }); allocated != 0 || x.String() != partition.OneBlock(n).String() || x.N() != n {
			t.Errorf("%d items: %v, %g allocations", n, x, allocated)
		}
	}
	x.Reset(12)
	x.SetRanks([]int{3, 2, 1, 0, 3, 2, 1, 0, 4, 5, 6, 7})
	if err := x.Check(); err != nil || x.N() != 12 || x.Len() != 8 {
		t.Errorf("%v: %v", x, err)
	}
}
