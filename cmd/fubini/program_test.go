package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
)

// fubini runs the program in this process.
func fubini(t *testing.T, args ...string) (stdout string) {
	t.Helper()
	var out, messages bytes.Buffer
	if code := run(t.Context(), args, strings.NewReader(""), &out, &messages); code != 0 {
		t.Fatalf("fubini %s: exit code %d: %s", strings.Join(args, " "), code, &messages)
	}
	return out.String()
}

func TestInterruptedIs130(t *testing.T) {
	folder := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, command := range [][]string{
		{"sample", "--worths", "0,0,0", "--nu", "0", "-n", "1000000000000"},
		{"sample", "--worths", "0,0,0", "--nu", "0", "-n", "1000000000000", "--kernel", "exact"},
		{"sample", "--worths", "0,0,0", "--nu", "0", "-n", "1000000000000", "--kernel", "split-merge", "--format", "table"},
		{"logz", "--worths", strings.Repeat("0,", 16) + "0", "--nu", "0"}, // a second of work
	} {
		var messages bytes.Buffer
		args := append(command, "-o", filepath.Join(folder, "file"))
		if code := run(ctx, args, nil, io.Discard, &messages); code != exit.Interrupted {
			t.Errorf("%v: exit code %d, want %d", command, code, exit.Interrupted)
		}
		if text := messages.String(); !strings.HasSuffix(text, "fubini: interrupted\n") {
			t.Errorf("%v: stderr has %q", command, text)
		}
		left, err := os.ReadDir(folder)
		if err != nil || len(left) > 0 {
			t.Errorf("%v: left behind %v, %v", command, left, err)
		}
	}
}

// A panic becomes one line and a failure, and no file stays behind.
func TestMistakesOfOurOwnAreOneLine(t *testing.T) {
	t.Setenv("FUBINI_TRACE", "")
	_, err := cli.Await(t.Context(), func() (int, error) { panic("what\nhappened") })
	var messages bytes.Buffer
	p := cli.NewProgram(&messages)
	if code := p.Report(t.Context(), err); code != exit.Failed {
		t.Errorf("exit code %d", code)
	}
	if text := messages.String(); !strings.Contains(text, "what happened") || strings.Count(text, "\n") != 1 {
		t.Errorf("stderr has %q", text)
	}
}

// failing is a stream that breaks after some bytes.
type failing struct {
	left int
	err  error
}

func (f *failing) Write(text []byte) (int, error) {
	if f.left -= len(text); f.left < 0 {
		return 0, f.err
	}
	return len(text), nil
}

func TestBrokenStreams(t *testing.T) {
	args := []string{"sample", "--worths", "0,0,0", "--nu", "0", "-n", "1000000000", "--quiet"}
	for _, c := range []struct {
		err  error
		code int
	}{
		{&os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}, 0},
		{errors.New("disk full"), exit.Failed},
	} {
		if code := run(t.Context(), args, nil, &failing{1 << 20, c.err}, io.Discard); code != c.code {
			t.Errorf("%v: exit code %d, want %d", c.err, code, c.code)
		}
	}
}

// Help pages fit a terminal of 80 columns, and their examples run as they are.
func TestHelpPages(t *testing.T) {
	root := cli.NewRoot(cli.NewProgram(io.Discard), commands)
	pages := append(root.Commands(), root)
	for _, page := range root.Commands() {
		pages = append(pages, page.Commands()...)
	}
	for _, page := range pages {
		args := append(strings.Fields(page.CommandPath())[1:], "--help")
		for line := range strings.Lines(fubini(t, args...)) {
			line = strings.TrimRight(line, "\n")
			if width := utf8.RuneCountInString(line); width > cli.HelpWidth {
				t.Errorf("%v: %d columns: %s", args, width, line)
			}
			if strings.TrimRight(line, " ") != line {
				t.Errorf("%v: spaces at the end of %q", args, line)
			}
		}
		if page.Example == "" {
			t.Errorf("%v: no example", args)
		}
		if testing.Short() { // the examples are those of scripts
			continue
		}
		switch page.CommandPath() {
		case "fubini completion", "fubini demo": // these write into home folders, or run until they are ended
			continue
		case "fubini data", "fubini data info", "fubini data convert", "fubini data split", "fubini data fetch", "fubini evaluate",
			"fubini train", "fubini tune", "fubini fit", "fubini items", "fubini recommend", "fubini explain", "fubini similar", "fubini embed", "fubini reproduce", "fubini reconstruct", "fubini loglik", "fubini model", "fubini model info", "fubini model export", "fubini model catalogue",
			"fubini serve", "fubini db", "fubini db migrate", "fubini db backup", "fubini db restore", "fubini db lists", "fubini db delete", "fubini key", "fubini key add", "fubini key list", "fubini key revoke": // these need data
			continue
		}
		for line := range strings.Lines(page.Example) {
			example, ok := strings.CutPrefix(strings.TrimSpace(line), "fubini ")
			if !ok {
				t.Errorf("%v: %q is not a command", args, line)
			}
			if example == "demo" { // until it is ended: TestDemoServesThePage
				continue
			}
			if fubini(t, strings.Fields(example)...) == "" {
				t.Errorf("%s prints nothing", line)
			}
		}
	}
}
