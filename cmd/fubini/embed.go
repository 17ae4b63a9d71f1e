package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
)

// embedFlags are the contents of the map and its method.
type embedFlags struct {
	input.DataFlags
	method   string
	items    bool
	support  int
	clusters string
	plot     string
	labels   int
	unknown  string
}

func newEmbed(p *cli.Program) *cobra.Command {
	f := embedFlags{method: "pca", support: 5, labels: 20, unknown: "ignore"}
	cmd := &cobra.Command{
		Use:   "embed MODEL DATA",
		Short: "Posterior vectors of people, and a map of them",
		Long: `The posterior vector of everybody in DATA and their place on a flat map: one row a
person, with x, y and vector. pca keeps as much variance as two directions can, and
reports the share; tsne keeps neighbours together, and takes some thousands of people.

--with-items puts the items on the map, by their weights on the units, most rated first.
With pca people have a place there too: an average person in the middle, one standard
deviation of a unit as long as one of the items. With tsne leave DATA out.

--clusters divides people (items, where there is no DATA) into k groups by k-means,
or with auto into as many as have the highest silhouette; 1 is the largest.

--plot FILE draws the map, as SVG or PNG by the file's ending. The form json is one
object: method, kept, directions, of, and the rows.`,
		Example: "  fubini embed movies.safetensors ratings.csv --clusters auto --plot people.svg\n  fubini embed movies.safetensors --with-items --method tsne --plot movies.png",
		Args:    cli.Arguments(1, 2),
	}
	flags := cmd.Flags()
	cli.AddChoice(cmd, flags, "method", &f.method, []string{"pca", "tsne"}, "pca, principal components; tsne, t-SNE")
	cli.AddSwitch(flags, "with-items", &f.items, "items on the map")
	cli.AddFlag(flags, "min-support", "", &f.support, "N", cli.ParseWhole(0), "least number of ratings of an item on the map")
	cli.AddFlag(flags, "clusters", "", &f.clusters, "K", parseClusters, "groups: a number, or auto")
	cli.AddOutput(flags, "plot", "", &f.plot, "FILE", parsePicture, "draw the map, .svg or .png")
	cli.AddFlag(flags, "labels", "", &f.labels, "N", cli.ParseWhole(0), "items whose names are written on the picture, most rated first")
	cli.AddChoice(cmd, flags, "unknown", &f.unknown, []string{"ignore", "error"}, "rated items that the model does not know: ignored with a message, or an error")
	f.DataFlags.Add(cmd, flags)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < 2 && !f.items:
			return exit.Usagef("DATA is missing: the people to put on the map; or --with-items for the items alone")
		case len(args) == 2 && f.items && f.method == "tsne":
			return exit.Usagef("t-SNE has no place for people among items; leave out DATA or --with-items, or take --method pca")
		}
		saved, space, err := readSpace(args[0])
		if err != nil {
			return err
		}
		m := &drawnMap{Program: p, f: &f, saved: saved, space: space}
		if err := m.fill(cmd.Context(), args[1:]); err != nil {
			return err
		}
		if err := m.place(cmd.Context()); err != nil {
			return err
		}
		if _, err := cli.Await(cmd.Context(), func() (any, error) { return nil, m.cluster() }); err != nil {
			return err
		}
		if f.plot != "" {
			if err := m.draw(); err != nil {
				return err
			}
		}
		return m.write()
	}
	return cmd
}

func parseClusters(text string) (string, error) {
	if k, err := strconv.Atoi(text); text != "auto" && (err != nil || k < 1) {
		return "", fmt.Errorf("%s is not a number of groups; write one, or auto", cli.Quote(text))
	}
	return text, nil
}

func parsePicture(text string) (string, error) {
	if ending := strings.ToLower(filepath.Ext(text)); ending != ".svg" && ending != ".png" {
		return "", fmt.Errorf("%s is not a picture; its name must end in .svg or .png", cli.Quote(text))
	}
	return text, nil
}
