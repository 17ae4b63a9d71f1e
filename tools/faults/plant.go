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
type outcome string

const (
	killed   outcome = "killed"
	survived outcome = "survived"
	broken   outcome = "broken" // it cannot be placed, or does not compile
)

// verdict is what one run of tests said.
type verdict struct {
	outcome outcome
	by      string // the test that failed, or how the run ended
	seconds float64
}

// memory is the most that tests with a fault may take, in KiB: a loop that never ends shall not take the machine down.
const memory = 8 << 20

// trial is the compiled tests of a package, with a fault or without.
type trial struct {
	tests       *folder
	work        string
	environment []string
}

// compile plants a fault (none where at is nil) and compiles the tests of a package; what the compiler says against
// the fault is the complaint. The error is that the attempt itself went wrong: it says nothing about the fault.
func compile(ctx context.Context, tests *folder, at *place, put string) (_ *trial, complaint string, err error) {
	work, err := os.MkdirTemp("", "faults")
	if err != nil {
		return nil, "", err
	}
	t := &trial{tests: tests, work: work}
	if t.environment, err = overlay(work, at, put); err != nil {
		return nil, "", errors.Join(err, t.Close())
	}
	out, err := process(ctx, tests.module, t.environment, "go", "test", "-c", "-vet=off", "-o", t.binary(), tests.pattern()).CombinedOutput()
	if ctx.Err() != nil {
		return nil, "", errors.Join(ctx.Err(), t.Close())
	}
	if err != nil {
		return nil, strings.TrimSpace(string(out)), t.Close()
	}
	return t, "", nil
}

func (t *trial) binary() string { return filepath.Join(t.work, "package.test") }

func (t *trial) Close() error { return os.RemoveAll(t.work) }

// run runs the tests: the quick ones that -short leaves, or all.
func (t *trial) run(ctx context.Context, short bool, limit time.Duration) (verdict, error) {
	// The test's own limit comes first; the outer one is for a program that does not even heed that.
	inner, cancel := context.WithTimeout(ctx, limit+time.Minute)
	defer cancel()
	run := process(inner, t.tests.dir, t.environment, "sh", "-c", fmt.Sprintf(`ulimit -d %d; exec "$@"`, memory), "sh",
		t.binary(), "-test.failfast", "-test.count=1", "-test.timeout="+limit.String(), fmt.Sprintf("-test.short=%t", short))
	start := time.Now()
	out, err := run.CombinedOutput()
	seconds := time.Since(start).Seconds()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return verdict{}, ctx.Err()
	case err == nil:
		return verdict{survived, "", seconds}, nil
	case inner.Err() != nil:
		return verdict{killed, "no end", seconds}, nil
	case errors.As(err, &exit), errors.Is(err, exec.ErrWaitDelay):
		return verdict{killed, cause(string(out)), seconds}, nil
	}
	return verdict{}, err
}

// overlay writes the file with its fault and returns the environment in which go sees it. It goes through GOFLAGS, so
// that tests that call go themselves meet the fault too.
func overlay(work string, at *place, put string) ([]string, error) {
	environment := os.Environ()
	for _, name := range []string{"FUBINI_LONG", "FUBINI_DATA"} { // the measure is a plain ./test
		environment = append(environment, name+"=")
	}
	environment = append(environment, "GOWORK=off")
	if at == nil {
		return environment, nil
	}
	changed := filepath.Join(work, "changed.go")
	if err := os.WriteFile(changed, []byte(at.changed(put)), 0o644); err != nil {
		return nil, err
	}
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {at.file.path: changed}})
	if err != nil {
		return nil, err
	}
	list := filepath.Join(work, "overlay.json")
	if err := os.WriteFile(list, replace, 0o644); err != nil {
		return nil, err
	}
	return append(environment, "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+list)), nil
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
	if all := failed.FindAllStringSubmatch(out, -1); all != nil {
		name := all[0][1]
		for _, m := range all[1:] { // its subtests follow it
			if strings.HasPrefix(m[1], name+"/") {
				name = m[1]
			} else {
				break
			}
		}
		return name
	}
	if m := crashed.FindStringSubmatch(out); m != nil {
		return "panic: " + m[1]
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return "exit: " + lines[len(lines)-1]
}
