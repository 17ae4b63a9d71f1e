package main

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
	"fubini/data/format"
	"fubini/data/ratings"
)

// dataFlags say how DATA is read.
type dataFlags struct {
	from       string
	duplicates string
	incomplete string
	scale      []float64 // ratings outside are refused; nil for any
}

// plainData are the flags of commands that leave reading to its defaults.
var plainData = dataFlags{duplicates: "error", incomplete: "subset"}

// add adds the flag that all commands have which read ratings of their own.
func (f *dataFlags) add(cmd *cobra.Command, flags *pflag.FlagSet) {
	*f = plainData
	addChoice(cmd, flags, "duplicates", &f.duplicates, []string{"error", "first", "last", "mean"}, "which of several ratings of an item by a user counts: error, first, last, mean")
}

// readData reads DATA and tells what was left out.
func readData(ctx context.Context, p *program, path string, f dataFlags) (*ratings.Set, *format.Report, error) {
	duplicates, err := ratings.ParseDuplicates(f.duplicates)
	if err != nil {
		return nil, nil, exit.Usage(err)
	}
	options := format.Options{Format: f.from, Duplicates: duplicates, Incomplete: f.incomplete, Scale: f.scale}
	type result struct {
		set    *ratings.Set
		report *format.Report
	}
	r, err := await(ctx, func() (result, error) {
		var r result
		var err error
		if path == "-" {
			r.set, r.report, err = format.ReadStream(p.stdin, "standard input", options)
		} else {
			r.set, r.report, err = readPath(path, options)
		}
		return r, err
	})
	if err != nil {
		return nil, r.report, duplicateRemedy(err)
	}
	p.tell("%s", reportLine(path, r.report))
	return r.set, r.report, nil
}

// duplicateRemedy names the flag for data with duplicates.
func duplicateRemedy(err error) error {
	if errors.Is(err, ratings.ErrDuplicate) {
		return fmt.Errorf("%w (--duplicates)", err)
	}
	return err
}

func readPath(path string, options format.Options) (*ratings.Set, *format.Report, error) {
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

// readableFormats and writableFormats are the names for --in-format and --out-format.
func readableFormats() []string {
	return formatNames(func(f format.Format) bool { return f.Reads })
}

func writableFormats() []string {
	return formatNames(func(f format.Format) bool { return f.Writes })
}

func formatNames(wanted func(format.Format) bool) (names []string) {
	for _, f := range format.Formats() {
		if wanted(f) {
			names = append(names, f.Name)
		}
	}
	return names
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
	for _, reason := range sortedKeys(r.Dropped) {
		line += fmt.Sprintf(", %d dropped (%s)", r.Dropped[reason], reason)
	}
	return line
}
