package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// outcome of a fault, or of a package without one.
type outcome = string

const (
	killed    outcome = "killed"
	survived  outcome = "survived"
	explained outcome = "explained" // it survived, and the list says why
	broken    outcome = "broken"    // it cannot be placed, or does not compile
)

// result is what a run found out about a fault.
type result struct {
	Outcome outcome `json:"outcome"`
	By      string  `json:"by,omitempty"` // the test that failed, or how the run ended
	Seconds float64 `json:"seconds"`
}

// memory is the most that tests with a fault may take, in KiB: a loop that never ends shall not take the machine down.
const memory = 8 << 20

// runTests runs the tests of a package in an environment: the quick ones that -short leaves, or all. The error is that the
// attempt itself went wrong: it says nothing about the fault.
func runTests(ctx context.Context, tests *folder, environment []string, short bool, limit time.Duration) (result, error) {
	// The tests' own limit comes first; the outer one is for a program that does not even heed that.
	inner, cancel := context.WithTimeout(ctx, 2*limit+10*time.Minute)
	defer cancel()
	start := time.Now()
	out, err := process(inner, tests.dir, environment, "sh", "-c", fmt.Sprintf(`ulimit -d %d; exec "$@"`, memory), "sh",
		"go", "test", "-vet=off", "-failfast", "-count=1", fmt.Sprintf("-short=%t", short), "-timeout="+limit.String(), ".").CombinedOutput()
	r := result{killed, "no end", time.Since(start).Seconds()}
	switch text := string(out); {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case err == nil:
		r.Outcome, r.By = survived, ""
	case inner.Err() != nil:
	case strings.Contains(text, "[build failed]") || strings.Contains(text, "[setup failed]"):
		r.Outcome, r.By = broken, strings.TrimSpace(text)
	default:
		r.By = cause(text)
	}
	return r, nil
}

// plainEnvironment is the environment of a plain ./test.
func plainEnvironment() []string {
	return append(os.Environ(), "FUBINI_LONG=", "FUBINI_DATA=", "GOWORK=off")
}

// planted writes a file with its fault and hands on the environment in which go sees it. It goes through GOFLAGS, so
// that tests that call go themselves meet the fault too.
func planted(at *place, put string, use func(environment []string) error) error {
	work, err := os.MkdirTemp("", "faults")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	changed, overlay := filepath.Join(work, "changed.go"), filepath.Join(work, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {at.file.path: changed}})
	if err != nil {
		return err
	}
	if err := errors.Join(os.WriteFile(changed, []byte(at.changed(put)), 0o644), os.WriteFile(overlay, replace, 0o644)); err != nil {
		return err
	}
	return use(append(plainEnvironment(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay)))
}

// process is a command that dies with all its children.
func process(ctx context.Context, dir string, environment []string, name string, arguments ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, arguments...)
	c.Dir, c.Env = dir, environment
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = 5 * time.Second
	return c
}

var (
	failed  = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)
	hanging = regexp.MustCompile(`(?m)^panic: test timed out[^\n]*\n(?:\s*running tests:\n\s*(\S+))?`)
	crashed = regexp.MustCompile(`(?m)^(?:panic|fatal error): ([^\n]*)`)
)

// cause is what ended the tests: the innermost first test that failed, the one that hung, or the panic.
func cause(out string) string {
	if m := hanging.FindStringSubmatch(out); m != nil {
		return strings.TrimSpace("time limit " + m[1])
	}
	name := ""
	for _, m := range failed.FindAllStringSubmatch(out, -1) { // its subtests follow a test
		if name != "" && !strings.HasPrefix(m[1], name+"/") {
			break
		}
		name = m[1]
	}
	if name != "" {
		return name
	}
	if m := crashed.FindStringSubmatch(out); m != nil {
		return "panic: " + m[1]
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return "exit: " + lines[len(lines)-1]
}
