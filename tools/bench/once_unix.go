//go:build unix

package main

import "syscall"

// coreSeconds is what this process has taken so far.
func coreSeconds() (seconds float64, ok bool) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, false
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9, true
}
