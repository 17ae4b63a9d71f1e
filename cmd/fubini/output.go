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

// deliver opens the place for the results, stdout or the file of --output, and
// hands it to write. A file appears complete or not at all.
func (p *program) deliver(write func(w *bufio.Writer) error) error {
	if p.output == "-" {
		return through(p.stdout, write)
	}
	target := p.output
	if resolved, err := filepath.EvalSymlinks(target); err == nil {
		target = resolved // a rename would replace the link, not what it points to
	}
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p.replace(target, nil, write)
	case err != nil:
		return p.outputError(err)
	case info.IsDir():
		return exit.Usagef("--output: %s is a folder, not a file", p.output)
	case !info.Mode().IsRegular(): // a device or a pipe, which must not be replaced
		file, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return p.outputError(err)
		}
		return errors.Join(through(file, write), file.Close())
	}
	return p.replace(target, info, write)
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

// replace writes a temporary file beside the target and renames it once it is
// complete and on the disk. The file that is there already, if any, lends it
// its permissions.
func (p *program) replace(target string, old fs.FileInfo, write func(w *bufio.Writer) error) error {
	// Not os.CreateTemp, which would keep the file from all but its owner.
	temporary := filepath.Join(filepath.Dir(target), fmt.Sprintf(".fubini-%016x.tmp", rand.Uint64()))
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, cmp.Or(p.permissions, 0o666))
	if err != nil {
		return p.outputError(err)
	}
	complete := false
	defer func() {
		if !complete { // also when write panics
			file.Close()
			os.Remove(temporary)
		}
	}()
	if old != nil {
		if err := file.Chmod(old.Mode().Perm()); err != nil {
			return p.outputError(err)
		}
	}
	if err := through(file, write); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return p.outputError(err)
	}
	if err := file.Close(); err != nil {
		return p.outputError(err)
	}
	if err := os.Rename(temporary, target); err != nil {
		return p.outputError(err)
	}
	complete = true
	return nil
}

// outputError names the file the user asked for, not the temporary one.
func (p *program) outputError(err error) error {
	if failure := (*fs.PathError)(nil); errors.As(err, &failure) {
		err = failure.Err
	}
	return fmt.Errorf("--output: %s: %w", p.output, err)
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
