package main

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fubini/data/format"
)

func newModel(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "model",
		Short:   "Look into trained models",
		Long:    "Look into trained models: what a file holds, and its arrays for NumPy.",
		Example: "  fubini model info movies.safetensors\n  fubini model export movies.safetensors --npz movies.npz",
	}
	return group(cmd, newModelInfo(p), newModelExport(p))
}

func newModelInfo(p *program) *cobra.Command {
	return &cobra.Command{
		Use:     "info MODEL",
		Short:   "Tell what a model file holds",
		Example: "  fubini model info movies.safetensors --format json",
		Args:    oneArgument("MODEL"),
		RunE: func(_ *cobra.Command, args []string) error {
			saved, err := readModel(args[0])
			if err != nil {
				return err
			}
			file, err := saved.File()
			if err != nil {
				return err
			}
			c := saved.Catalogue
			return p.deliver(func(w *bufio.Writer) error {
				return p.writeRecord(w, []field{
					{"file", args[0]}, {"model", saved.Name}, {"units", c.Units.String()}, {"hidden", c.K}, {"items", len(saved.ItemIDs)},
					{"size", c.Size}, {"centred", c.Centred}, {"nu", c.Nu},
					{"epochs", len(saved.History)}, {"seed", saved.Seed}, {"data", saved.Data}, {"users", saved.Users}, {"ratings", saved.Ratings},
					{"program", saved.Program}, {"sha256", file.Checksum()},
				})
			})
		},
	}
}

func newModelExport(p *program) *cobra.Command {
	npz := ""
	cmd := &cobra.Command{
		Use:   "export MODEL --npz FILE",
		Short: "Write the arrays of a model for NumPy",
		Long: `Write the arrays of a model for NumPy: u, W, nu, nu_k, b, and items, the ids of the
items in the order of the rows.`,
		Example: "  fubini model export movies.safetensors --npz movies.npz",
		Args:    oneArgument("MODEL"),
	}
	flags := cmd.Flags()
	addFlag(flags, "npz", "", &npz, "FILE", parsePath, "file for the arrays")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if npz == "" {
			return usagef("--npz is missing: the file for the arrays, as in --npz model.npz")
		}
		saved, err := readModel(args[0])
		if err != nil {
			return err
		}
		c, items := saved.Catalogue, len(saved.ItemIDs)
		to := *p
		to.output = npz
		return to.deliver(func(w *bufio.Writer) error {
			arrays := format.NewNPZ(w)
			err := errors.Join(
				arrays.Float64s("u", c.U, items),
				arrays.Float64s("W", c.W, items, c.K),
				arrays.Float64s("nu", []float64{c.Nu}, 1),
				arrays.Float64s("nu_k", c.NuK, c.K),
				arrays.Float64s("b", c.B, c.K),
				arrays.Strings("items", saved.ItemIDs),
			)
			if err != nil {
				return err
			}
			return arrays.Close()
		})
	}
	return cmd
}

// shorten joins a few ids for a message.
func shorten(ids []string) string {
	const most = 3
	if len(ids) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), len(ids)-most)
	}
	return strings.Join(ids, ", ")
}
