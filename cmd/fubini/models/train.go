package models

import (
	"context"
	"errors"
	"fmt"
	"fubini/core/setting"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini"
	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/cmd/fubini/terminal"
	"fubini/data/modelfile"
	"fubini/data/text"
	"fubini/learn/ascent"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
)

type trainFlags struct {
	*input.DataFlags
	*input.AimFlags
	*modelFlags
	*setFlags
	*filesFlags
	*input.MatchFlags
	request    modelstore.Request
	hidden     int
	units      string
	epochs     int
	checkpoint string
	resume     string
	from, add  string
	*input.CatalogueFlags
}

// Train is the command fubini train, which learns a model from ratings.
func Train(p *cli.Program) *cobra.Command {
	f := trainFlags{request: modelstore.Request{SaveEvery: 1}}
	cmd := cli.Page(pages, "train")
	cmd.Args = cli.Arguments(0, 1)
	flags := cmd.Flags()
	f.modelFlags = addModel(p, cmd)
	f.AimFlags = input.AddAim(p, cmd)
	cli.AddFlag(flags, "hidden", "", &f.hidden, "K", cli.ParseWhole(0), "number of hidden units (factors, classes); the model's default if not given")
	cli.AddChoice(cmd, flags, "units", &f.units, []string{"binary", "gaussian"}, "kind of the hidden units: binary, gaussian; the model's default if not given")
	cli.AddFlag(flags, "epochs", "", &f.epochs, "E", cli.ParseWhole(1), "number of passes over all users; the model's default if not given")
	f.setFlags, f.filesFlags = addSet(p, cmd), addFiles(p, cmd)
	cli.AddFlag(flags, "validate", "", &f.request.Validate, "X", cli.ParseShare, "hold back a share X of the ratings, judge every epoch by NDCG@10 on it, keep the best, and end after 10 epochs without a better one")
	cli.AddFlag(flags, "calibrate", "", &f.request.Calibrate, "X", parseShareOrNone, "calibrate the tier probabilities on a share X of the ratings, 0 for no calibration (default 0.1 for osm and latent-osm)")
	cli.AddOutput(flags, "checkpoint", "", &f.checkpoint, "FILE", cli.ParsePath, "write the state of training to FILE")
	cli.AddFlag(flags, "checkpoint-every", "", &f.request.SaveEvery, "N", cli.ParseWhole(1), "number of epochs between checkpoints")
	cli.AddInput(flags, "resume", &f.resume, "FILE", "continue from a checkpoint")
	cli.Mark(flags, "resume", cli.Onward, "checkpoint")
	f.DataFlags = input.AddData(p, cmd)
	f.CatalogueFlags = input.AddCatalogue(p, cmd)
	cli.AddInput(flags, "from", &f.from, "MODEL", "trained model to extend by the users and items of --add")
	cli.AddInput(flags, "add", &f.add, "NEW", "ratings of the new users and items, in place of DATA")
	f.MatchFlags = input.AddMatch(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), p, flags, args) }
	return cmd
}

// run learns a model from DATA, or extends one, and writes it.
func (f *trainFlags) run(ctx context.Context, p *cli.Program, flags *pflag.FlagSet, args []string) error {
	if err := f.check(p, flags, args); err != nil {
		return err
	}
	if f.from != "" {
		return extend(ctx, p, f)
	}
	if err := f.checkAim(flags); err != nil {
		return err
	}
	aim, err := modelstore.ParseAim(f.Aim)
	if err != nil {
		return exit.Usage(err)
	}
	options := []fubini.Option{fubini.Seed(p.Seed), fubini.Jobs(p.Jobs), fubini.For(aim), fubini.Configure(func(name string) (model.Recipe, error) { return f.recipe(flags, name) }),
		fubini.Notes(func(text string) { p.Tell("%s", text) })}
	if flags.Changed("model") {
		options = append(options, fubini.Named(f.model))
	}
	if flags.Changed("calibrate") {
		options = append(options, fubini.Calibrate(f.request.Calibrate))
	}
	var resume *modelfile.File
	if f.resume != "" {
		if resume, err = input.ReadModelFile(f.resume); err != nil {
			return fmt.Errorf("--resume: %w", err)
		}
	}
	name := f.model
	if f.Aim == "interest" {
		name = "interest"
	}
	if _, err := f.recipe(flags, name); err != nil { // before the data are read
		return err
	}
	view := terminal.WatchTraining(p.ProgressTo())
	view.Reading(args[0])
	set, report, err := input.Read(ctx, p, args[0], *f.DataFlags)
	if err != nil {
		return err
	}
	about, err := f.About(p, args[0])
	if err != nil {
		return err
	}
	set = set.Described(about.Kinds)
	collectOften(set.Len())
	trained, err := fubini.Train(ctx, fubini.NewData(args[0], set, report), append(options, fubini.Adjust(func(r *fubini.TrainRequest) {
		r.Validate, r.SaveEvery, r.Resume, r.Observe, r.Trial = f.request.Validate, f.request.SaveEvery, resume, view.Epoch, view.Trial
		if f.checkpoint != "" {
			r.Save = func(file *modelfile.File) error {
				return input.WriteModel(cli.Destination{Flag: "--checkpoint", Path: f.checkpoint}, file)
			}
		}
		f.request = *r
		view.Began(r.Calibrate != 0 && r.Validate == 0, r.Jobs)
	}))...)
	view.End(err)
	if errors.Is(err, fubini.ErrNoRatings) {
		return exit.Usage(err)
	} else if errors.Is(err, ascent.ErrNoLists) {
		return fmt.Errorf("%w; --aim interest fits what people pick, which needs no order", err)
	} else if err != nil {
		return err
	}
	saved := trained.Saved
	tellChosen(p, saved.Settings, f.request.Recipe)
	switch {
	case f.request.Validate == 0 && f.request.Calibrate == 0:
	case saved.Calibration == nil:
		p.Tell("too few held-back ratings to calibrate the tier probabilities; MODEL has no correction")
	default:
		p.Tell("tier probabilities calibrated; the calibration error on held-back ratings is %.4f", saved.Calibration.ECE)
	}
	tellInterest(p, saved, set.Items().Kinds())
	about.Describe(p, saved)
	return input.Save(p.Results(), saved)
}

// largeSet is the number of ratings from which garbage is collected more often.
const largeSet = 10_000_000

// collectOften keeps garbage below a fifth of the memory in use, where otherwise as much garbage as memory in use would be gigabytes. Who has set
// GOGC knows better.
func collectOften(ratings int) {
	if ratings >= largeSet && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(20)
	}
}

func parseShareOrNone(text string) (float64, error) {
	if share, err := strconv.ParseFloat(text, 64); err == nil && share == 0 {
		return 0, nil
	}
	return cli.ParseShare(text)
}

func (f *trainFlags) check(p *cli.Program, flags *pflag.FlagSet, args []string) error {
	switch {
	case (f.from == "") != (f.add == ""):
		return exit.Usagef("--from MODEL and --add NEW go together")
	case f.from != "" && len(args) > 0:
		return exit.Usagef("--add NEW takes the place of DATA; %s is one too many", cli.Quote(args[0]))
	case f.from == "" && len(args) == 0:
		return exit.Usagef("DATA is missing (see fubini train --help)")
	case p.Output == "-":
		return exit.Usagef("--output is missing: the file for the model, as in -o model.safetensors")
	case f.from == "" && f.Match != "":
		return exit.Usagef("--match goes with --from and --add: without a model there are no items that titles could mean")
	case f.from == "" && flags.Changed("checkpoint-every") && f.checkpoint == "":
		return exit.Usagef("--checkpoint-every needs --checkpoint FILE, the file to write")
	case f.from == "":
		return nil
	}
	for _, name := range []string{"model", "aim", "hidden", "units", "set", "settings", "validate", "calibrate", "checkpoint", "checkpoint-every", "resume"} {
		if flags.Changed(name) {
			return exit.Usagef("--%s does not go with --from, whose model has its settings already", name)
		}
	}
	return nil
}

// extend takes new ratings into a trained model.
func extend(ctx context.Context, p *cli.Program, f *trainFlags) error {
	saved, err := input.ReadModel(f.from)
	if err != nil {
		return err
	}
	set, _, err := input.Read(ctx, p, f.add, *f.DataFlags)
	if err != nil {
		return err
	}
	items, err := input.NewItems(ctx, p, saved, f.Match, f.add)
	if err != nil {
		return err
	}
	if set, err = items.Set(set, true); err != nil {
		return err
	}
	if set.Len() == 0 {
		return fmt.Errorf("--add: %s: every title in it may be one of several items; answer in a file: --match FILE", f.add)
	}
	view := terminal.WatchTraining(p.ProgressTo())
	next, added, err := modelstore.Extend(ctx, saved, set, modelstore.Request{
		Seed: p.Seed, Jobs: p.Jobs, Epochs: f.epochs, Program: cli.BuildVersion().Version, Observe: view.Epoch,
	})
	view.End(err)
	if err != nil {
		return err
	}
	p.Tell("%s with %s taken in, %s new to the model", text.Count(added.Users, "user", "users"), text.Count(added.Ratings, "rating", "ratings"), text.Count(added.Items, "item", "items"))
	about, err := f.About(p, f.add)
	if err != nil {
		return err
	}
	about.Describe(p, next)
	if saved.Interest != nil && next.Interest == nil {
		p.Tell("interest is left out, because it cannot take in new items without the earlier ratings: the model has taste alone; train anew on all ratings for both")
	} else if next.Interest != nil {
		p.Tell("interest is that of the old model: the new ratings do not change it")
	}
	if next.Odds != nil {
		p.Tell("the tier probabilities keep the calibration of the old model; it is not measured anew")
	}
	return input.Save(p.Results(), next)
}

// recipe is a model by its name with the settings of the flags.
func (f *trainFlags) recipe(flags *pflag.FlagSet, name string) (model.Recipe, error) {
	settings := f.settings
	for _, flag := range []string{"hidden", "units", "epochs"} {
		if flags.Changed(flag) {
			settings = append(settings, registry.Assignment{Name: flag, Value: flags.Lookup(flag).Value.String()})
		}
	}
	recipes, err := configured([]string{name}, f.chosen, settings)
	if err != nil {
		return nil, err
	}
	return recipes[0], nil
}

// checkAim refuses an aim that does not go with the model.
func (f *trainFlags) checkAim(flags *pflag.FlagSet) error {
	recipe, err := registry.New(f.model)
	if err != nil {
		return exit.Usage(err)
	}
	_, ours := recipe.(registry.OrderedSetRecipe)
	switch {
	case f.Aim == "next":
		return exit.Usagef("--aim next is an order of recommendations; train fits what it needs to every set of ratings with times")
	case f.Aim == "interest" && flags.Changed("model") && f.model != "interest":
		return exit.Usagef("--aim interest is the model interest; leave --model out, or give another aim")
	case f.Aim != "" && f.Aim != "interest" && f.model == "interest":
		return exit.Usagef("--aim %s: a model interest has no taste; leave --model out", f.Aim)
	case f.Aim == "balanced" && !ours:
		return exit.Usagef("--aim balanced: interest is fitted beside osm, latent-osm and latent-osm-paper, not beside %s", f.model)
	}
	return nil
}

// tellChosen says which settings, beside those asked for, the data chose.
func tellChosen(p *cli.Program, settings map[string]float64, recipe model.Recipe) {
	var chosen []string
	asked := registry.Settings(recipe)
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		if _, set := asked[name]; !set {
			value := fmt.Sprintf("%.3g", settings[name])
			if k, err := setting.Find(recipe.Settings(), name); err == nil && k.Names != nil {
				value = k.Format(settings[name])
			}
			chosen = append(chosen, name+"="+value)
		}
	}
	if chosen != nil {
		p.Tell("chosen by how well the places of items held back are predicted: %s", strings.Join(chosen, ", "))
	}
}
