//go:build unix

package marks

import (
	"syscall"
	"testing"
)

// Nothing behind the last whole block is read: there memory ends.
func TestFindStaysInside(t *testing.T) {
	page := syscall.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(memory); err != nil {
			t.Error(err)
		}
	})
	for _, outside := range [][]byte{memory[:page], memory[2*page:]} {
		if err := syscall.Mprotect(outside, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	inside := memory[page : 2*page]
	inside[0], inside[page-1] = ',', '\n'
	separators, ends := make([]uint64, page/Block), make([]uint64, page/Block)
	for blocks := 1; blocks <= page/Block; blocks++ {
		Find(inside[:blocks*Block], ',', '"', separators, ends)
		if separators[0] != 1 {
			t.Errorf("%d blocks from the beginning: %x", blocks, separators[0])
		}
		Find(inside[page-blocks*Block:], ',', '"', separators, ends)
		if ends[blocks-1] != 1<<(Block-1) {
			t.Errorf("%d blocks up to the end: %x", blocks, ends[blocks-1])
		}
	}
}
