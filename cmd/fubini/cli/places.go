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

// Roles of the files that flags and arguments name. Before a command runs, its outputs are checked: they can be
// written, and none of them is a file that the command reads.
const (
	ReadsFile    = "read"
	WritesFile   = "write"
	WritesInto   = "into" // a file, and the folders around it are made
	WritesFolder = "folder"
)

// Annotations. Role of a flag is one of the roles above. Onward of an input names outputs that may be the same file,
// because the work continues in it. FolderWith of a command names flags with which --output is a folder, or is "always".
const (
	Role       = "fubini_role"
	Onward     = "fubini_onward"
	FolderWith = "folder"
)

// ArgumentRoles are the roles of arguments by their names in usage lines. Arguments with other names are not files.
var ArgumentRoles = map[string]string{"MODEL": ReadsFile, "DATA": ReadsFile, "LISTS": ReadsFile, "FILE": ReadsFile, "IN": ReadsFile, "OUT": WritesFile}

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

// Mark sets an annotation of a flag.
func Mark(flags *pflag.FlagSet, name, key string, values ...string) {
	if err := flags.SetAnnotation(name, key, values); err != nil {
		panic(err) // of a flag that does not exist
	}
}

// CheckFolder returns an error if a folder can be neither written into nor made.
func CheckFolder(flag, path string) error {
	return place{Destination{Flag: flag, Path: path}, WritesFolder, nil}.check()
}

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
		case path == "-" || path == "" || role == "":
		case role == ReadsFile:
			inputs = append(inputs, here)
		default:
			outputs = append(outputs, here)
		}
	}
	names := ArgumentNames(cmd)
	for k, arg := range args {
		if len(names) > 0 {
			name := names[min(k, len(names)-1)]
			add(ArgumentRoles[name], name, arg, nil)
		}
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if len(f.Annotations[Role]) == 0 || !f.Changed && f.Name != "db" {
			return
		}
		role, path := f.Annotations[Role][0], f.Value.String()
		if f.Name == "output" && outputIsFolder(cmd) {
			role = WritesFolder
		}
		paths := []string{path}
		switch f.Value.Type() {
		case "FILES":
			paths = strings.Split(path, ",")
		case "URL": // of a store
			file, _ := strings.CutPrefix(path, "sqlite:")
			if file == path {
				return
			}
			paths[0], _, _ = strings.Cut(file, "?")
		}
		for _, path := range paths {
			add(role, "--"+f.Name, path, f.Annotations[Onward])
		}
	})
	return inputs, outputs
}

func outputIsFolder(cmd *cobra.Command) bool {
	return slices.ContainsFunc(strings.Fields(cmd.Annotations[FolderWith]), func(flag string) bool {
		return flag == "always" || cmd.Flags().Changed(flag)
	})
}

// CheckPlaces refuses outputs that cannot be written, or that are written over an input or over each other.
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
			here, _ := filepath.Abs(out.Path)
			if there, _ := filepath.Abs(other.Path); here == there || out.overwrites(other) {
				return exit.Usagef("%s: %s is written by %s as well; name another file", out.Flag, out.Path, other.Flag)
			}
		}
	}
	return nil
}

// check makes a temporary file where the output is to be, and removes it.
func (d place) check() error {
	folder := Followed(d.Path)
	info, err := os.Stat(folder)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return d.Failed(err)
	case err == nil && info.IsDir() && d.role != WritesFolder:
		return exit.Usagef("%s: %s is a folder, not a file", d.Flag, d.Path)
	case err == nil && !info.IsDir() && d.role == WritesFolder:
		return exit.Usagef("%s: %s is a file, not a folder", d.Flag, d.Path)
	case err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0:
		return nil // to open a pipe is to wait for its reader
	case err == nil && info.Mode()&fs.ModeDevice != 0:
		file, err := os.OpenFile(folder, os.O_WRONLY, 0)
		if err != nil {
			return d.Failed(err)
		}
		return file.Close()
	case d.role != WritesFolder:
		folder = filepath.Dir(folder)
	}
	for d.role != WritesFile { // folders are made later, within the first that is there
		if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) || folder == filepath.Dir(folder) {
			break
		}
		folder = filepath.Dir(folder)
	}
	file, err := temporary(folder, 0o600)
	if err == nil {
		err = errors.Join(file.Close(), os.Remove(file.Name()))
	}
	if err != nil {
		return d.Failed(err)
	}
	return nil
}

// folderFiles are the files that a folder is read for: of MovieLens, of Netflix, and of a split.
var folderFiles = []string{
	"ratings.dat*", "ratings.csv*", "u.data*", "movies.dat*", "movies.csv*", "u.item*",
	"combined_data_*.txt", "mv_*.txt", "movie_titles*", "train.tsv", "test.tsv", "known.tsv",
}

// overwrites reports whether what is written is a file that goes by another name too, or one
// of a folder that is read. Devices are never written over.
func (d place) overwrites(other place) bool {
	here, err := os.Stat(d.Path)
	there, gone := os.Stat(other.Path)
	switch {
	case err != nil || gone != nil:
		return false
	case here.IsDir() && there.Mode().IsRegular():
		return within(Followed(other.Path), here)
	case here.Mode().IsRegular() && there.IsDir():
		return within(Followed(d.Path), there)
	}
	return here.Mode().IsRegular() && os.SameFile(here, there)
}

// within reports whether a file is one of those that a folder is read for.
func within(file string, folder fs.FileInfo) bool {
	around, err := os.Stat(filepath.Dir(file))
	return err == nil && os.SameFile(around, folder) && slices.ContainsFunc(folderFiles, func(pattern string) bool {
		match, _ := filepath.Match(pattern, filepath.Base(file))
		return match
	})
}
