package models

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/modelfile"
	"fubini/data/numpy"
)

func newModel(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "model",
		Short:   "Look into models and their settings",
		Long:    "Look into models: what a file holds, the settings of a model by name, and arrays for NumPy.",
		Example: "  fubini model info movies.safetensors\n  fubini model settings latent-osm\n  fubini model export movies.safetensors --npz movies.npz",
	}
	return cli.Group(cmd, newModelInfo(p), newModelSettings(p), newModelExport(p))
}

func newModelInfo(p *program) *cobra.Command {
	return &cobra.Command{
		Use:     "info MODEL",
		Short:   "Show the contents of a model file",
		Example: "  fubini model info movies.safetensors --format json",
		Args:    cli.OneArgument("MODEL"),

		Annotations: map[string]string{cli.Arguments: "read"},
		RunE: func(_ *cobra.Command, args []string) error {
			saved, err := input.ReadModel(args[0])
			if err != nil {
				return err
			}
			file, err := saved.File()
			if err != nil {
				return err
			}
			record := []cli.Field{{"file", args[0]}, {"model", saved.Name}}
			if c, err := saved.Catalogue(); err == nil {
				record = append(record, cli.Field{"units", c.Units.String()}, cli.Field{"hidden", c.K}, cli.Field{"items", len(saved.ItemIDs)},
					cli.Field{"size", c.Size}, cli.Field{"centred", c.Centred}, cli.Field{"nu", *c.Nu})
			} else {
				record = append(record, cli.Field{"items", len(saved.ItemIDs)})
			}
			if saved.Title != "" || saved.Synthetic {
				record = append(record, cli.Field{"title", saved.Title}, cli.Field{"synthetic", saved.Synthetic})
			}
			if saved.Calibration != nil {
				record = append(record, cli.Field{"calibration_error", saved.Calibration.ECE})
			}
			return p.Deliver(func(w *bufio.Writer) error {
				return p.WriteRecord(w, append(record, []cli.Field{
					{"epochs", len(saved.History)}, {"seed", saved.Seed}, {"data", saved.Data}, {"users", saved.Users}, {"ratings", saved.Ratings},
					{"program", saved.Program}, {"sha256", file.Checksum()},
				}...))
			})
		},
	}
}

func newModelExport(*program) *cobra.Command {
	npz := ""
	cmd := &cobra.Command{
		Use:   "export MODEL --npz FILE",
		Short: "Write the arrays of a model for NumPy",
		Long: `Write the arrays of a model for NumPy, all as float64 (u, W, nu, nu_k and b of
latent-osm), and items, the ids of the items in the order of the rows.`,
		Example: "  fubini model export movies.safetensors --npz movies.npz",
		Args:    cli.OneArgument("MODEL"),

		Annotations: map[string]string{cli.Arguments: "read"},
	}
	flags := cmd.Flags()
	cli.AddOutput(flags, "npz", "", &npz, "FILE", cli.ParsePath, "file for the arrays")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if npz == "" {
			return exit.Usagef("--npz is missing: the file for the arrays, as in --npz model.npz")
		}
		saved, err := input.ReadModel(args[0])
		if err != nil {
			return err
		}
		file, err := saved.File()
		if err != nil {
			return err
		}
		return cli.Destination{Flag: "--npz", Path: npz}.Deliver(func(w *bufio.Writer) error {
			arrays := numpy.New(w)
			for _, t := range file.Tensors() {
				if strings.HasPrefix(t.Name, "items.") {
					continue // texts
				}
				data, err := asFloat64(file, t)
				if err != nil {
					return err
				}
				arrays.Float64s(t.Name, data, t.Shape...)
			}
			arrays.Strings("items", saved.ItemIDs)
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
