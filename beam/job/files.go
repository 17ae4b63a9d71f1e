package job

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Write writes a file that appears complete or not at all: into a temporary one beside
// it, which is put in its place when it is on the disk. Two workers may write the same
// file; as both write the same bytes it does not matter who is last.
func Write(path string, write func(w io.Writer) error) (err error) {
	temporary := filepath.Join(filepath.Dir(path), fmt.Sprintf(".fubini-%016x.tmp", rand.Uint64()))
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(temporary)
		}
	}()
	w := bufio.NewWriterSize(file, 1<<16)
	if err = write(w); err != nil {
		return err
	}
	if err = w.Flush(); err != nil {
		return err
	}
	if err = file.Sync(); err != nil {
		return err
	}
	if err = file.Close(); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

// Check says why a file could not be written, or that it is one of those that are read,
// before any work is done.
func Check(path string, inputs ...string) error {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder, not a file", path)
	}
	for _, input := range inputs {
		if read, gone := os.Stat(input); err == nil && gone == nil && os.SameFile(info, read) {
			return fmt.Errorf("%s would be written over, and it is read; name another file", path)
		}
	}
	file, err := os.OpenFile(filepath.Join(filepath.Dir(path), fmt.Sprintf(".fubini-%016x.tmp", rand.Uint64())), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}
