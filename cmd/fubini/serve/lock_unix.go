//go:build unix

package serve

import (
	"os"
	"syscall"
)

// lockFile locks a file until it is closed, unless another program has it locked.
func lockFile(file *os.File) bool {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
