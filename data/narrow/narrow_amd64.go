//go:build amd64 && !purego

package narrow

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

var fast = cpu.X86.HasAVX512F

// first copies the first numbers of a list, and returns how many: the most that are a multiple of sixteen, where the processor can and sizes are those of items
// and of ratings.
func first[S, L Number](to []S, from []L) int {
	n := min(len(to), len(from)) &^ 15
	if n == 0 || !fast || unsafe.Sizeof(from[0]) != 4 {
		return 0
	}
	begin := (*uint32)(unsafe.Pointer(&from[0]))
	switch unsafe.Sizeof(to[0]) {
	case 1:
		toBytes((*uint8)(unsafe.Pointer(&to[0])), begin, n)
	case 2:
		toWords((*uint16)(unsafe.Pointer(&to[0])), begin, n)
	default:
		return 0
	}
	return n
}

// toWords copies numbers without their upper halves, a positive multiple of sixteen.
//
//go:noescape
func toWords(to *uint16, from *uint32, count int)

// toBytes copies the lowest bytes of numbers, a positive multiple of sixteen.
//
//go:noescape
func toBytes(to *uint8, from *uint32, count int)
