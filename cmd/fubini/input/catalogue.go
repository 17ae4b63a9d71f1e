package input

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"fubini/cmd/fubini/cli"
	"fubini/data/catalogue"
	"fubini/data/text"
	"fubini/learn/modelstore"
)

// Describe adds the descriptions of items to a model, from the catalogue of --catalogue, or without one from files beside the data, such as
// those of MovieLens. A file beside the data that cannot be read is skipped.
func Describe(p *cli.Program, saved *modelstore.Saved, file, data string) error {
	if file != "" {
		_, err := Catalogue(p, saved, file)
		return err
	}
	files, name, err := Locate(data)
	if err != nil || data == "-" {
		return nil
	}
	if info, err := fs.Stat(files, name); err != nil || !info.IsDir() {
		name = path.Dir(name)
	}
	c := catalogue.New()
	found, err := beside(c, files, name)
	switch {
	case err != nil:
		p.Tell("the catalogue beside the data is left out: %v", err)
	case len(c.Items) > 0:
		describe(p, saved, c, found)
	}
	return nil
}

// Catalogue adds what a file, or the files of a folder, say of the items to a model, and returns the number of its items that they have.
func Catalogue(p *cli.Program, saved *modelstore.Saved, file string) (described int, err error) {
	files, name, err := exists(file)
	if err != nil {
		return 0, err
	}
	c, found := catalogue.New(), []string{file}
	if info, err := fs.Stat(files, name); err == nil && info.IsDir() {
		if found, err = beside(c, files, name); err != nil {
			return 0, err
		} else if len(found) == 0 {
			return 0, fmt.Errorf("%s: a folder without a catalogue: no %s", file, strings.Join(catalogue.Files, ", "))
		}
	} else if err := c.Read(files, name, file); err != nil {
		return 0, err
	}
	return describe(p, saved, c, found), nil
}

// beside reads the catalogues of a folder.
func beside(c *catalogue.Catalogue, files fs.FS, folder string) (found []string, err error) {
	sub, err := fs.Sub(files, folder)
	if err != nil {
		return nil, err
	}
	return c.Beside(sub)
}

// describe adds a catalogue to a model and tells what came of it.
func describe(p *cli.Program, saved *modelstore.Saved, c *catalogue.Catalogue, found []string) (described int) {
	described = saved.Describe(c)
	p.Tell("%s: %d of %s in the catalogue", cli.Shorten(found), described, text.Count(len(saved.ItemIDs), "item is", "items are"))
	if c.Refused > 0 {
		p.Tell("left out, because neither an http address nor a file: %s", text.Count(c.Refused, "picture or link", "pictures and links"))
	}
	return described
}
