package rowsort

import "testing"

func TestAscend(t *testing.T) {
	for n := range 14 {
		for at := range n {
			items := make([]uint32, n)
			for k := range items {
				items[k] = uint32(k) * 4000
			}
			if !ascend(items) {
				t.Fatal(items)
			}
			if at == 0 {
				continue
			}
			for _, wrong := range []uint32{items[at-1], 0} {
				items[at] = wrong
				if ascend(items) {
					t.Error(items)
				}
			}
		}
	}
	if !ascend([]uint32{0, 65535}) || ascend([]uint32{65535, 0}) {
		t.Error("the ends")
	}
}
