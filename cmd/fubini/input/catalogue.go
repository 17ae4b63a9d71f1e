package input

import (
	"io/fs"
	"path"

	"fubini/cmd/fubini/cli"
	"fubini/data/catalogue"
	"fubini/learn/modelstore"
)

// Describe adds what a catalogue says of the items to a model: that of --catalogue, or without one the files of MovieLens and the
// like that stand beside the data. A file beside the data that cannot be read costs only itself.
func Describe(p *cli.Program, saved *modelstore.Saved, file, data string) error {
	c := catalogue.New()
	found := []string{file}
	if file != "" {
		files, name, err := exists(file)
		if err != nil {
			return err
		}
		if err := c.Read(files, name, file); err != nil {
			return err
		}
	} else {
		files, name, err := Locate(data)
		if err != nil || data == "-" {
			return nil
		}
		if info, err := fs.Stat(files, name); err != nil || !info.IsDir() {
			name = path.Dir(name)
		}
		folder, err := fs.Sub(files, name)
		if err != nil {
			return nil
		}
		if found, err = c.Beside(folder); err != nil {
			p.Tell("the catalogue beside the data is left out: %v", err)
			return nil
		}
	}
	if len(c.Items) == 0 {
		return nil
	}
	described := saved.Describe(c)
	p.Tell("%s: %d of %d items are in the catalogue", cli.Shorten(found), described, len(saved.ItemIDs))
	if c.Refused > 0 {
		p.Tell("%d pictures and links are neither http addresses nor files, and are left out", c.Refused)
	}
	return nil
}
