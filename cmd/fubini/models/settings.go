package models

import (
	"bufio"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/core/setting"
	"fubini/learn/registry"
	"fubini/learn/tune"
	"fubini/model"
	"fubini/model/baseline"
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

// tuned is a file of chosen settings. It holds what they were chosen for, so that
// a search can go on, and a reader sees where they come from.
type tuned struct {
	tune.Result
	Seed   uint64 `json:"seed"`
	Budget int    `json:"budget"`
	Data   string `json:"data"` // fingerprint of the training ratings
	// Candidates are those of the criterion; empty in older files, for rated.
	Candidates string `json:"candidates,omitempty"`
	Program    string `json:"program"`
}

func readTuned(path string) (*tuned, error) {
	text, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		return nil, err
	}
	var about tuned
	if err := json.Unmarshal(text, &about); err != nil || about.Model == "" {
		return nil, fmt.Errorf("%s: no file of settings as tune --save writes it: %w", path, err)
	}
	return &about, nil
}

// settingsFrom reads chosen settings for a model of one of some names.
func settingsFrom(path string, models []string) ([]registry.Assignment, error) {
	about, err := readTuned(path)
	if err != nil {
		return nil, err
	}
	if about.Best == nil {
		return nil, fmt.Errorf("%s: the search did not end; continue it by tune --resume %s", path, path)
	}
	if !slices.Contains(models, about.Model) {
		return nil, fmt.Errorf("%s: settings of %s, which is not asked for", path, about.Model)
	}
	recipe, err := registry.New(about.Model)
	if err != nil {
		return nil, err
	}
	var settings []registry.Assignment
	for name, v := range about.Best {
		k, err := setting.Find(recipe.Settings(), name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		settings = append(settings, registry.Assignment{Model: about.Model, Name: name, Value: k.Format(v)})
	}
	return settings, nil
}

// Flags that train, tune and evaluate share.
type (
	setFlags   struct{ settings []registry.Assignment }
	filesFlags struct{ chosen []string }
	modelFlags struct{ model string }
	rankFlags  struct{ candidates string }
)

//go:embed help
var pages embed.FS
