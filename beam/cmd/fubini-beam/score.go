package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/beam/people"
	"fubini/beam/score"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/text"
	"fubini/learn/modelstore"
)

func newScore(p *program) *cobra.Command {
	j := score.Job{}
	var inputs []string
	var noOdds bool
	var aim string
	cmd := cli.Page(pages, "score")
	cmd.Args = cli.Arguments(1, 1)
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&inputs, "input", nil, "files to read; may be given several times")
	flags.StringVarP(&j.Folder, "output", "o", "", "folder for the parts")
	flags.IntVar(&j.Read.Shards, "shards", 16, "parts of the output; a worker holds the people of one at a time")
	flags.IntVarP(&j.Count, "count", "n", 10, "how many items for each")
	flags.IntVar(&j.Support, "min-support", 5, "ratings that an item must have had")
	flags.Float64Var(&j.Novelty, "novelty", 0, "prefer less popular items, the more the larger")
	flags.StringVar(&aim, "aim", "", "order by taste, interest, or balanced, by both, which is the default if the model has both and its interest is informative")
	flags.StringVar(&j.Unknown, "unknown", "ignore", "placed items that the model does not know: ignore, and count; or error")
	flags.StringVar(&j.Duplicates, "duplicates", "error", "a second rating of an item by a user: error, first, last or mean")
	flags.BoolVar(&noOdds, "no-odds", false, "without interest, tier, tier_probs and gap_probs")
	flags.StringVar(&j.Form, "format", "jsonl", "of the output: jsonl or parquet")
	flags.StringVar(&j.Read.Format, "data-format", "", "of the inputs; detected from their content if not given")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(inputs) == 0:
			return exit.Usagef("--input is missing: the files to read, as in --input 'people-*.jsonl'")
		case j.Folder == "":
			return exit.Usagef("--output is missing: a folder for the parts")
		case !slices.Contains([]string{"jsonl", "parquet"}, j.Form):
			return exit.Usagef("--format: %q is neither jsonl nor parquet", j.Form)
		case !slices.Contains([]string{"ignore", "error"}, j.Unknown):
			return exit.Usagef("--unknown: %q is neither ignore nor error", j.Unknown)
		case !slices.Contains([]string{"error", "first", "last", "mean"}, j.Duplicates):
			return exit.Usagef("--duplicates: %q is not one of error, first, last, mean", j.Duplicates)
		case j.Read.Shards < 1 || j.Read.Shards > 99_999 || j.Count < 1 || j.Support < 0 || !(j.Novelty >= 0):
			return exit.Usagef("--shards and --count must be positive, --min-support and --novelty not negative")
		}
		j.Odds, j.Jobs = !noOdds, p.Jobs
		var err error
		if j.Aim, err = modelstore.ParseAim(aim); err != nil {
			return exit.Usagef("--aim: %w", err)
		}
		if j.Aim == modelstore.AimNext {
			return exit.Usagef("--aim next follows from times, which are not read here; give another aim, or use fubini recommend --users")
		}
		if j.Model, err = filepath.Abs(args[0]); err != nil {
			return err
		}
		saved, err := input.ReadModel(args[0]) // before a job is started for it
		if err != nil {
			return err
		}
		if j.Aim, err = saved.Resolve(j.Aim); err != nil {
			return fmt.Errorf("--aim: %w", err)
		}
		if j.Read.Inputs, err = people.Find(inputs); err != nil {
			return fmt.Errorf("--input: %w", err)
		}
		if j.Folder, err = filepath.Abs(j.Folder); err != nil {
			return err
		}
		s, already, err := j.Run(cmd.Context(), cli.BuildVersion().Version, p.log)
		if err != nil {
			return err
		}
		if already {
			p.Tell("%s is complete already", j.Folder)
		}
		if s.Bad > 0 {
			p.Tell("%s could not be read; see %s", text.Count(s.Bad, "line", "lines"), filepath.Join(j.Folder, "errors.jsonl"))
		}
		if s.Missing > 0 {
			p.Tell("ignored, because not in the model: %d of %s", s.Missing, text.Count(s.Placed, "placed item", "placed items"))
		}
		if s.Guessed > 0 {
			p.Tell("guessed by title: %s, added up over the parts; fubini recommend --users names them", text.Count(s.Guessed, "item", "items"))
		}
		if s.Strangers > 0 {
			p.Tell("the general order for %s without tiers that the model knows", text.Count(s.Strangers, "person", "people"))
		}
		p.Tell("%s, %s in %s", text.Count(s.Users, "person", "people"), text.Count(s.Rows, "recommendation", "recommendations"), text.Count(len(s.Parts), "part", "parts"))
		return nil
	}
	return cmd
}
