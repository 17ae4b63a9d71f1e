package cli

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"fubini/app/exit"
	"fubini/cmd/fubini/terminal"
	"fubini/core/parallel"
)

// Destination is a file that a command writes, and the flag that names it in messages. The path - is stdout.
type Destination struct {
	Flag, Path  string
	Stdout      io.Writer
	Permissions fs.FileMode // of a new file, before the umask; 0 means 0666
	Escapes     bool        // the text has escape sequences of our own, for a terminal
}

// Results is the destination of --output.
func (p *Program) Results() Destination {
	return Destination{Flag: "--output", Path: p.Output, Stdout: p.Stdout}
}

// Private is the destination of --output for secrets: only its owner can read a new file.
func (p *Program) Private() Destination {
	to := p.Results()
	to.Permissions = 0o600
	return to
}

// Deliver calls write with the stream of the results: stdout, or the file of --output.
func (p *Program) Deliver(write func(w *bufio.Writer) error) error {
	return p.Results().Deliver(write)
}

// Deliver opens the destination and calls write with it. A file appears complete or not at all.
func (d Destination) Deliver(write func(w *bufio.Writer) error) error {
	if d.Path == "-" {
		if terminal.IsTerminal(d.Stdout) && !d.Escapes {
			return Through(&terminal.Printable{To: d.Stdout}, write)
		}
		return Through(d.Stdout, write)
	}
	target := Followed(d.Path)
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return d.replace(target, nil, write)
	case err != nil:
		return d.Failed(err)
	case info.IsDir():
		return exit.Usagef("%s: %s is a folder, not a file", d.Flag, d.Path)
	case info.Mode().IsRegular():
		return d.replace(target, info, write)
	}
	file, err := os.OpenFile(target, os.O_WRONLY, 0) // a device or a pipe, which must not be replaced
	if err != nil {
		return d.Failed(err)
	}
	return errors.Join(Through(file, write), file.Close())
}

// Followed returns a path with symbolic links resolved, because a rename would replace the link itself.
func Followed(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	return path
}

// Through calls write with a buffer and flushes it even after an error, so that a stream ends with a whole line.
func Through(to io.Writer, write func(w *bufio.Writer) error) error {
	w := bufio.NewWriterSize(to, 1<<16)
	err := write(w)
	return cmp.Or(err, w.Flush())
}

// temporary makes a file in a folder, which os.CreateTemp would keep from all but its owner.
func temporary(folder string, permissions fs.FileMode) (*os.File, error) {
	path := filepath.Join(folder, fmt.Sprintf(".fubini-%016x.tmp", rand.Uint64()))
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, cmp.Or(permissions, 0o666))
}

// replace writes a temporary file beside the target and renames it once it is complete and on the disk. It has the
// permissions of the old file, if there is one.
func (d Destination) replace(target string, old fs.FileInfo, write func(w *bufio.Writer) error) error {
	file, err := temporary(filepath.Dir(target), d.Permissions)
	if err != nil {
		return d.Failed(err)
	}
	defer func() { // also when write panics; once all went well neither does anything
		file.Close()
		os.Remove(file.Name())
	}()
	if old != nil {
		if err := file.Chmod(old.Mode().Perm()); err != nil {
			return d.Failed(err)
		}
	}
	if err := Through(file, write); err != nil {
		return err
	}
	if err := cmp.Or(file.Sync(), file.Close()); err != nil {
		return d.Failed(err)
	}
	if err := os.Rename(file.Name(), target); err != nil {
		return d.Failed(err)
	}
	return nil
}

// Failed is the error of a file that cannot be written: it names the flag and the path that the user gave.
func (d Destination) Failed(err error) error {
	failed := fmt.Errorf("%s: %s: %w", d.Flag, d.Path, cmp.Or(errors.Unwrap(err), err))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w; make the folder %s first, or name another", failed, filepath.Dir(d.Path))
	}
	return failed
}

// Tell writes a line to stderr for the person who started the command, unless --quiet was given.
func (p *Program) Tell(format string, args ...any) {
	if p.Quiet {
		return
	}
	for line := range strings.SplitSeq(exit.Printable(fmt.Sprintf(format, args...)), "\n") {
		if terminal.IsTerminal(p.Stderr) && utf8.RuneCountInString(line) > HelpWidth {
			line = Folded(line, 0)
		}
		fmt.Fprintln(p.Stderr, line)
	}
}

// ProgressTo is the stream for progress: nil with --quiet.
func (p *Program) ProgressTo() io.Writer {
	if p.Quiet {
		return nil
	}
	return p.Stderr
}

// Bar starts to show progress towards a total.
func (p *Program) Bar(what string, total int) *terminal.Progress {
	return terminal.NewProgress(p.ProgressTo(), what, total)
}

// Follow is Bar for commands that write results meanwhile: it shows nothing if they appear on the same terminal.
func (p *Program) Follow(what string, total int) *terminal.Progress {
	if p.Output == "-" && terminal.IsTerminal(p.Stderr) && terminal.IsTerminal(p.Stdout) {
		return terminal.NewProgress(nil, what, total)
	}
	return p.Bar(what, total)
}

// Colours reports whether results may have colours: on a terminal, unless
// NO_COLOR is set (https://no-color.org) or the terminal has none.
func (p *Program) Colours() bool {
	return p.Output == "-" && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && terminal.IsTerminal(p.Stdout)
}

// Await runs work that cannot be interrupted, and returns its result, or the context's error once the context ends.
func Await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	r, err := parallel.Await(ctx, func() (r result) {
		defer catch(&r.err)
		r.value, r.err = work()
		return r
	})
	return r.value, cmp.Or(err, r.err)
}

// Checksum is the SHA-256 of a file, in hexadecimal digits.
func Checksum(ctx context.Context, path string) (string, error) {
	file, err := os.Open(filepath.Clean(path))
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, Interruptible(ctx, file)); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Interruptible returns a reader that fails once the context has ended.
func Interruptible(ctx context.Context, from io.Reader) io.Reader {
	return ReaderFunc(func(p []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return from.Read(p)
	})
}

// ReaderFunc is a function that implements [io.Reader].
type ReaderFunc func(p []byte) (int, error)

// Read implements [io.Reader].
func (read ReaderFunc) Read(p []byte) (int, error) { return read(p) }
