package exit_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"fubini/app/exit"
)

// Every way to end has its code and at most one line.
func TestReport(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for _, c := range []struct {
		ctx  context.Context
		err  error
		code int
		line string
	}{
		{t.Context(), nil, 0, ""},
		{t.Context(), fmt.Errorf("rows: %w", &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}), 0, ""},
		{t.Context(), errors.New("the disk\nis full"), exit.Failed, "fubini: the disk is full\n"},
		{t.Context(), exit.Usagef("--n: %q is no number", "x"), exit.WrongUsage, "fubini: --n: \"x\" is no number\n"},
		{t.Context(), fmt.Errorf("train: %w", exit.Usage(os.ErrNotExist)), exit.WrongUsage, "fubini: train: file does not exist\n"},
		{ended, fmt.Errorf("epoch 3: %w", context.Canceled), exit.Interrupted, "fubini: interrupted\n"},
		{t.Context(), context.Canceled, exit.Failed, "fubini: context canceled\n"}, // not by the user
	} {
		var stderr bytes.Buffer
		if code := exit.Report(c.ctx, &stderr, "fubini", c.err); code != c.code || stderr.String() != c.line {
			t.Errorf("%v: exit code %d, %q; want %d, %q", c.err, code, stderr.String(), c.code, c.line)
		}
	}
	if err := exit.Usage(os.ErrNotExist); !errors.Is(err, os.ErrNotExist) {
		t.Error("a wrong usage hides its cause")
	}
}

// What comes from files cannot steer a terminal by way of an error.
func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "",
		"Amélie\t🍜\n":         "Amélie\t🍜\n",
		"שלום\u200f":          "שלום\u200f", // marks of direction are part of a text
		"\x1b]0;owned\a":      `\x1b]0;owned\x07`,
		"\r\x7f\u009b2J":      `\r\x7f\x9b2J`,
		"\u202eevil\u2066":    `\u202eevil\u2066`,
		"\xff\x9b \ufffd end": `\xff\x9b ` + "\ufffd end",
	} {
		if got := exit.Printable(text); got != strings.ReplaceAll(want, `\r`, `\x0d`) {
			t.Errorf("%q shows as %q, want %q", text, got, want)
		}
	}
	var stderr bytes.Buffer
	exit.Report(t.Context(), &stderr, "fubini", errors.New("item \x1b[2J"))
	if got := stderr.String(); got != "fubini: item \\x1b[2J\n" {
		t.Errorf("%q", got)
	}
}
