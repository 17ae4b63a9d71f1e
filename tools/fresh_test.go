// Package tools holds commands for work on the repository; what can be tested of its scripts in a moment is tested here.
package tools

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fresh runs tools/fresh, with Debian's tools hidden so that a mistake here makes no Debian.
func fresh(t *testing.T, arguments ...string) (said string, code int) {
	t.Helper()
	command := exec.Command("./fresh", arguments...)
	hidden := t.TempDir()
	for _, name := range []string{"bash", "env", "ls", "cat", "dirname"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(hidden, name)); err != nil {
			t.Fatal(err)
		}
	}
	command.Env = append(os.Environ(), "PATH="+hidden)
	out, err := command.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), command.ProcessState.ExitCode()
}

func TestFreshRefusesWrongUsage(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		arguments []string
		want      string
	}{
		{[]string{"--no-such"}, "unknown argument --no-such"},
		{[]string{"--command", "all"}, "all is not one of demo, test, both"},
		{[]string{"--command"}, "--command needs a value"},
		{[]string{"--root", full}, "is not an empty folder"},
		{[]string{"--root", filepath.Join(full, "mine")}, "is not an empty folder"},
	} {
		if said, code := fresh(t, c.arguments...); code != 2 || !strings.Contains(said, c.want) {
			t.Errorf("%v: exit code %d, %q; want 2 and %q", c.arguments, code, said, c.want)
		}
	}
	if _, err := os.Stat(filepath.Join(full, "mine")); err != nil {
		t.Errorf("a folder that was refused has changed: %v", err)
	}
}

func TestFreshSaysWhatIsMissing(t *testing.T) {
	if said, code := fresh(t); code != 1 || !strings.Contains(said, "is missing") {
		t.Errorf("exit code %d, %q", code, said)
	}
}

func TestFreshHelp(t *testing.T) {
	said, code := fresh(t, "--help")
	if code != 0 {
		t.Errorf("exit code %d: %s", code, said)
	}
	for _, option := range []string{"--command", "--user", "--share-modules", "--keep", "--root", "--release", "--mirror"} {
		if !strings.Contains(said, option) {
			t.Errorf("the help does not name %s", option)
		}
	}
}
