// Package exit has the exit codes of fubini and fubini-beam, and the one line that each writes when it fails.
package exit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

// Exit codes, part of the contract with scripts.
const (
	Failed      = 1
	WrongUsage  = 2
	Interrupted = 130
)

// usageError is a fault in what the user asked for, as opposed to a failure while doing it.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// Usage marks an error as a fault in the command line, which ends the program with [WrongUsage].
func Usage(err error) error { return usageError{err} }

// Usagef is Usage of a formatted error.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// Report writes the error that a program ended with as one line, and returns the exit code. A reader that closed the pipe
// we write to has seen enough: that is no failure.
func Report(ctx context.Context, stderr io.Writer, program string, err error) int {
	code, text := Failed, ""
	switch usage := (usageError{}); {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return 0
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		code, text = Interrupted, "interrupted"
	case errors.As(err, &usage):
		code, text = WrongUsage, err.Error()
	default:
		text = err.Error()
	}
	fmt.Fprintf(stderr, "%s: %s\n", program, Printable(strings.ReplaceAll(text, "\n", " ")))
	return code
}

// Printable escapes the characters that a terminal would obey: control characters, those that force the direction of
// writing, and bytes that are not UTF-8. Ends of lines and tabs stay.
func Printable(text string) string {
	if !strings.ContainsFunc(text, steers) {
		return text
	}
	var safe strings.Builder
	for at, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[at:], "\uFFFD"):
			fmt.Fprintf(&safe, `\x%02x`, text[at])
		case r == utf8.RuneError:
			safe.WriteRune(r)
		case r > 0xff && steers(r):
			fmt.Fprintf(&safe, `\u%04x`, r)
		case steers(r):
			fmt.Fprintf(&safe, `\x%02x`, r)
		default:
			safe.WriteRune(r)
		}
	}
	return safe.String()
}

// steers reports whether a character does something to a terminal beside being shown. A byte that is not UTF-8 may:
// terminals that take bytes one by one know 0x9b as the beginning of a sequence.
func steers(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' ||
		'\u2028' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069' || r == utf8.RuneError
}
