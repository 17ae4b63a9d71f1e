//go:build amd64 && !purego

package ratings

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

var fastNarrow = cpu.X86.HasAVX512F

// narrow copies the first numbers of a list to another of as many smaller ones, and returns how many: where the processor can and the sizes are those of
// items and of ratings, the most that are a multiple of sixteen.
func narrow[S, L uint8 | uint16 | uint32 | int64](to []S, from []L) int {
	n := min(len(to), len(from)) &^ 15
	if n == 0 || !fastNarrow || unsafe.Sizeof(from[0]) != 4 {
		return 0
	}
	begin := (*uint32)(unsafe.Pointer(&from[0]))
	switch unsafe.Sizeof(to[0]) {
	case 1:
		narrowToBytes((*uint8)(unsafe.Pointer(&to[0])), begin, n)
	case 2:
		narrowToWords((*uint16)(unsafe.Pointer(&to[0])), begin, n)
	default:
		return 0
	}
	return n
}

// narrowToWords copies numbers without their upper halves, a positive multiple of sixteen.
//
//go:noescape
func narrowToWords(to *uint16, from *uint32, count int)

// narrowToBytes copies the lowest bytes of numbers, a positive multiple of sixteen.
//
//go:noescape
func narrowToBytes(to *uint8, from *uint32, count int)
