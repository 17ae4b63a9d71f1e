package models

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/columns"
	"fubini/data/modelfile"
	"fubini/learn/modelstore"
)

// Model is the command fubini model, which holds info, settings and export.
func Model(p *cli.Program) *cobra.Command {
	cmd := cli.Page(pages, "model")
	return cli.Group(cmd, newModelInfo(p), newModelSettings(p), newModelExport(p))
}

// readBoth opens a trained model, and its file as this version writes it.
func readBoth(path string) (*modelstore.Saved, *modelfile.File, error) {
	saved, err := input.ReadModel(path)
	if err != nil {
		return nil, nil, err
	}
	file, err := saved.File()
	return saved, file, err
}

func newModelInfo(p *cli.Program) *cobra.Command {
	cmd := cli.Page(pages, "info")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		saved, file, err := readBoth(args[0])
		if err != nil {
			return err
		}
		record := cli.Record{{"file", args[0]}, {"model", saved.Name}}
		if c, err := saved.Catalogue(); err == nil {
			record = append(record, cli.Record{{"units", c.Units.String()}, {"hidden", c.K}, {"items", len(saved.ItemIDs)},
				{"size", c.Size}, {"centred", c.Centred}, {"nu", *c.Nu}}...)
		} else {
			record = append(record, cli.Field{"items", len(saved.ItemIDs)})
		}
		if saved.Title != "" || saved.Synthetic {
			record = append(record, cli.Record{{"title", saved.Title}, {"synthetic", saved.Synthetic}}...)
		}
		if saved.Calibration != nil {
			record = append(record, cli.Field{"calibration_error", saved.Calibration.ECE})
		}
		return p.Record(append(record, cli.Record{
			{"epochs", len(saved.History)}, {"seed", saved.Seed}, {"data", saved.Data}, {"users", saved.Users}, {"ratings", saved.Ratings},
			{"program", saved.Program}, {"sha256", file.Checksum()},
		}...))
	}
	return cmd
}

func newModelExport(*cli.Program) *cobra.Command {
	npz := ""
	cmd := cli.Page(pages, "export")
	flags := cmd.Flags()
	cli.AddOutput(flags, "npz", "", &npz, "FILE", cli.ParsePath, "file for the arrays")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if npz == "" {
			return exit.Usagef("--npz is missing: the file for the arrays, as in --npz model.npz")
		}
		saved, file, err := readBoth(args[0])
		if err != nil {
			return err
		}
		return cli.Destination{Flag: "--npz", Path: npz}.Deliver(func(w *bufio.Writer) error {
			arrays := columns.NewArrays(w)
			for _, t := range file.Tensors() {
				if strings.HasPrefix(t.Name, "items.") {
					continue // texts
				}
				data, err := asFloat64(file, t)
				if err == nil {
					err = arrays.Float64s(t.Name, data, t.Shape...)
				}
				if err != nil {
					return err
				}
			}
			if err := arrays.Strings("items", saved.ItemIDs); err != nil {
				return err
			}
			return arrays.Close()
		})
	}
	return cmd
}

// asFloat64 are the elements of a tensor as float64.
func asFloat64(f *modelfile.File, t modelfile.Tensor) ([]float64, error) {
	switch t.Type.String() {
	case "float64":
		return modelfile.Get[float64](f, t.Name, t.Shape...)
	case "float32":
		narrow, err := modelfile.Get[float32](f, t.Name, t.Shape...)
		wide := make([]float64, len(narrow))
		for i, v := range narrow {
			wide[i] = float64(v)
		}
		return wide, err
	}
	return nil, fmt.Errorf("%s holds %s, which is not exported", t.Name, t.Type)
}
