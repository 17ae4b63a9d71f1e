//go:build unix

package lastpage

import (
	"runtime/debug"
	"testing"
	"unsafe"
)

// The last number can be read and written, and what is behind it cannot.
func TestSlice(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for _, n := range []int{0, 1, 3, 1024, 1025, 5000} {
		list := Slice[uint32](t, n)
		if len(list) != n {
			t.Fatalf("%d numbers, want %d", len(list), n)
		}
		for k := range list {
			list[k]++
		}
		if !faults(unsafe.Add(unsafe.Pointer(unsafe.SliceData(list)), 4*n)) {
			t.Errorf("behind %d numbers there is memory", n)
		}
	}
}

func faults(at unsafe.Pointer) (fault bool) {
	defer func() { fault = recover() != nil }()
	*(*byte)(at)++
	return
}
