package models

import (
	"bufio"
	"cmp"
	"embed"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/numpy"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/model/baseline"
)

//go:embed help
var pages embed.FS

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

// Flags that train, tune and evaluate share.
type (
	setFlags   struct{ settings []registry.Assignment }
	filesFlags struct{ chosen []string }
	modelFlags struct{ model string }
	rankFlags  struct{ candidates string }
)

// addSet adds --set, which may stand several times.
func addSet(p *cli.Program, cmd *cobra.Command) *setFlags {
	return cli.Shared(p, cmd, cmd.Flags(), func(f *setFlags, _ *cobra.Command, flags *pflag.FlagSet) {
		cli.AddFlag(flags, "set", "", &f.settings, "NAME=VALUE", func(text string) ([]registry.Assignment, error) {
			all := f.settings
			for each := range strings.SplitSeq(text, ",") {
				one, err := registry.ParseAssignment(strings.TrimSpace(each))
				if err != nil {
					return nil, err
				}
				all = append(all, one)
			}
			return all, nil
		}, "a setting of the model, NAME=VALUE or MODEL.NAME=VALUE; several with commas between (fubini model settings lists them)")
	})
}

// addFiles adds --settings.
func addFiles(p *cli.Program, cmd *cobra.Command) *filesFlags {
	return cli.Shared(p, cmd, cmd.Flags(), func(f *filesFlags, _ *cobra.Command, flags *pflag.FlagSet) {
		cli.AddFlag(flags, "settings", "", &f.chosen, "FILES", cli.ParseWords, "files of settings, as tune --save writes them, with commas between")
		cli.Mark(flags, "settings", cli.Role, cli.ReadsFile)
	})
}

func addModel(p *cli.Program, cmd *cobra.Command) *modelFlags {
	return cli.Shared(p, cmd, cmd.Flags(), func(f *modelFlags, cmd *cobra.Command, flags *pflag.FlagSet) {
		f.model = "latent-osm"
		cli.AddChoice(cmd, flags, "model", &f.model, registry.Names(), "latent-osm, our best settings; latent-osm-paper, the paper's; osm, without hidden units; or a baseline: "+strings.Join(baseline.Names(), ", "))
	})
}

func addCandidates(p *cli.Program, cmd *cobra.Command) *rankFlags {
	return cli.Shared(p, cmd, cmd.Flags(), func(f *rankFlags, cmd *cobra.Command, flags *pflag.FlagSet) {
		cli.AddChoice(cmd, flags, "candidates", &f.candidates, []string{"rated", "all"}, "items that are ranked for a user: rated, the held-out ones; all, every item without a given rating (default rated; of evaluate with another protocol than paper, all)")
	})
}

// configured are models with the settings of files, as tune --save writes them, and those that were given.
func configured(models, files []string, given []registry.Assignment) ([]model.Recipe, error) {
	var settings []registry.Assignment
	for _, path := range files {
		chosen, err := settingsFrom(path, models)
		if err != nil {
			return nil, fmt.Errorf("--settings: %w", err)
		}
		settings = append(settings, chosen...)
	}
	recipes, err := registry.Configure(models, append(settings, given...))
	if err != nil {
		return nil, exit.Usage(err)
	}
	return recipes, nil
}

func newModelSettings(p *cli.Program) *cobra.Command {
	cmd := cli.Page(pages, "settings")
	cmd.Long += " " + strings.Join(registry.Names(), ", ") + "."
	cmd.ValidArgs = registry.Names()
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		recipe, err := registry.New(args[0])
		if err != nil {
			return exit.Usage(err)
		}
		var records []cli.Record
		for _, k := range setting.Offered(recipe.Settings()) {
			records = append(records, settingRecord(k))
		}
		return p.Deliver(func(w *bufio.Writer) error {
			if !p.InTables() {
				return p.WriteRecords(w, records)
			}
			var columns strings.Builder
			table := tabwriter.NewWriter(&columns, 0, 0, 2, ' ', 0)
			fmt.Fprintln(table, "setting\tdefault\tvalues\tsearched")
			for _, record := range records {
				fmt.Fprintf(table, "%v\t%v\t%v\t%v\n", record[0][1], cmp.Or(record[1][1], any("-")), record[2][1], cmp.Or(record[3][1], any("-")))
			}
			err := table.Flush()
			const column = 4
			for k, line := range strings.Split(strings.TrimSuffix(columns.String(), "\n"), "\n") {
				fmt.Fprintln(w, line)
				if k > 0 { // the meaning below it
					fmt.Fprintf(w, "%*s%s\n", column, "", cli.Folded(records[k-1][4][1].(string), column))
				}
			}
			return err
		})
	}
	return cmd
}

// settingRecord is one setting: name, default, allowed values, range that is searched, meaning. A default that depends
// on the data is nil.
func settingRecord(k setting.Setting) cli.Record {
	var initial, searched any
	values := "0 or more"
	if k.Positive {
		values = "above 0"
	}
	if k.Whole {
		values = "whole numbers, " + values
	}
	if k.None != nil {
		values += ", none"
	}
	if !math.IsNaN(k.Default) {
		initial = k.Default
	}
	if k.Searched() {
		scale := ""
		if k.Log {
			scale = ", log scale"
		}
		searched = fmt.Sprintf("%.3g to %.3g%s", k.Low, k.High, scale)
	}
	if k.Names != nil {
		values, initial = strings.Join(k.Names, ", "), k.Format(k.Default)
		if k.Searched() {
			searched = strings.Join(k.Names[int(k.Low):int(k.High)+1], ", ")
		}
	}
	return cli.Record{{"setting", k.Name}, {"default", initial}, {"values", values}, {"searched", searched}, {"meaning", k.Means}}
}
