package input

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/cmd/fubini/cli"
	"fubini/data/catalogue"
	"fubini/data/text"
	"fubini/learn/modelstore"
)

// CatalogueFlags are --catalogue.
type CatalogueFlags struct{ Catalogue string }

// AddCatalogue adds --catalogue, a flag of the commands that fit models.
func AddCatalogue(p *cli.Program, cmd *cobra.Command) *CatalogueFlags {
	return cli.Shared(p, cmd, cmd.Flags(), func(f *CatalogueFlags, cmd *cobra.Command, flags *pflag.FlagSet) {
		cli.AddInput(flags, "catalogue", &f.Catalogue, "FILE", "names, years, groups, pictures, links and other ids of the items; groups and years help to see what people pick (default: movies.csv, links.csv, movies.dat, u.item, items.csv beside DATA)")
	})
}

// About is what catalogues say of items, and the files that they were in.
type About struct {
	*catalogue.Catalogue
	found []string
}

// About reads the catalogue of --catalogue, or without one files beside the data, such as those of MovieLens; nil if there are none. A file
// beside the data that cannot be read is skipped.
func (f *CatalogueFlags) About(p *cli.Program, data string) (*About, error) {
	if f.Catalogue != "" {
		about, err := readCatalogue(f.Catalogue)
		if err != nil {
			return nil, fmt.Errorf("--catalogue: %w", err)
		}
		return about, nil
	}
	files, name, err := Locate(data)
	if err != nil || data == "-" {
		return nil, nil
	}
	if info, err := fs.Stat(files, name); err != nil || !info.IsDir() {
		name = path.Dir(name)
	}
	about := &About{Catalogue: catalogue.New()}
	switch about.found, err = beside(about.Catalogue, files, name); {
	case err != nil:
		p.Tell("the catalogue beside the data is left out: %v", err)
		return nil, nil
	case len(about.Items) == 0:
		return nil, nil
	}
	return about, nil
}

// Catalogue adds what a file, or the files of a folder, say of the items to a model, and returns the number of its items that they have.
func Catalogue(p *cli.Program, saved *modelstore.Saved, file string) (described int, err error) {
	about, err := readCatalogue(file)
	if err != nil {
		return 0, err
	}
	return about.Describe(p, saved), nil
}

func readCatalogue(file string) (*About, error) {
	files, name, err := exists(file)
	if err != nil {
		return nil, err
	}
	about := &About{catalogue.New(), []string{file}}
	if info, err := fs.Stat(files, name); err == nil && info.IsDir() {
		if about.found, err = beside(about.Catalogue, files, name); err != nil {
			return nil, err
		} else if len(about.found) == 0 {
			return nil, fmt.Errorf("%s: a folder without a catalogue: no %s", file, strings.Join(catalogue.Files, ", "))
		}
	} else if err := about.Read(files, name, file); err != nil {
		return nil, err
	}
	return about, nil
}

// beside reads the catalogues of a folder.
func beside(c *catalogue.Catalogue, files fs.FS, folder string) (found []string, err error) {
	sub, err := fs.Sub(files, folder)
	if err != nil {
		return nil, err
	}
	return c.Beside(sub)
}

// Kinds returns the groups and the year of an item, for [ratings.Set.Described]: nothing where there is no catalogue.
func (a *About) Kinds(item string) (groups []string, year int) {
	if a == nil {
		return nil, 0
	}
	return a.Catalogue.About(item)
}

// Describe adds the descriptions of items to a model, tells what came of it, and returns the number of its items that have one.
func (a *About) Describe(p *cli.Program, saved *modelstore.Saved) (described int) {
	if a == nil {
		return 0
	}
	described = saved.Describe(a.Catalogue)
	p.Tell("%s: %d of %s in the catalogue", cli.Shorten(a.found), described, text.Count(len(saved.ItemIDs), "item is", "items are"))
	if a.Refused > 0 {
		p.Tell("left out, because neither an http address nor a file: %s", text.Count(a.Refused, "picture or link", "pictures and links"))
	}
	return described
}
