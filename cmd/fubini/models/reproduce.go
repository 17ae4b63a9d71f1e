// Package models has the commands that make and judge models: train, tune, evaluate, reproduce, model.
package models

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/format"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/learn/registry"
	"fubini/model/baseline"
	"fubini/paper"
	"fubini/paper/cells"
	"fubini/paper/league"
)

// Reproduce is the command fubini reproduce, which makes the tables and figures of the paper and of this project.
func Reproduce(p *cli.Program) *cobra.Command {
	f := reproduceFlags{seeds: 3, budget: 20, minTest: 10}
	cmd := cli.Page(pages, "reproduce")
	cmd.Args = func(_ *cobra.Command, args []string) error {
		known := append(append(paper.Targets(), "all"), ownTargets...)
		if len(args) != 1 || !slices.Contains(known, args[0]) {
			return exit.Usagef("reproduce takes a target: one of %s", strings.Join(known, ", "))
		}
		return nil
	}
	cmd.Annotations = map[string]string{cli.FolderWith: "always"}
	flags := cmd.Flags()
	cli.AddInput(flags, "data", &f.data, "DATA", "ratings")
	cli.AddInput(flags, "netflix", &f.netflix, "DATA", "ratings of Netflix, for table3 and fig4b")
	cli.AddSwitch(flags, "quick", &f.quick, "less work: fewer seeds, users, epochs, folds and points")
	cli.AddFlag(flags, "largest", "", &f.largest, "N", cli.ParseWhole(1), "largest number of given ratings of a user, where the paper gives more")
	cli.AddOutput(flags, "report", "", &f.report, "FILE", cli.ParsePath, "with all: write the report in Markdown, pictures beside it in pictures/")
	cli.Mark(flags, "report", cli.Role, cli.WritesInto)
	cli.AddFlag(flags, "name", "", &f.name, "NAME", cli.ParseText, "name of the data in the tables; the file name if not given")
	cli.AddFlag(flags, "given", "", &f.given, "N", cli.ParseList, "ratings given of each user, several numbers with commas between (default 10,20,50; of catalogue 5,20,0, where 0 stands for four fifths)")
	cli.AddFlag(flags, "seeds", "", &f.seeds, "N", cli.ParseWhole(1), "number of splits, with seeds from --seed on")
	cli.AddFlag(flags, "models", "", &f.models, "LIST", parseModels, "models, all if not given; with likelihood, those beside the models of fit")
	cli.AddFlag(flags, "budget", "", &f.budget, "N", cli.ParseWhole(0), "number of fits to tune every model by; 0 for default settings")
	cli.AddFlag(flags, "min-test", "", &f.minTest, "N", cli.ParseWhole(1), "smallest number of test ratings of a user; users with fewer are left out")
	cli.AddSwitch(flags, "no-filter", &f.plain, "keep all items and rating values: no entropy filter, no five levels")
	cli.AddInput(flags, "peers", &f.peers, "DIR", "folder with scores of other programs")
	f.CatalogueFlags = input.AddCatalogue(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case f.data == "":
			return exit.Usagef("--data is missing: a file or folder of ratings")
		case p.Output == "-":
			return exit.Usagef("--output is missing: the folder for the tables, as in -o results")
		}
		if slices.Contains(ownTargets, args[0]) {
			return reproduce(cmd.Context(), p, args[0], &f)
		}
		return reproducePaper(p, cmd, args[0], &f)
	}
	return cmd
}

// production is a run of one of our own targets.
type production struct {
	*cli.Program
	f      *reproduceFlags
	target string
	data   cells.Data
	given  []int
	seeds  []uint64
	runner *cells.Runner
	about  string // first line of a page
}

func reproduce(ctx context.Context, p *cli.Program, target string, f *reproduceFlags) error {
	if target == "catalogue" {
		f.plain = true // all items are ranked
	}
	data, err := reproduceData(ctx, p, f.data, f.name, target == "catalogue" || !f.plain && target != "likelihood", f)
	if err != nil {
		return err
	}
	if target == "catalogue" {
		about, err := f.About(p, f.data)
		if err != nil {
			return err
		}
		data.Set = data.Set.Described(about.Kinds)
	}
	r := &production{Program: p, f: f, target: target, data: data}
	for _, n := range f.given {
		if n != float64(int(n)) || n < 1 && !(n == 0 && target == "catalogue") {
			return exit.Usagef("--given: %g is no number of ratings", n)
		}
		r.given = append(r.given, int(n))
	}
	switch {
	case r.given == nil && target == "calibration":
		r.given = []int{20}
	case r.given == nil && target == "catalogue":
		r.given = []int{5, 20, 0}
	case r.given == nil:
		r.given = []int{10, 20, 50}
	case len(r.given) > 1 && target == "calibration":
		return exit.Usagef("--given: calibration takes one number of ratings, not %d", len(r.given))
	}
	for k := range f.seeds {
		r.seeds = append(r.seeds, p.Seed+uint64(k))
	}
	r.runner = &cells.Runner{Store: folderStore(p.Output), Jobs: p.Jobs, Program: cli.BuildVersion().Name(), Observe: func(c cells.Cell) {
		p.Tell("%s, %d given, seed %d: %s%s ...", c.Data, c.Given, c.Seed, c.Model, showSettings(c.Model, c.Set))
	}}
	r.about = fmt.Sprintf("Data %s, fingerprint %s; seeds %d to %d; fubini %s, %s/%s.",
		data.Name, data.Set.Fingerprint(), r.seeds[0], r.seeds[len(r.seeds)-1], cli.BuildVersion().Name(), runtime.GOOS, runtime.GOARCH)
	return map[string]func(context.Context) error{
		"league": r.league, "catalogue": r.catalogue, "ablation": r.ablation, "likelihood": r.likelihood, "calibration": r.calibration,
	}[target](ctx)
}

// write writes DIR/TARGET/NAME with an ending.
func (r *production) write(ending string, write func(w *bufio.Writer) error) error {
	return writeInto("--output", filepath.Join(r.Output, r.target, r.data.Name+ending), write)
}

func (r *production) league(ctx context.Context) error {
	play := league.League{Data: r.data, Given: r.given, Seeds: r.seeds, Models: r.f.models, Budget: r.f.budget, Ours: "latent-osm"}
	if play.Models == nil {
		play.Models = registry.Names()
	}
	if !slices.Contains(play.Models, play.Ours) {
		play.Models = append(play.Models, play.Ours)
	}
	if r.f.peers != "" {
		play.Others = func(given int, seed uint64) (map[string]*evaluate.Result, error) {
			return outsiders(ctx, r.Program, r.f.peers, play.Data, given, seed)
		}
	}
	rows, err := play.Run(ctx, r.runner)
	if err != nil {
		return err
	}
	tuned := fmt.Sprintf("Every model tuned with %d fits on the training part of every split.", r.f.budget)
	return r.tables(tuned, func(w io.Writer) error { return league.WriteLeagueCSV(w, rows) }, func(w io.Writer) error { return league.WriteLeague(w, rows) })
}

// tables writes the rows of a league as CSV, and as a page that says how its models were tuned.
func (r *production) tables(tuned string, csv, page func(w io.Writer) error) error {
	if err := r.write(".csv", func(w *bufio.Writer) error { return csv(w) }); err != nil {
		return err
	}
	if r.f.budget == 0 {
		tuned = "Default settings, nothing tuned."
	}
	return r.write(".md", func(w *bufio.Writer) error {
		fmt.Fprintln(w, r.about, tuned)
		return page(w)
	})
}

// catalogue ranks all items, for known and for new users.
func (r *production) catalogue(ctx context.Context) error {
	play := league.Catalogue{Data: r.data, Given: r.given, Seeds: r.seeds, Models: r.f.models, Budget: r.f.budget, Ours: "latent-osm"}
	if play.Models == nil {
		for _, each := range baseline.All() {
			if each.Picks {
				play.Models = append(play.Models, each.Name)
			}
		}
	}
	rows, err := play.Run(ctx, r.runner)
	if err != nil {
		return err
	}
	tuned := fmt.Sprintf("Every baseline tuned with %d fits on the training part, for each kind of users; %s, which ranks by interest and taste, and the last rating by what comes next, has its defaults.", r.f.budget, play.Ours)
	return r.tables(tuned, func(w io.Writer) error { return league.WriteCatalogueCSV(w, rows) }, func(w io.Writer) error { return league.WriteCatalogue(w, rows, play.Ours, showSettings) })
}

func (r *production) ablation(ctx context.Context) error {
	steps, err := league.Ablation{Data: r.data, Given: r.given, Seeds: r.seeds}.Run(ctx, r.runner)
	if err != nil {
		return err
	}
	return r.write(".md", func(w *bufio.Writer) error {
		fmt.Fprintln(w, r.about)
		return league.WriteAblation(w, steps)
	})
}

// likelihood compares models by the log likelihood of whole tier lists.
func (r *production) likelihood(ctx context.Context) error {
	const folds, most, people = 5, 200, 1000
	how := fmt.Sprintf("%d folds, at most %d orders of each.", folds, most)
	judged := folds
	if r.f.quick {
		judged = 2
		how = fmt.Sprintf("Size quick: %d of %d folds judged, at most %d orders of each", judged, folds, most)
		if all := r.data.Set.Users().Len(); all > people {
			r.data.Set = r.data.Set.Sample(people, r.Seed)
			how += fmt.Sprintf("; %d of %d people, drawn by seed %d", people, all, r.Seed)
		}
		how += "."
	}
	play := league.Likelihood{Data: r.data, Judged: judged, Folds: folds, Seed: r.Seed, Seeds: len(r.seeds), Most: most, Jobs: r.Jobs, Store: r.runner.Store, Program: r.runner.Program, Observe: func(model string, seed uint64, fold int) {
		r.Tell("%s, seed %d, fold %d of %d: %s ...", r.data.Name, seed, fold+1, judged, model)
	}}
	contenders := league.Among(league.Contenders(r.data.Set), r.f.models)
	rows, err := play.Run(ctx, contenders)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if slices.Contains(row.Programs, "devel") {
			r.Tell("%s: some cells are by a program that names no commit, and the table says so; build inside a clone of the repository, with -buildvcs=true, and remove them from %s to make them again", row.Name, filepath.Join(r.Output, "cells"))
			break
		}
	}
	return r.write(".md", func(w *bufio.Writer) error {
		fmt.Fprintln(w, r.about, how)
		return league.WriteLikelihood(w, contenders[0].Name, rows)
	})
}

// calibration compares predicted tier probabilities with held-out ratings, in tables and pictures.
func (r *production) calibration(ctx context.Context) error {
	rows, err := league.Calibration{Data: r.data, Given: r.given[0], Seed: r.Seed, Jobs: r.Jobs, Observe: func(what string) { r.Tell("%s ...", what) }}.Run(ctx)
	if err != nil {
		return err
	}
	drawn := []league.Odds{rows[0], rows[2]} // as they are used, and before calibration
	for ending, write := range map[string]func(w *bufio.Writer) error{
		".csv": func(w *bufio.Writer) error { return league.WriteCalibrationCSV(w, rows) },
		".svg": func(w *bufio.Writer) error { return league.ReliabilityPicture(w, drawn, "svg") },
		".png": func(w *bufio.Writer) error { return league.ReliabilityPicture(w, drawn, "png") },
		".md": func(w *bufio.Writer) error {
			fmt.Fprintf(w, "Data %s, fingerprint %s; %d ratings given; seed %d; fubini %s, %s/%s.\n",
				r.data.Name, r.data.Set.Fingerprint(), r.given[0], r.Seed, cli.BuildVersion().Version, runtime.GOOS, runtime.GOARCH)
			return league.WriteCalibration(w, rows)
		},
	} {
		if err := r.write(ending, write); err != nil {
			return err
		}
	}
	return nil
}

// outsiders judges the scores of other programs for one split.
func outsiders(ctx context.Context, p *cli.Program, folder string, data cells.Data, given int, seed uint64) (map[string]*evaluate.Result, error) {
	prefix := fmt.Sprintf("%d-%d-", given, seed)
	files, err := filepath.Glob(filepath.Join(folder, prefix+"*.tsv"))
	if err != nil {
		return nil, err
	}
	var split ratings.Split
	found := map[string]*evaluate.Result{}
	for _, path := range files {
		if split.Training.Set() == nil {
			if split, err = data.Split(given, seed); err != nil {
				return nil, err
			}
		}
		scores, _, err := input.ReadPath(path, format.Options{Format: "tsv"})
		if err != nil {
			return nil, err
		}
		result, err := league.Outside(ctx, split, scores, p.Jobs)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		found[strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), prefix), ".tsv")] = result
	}
	return found, nil
}
