package models

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
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
	*modelFlags
	*setFlags
	*rankFlags
	*input.CatalogueFlags
	budget int
	save   string
	resume string
	fixed  map[string]float64 // by --set
	divide tune.Divide
}

// Tune is the command fubini tune, which chooses the settings of a model.
func Tune(p *cli.Program) *cobra.Command {
	cmd := cli.Page(pages, "tune")
	flags := cmd.Flags()
	read := input.AddData(p, cmd)
	f := tuneFlags{modelFlags: addModel(p, cmd), setFlags: addSet(p, cmd), rankFlags: addCandidates(p, cmd), CatalogueFlags: input.AddCatalogue(p, cmd), budget: 20}
	cli.AddFlag(flags, "budget", "", &f.budget, "N", cli.ParseWhole(1), "number of fits; the defaults are fitted to every fold, which may add one or two")
	cli.AddOutput(flags, "save", "", &f.save, "FILE", cli.ParsePath, "write the chosen settings and all trials to FILE, as JSON")
	cli.AddInput(flags, "resume", &f.resume, "FILE", "continue the search that saved FILE")
	cli.Mark(flags, "resume", cli.Onward, "save")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var err error
		if f.fixed, err = valuesOf(f.model, f.settings); err != nil {
			return err
		}
		set, _, err := input.Read(cmd.Context(), p, args[0], *read)
		if err != nil {
			return err
		}
		set = set.Spread()
		if low, high := set.Range(); f.candidates == "" && low == high {
			p.Tell("without ratings of different value settings are judged by a ranking of all items (--candidates all)")
			f.candidates = "all"
		}
		f.candidates = cmp.Or(f.candidates, "rated")
		about, err := f.About(p, args[0])
		if err != nil {
			return err
		}
		found, err := search(cmd.Context(), p, &f, ratings.Everything(set.Described(about.Kinds)))
		if err != nil {
			return err
		}
		return p.Fitted(trialRecords(found), "error", "noise", "folds")
	}
	return cmd
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
		Budget: f.budget, Seed: p.Seed, Jobs: p.Jobs, Done: done, Candidates: candidates, Fixed: f.fixed, Divide: f.divide,
		Observe: func(fit tune.Fit, n int) {
			p.Tell("%s, fit %d of about %d: trial %d on fold %d, %.4f in %.3g s%s", f.model, n, f.budget, fit.Trial, fit.Fold+1, fit.Value, fit.Seconds, showSettings(f.model, fit.Settings))
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

// valuesOf are the values of the settings that were given for a model.
func valuesOf(model string, given []registry.Assignment) (map[string]float64, error) {
	recipes, err := configured([]string{model}, nil, given)
	if err != nil {
		return nil, err
	}
	values := map[string]float64{}
	for _, each := range given {
		k, err := setting.Find(recipes[0].Settings(), each.Name)
		if err != nil {
			return nil, exit.Usage(err)
		}
		values[k.Name] = k.Value()
	}
	return values, nil
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
	five := func(x float64) json.Number { return json.Number(strconv.FormatFloat(x, 'f', 5, 64)) }
	for n, t := range found.Trials {
		records = append(records, cli.Record{
			{"rank", n + 1}, {"trial", t.Number}, {"folds", t.Folds}, {"value", five(t.Value)}, {"gain", five(t.Gain)}, {"noise", five(t.StdErr)},
			{"settings", strings.TrimPrefix(showSettings(found.Model, t.Settings), ", ")}, {"error", cli.OrNil(t.Error)},
		})
	}
	return records
}
