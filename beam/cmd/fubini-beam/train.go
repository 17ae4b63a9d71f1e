package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/beam/people"
	"fubini/beam/training"
	"fubini/cmd/fubini/cli"
	"fubini/data/text"
	"fubini/learn/distributed"
)

func newTrain(p *program) *cobra.Command {
	j := training.Job{Read: people.ReadFn{Strict: true}}
	var settings []string
	var hidden int
	cmd := cli.Page(pages, "train")
	cmd.Args = cli.Arguments(1, math.MaxInt)
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&j.Output, "output", "o", "", "file for the model")
	cli.Mark(flags, "output", cli.Role, cli.WritesFile)
	flags.StringVar(&j.Model, "model", "latent-osm", "osm, latent-osm or latent-osm-paper")
	flags.IntVar(&j.Rounds, "rounds", distributed.Defaults().Rounds, "how often the shards are averaged")
	flags.IntVar(&j.Local, "local-epochs", distributed.Defaults().Local, "passes over a shard's users in a round")
	flags.IntVar(&j.Read.Shards, "shards", 4, "parts that users are divided into; a worker holds one at a time")
	flags.IntVar(&hidden, "hidden", 0, "hidden units; the model's own number if not given")
	flags.StringArrayVar(&settings, "set", nil, "a setting of the model, name=value; may be given several times")
	flags.StringVar(&j.Duplicates, "duplicates", "error", "a second rating of an item by a user: error, first, last or mean")
	flags.StringVar(&j.Read.Format, "data-format", "", "of DATA; detected from its content if not given")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case j.Output == "":
			return exit.Usagef("--output is missing: the file for the model, as in -o model.safetensors")
		case !slices.Contains([]string{"error", "first", "last", "mean"}, j.Duplicates):
			return exit.Usagef("--duplicates: %q is not one of error, first, last, mean", j.Duplicates)
		case j.Rounds < 1 || j.Local < 1 || j.Read.Shards < 1 || hidden < 0:
			return exit.Usagef("--rounds, --local-epochs and --shards must be positive, --hidden not negative")
		}
		if cmd.Flags().Changed("hidden") {
			settings = append(settings, fmt.Sprintf("hidden=%d", hidden))
		}
		var err error
		if j.Settings, err = assignments([]string{j.Model}, settings); err != nil {
			return err
		}
		if j.Read.Inputs, err = people.Find(args); err != nil {
			return err
		}
		if j.Output, err = filepath.Abs(j.Output); err != nil {
			return err
		}
		j.Seed, j.Jobs, j.Program = p.Seed, p.Jobs, cli.BuildVersion().Version
		if err := j.Run(cmd.Context(), p.log); err != nil {
			return fmt.Errorf("train: %w", err)
		}
		p.Tell("%s: %s of %s on %s; taste alone, without interest, for which fubini train reads all ratings at once", j.Output, text.Count(j.Rounds, "round", "rounds"), text.Count(j.Local, "epoch", "epochs"), text.Count(j.Read.Shards, "shard", "shards"))
		return nil
	}
	return cmd
}
