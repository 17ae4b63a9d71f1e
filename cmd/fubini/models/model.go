package models

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/modelfile"
	"fubini/data/numpy"
	"fubini/learn/modelstore"
)

// Model is the command fubini model, which holds info, settings, export and catalogue.
func Model(p *cli.Program) *cobra.Command {
	cmd := cli.Page(pages, "model")
	return cli.Group(cmd, newModelInfo(p), newModelSettings(p), newModelExport(p), newModelCatalogue(p))
}

func newModelInfo(p *cli.Program) *cobra.Command {
	cmd := cli.Page(pages, "info")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		saved, file, err := input.ReadWith(args[0], (*modelstore.Saved).File)
		if err != nil {
			return err
		}
		record := cli.Record{{"file", args[0]}, {"model", saved.Name}}
		if c, err := saved.Catalogue(); err == nil {
			hidden := c.K
			if m := saved.Mixture(); m != nil {
				hidden = len(m.Units)
			}
			record = append(record, cli.Record{{"units", c.Units.String()}, {"hidden", hidden}, {"items", len(saved.ItemIDs)},
				{"size", c.Size}, {"centred", c.Centred}, {"nu", *c.Nu}}...)
			record = append(record, boardFacts(saved)...)
		} else {
			record = append(record, cli.Field{"items", len(saved.ItemIDs)})
		}
		record = append(record, cli.Record{{"taste", saved.HasTaste()}, {"interest", saved.Interest != nil}}...)
		if aim, err := saved.Resolve(modelstore.AimAuto); err == nil {
			record = append(record, cli.Field{"aim", aim.String()})
		}
		if saved.Interest != nil {
			record = append(record, cli.Field{"interest_next", saved.Interest.Next != nil})
		}
		if saved.Interest != nil && saved.Interest.Lift != nil {
			record = append(record, cli.Record{{"interest_lift", saved.Interest.Lift.Mean}, {"interest_lift_error", saved.Interest.Lift.StdErr}}...)
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

// boardFacts are those of a fit to votes; none for another model.
func boardFacts(saved *modelstore.Saved) cli.Record {
	var facts cli.Record
	if v := saved.Visible(); v != nil {
		facts = cli.Record{{"space", v.Space.String()}}
	}
	if b := saved.Board; b != nil {
		r := &b.Report
		facts = append(facts, cli.Record{{"ties", r.Ties}, {"votes", r.Weight}, {"log_likelihood", cli.OrNone(r.LogLikelihood)}, {"mean_nll", cli.OrNone(r.MeanNLL)}, {"errors", r.Errors}, {"level", r.Level}}...)
	}
	return facts
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
		saved, file, err := input.ReadWith(args[0], (*modelstore.Saved).File)
		if err != nil {
			return err
		}
		return cli.Destination{Flag: "--npz", Path: npz}.Deliver(func(w *bufio.Writer) error {
			arrays := numpy.New(w)
			for _, t := range file.Tensors() {
				if modelstore.IsText(t.Name) {
					continue
				}
				data, err := asFloat64(file, t)
				if err != nil {
					return err
				}
				name := t.Name
				if name == "items" { // the ids have that name
					name = "factors"
				}
				arrays.Float64s(name, data, t.Shape...)
			}
			arrays.Strings("items", saved.ItemIDs)
			return arrays.Close()
		})
	}
	return cmd
}

func asFloat64(f *modelfile.File, t modelfile.Tensor) ([]float64, error) {
	switch t.Type.String() {
	case "float64":
		return modelfile.Get[float64](f, t.Name, t.Shape...)
	case "float32":
		return widened[float32](f, t)
	case "int64":
		return widened[int64](f, t)
	case "uint32":
		return widened[uint32](f, t)
	}
	return nil, fmt.Errorf("%s holds %s, which is not exported", t.Name, t.Type)
}

// widened is a tensor of other numbers, which are small enough for a float64 to hold.
func widened[T float32 | int64 | uint32](f *modelfile.File, t modelfile.Tensor) ([]float64, error) {
	narrow, err := modelfile.Get[T](f, t.Name, t.Shape...)
	wide := make([]float64, len(narrow))
	for i, v := range narrow {
		wide[i] = float64(v)
	}
	return wide, err
}
