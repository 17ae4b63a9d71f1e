// Package input opens what commands read: ratings, splits of them, votes and trained models. It also finds the items of a model by their titles.
package input

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/data/codec"
	"fubini/data/format"
	"fubini/data/modelfile"
	"fubini/data/personal"
	"fubini/data/ratings"
	"fubini/data/text"
	"fubini/learn/modelstore"
)

// DataFlags are the flags of reading DATA.
type DataFlags struct {
	Format     string
	Duplicates string
	Incomplete string
	Scale      []float64         // ratings outside are refused; nil for any
	Columns    map[string]string // names of columns by their roles
}

// PlainData are the flags of commands that leave reading to its defaults.
var PlainData = DataFlags{Duplicates: "error", Incomplete: "subset"}

// AddData adds --duplicates and --columns, flags of all commands that read ratings.
func AddData(p *cli.Program, cmd *cobra.Command) *DataFlags {
	return cli.Shared(p, cmd, cmd.Flags(), func(f *DataFlags, cmd *cobra.Command, flags *pflag.FlagSet) {
		*f = PlainData
		cli.AddChoice(cmd, flags, "duplicates", &f.Duplicates, []string{"error", "first", "last", "mean"}, "which of several ratings of an item by a user counts: error, first, last, mean")
		cli.AddFlag(flags, "columns", "", &f.Columns, "ROLE=NAME,...", codec.ParseColumns, "names of the columns in a table where they are not understood, as in user=Reviewer,item=Board Game,rating=Stars; also time, title, tier")
	})
}

// AimFlags has the aim of a model, or of an order of items.
type AimFlags struct{ Aim string }

// AddAim adds --aim, a flag of the commands that fit models, rank by them and compare them.
func AddAim(p *cli.Program, cmd *cobra.Command) *AimFlags {
	return cli.Shared(p, cmd, cmd.Flags(), func(f *AimFlags, cmd *cobra.Command, flags *pflag.FlagSet) {
		cli.AddChoice(cmd, flags, "aim", &f.Aim, modelstore.Aims(), "taste, how a person would place an item; interest, whether they would pick it; balanced, both; or next, whether they would pick it next, for data with times (default balanced, as far as the model and the data allow; of evaluate taste for rated candidates, and next where held-out ratings are later than the others)")
	})
}

// Read reads DATA and reports what was read and left out.
func Read(ctx context.Context, p *cli.Program, path string, f DataFlags) (*ratings.Set, *format.Report, error) {
	duplicates, err := ratings.ParseDuplicates(f.Duplicates)
	if err != nil {
		return nil, nil, exit.Usage(err)
	}
	options := format.Options{Format: f.Format, Duplicates: duplicates, Incomplete: f.Incomplete, Scale: f.Scale, Columns: f.Columns}
	type result struct {
		set    *ratings.Set
		report *format.Report
	}
	r, err := cli.Await(ctx, func() (result, error) {
		var r result
		var err error
		if path == "-" {
			r.set, r.report, err = personal.ReadSetStream(p.Stdin, "standard input", options)
		} else {
			r.set, r.report, err = ReadPath(path, options)
		}
		return r, err
	})
	if errors.Is(err, ratings.ErrDuplicate) {
		err = fmt.Errorf("%w (--duplicates)", err)
	}
	if errors.Is(err, codec.ErrColumns) {
		if form := votesIn(ctx, p, path); form != "" {
			err = fmt.Errorf("%s: %s; rank the items: fubini fit %s", path, form, path)
		} else {
			err = fmt.Errorf("%w (--columns)", err)
		}
	}
	if err != nil {
		return nil, r.report, err
	}
	p.Tell("%s", reportLine(path, r.set, r.report))
	return r.set, r.report, nil
}

// readPersonal reads what a person brings: an export of an account, tiers or names in plain text, or ratings of any format. Known
// reports whether a text is a title for sure.
func readPersonal(ctx context.Context, p *cli.Program, path string, f DataFlags, known func(title string) bool) (*personal.Export, error) {
	duplicates, err := ratings.ParseDuplicates(f.Duplicates)
	if err != nil {
		return nil, exit.Usage(err)
	}
	options := personal.Options{Name: path, Format: f.Format, Duplicates: duplicates, Incomplete: f.Incomplete, Columns: f.Columns, Known: known}
	x, err := cli.Await(ctx, func() (*personal.Export, error) {
		if path == "-" {
			options.Name = ""
			return personal.ReadStream(p.Stdin, "standard input", options)
		}
		files, name, err := exists(path)
		if err != nil {
			return nil, err
		}
		return personal.Read(files, name, options)
	})
	if errors.Is(err, ratings.ErrDuplicate) {
		err = fmt.Errorf("%w (--duplicates)", err)
	}
	if errors.Is(err, codec.ErrColumns) {
		err = fmt.Errorf("%w (--columns item=NAME,rating=NAME)", err)
	}
	if err == nil {
		p.Tell("%s", exportLine(path, x))
	}
	return x, err
}

// exportLine is what was read of a person, and what was skipped and why.
func exportLine(path string, x *personal.Export) string {
	placed, seen := 0, 0
	for _, p := range x.People {
		placed, seen = placed+len(p.Placed), seen+len(p.Seen)
	}
	read := text.Count(x.Read, "record", "records") + " read"
	if len(x.Files) > 0 {
		read += fmt.Sprintf(" of %d files (%s)", len(x.Files), strings.Join(x.Files, ", "))
	}
	line := fmt.Sprintf("%s: %s, %s, %s kept", path, x.Form, read, text.Count(placed, "rating", "ratings"))
	if !x.Rated {
		line = fmt.Sprintf("%s: %s, %s, %s in tiers", path, x.Form, read, text.Count(placed, "item", "items"))
	}
	if seen > 0 {
		line += fmt.Sprintf(", %d seen without a rating", seen)
	}
	if x.Latin1 > 0 {
		line += ", " + NotUTF8(x.Latin1)
	}
	if x.Dates != "" {
		line += ", " + x.Dates
	}
	for _, reason := range cli.SortedKeys(x.Reasons) {
		line += fmt.Sprintf(", %d skipped (%s", x.Reasons[reason], reason)
		if at := slices.IndexFunc(x.Skipped, func(s personal.Skipped) bool { return s.Why == reason && s.Line > 0 }); at >= 0 {
			unit := "line"
			if x.Records {
				unit = "record"
			}
			line += fmt.Sprintf("; %s %d", unit, x.Skipped[at].Line)
			if name := x.Skipped[at].Text; name != "" {
				line += ", " + cli.Quote(name)
			}
		}
		line += ")"
	}
	return line
}

// ReadPath reads a file or a known folder of ratings.
func ReadPath(path string, options format.Options) (*ratings.Set, *format.Report, error) {
	files, name, err := exists(path)
	if err != nil {
		return nil, nil, err
	}
	options.Name = path
	return personal.ReadSet(files, name, options)
}

// exists locates a file or folder that must be there.
func exists(path string) (files fs.FS, name string, err error) {
	if files, name, err = Locate(path); err != nil {
		return nil, "", err
	}
	if _, err := fs.Stat(files, name); errors.Is(err, fs.ErrNotExist) {
		return nil, "", fmt.Errorf("%s: there is no such file or folder", path)
	} else if err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	return files, name, nil
}

// Locate returns the folder around a file or folder, and its name in it.
func Locate(path string) (files fs.FS, name string, err error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, "", err
	}
	name = filepath.Base(full)
	if filepath.Dir(full) == full { // the root of the file system
		name = "."
	}
	return os.DirFS(filepath.Dir(full)), name, nil
}

// NotUTF8 says how many lines were read as Latin-1.
func NotUTF8(lines int) string {
	return text.Count(lines, "line was", "lines were") + " not UTF-8 and read as Latin-1"
}

// BadTimes says how many times were not understood.
func BadTimes(r *format.Report) string {
	return fmt.Sprintf("%s not understood, the first %s", text.Count(r.BadTimes, "time", "times"), r.BadTime)
}

// reportLine is what was read, and what was not kept and why.
func reportLine(path string, set *ratings.Set, r *format.Report) string {
	line := fmt.Sprintf("%s: %s, %s read, %s kept", path, r.Format, text.Count(r.Lines, "record", "records"), text.Count(r.Kept, "rating", "ratings"))
	if r.Duplicates > 0 {
		line += ", " + text.Count(r.Duplicates, "duplicate", "duplicates") + " merged"
	}
	if r.Latin1 > 0 {
		line += ", " + NotUTF8(r.Latin1)
	}
	if r.Untimed > 0 && r.Timed {
		line += fmt.Sprintf(", %d without a time", r.Untimed)
	}
	if r.BadTimes > 0 {
		line += ", " + BadTimes(r)
	}
	if note := r.Slashes.Note(); note != "" {
		line += ", " + note
	}
	switch names := slices.Clone(set.LevelNames()); {
	case r.Spread:
		line += ", tiers spread evenly over the range of the ratings"
	case set.Own() && set.Users().Len() > 1:
		line += ", tiers of each user's own: spread evenly where a common scale is needed"
	case len(names) > 0:
		slices.Reverse(names)
		if len(names) > 12 {
			names = append(names[:10:10], "…", names[len(names)-1])
		}
		line += ", tiers " + strings.Join(names, ", ")
	}
	if r.Unplaced > 0 {
		line += fmt.Sprintf(", %d unplaced", r.Unplaced)
	}
	for _, reason := range cli.SortedKeys(r.Dropped) {
		line += fmt.Sprintf(", %d dropped (%s)", r.Dropped[reason], reason)
	}
	return line
}

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

// WriteModel writes a model file, which appears complete or not at all.
func WriteModel(to cli.Destination, file *modelfile.File) error {
	return to.Deliver(func(w *bufio.Writer) error {
		_, err := file.WriteTo(w)
		return err
	})
}

// ReadModelFile opens a model file and checks it. Pipes and devices are refused, because a pipe that nobody writes to
// would hold up every reload of a server.
func ReadModelFile(path string) (*modelfile.File, error) {
	file, err := os.OpenFile(filepath.Clean(path), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no such file; a model is made by fubini train DATA -o %s", path, path)
	} else if err != nil {
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
	begins := make([]byte, 9) // the length of a header, and its first character
	if _, short := file.ReadAt(begins, 0); err != nil && (short != nil || begins[8] != '{') {
		return nil, fmt.Errorf("%s is no model, as fubini train or fubini fit --save writes them", path)
	} else if err != nil {
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

// ReadWith opens a trained model and returns what a method of it returns: its parameters, vectors, or file.
func ReadWith[T any](path string, of func(*modelstore.Saved) (T, error)) (saved *modelstore.Saved, part T, err error) {
	if saved, err = ReadModel(path); err == nil {
		part, err = of(saved)
	}
	return saved, part, err
}
