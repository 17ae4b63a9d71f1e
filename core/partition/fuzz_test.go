package partition_test

import (
	"slices"
	"testing"

	"fubini/core/partition"
)

func FuzzParse(f *testing.F) {
	for _, text := range []string{"0", "0~2 > 1", "3>2>1>0", "", "0 > > 1", "0~0", " 1 ~ 0 ", "-1", "0>1e3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := partition.Parse(text)
		if err != nil {
			return
		}
		if err := x.Check(); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		y, err := partition.Parse(x.String())
		if err != nil || !y.Equal(x) || y.String() != x.String() {
			t.Fatalf("%q is %s, which reads back as %v (%v)", text, x, y, err)
		}
	})
}

// naive is an ordered partition as slices of slices, edited the plain way.
type naive [][]int

func (b naive) find(item int) int {
	return slices.IndexFunc(b, func(block []int) bool { return slices.Contains(block, item) })
}

func (b naive) split(t int, upper []int) naive {
	var lower []int
	for _, item := range b[t] {
		if !slices.Contains(upper, item) {
			lower = append(lower, item)
		}
	}
	return slices.Concat(b[:t], naive{slices.Clone(upper), lower}, b[t+1:])
}

func (b naive) merge(t int) naive {
	return slices.Concat(b[:t], naive{slices.Concat(b[t], b[t+1])}, b[t+2:])
}

func (b naive) lift(item int) naive {
	t := b.find(item)
	rest := slices.DeleteFunc(slices.Clone(b[t]), func(i int) bool { return i == item })
	if len(rest) == 0 {
		return slices.Concat(b[:t], b[t+1:])
	}
	return slices.Concat(b[:t], naive{rest}, b[t+1:])
}

func (b naive) insert(item, slot int) naive {
	t := slot / 2
	if slot%2 == 0 {
		return slices.Concat(b[:t], naive{{item}}, b[t:])
	}
	return slices.Concat(b[:t], naive{append(slices.Clone(b[t]), item)}, b[t+1:])
}

func (b naive) blocks() [][]int {
	out := make([][]int, len(b))
	for t := range b {
		out[t] = slices.Sorted(slices.Values(b[t]))
	}
	return out
}

// FuzzMoves plays a sequence of edits, three bytes each, on a Partition and on
// the naive model, and compares all that can be seen after every one.
func FuzzMoves(f *testing.F) {
	f.Add(uint8(4), []byte{0, 0, 5, 2, 3, 0, 1, 0, 0, 0, 1, 1, 2, 0, 9})
	f.Add(uint8(1), []byte{2, 0, 0, 0, 0, 0, 1, 1, 1})
	f.Add(uint8(12), []byte{0, 0, 85, 0, 1, 3, 2, 7, 4, 1, 0, 0, 2, 9, 250, 0, 2, 1})
	f.Fuzz(func(t *testing.T, size uint8, script []byte) {
		n := int(size)%12 + 1
		x := partition.OneBlock(n)
		model := naive{make([]int, n)}
		for i := range n {
			model[0][i] = i
		}
		for ; len(script) >= 3; script = script[3:] {
			a, b := int(script[1]), int(script[2])
			switch script[0] % 3 {
			case 0: // split: b says which items of block a go up
				block := a % len(model)
				var upper []int
				for k, item := range model[block] {
					if b>>(k%8)&1 == 1 {
						upper = append(upper, item)
					}
				}
				if len(upper) == 0 || len(upper) == len(model[block]) {
					continue
				}
				x.Split(block, upper)
				model = model.split(block, upper)
			case 1: // merge
				if len(model) < 2 {
					continue
				}
				block := a % (len(model) - 1)
				x.Merge(block)
				model = model.merge(block)
			case 2: // lift and insert
				item := a % n
				from := model.find(item)
				model = model.lift(item)
				wantSlot := 2 * from
				if from < len(model) && x.Size(from) > 1 {
					wantSlot++
				}
				if slot := x.Lift(item); slot != wantSlot {
					t.Fatalf("item %d lifted from slot %d, want %d", item, slot, wantSlot)
				}
				if err := x.Check(); err != nil {
					t.Fatal(err)
				}
				compare(t, x, model)
				slot := b % (2*len(model) + 1)
				x.Insert(slot)
				model = model.insert(item, slot)
			}
			if err := x.Check(); err != nil {
				t.Fatal(err)
			}
			compare(t, x, model)
		}
	})
}

func compare(t *testing.T, x *partition.Partition, model naive) {
	t.Helper()
	if !slices.EqualFunc(x.Blocks(), model.blocks(), slices.Equal) {
		t.Fatalf("partition %v, naive model %v", x.Blocks(), model.blocks())
	}
	tied, below := 0, 0
	for k := len(model) - 1; k >= 0; k-- {
		if x.Below(k) != below || x.Size(k) != len(model[k]) {
			t.Fatalf("block %d of %s: %d below and %d inside, naive model %d and %d", k, x, x.Below(k), x.Size(k), below, len(model[k]))
		}
		tied += len(model[k]) * (len(model[k]) - 1) / 2
		below += len(model[k])
		for _, item := range model[k] {
			if x.BlockOf(item) != k {
				t.Fatalf("item %d of %s is in block %d, naive model %d", item, x, x.BlockOf(item), k)
			}
		}
	}
	if x.TiedPairs() != tied {
		t.Fatalf("%s: %d tied pairs, naive model %d", x, x.TiedPairs(), tied)
	}
}
