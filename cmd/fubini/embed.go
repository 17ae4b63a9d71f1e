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
	cmd := cli.Page(pages, "embed")
	cmd.Args = cli.Arguments(1, 2)
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
