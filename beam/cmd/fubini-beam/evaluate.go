package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/beam/judging"
	"fubini/cmd/fubini/cli"
	"fubini/judge/evaluate"
	"fubini/learn/registry"
)

// evaluateFlags are what is judged, and how results are written.
type evaluateFlags struct {
	judging.Job
	models   []string
	files    []string
	settings []string
}

func newEvaluate(p *program) *cobra.Command {
	f := evaluateFlags{}
	cmd := cli.Page(pages, "evaluate")
	cmd.Args = cli.Arguments(0, 1)
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringSliceVar(&f.models, "models", nil, "models by name, with commas between: "+strings.Join(registry.Names(), ", "))
	flags.StringArrayVar(&f.files, "trained", nil, "model that is trained already; may be given several times")
	flags.StringArrayVar(&f.settings, "set", nil, "a setting, name=value or model.name=value; may be given several times")
	flags.IntVar(&f.Given, "given", 0, "ratings of each user that are given")
	flags.IntVar(&f.MinTest, "min-test", 10, "test ratings a user must have left")
	flags.Float64SliceVar(&f.Scale, "scale", nil, "ends of the rating scale, MIN,MAX; those of the data if not given")
	flags.StringVar(&f.Split, "split", "", "folder with train.tsv and test.tsv in place of DATA")
	flags.StringVar(&f.Candidates, "candidates", "rated", "what is ranked for a user: rated, the held-out items; all, every item not known")
	flags.StringVar(&f.Gain, "ndcg-gain", "exp2", "gain of a level: exp2, linear or binary")
	flags.StringVar(&f.Duplicates, "duplicates", "error", "a second rating of an item by a user: error, first, last or mean")
	flags.StringVar(&f.Job.Format, "data-format", "", "of DATA; detected from its content if not given")
	flags.IntVar(&f.Blocks, "blocks", 16, "blocks of users that workers share")
	flags.StringVar(&p.Format, "format", "table", "form of the results: table, json or jsonl")
	flags.StringVarP(&p.Output, "output", "o", "-", "file for the results; - is stdout. On a cluster its folder must be one that workers see")
	cli.Mark(flags, "output", cli.Role, cli.WritesFile)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.job(p, args); err != nil {
			return err
		}
		results, err := f.Run(cmd.Context(), p.log)
		if err != nil {
			return err
		}
		records, err := f.records(p, results)
		if err != nil {
			return err
		}
		return p.Records(records)
	}
	return cmd
}

// job refuses what does not go together, and makes a job of the rest.
func (f *evaluateFlags) job(p *program, args []string) error {
	switch {
	case len(f.models)+len(f.files) == 0:
		return exit.Usagef("--models is missing: one or more of %s; or --trained FILE", strings.Join(registry.Names(), ", "))
	case f.Split == "" && len(args) == 0:
		return exit.Usagef("DATA is missing, or --split DIR (see fubini-beam evaluate --help)")
	case f.Split != "" && len(args) > 0:
		return exit.Usagef("--split takes the place of DATA; %q is one too many", args[0])
	case f.Split == "" && f.Given < 1:
		return exit.Usagef("--given is missing: how many ratings of each user are given, as in --given 20")
	case f.Blocks < 1 || f.MinTest < 1:
		return exit.Usagef("--blocks and --min-test must be positive")
	case len(f.Scale) != 0 && (len(f.Scale) != 2 || !(f.Scale[0] < f.Scale[1])):
		return exit.Usagef("--scale: write its ends, as in 0.5,5")
	case !slices.Contains([]string{"table", "json", "jsonl"}, p.Format):
		return exit.Usagef("--format: %q is not one of table, json, jsonl", p.Format)
	case *jobopts.Endpoint != "" && p.Output == "-":
		return exit.Usagef("--output is missing: on a cluster results come by way of a file, in a folder that workers see")
	}
	if _, err := evaluate.ParseCandidates(f.Candidates); err != nil {
		return exit.Usage(err)
	}
	var err error
	if f.Settings, err = assignments(f.models, f.settings); err != nil {
		return err
	}
	for _, name := range f.models {
		f.Models = append(f.Models, judging.Candidate{Name: name})
	}
	for _, name := range f.files {
		path, err := existing(name)
		if err != nil {
			return fmt.Errorf("--trained: %w", err)
		}
		f.Models = append(f.Models, judging.Candidate{Name: name, File: path})
	}
	if f.Split != "" {
		f.Split, err = existing(f.Split)
	} else {
		f.Data, err = existing(args[0])
	}
	if err != nil {
		return err
	}
	f.Seed, f.Jobs = p.Seed, p.Jobs
	if f.Folder = os.TempDir(); p.Output != "-" {
		f.Folder, err = filepath.Abs(filepath.Dir(p.Output))
	}
	return err
}

// existing is the full path of a file or folder that is there.
func existing(path string) (string, error) {
	if _, err := os.Stat(path); err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// records has a record for each model. In a table an interval stands in the cell of its mean.
func (f *evaluateFlags) records(p *program, results []evaluate.Result) (records []cli.Record, err error) {
	given, protocol := any(f.Given), "paper"
	if f.Split != "" {
		given, protocol = nil, "split"
	}
	for k, r := range results {
		var means, ends, cells cli.Record
		for _, metric := range r.Metrics {
			e, err := r.Mean(metric, p.Seed)
			if err != nil {
				return nil, err
			}
			means = append(means, cli.Field{metric, e.Mean})
			ends = append(ends, cli.Field{metric + "_low", e.Low}, cli.Field{metric + "_high", e.High})
			cells = append(cells, cli.Field{metric, fmt.Sprintf("%.4f ±%.3f", e.Mean, (e.High-e.Low)/2)})
		}
		name, users := cli.Field{"model", f.Models[k].Name}, cli.Field{"users", len(r.Users)}
		if p.InTables() {
			records = append(records, append(cli.Record{name, users}, cells...))
			continue
		}
		records = append(records, slices.Concat(cli.Record{name, {"given", given}, users}, means, cli.Record{{"fit_s", r.FitSeconds}, {"rank_s", r.RankSeconds}}, ends,
			cli.Record{{"protocol", protocol}, {"candidates", f.Candidates}, {"ndcg_gain", f.Gain}, {"seed", p.Seed}}))
	}
	return records, nil
}
