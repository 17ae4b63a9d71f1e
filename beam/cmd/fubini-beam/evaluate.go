package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/beam/job"
	"fubini/beam/judging"
	"fubini/judge/evaluate"
	"fubini/learn/registry"
)

// evaluateFlags say what is judged, and how results are written.
type evaluateFlags struct {
	judging.Job
	models   []string
	files    []string
	settings []string
	scale    []float64
	format   string
	output   string
}

func newEvaluate(p *program) *cobra.Command {
	f := evaluateFlags{}
	cmd := &cobra.Command{
		Use:   "evaluate DATA --given N --models LIST",
		Short: "Judge models by the paper's protocol",
		Long: `Divide DATA as the paper does, fit each model on a worker, rank the held-out items of all
users in many blocks at once, and show means over users with 95 % intervals: the numbers
of fubini evaluate, to the last digit. --split DIR takes train.tsv and test.tsv as fubini data
split writes them in place of DATA; --trained FILE judges a model that is trained already, on
train.tsv say (fubini-beam train DIR/train.tsv). Every worker holds all of DATA.`,
		Example: "  fubini-beam evaluate ml-1m/ratings.dat --given 20 --models item-mean,osm\n" +
			"  fubini-beam evaluate --split split20 --trained m.safetensors --format json",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return exit.Usagef("evaluate takes one DATA; %q is one too many", args[1])
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringSliceVar(&f.models, "models", nil, "models by name, with commas between: "+strings.Join(registry.Names(), ", "))
	flags.StringArrayVar(&f.files, "trained", nil, "model that is trained already; may be given several times")
	flags.StringArrayVar(&f.settings, "set", nil, "a setting, name=value or model.name=value; may be given several times")
	flags.IntVar(&f.Given, "given", 0, "ratings of each user that are given")
	flags.IntVar(&f.MinTest, "min-test", 10, "test ratings a user must have left")
	flags.Float64SliceVar(&f.scale, "scale", nil, "ends of the rating scale, MIN,MAX; those of the data if not given")
	flags.StringVar(&f.Split, "split", "", "folder with train.tsv and test.tsv in place of DATA")
	flags.StringVar(&f.Candidates, "candidates", "rated", "what is ranked for a user: rated, the held-out items; all, every item not known")
	flags.StringVar(&f.Gain, "ndcg-gain", "exp2", "gain of a level: exp2, linear or binary")
	flags.StringVar(&f.Spec.Duplicates, "duplicates", "error", "a second rating of an item by a user: error, first, last or mean")
	flags.StringVar(&f.Spec.Format, "data-format", "", "of DATA; detected from its content if not given")
	flags.IntVar(&f.Blocks, "blocks", 16, "blocks of users that workers share")
	flags.StringVar(&f.format, "format", "table", "form of the results: table, json or jsonl")
	flags.StringVarP(&f.output, "output", "o", "-", "file for the results; - is stdout. On a cluster its folder must be one that workers see")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.job(p, args); err != nil {
			return err
		}
		results, err := f.Run(cmd.Context(), p.where)
		if err != nil {
			return err
		}
		var text bytes.Buffer
		if err := f.write(&text, p.seed, results); err != nil {
			return err
		}
		if f.output == "-" {
			_, err = p.stdout.Write(text.Bytes())
			return err
		}
		return job.Write(f.output, func(w io.Writer) error {
			_, err := w.Write(text.Bytes())
			return err
		})
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
	case len(f.scale) != 0 && (len(f.scale) != 2 || !(f.scale[0] < f.scale[1])):
		return exit.Usagef("--scale: write its ends, as in 0.5,5")
	case !slices.Contains([]string{"table", "json", "jsonl"}, f.format):
		return exit.Usagef("--format: %q is not one of table, json, jsonl", f.format)
	case p.where.Endpoint != "" && f.output == "-":
		return exit.Usagef("--output is missing: on a cluster results come by way of a file, in a folder that workers see")
	}
	if f.output != "-" {
		if err := job.Check(f.output, args...); err != nil {
			return exit.Usagef("--output: %w", err)
		}
	}
	if _, err := evaluate.ParseCandidates(f.Candidates); err != nil {
		return exit.Usage(err)
	}
	for _, text := range f.settings {
		one, err := registry.ParseAssignment(text)
		if err != nil {
			return exit.Usage(err)
		}
		f.Settings = append(f.Settings, one)
	}
	if _, err := registry.Configure(f.models, f.Settings); err != nil {
		return exit.Usage(err)
	}
	var err error
	f.Models = nil
	for _, name := range f.models {
		f.Models = append(f.Models, judging.Candidate{Number: len(f.Models), Name: name})
	}
	for _, name := range f.files {
		path, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("--trained: %w", err)
		}
		f.Models = append(f.Models, judging.Candidate{Number: len(f.Models), Name: name, File: path})
	}
	for _, path := range []*string{&f.Data, &f.Split} {
		if path == &f.Data && len(args) > 0 {
			*path = args[0]
		}
		if *path == "" {
			continue
		}
		if _, err := os.Stat(*path); err != nil {
			return err
		}
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	if f.Folder = os.TempDir(); f.output != "-" {
		full, err := filepath.Abs(f.output)
		if err != nil {
			return err
		}
		f.Folder = filepath.Dir(full)
	}
	f.Seed, f.Spec.Jobs, f.Scale = p.seed, p.jobs, f.scale
	return nil
}

// write writes a row for each model.
func (f *evaluateFlags) write(w io.Writer, seed uint64, results []*evaluate.Result) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	var lines []string
	for k, r := range results {
		row := []string{field("model", f.Models[k].Name), field("given", f.Given), field("users", len(r.Users))}
		if f.Split != "" {
			row[1] = field("given", nil)
		}
		cells, ends := []string{f.Models[k].Name, fmt.Sprint(len(r.Users))}, []string{}
		for _, metric := range r.Metrics {
			e, err := r.Mean(metric, seed)
			if err != nil {
				return err
			}
			row = append(row, field(metric, e.Mean))
			ends = append(ends, field(metric+"_low", e.Low), field(metric+"_high", e.High))
			cells = append(cells, fmt.Sprintf("%.4f ±%.3f", e.Mean, (e.High-e.Low)/2))
		}
		row = append(row, field("fit_s", r.FitSeconds), field("rank_s", r.RankSeconds))
		row = append(append(row, ends...), field("protocol", map[bool]string{true: "split", false: "paper"}[f.Split != ""]), field("candidates", f.Candidates), field("ndcg_gain", f.Gain), field("seed", seed))
		lines = append(lines, "{"+strings.Join(row, ",")+"}")
		if k == 0 {
			fmt.Fprintln(table, "model\tusers\t"+strings.Join(r.Metrics, "\t"))
		}
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	switch f.format {
	case "json":
		_, err := fmt.Fprintf(w, "[%s]\n", strings.Join(lines, ",\n"))
		return err
	case "jsonl":
		_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
		return err
	}
	return table.Flush()
}

// field is an entry of a JSON object.
func field(key string, value any) string {
	name, err := json.Marshal(key)
	if err != nil {
		panic(err) // a text
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // a text or a finite number
	}
	return string(name) + ":" + string(text)
}
