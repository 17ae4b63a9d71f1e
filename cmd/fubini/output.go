package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"fubini/app/exit"
)

// destination is a file that a command writes, and the flag that names it in
// messages. The path - is stdout.
type destination struct {
	flag, path  string
	stdout      io.Writer
	permissions fs.FileMode // of a new file, before the umask; 0 means 0666
	escapes     bool        // the text has escape sequences of our own, for a terminal
}

// results is the destination of --output.
func (p *program) results() destination {
	return destination{flag: "--output", path: p.output, stdout: p.stdout}
}

// deliver hands the place for the results, stdout or the file of --output, to write.
func (p *program) deliver(write func(w *bufio.Writer) error) error {
	return p.results().deliver(write)
}

// deliver opens the destination and hands it to write. A file appears complete or not
// at all.
func (d destination) deliver(write func(w *bufio.Writer) error) error {
	if d.path == "-" {
		if isTerminal(d.stdout) && !d.escapes {
			return through(&printable{to: d.stdout}, write)
		}
		return through(d.stdout, write)
	}
	target := d.target()
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return d.replace(target, nil, write)
	case err != nil:
		return d.failed(err)
	case info.IsDir():
		return exit.Usagef("%s: %s is a folder, not a file", d.flag, d.path)
	case !info.Mode().IsRegular(): // a device or a pipe, which must not be replaced
		file, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return d.failed(err)
		}
		return errors.Join(through(file, write), file.Close())
	}
	return d.replace(target, info, write)
}

// target is the path with links followed: a rename would replace the link, not what it
// points to.
func (d destination) target() string {
	if resolved, err := filepath.EvalSymlinks(d.path); err == nil {
		return resolved
	}
	return d.path
}

// through writes by way of a buffer and empties it even after an error, so
// that an interrupted stream ends with a whole line.
func through(to io.Writer, write func(w *bufio.Writer) error) error {
	w := bufio.NewWriterSize(to, 1<<16)
	err := write(w)
	if flushed := w.Flush(); err == nil {
		err = flushed
	}
	return err
}

// temporary makes a file in a folder. Not by os.CreateTemp, which would keep it from
// all but its owner.
func temporary(folder string, permissions fs.FileMode) (*os.File, error) {
	path := filepath.Join(folder, fmt.Sprintf(".fubini-%016x.tmp", rand.Uint64()))
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, cmp.Or(permissions, 0o666))
}

// replace writes a temporary file beside the target and renames it once it is
// complete and on the disk. The file that is there already, if any, lends it
// its permissions.
func (d destination) replace(target string, old fs.FileInfo, write func(w *bufio.Writer) error) error {
	file, err := temporary(filepath.Dir(target), d.permissions)
	if err != nil {
		return d.failed(err)
	}
	complete := false
	defer func() {
		if !complete { // also when write panics
			file.Close()
			os.Remove(file.Name())
		}
	}()
	if old != nil {
		if err := file.Chmod(old.Mode().Perm()); err != nil {
			return d.failed(err)
		}
	}
	if err := through(file, write); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return d.failed(err)
	}
	if err := file.Close(); err != nil {
		return d.failed(err)
	}
	if err := os.Rename(file.Name(), target); err != nil {
		return d.failed(err)
	}
	complete = true
	return nil
}

// failed names the flag and the file the user asked for, not the temporary one.
func (d destination) failed(err error) error {
	if failure := (*fs.PathError)(nil); errors.As(err, &failure) {
		err = failure.Err
	}
	if failure := (*os.LinkError)(nil); errors.As(err, &failure) {
		err = failure.Err
	}
	return fmt.Errorf("%s: %s: %w", d.flag, d.path, err)
}

// await runs work that cannot be interrupted and returns when it is done or
// the program is to end, whichever comes first.
func await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if fault := recover(); fault != nil && os.Getenv("FUBINI_TRACE") == "" {
				r.err = faultError(fault)
			} else if fault != nil {
				panic(fault)
			}
			done <- r
		}()
		r.value, r.err = work()
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// interruptible is a reader that ends with its context.
type interruptible struct {
	ctx context.Context
	io.Reader
}

// Read implements [io.Reader].
func (r interruptible) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}
