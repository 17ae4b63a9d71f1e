package format

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"fubini/data/archive"
	"fubini/data/codec"
)

// A folder that is known: files of ratings in one format, or one file of any.
type knownFolder struct {
	fsys    fs.FS
	name    string
	ratings []string // one file, in any format
	netflix []string // many, in that of Netflix, in order
}

// ratingFiles are the names by which a folder of ratings is known.
var ratingFiles = []string{"ratings.dat", "ratings.csv", "u.data"}

// exportFiles are files of people's own exports by which a folder without ratings is known. Their reader finds the others.
var exportFiles = []string{"watched.csv", "ratings-movies.json", "ratings_movies.json", "ratings-shows.json", "ratings_shows.json",
	"watched-movies.json", "watched_movies.json", "watched-shows.json", "watched_shows.json"}

// know finds out whether a folder is known: nil if not.
func know(fsys fs.FS, name string) (*knownFolder, error) {
	k := &knownFolder{fsys: fsys, name: name}
	for _, file := range ratingFiles {
		for _, packed := range []string{"", ".gz", ".zst"} {
			info, err := fs.Stat(fsys, file+packed)
			if err == nil && !info.IsDir() {
				k.ratings = append(k.ratings, file+packed)
			} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	for _, file := range exportFiles {
		if info, err := fs.Stat(fsys, file); len(k.ratings) == 0 && err == nil && !info.IsDir() {
			k.ratings = []string{file}
		}
	}
	if len(k.ratings) > 0 {
		return k, nil
	}
	for _, pattern := range []string{"combined_data_*.txt", "mv_*.txt", "training_set/mv_*.txt"} {
		var err error
		if k.netflix, err = fs.Glob(fsys, pattern); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(k.netflix) > 0 { // numbers come with zeros in front, or are single digits
			slices.SortFunc(k.netflix, func(a, b string) int {
				return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
			})
			return k, nil
		}
	}
	return nil, nil
}

// folder reads a known folder. Above is the one around it, if there is one.
func (j *job) folder(fsys, above fs.FS, name string) error {
	k, err := know(fsys, name)
	if err == nil && k == nil {
		err = fmt.Errorf("%s: a folder, but not one that is known: no %s as from MovieLens, no combined_data_*.txt or mv_*.txt as from Netflix; name a file", name, strings.Join(ratingFiles, ", "))
	}
	if err != nil {
		return err
	}
	return j.known(k, above, 0)
}

func (j *job) known(k *knownFolder, above fs.FS, depth int) error {
	if len(k.ratings) > 1 {
		return fmt.Errorf("%s: a folder with %s; name one of them", k.name, strings.Join(k.ratings, " and "))
	}
	if len(k.ratings) == 1 {
		return j.file(k.fsys, k.ratings[0], path.Join(k.name, k.ratings[0]), depth)
	}
	if j.o.Format != "" && find(j.o.Format) != &codec.Netflix {
		return fmt.Errorf("%s: a folder from Netflix, not in the format %s", k.name, j.o.Format)
	}
	j.report.Format = codec.Netflix.Name
	for _, file := range k.netflix {
		if err := j.netflixFile(k, file); err != nil {
			return err
		}
	}
	beside := &codec.Input{Name: path.Join(k.name, "titles"), Folder: k.fsys, Counts: j.report}
	if err := codec.NetflixTitles(beside, j.builder); err != nil || j.report.Titles > 0 || above == nil {
		return err
	}
	beside.Name, beside.Folder = k.name, above
	return codec.NetflixTitles(beside, j.builder)
}

func (j *job) netflixFile(k *knownFolder, file string) error {
	in, f, err := open(k.fsys, file, path.Join(k.name, file))
	if err != nil {
		return err
	}
	defer f.Close()
	in.Counts = j.report
	return codec.Netflix.Load(in, j.builder, j.o)
}

// zip reads an archive: a known folder, or the one within it, or a single file.
func (j *job) zip(in *codec.Input, depth int) error {
	z, err := archive.OpenZip(in.At, in.Size, j.limits)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	if k, err := know(z, in.Name); err != nil {
		return err
	} else if k != nil {
		return j.known(k, nil, depth)
	}
	entries, err := fs.ReadDir(z, ".")
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	var known []*knownFolder
	for _, e := range entries {
		if !e.IsDir() || e.Name() == "__MACOSX" {
			continue
		}
		sub, err := fs.Sub(z, e.Name())
		if err != nil {
			return fmt.Errorf("%s: %w", in.Name, err)
		}
		if k, err := know(sub, path.Join(in.Name, e.Name())); err != nil {
			return err
		} else if k != nil {
			known = append(known, k)
		}
	}
	if len(known) == 1 {
		return j.known(known[0], z, depth)
	}
	files := z.DataFiles()
	switch {
	case len(files) == 0:
		return fmt.Errorf("%s: the zip holds no ratings: no file at all", in.Name)
	case len(known) > 1 || len(files) > 1:
		names := strings.Join(files[:min(len(files), 5)], ", ")
		if len(files) > 5 {
			names += ", …"
		}
		return fmt.Errorf("%s: the zip holds %d files (%s) and not one folder that is known; unpack it and name a file", in.Name, len(files), names)
	}
	return j.file(z, files[0], path.Join(in.Name, files[0]), depth)
}
