// Package peak measures what programs take: time, and the most memory that a process had at once, in MB of 1e6 bytes.
package peak

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

// Cost is what a run of a program took.
type Cost struct {
	Seconds, Core float64 // on the clock, and of processors
	Memory        float64 // the most that it had at once, in MB
}

// Run runs a command to its end.
func Run(cmd *exec.Cmd) (Cost, error) {
	forget()
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return Cost{}, fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	used := cmd.ProcessState
	return Cost{time.Since(start).Seconds(), (used.UserTime() + used.SystemTime()).Seconds(), of(used)}, nil
}

// Version asks a build of the program for its version.
func Version(program string) (string, error) {
	var about struct {
		Version string `json:"version"`
	}
	out, err := exec.Command(program, "version", "--format", "json").Output()
	if err == nil {
		err = json.Unmarshal(out, &about)
	}
	return about.Version, err
}

// of is the most memory of a process that has ended; 0 if the system does not have it. On Linux it is not below what this process had at
// its own peak when it started the other: hence forget.
func of(ended *os.ProcessState) float64 {
	used, ok := ended.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return float64(used.Maxrss) / 1e6
	}
	return float64(used.Maxrss) * 1024 / 1e6
}

// forget gives back memory that this process does not use, and makes what it has now its peak, on Linux.
func forget() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // elsewhere there is no such file
}

// Own returns the most memory of this process, on Linux; 0 elsewhere.
func Own() float64 { return Of(os.Getpid()) }

// Of returns the most memory that a running process has had, on Linux; 0 elsewhere.
func Of(pid int) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
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
