package serve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/modelfile"
)

// candidate is a trained model in a temporary file beside the one that is served. The
// file is locked for as long as somebody cares for it.
type candidate struct {
	temporary string
	target    string // where the model that is served lies
	lock      *os.File
}

// candidateEnds is how names of temporary files end. They begin with a dot and the name of the model.
const candidateEnds = ".candidate"

func temporaryBeside(model string) string {
	return filepath.Join(filepath.Dir(model), fmt.Sprintf(".%s.%016x%s", filepath.Base(model), rand.Uint64(), candidateEnds))
}

// newCandidate writes a model to a temporary file in the folder of the one that is served.
func newCandidate(model string, file *modelfile.File) (c *candidate, err error) {
	c = &candidate{target: cli.Followed(model)}
	permissions := fs.FileMode(0o666)
	old, err := os.Stat(c.target)
	if err == nil {
		permissions = old.Mode().Perm()
	}
	c.temporary = temporaryBeside(c.target)
	if c.lock, err = os.OpenFile(c.temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, permissions); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Drop())
		}
	}()
	_ = lockFile(c.lock) // a file system without locks does as well: then nobody tidies up
	if old != nil {
		if err := c.lock.Chmod(permissions); err != nil { // whatever the umask is
			return nil, err
		}
	}
	if err := cli.Through(c.lock, func(w *bufio.Writer) error { _, err := file.WriteTo(w); return err }); err != nil {
		return nil, err
	}
	return c, c.lock.Sync()
}

// Load implements [server.Candidate].
func (c *candidate) Load(context.Context) (*modelfile.File, error) {
	return input.ReadModelFile(c.temporary)
}

// Drop implements [server.Candidate].
func (c *candidate) Drop() error { return errors.Join(c.lock.Close(), os.Remove(c.temporary)) }

// Keep implements [server.Candidate]. The model that is served gets a second name, and
// then the candidate takes its first: there is a whole model under it at every moment.
func (c *candidate) Keep() error {
	if err := keepPrevious(c.target); err != nil {
		return fmt.Errorf("%s: the model before it: %w", c.target, err)
	}
	if err := os.Rename(c.temporary, c.target); err != nil {
		return err
	}
	// From here on it is kept. That its name is on the disk too is as certain as the disk.
	if folder, err := os.Open(filepath.Dir(c.target)); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
	_ = c.lock.Close()
	return nil
}

// keepPrevious gives a model a second name, that of the previous one; a file system without such gets a copy.
func keepPrevious(model string) error {
	temporary, previous := temporaryBeside(model), model+".previous"
	switch err := os.Link(model, temporary); {
	case errors.Is(err, fs.ErrNotExist):
		return nil // somebody has removed it: there is nothing to keep
	case err != nil:
		return copyFile(model, previous)
	}
	defer os.Remove(temporary) // renaming one name of a file to another of its names does nothing: the first is left
	return os.Rename(temporary, previous)
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	return cli.Destination{Path: to, Permissions: info.Mode().Perm()}.Deliver(func(w *bufio.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
}

// tidyCandidates removes what jobs of servers that were killed have left beside a model,
// and returns their names. What another server works on is locked, and stays.
func tidyCandidates(model string) (removed []string, err error) {
	model = cli.Followed(model)
	entries, err := os.ReadDir(filepath.Dir(model))
	if err != nil {
		return nil, err
	}
	for _, each := range entries {
		name := each.Name()
		if !each.Type().IsRegular() || !strings.HasPrefix(name, "."+filepath.Base(model)+".") || !strings.HasSuffix(name, candidateEnds) {
			continue
		}
		path := filepath.Join(filepath.Dir(model), name)
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return removed, err
		}
		if lockFile(file) {
			if err = os.Remove(path); err == nil {
				removed = append(removed, name)
			}
		}
		if err := errors.Join(err, file.Close()); err != nil {
			return removed, err
		}
	}
	return removed, nil
}
