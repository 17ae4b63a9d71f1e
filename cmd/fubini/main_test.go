package main

import (
	"errors"
	"flag"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"fubini": main})
}

// update rewrites the expected outputs: go test ./cmd/fubini -run TestScripts -update
var update = flag.Bool("update", false, "rewrite the expected outputs in testdata/script")

// skipIfShort leaves out where time is short what starts no goroutine of this package:
// what it calls is under the race detector in its own package. Scripts say so by
// [short] skip.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("no goroutines of its own")
	}
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", "atexit_sleep_ms=0") // otherwise each of 200 commands waits a second for stragglers
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":     exits,
			"bad":       bad,
			"explained": explained,
		},
	})
}

// exits runs a command that must end with an exit code: exits 1 fubini ...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	if failure := (*exec.ExitError)(nil); errors.As(err, &failure) {
		got = failure.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// bad runs a command that must be refused as wrong usage, with one line on
// stderr and nothing on stdout.
func bad(ts *testscript.TestScript, neg bool, args []string) {
	exits(ts, neg, append([]string{"2"}, args...))
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("wrong usage, and yet stdout has %q", out)
	}
	line, rest, whole := strings.Cut(ts.ReadFile("stderr"), "\n")
	if !strings.HasPrefix(line, "fubini: ") || !whole || rest != "" {
		ts.Fatalf("not one line that begins with the program's name")
	}
}
