package input

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"fubini/cmd/fubini/cli"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/learn/modelstore"
	"fubini/model/latent"
)

// SplitFiles are the files of a split: training ratings, held-out ratings, and given ratings of test users, which only
// splits by users have.
var SplitFiles = []string{"train.tsv", "test.tsv", "known.tsv"}

// ReadSplit reads a folder that data split has written.
func ReadSplit(ctx context.Context, p *cli.Program, folder string) (ratings.Split, error) {
	var parts [3]*ratings.Set
	for k, name := range SplitFiles {
		path := filepath.Join(folder, name)
		if _, err := os.Stat(path); k == 2 && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		read := PlainData
		read.Format = "tsv"
		set, _, err := Read(ctx, p, path, read)
		if err != nil {
			return ratings.Split{}, err
		}
		parts[k] = set
	}
	split, err := ratings.Divided(parts[0], parts[2], parts[1])
	if err != nil {
		return split, fmt.Errorf("--split %s: %w", folder, err)
	}
	return split, nil
}

// Save writes a trained model to a file that appears complete or not at all.
func Save(to cli.Destination, saved *modelstore.Saved) error {
	file, err := saved.File()
	if err != nil {
		return err
	}
	return WriteModel(to, file)
}

// WriteModel writes a container; it appears complete or not at all.
func WriteModel(to cli.Destination, file *modelfile.File) error {
	return to.Deliver(func(w *bufio.Writer) error {
		_, err := file.WriteTo(w)
		return err
	})
}

// ReadModelFile opens a container and checks it. What is no regular file is refused, and
// never waited for: a pipe that nobody writes to would hold up every reload after it.
func ReadModelFile(path string) (*modelfile.File, error) {
	file, err := os.OpenFile(filepath.Clean(path), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder, not a model", path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is a pipe or a device, not a model; write the model to a file first", path)
	}
	f, err := modelfile.Read(file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// ReadModel opens a trained model.
func ReadModel(path string) (*modelstore.Saved, error) {
	file, err := ReadModelFile(path)
	if err != nil {
		return nil, err
	}
	saved, err := modelstore.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return saved, nil
}

// ReadCatalogue opens a trained model, osm or latent-osm, and its parameters.
func ReadCatalogue(path string) (*modelstore.Saved, *latent.Catalogue, error) {
	saved, err := ReadModel(path)
	if err != nil {
		return nil, nil, err
	}
	catalogue, err := saved.Catalogue()
	return saved, catalogue, err
}
