package models

import (
	"bufio"
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"

	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/judge/evaluate"
	"fubini/paper/cells"
)

type reproduceFlags struct {
	data string
	name string
	*input.CatalogueFlags
	given   []float64
	seeds   int
	models  []string
	budget  int
	minTest int
	plain   bool
	peers   string

	netflix string
	quick   bool
	largest int
	report  string
}

// ownTargets are tables of this project, beside the paper's.
var ownTargets = []string{"league", "catalogue", "ablation", "likelihood", "calibration"}

// reproduceData reads ratings, and makes levels of them where the protocol does.
func reproduceData(ctx context.Context, p *cli.Program, path, name string, levelled bool, f *reproduceFlags) (cells.Data, error) {
	set, _, err := input.Read(ctx, p, path, input.PlainData)
	if err == nil && levelled {
		set, err = evaluate.Levelled(set, nil)
	}
	if err != nil {
		return cells.Data{}, err
	}
	base := filepath.Base(path)
	return cells.Data{Name: cmp.Or(name, strings.TrimSuffix(base, filepath.Ext(base))), Set: set, MinTest: f.minTest, Filter: !f.plain}, nil
}

// folderStore keeps finished work in files under a folder.
type folderStore string

// Get implements [cells.Store].
func (s folderStore) Get(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(string(s), filepath.FromSlash(name)))
}

// Put implements [cells.Store]: a file appears complete or not at all.
func (s folderStore) Put(name string, data []byte) error {
	return writeInto("--output", filepath.Join(string(s), filepath.FromSlash(name)), func(w *bufio.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// writeInto writes a file, complete or not at all, and makes the folders around it.
func writeInto(flag, path string, write func(w *bufio.Writer) error) error {
	to := cli.Destination{Flag: flag, Path: path}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return to.Failed(err)
	}
	return to.Deliver(write)
}
