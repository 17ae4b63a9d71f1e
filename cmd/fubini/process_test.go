package main

import (
	"os/exec"
	"testing"

	"fubini/app/servertest"
)

// process is `fubini serve` in a process of its own.
type process struct {
	*exec.Cmd
	URL string
	Log *servertest.Log
}

// startServe runs `fubini serve` with JSON as its log until the test ends, or it does, and waits until it serves.
func startServe(t testing.TB, args ...string) *process {
	t.Helper()
	args = append([]string{"serve", "--addr", "127.0.0.1:0", "--log", "json"}, args...)
	c := &process{Cmd: exec.CommandContext(t.Context(), "fubini", args...), Log: &servertest.Log{}}
	c.Stderr = c.Log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill() // it may have ended
		_ = c.Wait()
	})
	c.URL = addressIn(t, c.Log)
	return c
}

// addressIn waits until a program tells where it serves.
func addressIn(t testing.TB, log *servertest.Log) string {
	t.Helper()
	return log.Await(t, `(http://127\.0\.0\.1:\d+) serves`)
}
