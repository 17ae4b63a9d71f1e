package models

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/data"
	"fubini/cmd/fubini/input"
	"fubini/cmd/fubini/terminal"
	"fubini/data/modelfile"
	"fubini/learn/zoo"
	"fubini/model/rival"
)

// trainFlags say what is learned, and how.
type trainFlags struct {
	input.DataFlags
	request    zoo.Request
	hidden     int
	units      string
	epochs     int
	settings   modelSettings
	chosen     string
	checkpoint string
	resume     string
	from, add  string
}

func newTrain(p *program) *cobra.Command {
	f := trainFlags{request: zoo.Request{Model: "latent-osm", SaveEvery: 1}}
	cmd := &cobra.Command{
		Use:   "train DATA -o MODEL",
		Short: "Learn a model from ratings",
		Long: `Learn a model from all ratings in DATA and write it to MODEL, a safetensors file.
The same data, seed and version give the same bytes for any number of jobs.

--checkpoint writes the state of training every so many epochs, and when training
is interrupted; --resume goes on from there, with the same data and flags, and ends
in the same bytes as a run that was never interrupted.

train calibrates the tier probabilities of osm and latent-osm: it fits a second model
on 90 % of the ratings, compares predicted with observed tiers on the rest, and stores
the correction in MODEL. That takes about as long as training itself. --calibrate X
holds back a share X in place of a tenth, --calibrate 0 leaves calibration out. With
--validate no second model is needed. Other models are not calibrated. See docs/odds.md.

--from MODEL --add NEW takes new users and new items into a trained model (osm or
latent-osm) in place of DATA, without the ratings it was trained on: its parameters
move as far as the new lists pull them, each held by as much as it was learned from.
A rating that MODEL has seen already counts twice; its settings stay as they are.`,
		Example:     "  fubini train ml-1m/ratings.dat -o movies.safetensors\n  fubini train ratings.csv -o m.safetensors --hidden 50 --checkpoint m.check\n  fubini train --from m.safetensors --add new.csv -o next.safetensors",
		Args:        cli.AtMostOne("DATA"),
		Annotations: map[string]string{cli.Arguments: "read"},
	}
	flags := cmd.Flags()
	cli.AddChoice(cmd, flags, "model", &f.request.Model, zoo.Names(), "latent-osm, our best settings; latent-osm-paper, the paper's; osm, without hidden units; or a rival: "+strings.Join(rival.Names(), ", "))
	cli.AddFlag(flags, "hidden", "", &f.hidden, "K", cli.ParseWhole(0), "hidden units (factors, classes) of the model; its own number if not given")
	cli.AddChoice(cmd, flags, "units", &f.units, []string{"binary", "gaussian"}, "kind of the hidden units; the model's own if not given")
	cli.AddFlag(flags, "epochs", "", &f.epochs, "E", cli.ParseWhole(1), "passes over all users; the model's own number if not given")
	f.settings.add(flags)
	cli.AddInput(flags, "settings", &f.chosen, "FILE", "settings that tune --save wrote")
	cli.AddFlag(flags, "validate", "", &f.request.Validate, "X", data.ParseShare, "hold back a share X of the ratings, judge every epoch by NDCG@10 on it, keep the best, and end after 10 epochs without a better one")
	cli.AddFlag(flags, "calibrate", "", &f.request.Calibrate, "X", data.ParseShareOrNone, "calibrate the odds of tiers by a share X of the ratings, 0 for not at all (default 0.1 for osm and latent-osm)")
	cli.AddOutput(flags, "checkpoint", "", &f.checkpoint, "FILE", cli.ParsePath, "write the state of training to FILE")
	cli.AddFlag(flags, "checkpoint-every", "", &f.request.SaveEvery, "N", cli.ParseWhole(1), "epochs from checkpoint to checkpoint")
	cli.AddInput(flags, "resume", &f.resume, "FILE", "go on from a checkpoint")
	cli.Mark(flags, "resume", cli.Onward, "checkpoint")
	f.DataFlags.Add(cmd, flags)
	cli.AddInput(flags, "from", &f.from, "MODEL", "trained model to take new users and items into; goes with --add")
	cli.AddInput(flags, "add", &f.add, "NEW", "ratings to take into --from MODEL, in place of DATA")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.check(p, flags, args); err != nil {
			return err
		}
		if f.from != "" {
			return p.extend(cmd.Context(), &f)
		}
		request := f.request
		if ours := request.Model == "osm" || request.Model == "latent-osm"; ours && !flags.Changed("calibrate") {
			request.Calibrate = 0.1
		}
		recipe, err := f.recipe(flags)
		if err != nil {
			return err
		}
		request.Recipe = recipe
		request.Seed, request.Jobs, request.Program = p.Seed, p.Jobs, cli.BuildVersion().Version
		if f.resume != "" {
			checkpoint, err := input.ReadModelFile(f.resume)
			if err != nil {
				return fmt.Errorf("--resume: %w", err)
			}
			request.Resume = checkpoint
		}
		view := terminal.WatchTraining(p.ProgressTo(), request.Calibrate != 0 && request.Validate == 0)
		view.Reading(args[0])
		set, _, err := input.Read(cmd.Context(), p.Program, args[0], f.DataFlags)
		if err != nil {
			return err
		}
		view.Began()
		if f.checkpoint != "" {
			request.Save = func(file *modelfile.File) error {
				return input.WriteModel(cli.Destination{Flag: "--checkpoint", Path: f.checkpoint}, file)
			}
		}
		request.Observe, request.Trial = view.Epoch, view.Trial
		saved, err := zoo.Train(cmd.Context(), set, request)
		view.End()
		if err != nil {
			return err
		}
		if request.Validate != 0 || request.Calibrate != 0 {
			p.tellCalibration(saved)
		}
		file, err := saved.File()
		if err != nil {
			return err
		}
		return input.WriteModel(p.Results(), file)
	}
	return cmd
}

// tellCalibration says what became of the odds.
func (p *program) tellCalibration(saved *zoo.Saved) {
	if saved.Calibration == nil {
		p.Tell("held-back ratings say too little to calibrate the odds of tiers by; they stay as the model has them")
		return
	}
	p.Tell("odds of tiers calibrated; on held-back ratings they are %.4f off on average", saved.Calibration.ECE)
}

// check refuses flags that do not go together.
func (f *trainFlags) check(p *program, flags *pflag.FlagSet, args []string) error {
	switch {
	case (f.from == "") != (f.add == ""):
		return exit.Usagef("--from MODEL and --add NEW go together")
	case f.from != "" && len(args) > 0:
		return exit.Usagef("--add NEW takes the place of DATA; %s is one too many", cli.Quote(args[0]))
	case f.from == "" && len(args) == 0:
		return exit.Usagef("DATA is missing (see fubini train --help)")
	case p.Output == "-":
		return exit.Usagef("--output is missing: the file for the model, as in -o model.safetensors")
	case f.from == "":
		return nil
	}
	for _, name := range []string{"model", "hidden", "units", "set", "settings", "validate", "calibrate", "checkpoint", "checkpoint-every", "resume"} {
		if flags.Changed(name) {
			return exit.Usagef("--%s does not go with --from, which has its settings from the model", name)
		}
	}
	return nil
}

// extend takes new ratings into a trained model.
func (p *program) extend(ctx context.Context, f *trainFlags) error {
	saved, err := input.ReadModel(f.from)
	if err != nil {
		return err
	}
	set, _, err := input.Read(ctx, p.Program, f.add, f.DataFlags)
	if err != nil {
		return err
	}
	view := terminal.WatchTraining(p.ProgressTo(), false)
	next, added, err := zoo.Extend(ctx, saved, set, zoo.Request{
		Seed: p.Seed, Jobs: p.Jobs, Epochs: f.epochs, Program: cli.BuildVersion().Version, Observe: view.Epoch,
	})
	view.End()
	if err != nil {
		return err
	}
	p.Tell("%d users with %d ratings taken in, %d of their items new to the model", added.Users, added.Ratings, added.Items)
	if c, err := next.Catalogue(); err == nil && c.Calibration != nil {
		p.Tell("odds are read as the old model's were; how far they hold for the new one is not measured")
	}
	file, err := next.File()
	if err != nil {
		return err
	}
	return input.WriteModel(p.Results(), file)
}

// recipe is the model with what the flags say of it.
func (f *trainFlags) recipe(flags *pflag.FlagSet) (zoo.Recipe, error) {
	var settings modelSettings
	if f.chosen != "" {
		chosen, err := settingsFrom(f.chosen, []string{f.request.Model})
		if err != nil {
			return nil, fmt.Errorf("--settings: %w", err)
		}
		settings = chosen
	}
	settings = append(settings, f.settings...)
	for _, each := range []struct{ name, value string }{
		{"hidden", strconv.Itoa(f.hidden)}, {"units", f.units}, {"epochs", strconv.Itoa(f.epochs)},
	} {
		if flags.Changed(each.name) {
			settings = append(settings, zoo.Setting{Name: each.name, Value: each.value})
		}
	}
	recipes, err := zoo.Configure([]string{f.request.Model}, settings)
	if err != nil {
		return nil, exit.Usage(err)
	}
	return recipes[0], nil
}
