package input

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/data/format"
	"fubini/data/ratings"
)

// DataFlags say how DATA is read.
type DataFlags struct {
	Format     string
	Duplicates string
	Incomplete string
	Scale      []float64 // ratings outside are refused; nil for any
}

// PlainData are the flags of commands that leave reading to its defaults.
var PlainData = DataFlags{Duplicates: "error", Incomplete: "subset"}

// Add adds the flag that all commands have which read ratings of their own.
func (f *DataFlags) Add(cmd *cobra.Command, flags *pflag.FlagSet) {
	*f = PlainData
	cli.AddChoice(cmd, flags, "duplicates", &f.Duplicates, []string{"error", "first", "last", "mean"}, "which of several ratings of an item by a user counts: error, first, last, mean")
}

// Read reads DATA and reports what was read and left out.
func Read(ctx context.Context, p *cli.Program, path string, f DataFlags) (*ratings.Set, *format.Report, error) {
	duplicates, err := ratings.ParseDuplicates(f.Duplicates)
	if err != nil {
		return nil, nil, exit.Usage(err)
	}
	options := format.Options{Format: f.Format, Duplicates: duplicates, Incomplete: f.Incomplete, Scale: f.Scale}
	type result struct {
		set    *ratings.Set
		report *format.Report
	}
	r, err := cli.Await(ctx, func() (result, error) {
		var r result
		var err error
		if path == "-" {
			r.set, r.report, err = format.ReadStream(p.Stdin, "standard input", options)
		} else {
			r.set, r.report, err = ReadPath(path, options)
		}
		return r, err
	})
	if err != nil {
		return nil, r.report, duplicateRemedy(err)
	}
	p.Tell("%s", reportLine(path, r.report))
	return r.set, r.report, nil
}

// duplicateRemedy names the flag for data with duplicates.
func duplicateRemedy(err error) error {
	if errors.Is(err, ratings.ErrDuplicate) {
		return fmt.Errorf("%w (--duplicates)", err)
	}
	return err
}

// ReadPath reads a file or a known folder of ratings.
func ReadPath(path string, options format.Options) (*ratings.Set, *format.Report, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, nil, err
	}
	if _, err := os.Stat(full); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil, fmt.Errorf("%s: there is no such file or folder", path)
		}
		return nil, nil, fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	folder, base := filepath.Dir(full), filepath.Base(full)
	if folder == full { // the root of the file system
		base = "."
	}
	options.Name = path
	return format.Read(os.DirFS(folder), base, options)
}

// reportLine is what was read, and what was not kept and why.
func reportLine(path string, r *format.Report) string {
	line := fmt.Sprintf("%s: %s, %d records read, %d ratings kept", path, r.Format, r.Lines, r.Kept)
	if r.Duplicates > 0 {
		line += fmt.Sprintf(", %d duplicates merged", r.Duplicates)
	}
	if r.Latin1 > 0 {
		line += fmt.Sprintf(", %d lines were not UTF-8 and read as Latin-1", r.Latin1)
	}
	if r.Untimed > 0 && r.Timed {
		line += fmt.Sprintf(", %d without a time", r.Untimed)
	}
	for _, reason := range cli.SortedKeys(r.Dropped) {
		line += fmt.Sprintf(", %d dropped (%s)", r.Dropped[reason], reason)
	}
	return line
}
