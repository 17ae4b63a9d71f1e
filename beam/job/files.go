package job

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
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

// IsTemporary says whether a file is what a worker that was killed left behind.
func IsTemporary(name string) bool {
	return strings.HasPrefix(name, ".fubini-") && strings.HasSuffix(name, ".tmp")
}
