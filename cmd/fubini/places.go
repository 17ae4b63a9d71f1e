package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
)

// What a flag or an argument names. Every command is checked by these before it runs:
// its outputs can be written, and none of them is a file that it reads.
const (
	readsFile    = "read"
	writesFile   = "write"
	writesInto   = "into" // a file, and the folders around it are made
	writesFolder = "folder"
	noFile       = "-"
)

// Annotations. That of a flag holds one role; onward holds the outputs that may be the
// very file that is read, because the work goes on in it. arguments of a command holds
// the roles of its arguments in order, the last of them for all that follow; folderWith
// the flags with which --output is a folder, and "always" for any.
const (
	role       = "fubini_role"
	onward     = "fubini_onward"
	arguments  = "arguments"
	folderWith = "folder"
)

// addInput adds a flag that names a file or a folder to read.
func addInput(flags *pflag.FlagSet, name string, target *string, kind, usage string) {
	addFlag(flags, name, "", target, kind, parsePath, usage)
	mark(flags, name, role, readsFile)
}

// addOutput adds a flag that names a file to write.
func addOutput(flags *pflag.FlagSet, name, letter string, target *string, kind string, parse func(string) (string, error), usage string) {
	addFlag(flags, name, letter, target, kind, parse, usage)
	mark(flags, name, role, writesFile)
}

// mark annotates a flag.
func mark(flags *pflag.FlagSet, name, key string, values ...string) {
	if err := flags.SetAnnotation(name, key, values); err != nil {
		panic(err) // of a flag that does not exist
	}
}

// place is a file or folder that the command line names.
type place struct {
	destination
	role   string
	onward []string // of an input: outputs that may be the same file
}

// places are what a command line reads and what it writes.
func places(cmd *cobra.Command, args []string) (inputs, outputs []place) {
	add := func(role, label, path string, onward []string) {
		here := place{destination{flag: label, path: path}, role, onward}
		switch {
		case path == "-" || path == "" || role == noFile:
		case role == readsFile:
			inputs = append(inputs, here)
		default:
			outputs = append(outputs, here)
		}
	}
	roles := strings.Fields(cmd.Annotations[arguments])
	for k, arg := range args {
		if len(roles) > 0 {
			add(roles[min(k, len(roles)-1)], argumentName(cmd, k), arg, nil)
		}
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if len(f.Annotations[role]) == 0 || !f.Changed && f.Name != "db" {
			return
		}
		is := f.Annotations[role][0]
		if f.Name == "output" && outputIsFolder(cmd) {
			is = writesFolder
		}
		paths := []string{f.Value.String()}
		switch f.Value.Type() {
		case "FILES":
			paths = strings.Split(paths[0], ",")
		case "URL": // of a store
			file, sqlite := strings.CutPrefix(paths[0], "sqlite:")
			if !sqlite {
				return
			}
			file, _, _ = strings.Cut(file, "?")
			paths[0] = file
		}
		for _, path := range paths {
			add(is, "--"+f.Name, path, f.Annotations[onward])
		}
	})
	return inputs, outputs
}

// argumentName is how the usage line calls an argument: IN and OUT of convert IN OUT.
func argumentName(cmd *cobra.Command, k int) string {
	var names []string
	for _, word := range strings.Fields(cmd.Use)[1:] {
		if word == strings.ToUpper(word) && !strings.HasPrefix(word, "-") {
			names = append(names, strings.TrimSuffix(word, "..."))
		}
	}
	if len(names) == 0 {
		return "the argument"
	}
	return names[min(k, len(names)-1)]
}

// outputIsFolder says that --output names a folder.
func outputIsFolder(cmd *cobra.Command) bool {
	return slices.ContainsFunc(strings.Fields(cmd.Annotations[folderWith]), func(flag string) bool {
		return flag == "always" || cmd.Flags().Changed(flag)
	})
}

// checkPlaces refuses outputs that cannot be written, or that are written over what the
// command reads or over each other, before any work is done.
func checkPlaces(cmd *cobra.Command, args []string) error {
	inputs, outputs := places(cmd, args)
	for k, out := range outputs {
		if err := out.check(); err != nil {
			return err
		}
		for _, in := range inputs {
			if !slices.Contains(in.onward, strings.TrimPrefix(out.flag, "--")) && out.overwrites(in) {
				return exit.Usagef("%s: %s would be written over, and it is read by %s; name another file", out.flag, out.path, in.flag)
			}
		}
		for _, other := range outputs[:k] {
			if out.overwrites(other) || absolute(out.path) == absolute(other.path) {
				return exit.Usagef("%s: %s is written by %s as well; name another file", out.flag, out.path, other.flag)
			}
		}
	}
	return nil
}

func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}

// check says why an output cannot be written: it makes a temporary file where the
// output is to be, and removes it.
func (d place) check() error {
	target := d.target()
	info, err := os.Stat(target)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return d.failed(err)
	case err == nil && info.IsDir() && d.role != writesFolder:
		return exit.Usagef("%s: %s is a folder, not a file", d.flag, d.path)
	case err == nil && !info.IsDir() && d.role == writesFolder:
		return exit.Usagef("%s: %s is a file, not a folder", d.flag, d.path)
	case err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0:
		return nil // to open a pipe is to wait for its reader
	case err == nil && !info.IsDir() && !info.Mode().IsRegular(): // a device
		file, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return d.failed(err)
		}
		return file.Close()
	}
	folder := target
	if d.role != writesFolder {
		folder = filepath.Dir(target)
	}
	for d.role != writesFile { // folders are made later, within the first that is there
		if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) || folder == filepath.Dir(folder) {
			break
		}
		folder = filepath.Dir(folder)
	}
	file, err := temporary(folder, 0o600)
	if err != nil {
		return d.failed(err)
	}
	if err := errors.Join(file.Close(), os.Remove(file.Name())); err != nil {
		return d.failed(err)
	}
	return nil
}

// folderFiles are the files that a folder is read for: of MovieLens, of Netflix, and of
// a split.
var folderFiles = []string{
	"ratings.dat*", "ratings.csv*", "u.data*", "movies.dat*", "movies.csv*", "u.item*",
	"combined_data_*.txt", "mv_*.txt", "movie_titles*", "train.tsv", "test.tsv", "known.tsv",
}

// overwrites says that what is written is a file that goes by another name too, or one
// of a folder that is read. Devices are never written over.
func (d place) overwrites(other place) bool {
	here, err := os.Stat(d.path)
	there, gone := os.Stat(other.path)
	switch {
	case err != nil || gone != nil:
		return false
	case here.IsDir() && there.Mode().IsRegular():
		return within(other.target(), d.path)
	case here.Mode().IsRegular() && there.IsDir():
		return within(d.target(), other.path)
	}
	return here.Mode().IsRegular() && os.SameFile(here, there)
}

// within says that a file is one of those that a folder is read for, or of a split that
// is written into it.
func within(file, folder string) bool {
	name := filepath.Base(file)
	if !slices.ContainsFunc(folderFiles, func(pattern string) bool { match, _ := filepath.Match(pattern, name); return match }) {
		return false
	}
	around, err := os.Stat(filepath.Dir(file))
	whole, gone := os.Stat(folder)
	return err == nil && gone == nil && os.SameFile(around, whole)
}
