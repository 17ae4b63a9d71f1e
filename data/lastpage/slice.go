//go:build unix

package lastpage

import (
	"syscall"
	"testing"
	"unsafe"
)

// Slice returns n numbers, all 0, behind the last of which memory ends. They last as long as the test.
func Slice[T uint8 | uint16 | uint32 | uint64 | float32](t testing.TB, n int) []T {
	t.Helper()
	page, size := syscall.Getpagesize(), n*int(unsafe.Sizeof(T(0)))
	whole := (size/page + 1) * page // one at least, so that the first byte is there for none
	memory, err := syscall.Mmap(-1, 0, whole+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(memory); err != nil {
			t.Error(err)
		}
	})
	if err := syscall.Mprotect(memory[whole:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&memory[whole-size])), n)
}
