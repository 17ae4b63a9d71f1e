package cli

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

// Roles of the files that flags and arguments name. Before a command runs they are checked: its outputs can be written,
// and none of them is a file that it reads.
const (
	ReadsFile    = "read"
	WritesFile   = "write"
	WritesInto   = "into" // a file, and the folders around it are made
	WritesFolder = "folder"
	noFile       = "-"
)

// Annotations. Role of a flag is one of the roles above. Onward of an input is the outputs that may be the same file,
// because the work continues in it. Arguments of a command is the roles of its arguments in order, the last of them for
// all that follow. FolderWith is the flags with which --output is a folder, or "always".
const (
	Role       = "fubini_role"
	Onward     = "fubini_onward"
	Arguments  = "arguments"
	FolderWith = "folder"
)

// AddInput adds a flag that names a file or a folder to read.
func AddInput(flags *pflag.FlagSet, name string, target *string, kind, usage string) {
	AddFlag(flags, name, "", target, kind, ParsePath, usage)
	Mark(flags, name, Role, ReadsFile)
}

// AddOutput adds a flag that names a file to write.
func AddOutput(flags *pflag.FlagSet, name, letter string, target *string, kind string, parse func(string) (string, error), usage string) {
	AddFlag(flags, name, letter, target, kind, parse, usage)
	Mark(flags, name, Role, WritesFile)
}

// Mark annotates a flag.
func Mark(flags *pflag.FlagSet, name, key string, values ...string) {
	if err := flags.SetAnnotation(name, key, values); err != nil {
		panic(err) // of a flag that does not exist
	}
}

// CheckFolder says why a folder cannot be written into, or made.
func CheckFolder(flag, path string) error {
	return place{Destination{Flag: flag, Path: path}, WritesFolder, nil}.check()
}

// place is a file or folder that the command line names.
type place struct {
	Destination
	role   string
	onward []string // of an input: outputs that may be the same file
}

// places are what a command line reads and what it writes.
func places(cmd *cobra.Command, args []string) (inputs, outputs []place) {
	add := func(role, label, path string, onward []string) {
		here := place{Destination{Flag: label, Path: path}, role, onward}
		switch {
		case path == "-" || path == "" || role == noFile:
		case role == ReadsFile:
			inputs = append(inputs, here)
		default:
			outputs = append(outputs, here)
		}
	}
	roles := strings.Fields(cmd.Annotations[Arguments])
	for k, arg := range args {
		if len(roles) > 0 {
			add(roles[min(k, len(roles)-1)], argumentName(cmd, k), arg, nil)
		}
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if len(f.Annotations[Role]) == 0 || !f.Changed && f.Name != "db" {
			return
		}
		is := f.Annotations[Role][0]
		if f.Name == "output" && outputIsFolder(cmd) {
			is = WritesFolder
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
			add(is, "--"+f.Name, path, f.Annotations[Onward])
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
	return slices.ContainsFunc(strings.Fields(cmd.Annotations[FolderWith]), func(flag string) bool {
		return flag == "always" || cmd.Flags().Changed(flag)
	})
}

// CheckPlaces refuses outputs that cannot be written, or that are written over what the
// command reads or over each other, before any work is done.
func CheckPlaces(cmd *cobra.Command, args []string) error {
	inputs, outputs := places(cmd, args)
	for k, out := range outputs {
		if err := out.check(); err != nil {
			return err
		}
		for _, in := range inputs {
			if !slices.Contains(in.onward, strings.TrimPrefix(out.Flag, "--")) && out.overwrites(in) {
				return exit.Usagef("%s: %s would be written over, and it is read by %s; name another file", out.Flag, out.Path, in.Flag)
			}
		}
		for _, other := range outputs[:k] {
			if out.overwrites(other) || absolute(out.Path) == absolute(other.Path) {
				return exit.Usagef("%s: %s is written by %s as well; name another file", out.Flag, out.Path, other.Flag)
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
		return d.Failed(err)
	case err == nil && info.IsDir() && d.role != WritesFolder:
		return exit.Usagef("%s: %s is a folder, not a file", d.Flag, d.Path)
	case err == nil && !info.IsDir() && d.role == WritesFolder:
		return exit.Usagef("%s: %s is a file, not a folder", d.Flag, d.Path)
	case err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0:
		return nil // to open a pipe is to wait for its reader
	case err == nil && !info.IsDir() && !info.Mode().IsRegular(): // a device
		file, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return d.Failed(err)
		}
		return file.Close()
	}
	folder := target
	if d.role != WritesFolder {
		folder = filepath.Dir(target)
	}
	for d.role != WritesFile { // folders are made later, within the first that is there
		if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) || folder == filepath.Dir(folder) {
			break
		}
		folder = filepath.Dir(folder)
	}
	file, err := temporary(folder, 0o600)
	if err != nil {
		return d.Failed(err)
	}
	if err := errors.Join(file.Close(), os.Remove(file.Name())); err != nil {
		return d.Failed(err)
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
	here, err := os.Stat(d.Path)
	there, gone := os.Stat(other.Path)
	switch {
	case err != nil || gone != nil:
		return false
	case here.IsDir() && there.Mode().IsRegular():
		return within(other.target(), d.Path)
	case here.Mode().IsRegular() && there.IsDir():
		return within(d.target(), other.Path)
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
