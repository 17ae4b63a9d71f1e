// Package peak reads the most memory that a process had at once, in MB of 1e6 bytes.
package peak

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
)

// Of returns that of a process that has ended; 0 if the system does not have it. On Linux it is not below what this process had at its own
// peak when it started the other: call Forget before.
func Of(ended *os.ProcessState) float64 {
	used, ok := ended.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return float64(used.Maxrss) / 1e6
	}
	return float64(used.Maxrss) * 1024 / 1e6
}

// Forget gives back memory that this process does not use, and makes what it has now its peak, on Linux.
func Forget() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // elsewhere there is no such file
}

// Own returns that of this process, on Linux; 0 elsewhere.
func Own() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kB float64
	if _, err := fmt.Sscan(rest, &kB); err != nil {
		return 0
	}
	return kB * 1024 / 1e6
}
