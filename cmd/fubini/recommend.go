package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/app/recommend"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/format"
	"fubini/data/ratings"
	"fubini/learn/zoo"
)

// recommendFlags say for whom, and what they may get.
type recommendFlags struct {
	tiers   string
	users   string
	count   int
	set     int
	exclude string
	only    string
	support int
	novelty float64
	unknown string

	// Of batches.
	input.DataFlags
	whole     bool
	noOdds    bool
	shards    int
	shardSize int
}

// recommendFormats are those of all commands, and two for batches.
var recommendFormats = append(slices.Clone(cli.Formats), "trec", "parquet")

func newRecommend(p *program) *cobra.Command {
	f := recommendFlags{count: 10, support: 5, unknown: "ignore"}
	cmd := &cobra.Command{
		Use:   "recommend MODEL --tiers FILE | --users DATA",
		Short: "Rank the items that a person has not placed, or many people",
		Long: `Read a person's tiers into a model and rank all other items for them: nothing is
trained and nothing stored. FILE is a tiers file, or any rating format that holds one
user; - is standard input.

Beside its score an item gets the person's tier it most likely belongs in (1 for the
best), and the odds of every place: tier_probs of standing in each of the T tiers,
gap_probs of a tier of its own above, between and below them, together 1.
expected_rank is its mean rank among the person's items, 1 for the best, and
rank_interval the lowest and highest rank that hold it with 80 % or more. Models other
than osm and latent-osm have scores alone.

Items of fewer than --min-support ratings are left out: of them a model knows
little more than the mean. --novelty X takes X times the log of an item's ratings
from its score. Equal scores come in the order of the catalogue.

--together K gives K items that please together: the chance that at least one belongs in
the best tier is large. Of two items for the same taste it takes one. gain is what
an item adds to the chance, chance that of the set so far.

--users ranks for everybody in DATA, in its order, on all cores. Formats in which the
lines of a user stand together (csv, tsv, movielens, jsonl, parquet, and tier lists one
a line: {"user":"ann","tiers":[["a"],["b","c"]]}) are read as they come, whatever
their size; others, or with --whole, are read into memory and users come by id.
Odds take longer than the ranking itself: --no-odds leaves them out. With --shards or
--shard-size the results go into the folder of --output, part by part, and a run that
was broken off goes on where it ended.`,
		Example: "  fubini recommend movies.safetensors --tiers mine.json -n 5\n" +
			"  fubini recommend m.safetensors --users ratings.csv --format jsonl -o all.jsonl\n" +
			"  fubini recommend m.safetensors --users ratings.csv --no-odds --shards 8 -o all",
		Args:        cli.OneArgument("MODEL"),
		Annotations: map[string]string{cli.Arguments: "read", cli.FolderWith: "shards shard-size"},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	cli.AddInput(flags, "tiers", &f.tiers, "FILE", "tiers of one person, best first")
	cli.AddInput(flags, "users", &f.users, "DATA", "ratings or tiers of many people")
	cli.AddFlag(flags, "count", "n", &f.count, "N", cli.ParseWhole(1), "how many items")
	cli.AddFlag(flags, "together", "", &f.set, "K", cli.ParseWhole(1), "a set of K items that please together instead of a list")
	flags.Lookup("together").DefValue = ""
	cli.AddInput(flags, "exclude", &f.exclude, "FILE", "items that are not to come, one id a line")
	cli.AddInput(flags, "only", &f.only, "FILE", "recommend only these items, one id a line")
	cli.AddFlag(flags, "min-support", "", &f.support, "N", cli.ParseWhole(0), "ratings that an item must have had")
	cli.AddFlag(flags, "novelty", "", &f.novelty, "X", cli.ParseNotNegative, "prefer less popular items, the more the larger")
	cli.AddChoice(cmd, flags, "unknown", &f.unknown, []string{"ignore", "error"}, "placed items that the model does not know: ignore and tell, or an error")
	cli.AddSwitch(flags, "no-odds", &f.noOdds, "without tier, tier_probs and gap_probs")
	cli.AddFlag(flags, "shards", "", &f.shards, "N", cli.ParseWhole(1), "write N parts of about as many users each into the folder of --output")
	flags.Lookup("shards").DefValue = ""
	cli.AddFlag(flags, "shard-size", "", &f.shardSize, "N", cli.ParseWhole(1), "write parts of N users each into the folder of --output")
	flags.Lookup("shard-size").DefValue = ""
	cli.AddSwitch(flags, "whole", &f.whole, "read all of DATA into memory; users may stand in any order")
	f.DataFlags.Add(cmd, flags)
	cli.AddChoice(cmd, flags, "format", &p.Format, recommendFormats, "form of the results: "+strings.Join(recommendFormats, ", ")+"; the last two with --users")
	flags.Lookup("format").DefValue = "table"
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.check(p, flags); err != nil {
			return err
		}
		saved, err := input.ReadModel(args[0])
		if err != nil {
			return err
		}
		handicap, err := f.handicaps(p, saved)
		if err != nil {
			return err
		}
		r, err := recommend.New(saved, handicap, f.count, !f.noOdds)
		if err != nil {
			return err
		}
		if f.users != "" {
			return p.recommendAll(cmd.Context(), &f, r)
		}
		return p.recommendOne(cmd.Context(), &f, r)
	}
	return cmd
}

// check refuses flags that do not go together.
func (f *recommendFlags) check(p *program, flags *pflag.FlagSet) error {
	sharded := f.shards > 0 || f.shardSize > 0
	batchOnly := ""
	switch {
	case sharded:
		batchOnly = "--shards or --shard-size"
	case f.whole:
		batchOnly = "--whole"
	case p.Format == "trec" || p.Format == "parquet":
		batchOnly = "--format " + p.Format
	}
	switch {
	case f.tiers == "" && f.users == "":
		return exit.Usagef("--tiers or --users is missing: a file with the tiers of one person, or the data of many; - is standard input")
	case f.tiers != "" && f.users != "":
		return exit.Usagef("--tiers is for one person, --users for many; give one of them")
	case f.tiers != "" && batchOnly != "":
		return exit.Usagef("%s is for --users", batchOnly)
	case f.users != "" && f.set > 0:
		return exit.Usagef("--together is for --tiers")
	case f.set > 0 && flags.Changed("count"):
		return exit.Usagef("-n is for a list, --together for a set; give one of them")
	case f.set > 0 && f.novelty > 0:
		return exit.Usagef("--novelty changes scores, and a set is not made by scores; leave one out")
	case f.shards > 0 && f.shardSize > 0:
		return exit.Usagef("--shards is a number of parts, --shard-size that of users in each; give one of them")
	case sharded && p.Output == "-":
		return exit.Usagef("--shards and --shard-size need -o/--output, a folder for the parts")
	case sharded && f.users == "-":
		return exit.Usagef("--shards and --shard-size read the data twice, which standard input does not allow; put them into a file")
	}
	return nil
}

// recommendOne answers for one person.
func (p *program) recommendOne(ctx context.Context, f *recommendFlags, r *recommend.Recommender) error {
	said, err := p.tiersFrom(ctx, f.tiers, f.DataFlags, r.Saved, f.unknown)
	if err != nil {
		return err
	}
	stranger := len(said.Items) == 0
	if stranger {
		p.Tell("no tiers that the model knows: this is the general order")
	}
	var records [][]cli.Field
	if f.set > 0 && !stranger {
		records, err = p.chosen(r, said, f.set)
	} else {
		if f.set > 0 { // a stranger has no best tier
			r.Count = f.set
		}
		var answers [][]recommend.Row
		if answers, err = r.Desk().Answer([]recommend.Told{said}); err == nil {
			for _, row := range answers[0] {
				records = append(records, fields(r, row))
			}
		}
	}
	if err != nil {
		return err
	}
	if len(records) == 0 {
		p.Tell("no item is left to recommend: see --min-support, --only and --exclude")
	}
	return p.Deliver(func(w *bufio.Writer) error { return p.WriteRecords(w, records) })
}

// usualTiers is how a person's tiers are read where a command has no say in it.
var usualTiers = input.DataFlags{Duplicates: "error", Incomplete: "subset"}

// tiersFrom reads what one person said, which may be nothing; what becomes of unknown
// items is up to the policy.
func (p *program) tiersFrom(ctx context.Context, path string, f input.DataFlags, saved *zoo.Saved, policy string) (recommend.Told, error) {
	set, report, err := input.Read(ctx, p.Program, path, f)
	if errors.Is(err, format.ErrNoRatings) && report != nil && report.Format == "tiers" {
		return recommend.Told{}, nil // tiers without items
	}
	if err != nil {
		return recommend.Told{}, err
	}
	switch n := set.Users().Len(); {
	case n == 0:
		return recommend.Told{}, nil
	case n > 1:
		return recommend.Told{}, fmt.Errorf("--tiers: %s holds %d users; it must hold one", path, n)
	}
	said, unknown, err := listed(saved, set, 0, recommend.AreRatings(report.Format))
	if err != nil {
		return recommend.Told{}, err
	}
	if len(unknown) > 0 {
		if policy == "error" {
			return recommend.Told{}, fmt.Errorf("--tiers: %s: %d items are not in the model: %s", path, len(unknown), cli.Shorten(unknown))
		}
		p.Tell("%d items are not in the model: %s", len(unknown), cli.Shorten(unknown))
	}
	return said, nil
}

// listed is what a user of some data said, and the ids that the model does not know.
func listed(saved *zoo.Saved, set *ratings.Set, user int, rated bool) (said recommend.Told, unknown []string, err error) {
	list, unknown, err := saved.List(set, user)
	if err != nil || len(list.Items) == 0 || !rated {
		return recommend.Told{List: list}, unknown, err
	}
	var values []float32 // of known items, in the order of the list
	row := set.Row(user)
	for k, item := range row.Items {
		if _, there := saved.Find(set.Items().ID(item)); there {
			values = append(values, row.Values[k])
		}
	}
	return recommend.ToldBy(list, values), unknown, nil
}
