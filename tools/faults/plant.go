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
	by      string // the test that failed, or how the run ended; for a broken fault what the compiler said
	seconds float64
}

// memory is the most that tests with a fault may take, in KiB: a loop that never ends shall not take the machine down.
const memory = 8 << 20

// try plants a fault (none where put is nil) and runs the tests of a package.
// The error is that the attempt itself went wrong: it says nothing about the fault.
func try(ctx context.Context, tests *folder, at *place, put string, limit time.Duration) (verdict, error) {
	if !tests.tested {
		return verdict{outcome: survived, by: "no tests"}, nil
	}
	work, err := os.MkdirTemp("", "faults")
	if err != nil {
		return verdict{}, err
	}
	defer os.RemoveAll(work)
	environment, err := overlay(work, at, put)
	if err != nil {
		return verdict{}, err
	}
	binary := filepath.Join(work, "package.test")
	compile := process(ctx, tests.module, environment, "go", "test", "-c", "-vet=off", "-o", binary, tests.pattern())
	if out, err := compile.CombinedOutput(); ctx.Err() != nil {
		return verdict{}, ctx.Err()
	} else if err != nil {
		return verdict{outcome: broken, by: strings.TrimSpace(string(out))}, nil
	}

	// The test's own limit comes first; the outer one is for a program that does not even heed that.
	inner, cancel := context.WithTimeout(ctx, limit+time.Minute)
	defer cancel()
	run := process(inner, tests.dir, environment, "sh", "-c", fmt.Sprintf(`ulimit -d %d; exec "$@"`, memory), "sh",
		binary, "-test.failfast", "-test.count=1", "-test.timeout="+limit.String())
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
