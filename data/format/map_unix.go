//go:build unix

package format

import (
	"fmt"
	"io/fs"
	"syscall"
)

// mapped returns the bytes of an open file as the system maps them into memory. They stay mapped as long as the program runs,
// because sets and their ids are views of them: what nobody looks at takes no memory.
func mapped(f fs.File, size int64) ([]byte, error) {
	file, ok := f.(interface{ Fd() uintptr })
	if !ok || size <= 0 || int64(int(size)) != size {
		return nil, fmt.Errorf("format: not a file that can be mapped")
	}
	return syscall.Mmap(int(file.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_PRIVATE)
}
