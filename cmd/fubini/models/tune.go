package models

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/learn/registry"
	"fubini/learn/tune"
)

type tuneFlags struct {
	split  string
	model  string
	budget int
	save   string
	resume string

	candidates string
	folds      []ratings.Split
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

// Tune is the command fubini tune, which chooses the settings of a model.
func Tune(p *cli.Program) *cobra.Command {
	f := tuneFlags{model: "latent-osm", budget: 20, candidates: "rated"}
	cmd := cli.Page(pages, "tune")
	cmd.Args = cli.Arguments(0, 1)
	flags := cmd.Flags()
	cli.AddChoice(cmd, flags, "model", &f.model, registry.Names(), "model to tune: "+strings.Join(registry.Names(), ", "))
	cli.AddFlag(flags, "budget", "", &f.budget, "N", cli.ParseWhole(1), "number of fits in all")
	cli.AddChoice(cmd, flags, "candidates", &f.candidates, []string{"rated", "all"}, "items that are ranked for a user: rated, the held-back ones, judged by pairs; all, every item without a given rating, judged by NDCG@10")
	cli.AddOutput(flags, "save", "", &f.save, "FILE", cli.ParsePath, "write the chosen settings and all trials to FILE, as JSON")
	cli.AddInput(flags, "resume", &f.resume, "FILE", "continue the search that saved FILE")
	cli.Mark(flags, "resume", cli.Onward, "save")
	cli.AddInput(flags, "split", &f.split, "DIR", "folder with train.tsv in place of DATA, as data split writes it")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		training, err := trainingPart(cmd.Context(), p, &f, args)
		if err != nil {
			return err
		}
		found, err := search(cmd.Context(), p, &f, training)
		if err != nil {
			return err
		}
		return p.Records(trialRecords(found))
	}
	return cmd
}

// dataOrSplit refuses a command line of neither DATA nor --split, or of both.
func dataOrSplit(command, split string, args []string) error {
	switch {
	case split == "" && len(args) == 0:
		return exit.Usagef("DATA is missing, or --split DIR (see fubini %s --help)", command)
	case split != "" && len(args) > 0:
		return exit.Usagef("--split takes the place of DATA; %s is one too many", cli.Quote(args[0]))
	}
	return nil
}

// trainingPart is what may be learned from: all of DATA, or the training part of a split.
func trainingPart(ctx context.Context, p *cli.Program, f *tuneFlags, args []string) (ratings.Training, error) {
	if err := dataOrSplit("tune", f.split, args); err != nil {
		return ratings.Training{}, err
	}
	if f.split != "" {
		split, err := input.ReadSplit(ctx, p, f.split)
		return split.Training, err
	}
	set, _, err := input.Read(ctx, p, args[0], input.PlainData)
	if err != nil {
		return ratings.Training{}, err
	}
	return ratings.Everything(set), nil
}

func search(ctx context.Context, p *cli.Program, f *tuneFlags, training ratings.Training) (*tune.Result, error) {
	candidates, err := evaluate.ParseCandidates(f.candidates)
	if err != nil {
		return nil, exit.Usage(err)
	}
	about := tuned{Seed: p.Seed, Budget: f.budget, Data: training.Set().Fingerprint(), Program: cli.BuildVersion().Version, Candidates: f.candidates}
	var done []tune.Fit
	if f.resume != "" {
		earlier, err := readTuned(f.resume)
		if err != nil {
			return nil, fmt.Errorf("--resume: %w", err)
		}
		if earlier.Model != f.model || earlier.Seed != about.Seed || earlier.Budget != about.Budget || earlier.Data != about.Data || cmp.Or(earlier.Candidates, "rated") != f.candidates {
			return nil, exit.Usagef("--resume: %s is of %s, budget %d, seed %d, data %s and %s candidates; here are %s, %d, %d, %s and %s",
				f.resume, earlier.Model, earlier.Budget, earlier.Seed, earlier.Data, cmp.Or(earlier.Candidates, "rated"), f.model, about.Budget, about.Seed, about.Data, f.candidates)
		}
		done = earlier.Fits
	}
	var failed error
	save := func(result tune.Result) {
		if f.save == "" || failed != nil {
			return
		}
		about.Result = result
		failed = cli.Destination{Flag: "--save", Path: f.save}.Deliver(func(w *bufio.Writer) error {
			encoder := json.NewEncoder(w)
			encoder.SetIndent("", " ")
			return encoder.Encode(about)
		})
	}
	fits := []tune.Fit{}
	found, err := tune.Search(ctx, training, f.model, tune.Options{
		Budget: f.budget, Seed: p.Seed, Jobs: p.Jobs, Done: done, Candidates: candidates, Folds: f.folds,
		Observe: func(fit tune.Fit, n int) {
			p.Tell("%s, fit %d of %d: trial %d on fold %d, %.4f in %.3g s%s", f.model, n, f.budget, fit.Trial, fit.Fold+1, fit.Value, fit.Seconds, showSettings(f.model, fit.Settings))
			fits = append(fits, fit)
			save(tune.Result{Model: f.model, Fits: fits})
		},
	})
	if err != nil {
		return nil, err
	}
	save(*found)
	return found, failed
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

// showSettings is a line's end with settings by name.
func showSettings(model string, settings map[string]float64) string {
	if len(settings) == 0 {
		return ", the defaults"
	}
	recipe, err := registry.New(model)
	if err != nil {
		return ""
	}
	var texts []string
	for _, k := range recipe.Settings() {
		if v, there := settings[k.Name]; there {
			texts = append(texts, k.Name+"="+k.Format(v))
		}
	}
	return ", " + strings.Join(texts, " ")
}

func trialRecords(found *tune.Result) []cli.Record {
	var records []cli.Record
	five := func(x float64) string { return strconv.FormatFloat(x, 'f', 5, 64) }
	for n, t := range found.Trials {
		records = append(records, cli.Record{
			{"rank", n + 1}, {"trial", t.Number}, {"folds", t.Folds}, {"value", five(t.Value)}, {"gain", five(t.Gain)}, {"noise", five(t.StdErr)},
			{"settings", strings.TrimPrefix(showSettings(found.Model, t.Settings), ", ")}, {"error", cli.OrNil(t.Error)},
		})
	}
	return records
}
