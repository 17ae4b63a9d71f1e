package models

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
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
	"fubini/paper"
	"fubini/paper/cells"
	"fubini/paper/league"
)

// reproduceFlags say what is made, of which data.
type reproduceFlags struct {
	data    string
	name    string
	given   []float64
	seeds   int
	models  []string
	budget  int
	minTest int
	plain   bool
	peers   string

	netflix string
	quick   bool
	largest int
	report  string
}

// ownTargets are tables of this project, beside the paper's.
var ownTargets = []string{"league", "ablation", "likelihood", "calibration"}

func newReproduce(p *program) *cobra.Command {
	f := reproduceFlags{seeds: 3, budget: 20, minTest: 10}
	cmd := &cobra.Command{
		Use:   "reproduce TARGET --data DATA -o DIR",
		Short: "Make the tables and figures of the paper and of this project",
		Long: `The targets table1 to fig4b are the tables and figures of the paper; all is all of
them. Each writes DIR/TARGET/: results.json, a page in Markdown with the paper's numbers
beside ours, CSV, and pictures as SVG and PNG. table3 and fig4b use the data of --netflix,
or DATA without it. --quick does less work; every page lists what was reduced. A target
needs 20 users with enough ratings; --largest lowers the number that is given. A model
that cannot be fitted to data so small is shown as not made, with the reason.

league compares all models on the same splits over several seeds, each tuned by the same
number of fits on the training part, and ours with every other, paired by user. ablation
goes from the paper's model to ours, one change at a time. likelihood is the log
likelihood of whole tier lists of people who were not in the training data. They write
DIR/league/NAME.md and .csv, DIR/ablation/NAME.md, DIR/likelihood/NAME.md.

calibration compares predicted tier probabilities with held-out ratings, and writes
DIR/calibration/NAME.md, .csv, .svg and .png. It takes one number of given ratings (20
if not given) and one seed.

Finished cells are kept in DIR/cells, and an interrupted run continues after them. A
cell holds the version and the settings that it was made with: a cell of another version
with the same settings is used, and pages name that version; a cell whose settings are no
longer the defaults is made again.

--peers DIR adds scores of other programs to the league: files GIVEN-SEED-NAME.tsv with
user, item and score for every test rating, as peers/README.md describes.`,
		Example: `  fubini reproduce all --data ml-100k --quick -o results
  fubini reproduce table2 --data ml-10m -o results
  fubini reproduce league --data ml-1m --given 10,20,50 -o results
  fubini reproduce calibration --data ml-1m --given 20 -o results`,
		Args: func(_ *cobra.Command, args []string) error {
			known := append(append(paper.Targets(), "all"), ownTargets...)
			if len(args) != 1 || !slices.Contains(known, args[0]) {
				return exit.Usagef("reproduce takes a target: one of %s", strings.Join(known, ", "))
			}
			return nil
		},
		Annotations: map[string]string{cli.FolderWith: "always"},
	}
	flags := cmd.Flags()
	cli.AddInput(flags, "data", &f.data, "DATA", "ratings")
	cli.AddInput(flags, "netflix", &f.netflix, "DATA", "ratings of Netflix, for table3 and fig4b")
	cli.AddSwitch(flags, "quick", &f.quick, "less work: fewer seeds, users, epochs and points")
	cli.AddFlag(flags, "largest", "", &f.largest, "N", cli.ParseWhole(1), "largest number of given ratings of a user, where the paper gives more")
	cli.AddOutput(flags, "report", "", &f.report, "FILE", cli.ParsePath, "with all: write the report in Markdown, pictures beside it in pictures/")
	cli.Mark(flags, "report", cli.Role, cli.WritesInto)
	cli.AddFlag(flags, "name", "", &f.name, "NAME", cli.ParseText, "name of the data in the tables; the file name if not given")
	cli.AddFlag(flags, "given", "", &f.given, "N", cli.ParseList, "ratings given of each user, several numbers with commas between (default 10,20,50)")
	cli.AddFlag(flags, "seeds", "", &f.seeds, "N", cli.ParseWhole(1), "number of splits, with seeds from --seed on")
	cli.AddFlag(flags, "models", "", &f.models, "LIST", parseModels, "models, all if not given")
	cli.AddFlag(flags, "budget", "", &f.budget, "N", cli.ParseWhole(0), "number of fits to tune every model by; 0 for default settings")
	cli.AddFlag(flags, "min-test", "", &f.minTest, "N", cli.ParseWhole(1), "smallest number of test ratings of a user; users with fewer are left out")
	cli.AddSwitch(flags, "no-filter", &f.plain, "keep all items and rating values: no entropy filter, no five levels")
	cli.AddInput(flags, "peers", &f.peers, "DIR", "folder with scores of other programs")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case f.data == "":
			return exit.Usagef("--data is missing: a file or folder of ratings")
		case p.Output == "-":
			return exit.Usagef("--output is missing: the folder for the tables, as in -o results")
		}
		if slices.Contains(ownTargets, args[0]) {
			return p.reproduce(cmd.Context(), args[0], &f)
		}
		return p.reproducePaper(cmd, args[0], &f)
	}
	return cmd
}

func (p *program) reproduce(ctx context.Context, target string, f *reproduceFlags) error {
	data, err := p.reproduceData(ctx, f.data, f.name, !f.plain && target != "likelihood", f)
	if err != nil {
		return err
	}
	set, name := data.Set, data.Name
	given := []int{10, 20, 50}
	if len(f.given) > 0 {
		given = given[:0]
	}
	for _, n := range f.given {
		if n != float64(int(n)) || n < 1 {
			return exit.Usagef("--given: %g is no number of ratings", n)
		}
		given = append(given, int(n))
	}
	var seeds []uint64
	for k := range f.seeds {
		seeds = append(seeds, p.Seed+uint64(k))
	}
	bench := &cells.Bench{Store: folderStore(p.Output), Jobs: p.Jobs, Program: cli.BuildVersion().Name(), Observe: func(c cells.Cell) {
		p.Tell("%s, %d given, seed %d: %s%s ...", c.Data, c.Given, c.Seed, c.Model, showSettings(c.Model, c.Set))
	}}
	write := func(ending string, write func(w *bufio.Writer) error) error {
		return writeInto("--output", filepath.Join(p.Output, target, name+ending), write)
	}
	about := fmt.Sprintf("Data %s, fingerprint %s; seeds %d to %d; fubini %s, %s/%s.", name, set.Fingerprint(), seeds[0], seeds[len(seeds)-1], cli.BuildVersion().Name(), runtime.GOOS, runtime.GOARCH)
	if target == "likelihood" {
		return p.likelihoods(ctx, data, about, write)
	}
	if target == "calibration" {
		if len(f.given) == 0 {
			given = []int{20}
		}
		if len(given) > 1 {
			return exit.Usagef("--given: calibration takes one number of ratings, not %d", len(given))
		}
		return p.calibration(ctx, league.Calibration{Data: data, Given: given[0], Seed: p.Seed, Jobs: p.Jobs}, write)
	}
	if target == "ablation" {
		steps, err := league.Ablation{Data: data, Given: given, Seeds: seeds}.Run(ctx, bench)
		if err != nil {
			return err
		}
		return write(".md", func(w *bufio.Writer) error {
			fmt.Fprintln(w, about)
			return league.WriteAblation(w, steps)
		})
	}
	play := league.League{Data: data, Given: given, Seeds: seeds, Models: f.models, Budget: f.budget, Ours: "latent-osm"}
	if play.Models == nil {
		play.Models = registry.Names()
	}
	if !slices.Contains(play.Models, play.Ours) {
		play.Models = append(play.Models, play.Ours)
	}
	if f.peers != "" {
		play.Others = func(given int, seed uint64) (map[string]*evaluate.Result, error) {
			return p.outsiders(ctx, f.peers, play.Data, given, seed)
		}
	}
	rows, err := play.Run(ctx, bench)
	if err != nil {
		return err
	}
	if err := write(".csv", func(w *bufio.Writer) error { return league.WriteLeagueCSV(w, rows) }); err != nil {
		return err
	}
	return write(".md", func(w *bufio.Writer) error {
		how := "Default settings, nothing tuned."
		if f.budget > 0 {
			how = fmt.Sprintf("Every model tuned with %d fits on the training part of every split.", f.budget)
		}
		fmt.Fprintln(w, about, how)
		return league.WriteLeague(w, rows)
	})
}

// likelihoods plays the league of probabilities on one data set.
func (p *program) likelihoods(ctx context.Context, data cells.Data, about string, write func(ending string, write func(w *bufio.Writer) error) error) error {
	const folds, most = 5, 200
	play := league.Likelihood{Data: data, Folds: folds, Seed: p.Seed, Most: most, Jobs: p.Jobs, Observe: func(model string, fold int) {
		p.Tell("%s, fold %d of %d: %s ...", data.Name, fold+1, folds, model)
	}}
	rows, err := play.Run(ctx, league.Contenders(data.Set))
	if err != nil {
		return err
	}
	return write(".md", func(w *bufio.Writer) error {
		fmt.Fprintf(w, "%s %d folds, at most %d orders of each.\n", about, folds, most)
		return league.WriteLikelihood(w, rows)
	})
}

// reproduceData reads ratings, and makes levels of them where the protocol does.
func (p *program) reproduceData(ctx context.Context, path, name string, levelled bool, f *reproduceFlags) (cells.Data, error) {
	set, _, err := input.Read(ctx, p.Program, path, input.PlainData)
	if err == nil && levelled {
		set, err = evaluate.Levelled(set, nil)
	}
	if err != nil {
		return cells.Data{}, err
	}
	if name == "" {
		name = dataName(path)
	}
	return cells.Data{Name: name, Set: set, MinTest: f.minTest, Filter: !f.plain}, nil
}

// dataName is what a file or folder is called without the way to it.
func dataName(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// outsiders judges the scores of other programs for one split.
func (p *program) outsiders(ctx context.Context, folder string, data cells.Data, given int, seed uint64) (map[string]*evaluate.Result, error) {
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

// folderStore keeps finished work in files under a folder.
type folderStore string

// Get implements paper.Store.
func (s folderStore) Get(name string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(string(s), filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fs.ErrNotExist
	}
	return text, err
}

// Put implements paper.Store; a file appears complete or not at all.
func (s folderStore) Put(name string, data []byte) error {
	return writeInto("--output", filepath.Join(string(s), filepath.FromSlash(name)), func(w *bufio.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// writeInto writes a file, complete or not at all, and makes the folders around it.
func writeInto(flag, path string, write func(w *bufio.Writer) error) error {
	to := cli.Destination{Flag: flag, Path: path}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return to.Failed(err)
	}
	return to.Deliver(write)
}
