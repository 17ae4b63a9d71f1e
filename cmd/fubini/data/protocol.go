package data

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
)

var protocols = []string{"paper", "given", "user", "time", "leave-k", "random", "kfold"}

// ProtocolFlags are the flags of dividing data into training and test.
type ProtocolFlags struct {
	Protocol string
	Given    int // ratings.FourFifths if not given
	minTest  int
	k        int
	share    float64
	Scale    []float64
}

// AddProtocol adds the flags, with their defaults.
func AddProtocol(p *cli.Program, cmd *cobra.Command) *ProtocolFlags {
	return cli.Shared(p, cmd, cmd.Flags(), (*ProtocolFlags).define)
}

func (f *ProtocolFlags) define(cmd *cobra.Command, flags *pflag.FlagSet) {
	*f = ProtocolFlags{Protocol: "paper", minTest: 10, k: 1, share: 0.2}
	cli.AddFlag(flags, "given", "", &f.Given, "N", cli.ParseWhole(1), "number of given ratings of each user (paper, given, user); user without it gives four fifths of each one's ratings")
	cli.AddChoice(cmd, flags, "protocol", &f.Protocol, protocols, strings.Join(protocols, ", "))
	cli.AddFlag(flags, "min-test", "", &f.minTest, "N", cli.ParseWhole(1), "smallest number of test ratings of a user; users with fewer are left out (paper, given, user)")
	cli.AddFlag(flags, "scale", "", &f.Scale, "MIN,MAX", parseScale, "smallest and largest rating of the scale; those of the data if not given")
	cli.AddFlag(flags, "k", "", &f.k, "K", cli.ParseWhole(1), "number of held-out ratings of each user (leave-k), or of folds (kfold)")
	cli.AddFlag(flags, "share", "", &f.share, "X", cli.ParseShare, "share of the ratings, or of the users, that are held out (random, time, user)")
}

func parseScale(text string) ([]float64, error) {
	ends, err := cli.ParseList(text)
	if err != nil || len(ends) != 2 || !(ends[0] < ends[1]) {
		return nil, fmt.Errorf("%s is not a scale; write its ends, as in 0.5,5", cli.Quote(text))
	}
	return ends, nil
}

// applies are the protocols that a flag belongs to.
var applies = map[string][]string{
	"given":    {"paper", "given", "user"},
	"min-test": {"paper", "given", "user"},
	"k":        {"leave-k", "kfold"},
	"share":    {"random", "time", "user"},
}

// Check refuses flags that are missing, or out of place, before data are read.
func (f *ProtocolFlags) Check(flags *pflag.FlagSet) error {
	for _, flag := range cli.SortedKeys(applies) {
		if flags.Changed(flag) && !slices.Contains(applies[flag], f.Protocol) {
			return exit.Usagef("--%s does not go with --protocol %s, only with %s", flag, f.Protocol, strings.Join(applies[flag], ", "))
		}
	}
	switch {
	case slices.Contains([]string{"paper", "given"}, f.Protocol) && !flags.Changed("given"):
		return exit.Usagef("--given is missing: how many ratings of each user are given, as in --given 20")
	case f.Protocol == "kfold" && f.k < 2:
		return exit.Usagef("--k: %d is not enough; kfold needs at least 2 folds", f.k)
	}
	return nil
}

// Splits divides a set once, or into folds by kfold. The protocol paper and --scale turn values into the levels 1 to 5. Tiers
// of each user's own are spread evenly over one scale.
func (f *ProtocolFlags) Splits(set *ratings.Set, seed uint64) (splits []ratings.Split, err error) {
	set = set.Spread()
	if f.Protocol == "paper" || f.Scale != nil {
		if set, err = evaluate.Levelled(set, f.Scale); err != nil {
			return nil, err
		}
	}
	splits = make([]ratings.Split, 1)
	switch f.Protocol {
	case "paper":
		splits[0], err = set.Paper(f.Given, f.minTest, seed)
	case "given":
		splits[0], err = set.Given(f.Given, f.minTest, seed)
	case "user":
		splits[0], err = set.UserSplit(f.share, f.Given, f.minTest, seed)
	case "time":
		splits[0], err = set.Time(f.share)
	case "leave-k":
		splits[0], err = set.LeaveOut(f.k, false, seed)
	case "random":
		splits[0], err = set.Random(f.share, seed)
	case "kfold":
		splits, err = set.Folds(f.k, seed)
	}
	if errors.Is(err, ratings.ErrNothingLeft) {
		err = fmt.Errorf("%w; lower --given, --min-test or --k, or use more data", err)
	}
	return splits, err
}

// Folds are the splits of a training part on which settings are chosen: under the protocol user three splits of its users, with
// as many ratings given, as far as there are enough users. Nil stands for parts of each user's ratings.
func (f *ProtocolFlags) Folds(training ratings.Training, seed uint64) []ratings.Split {
	if f.Protocol != "user" {
		return nil
	}
	return training.Set().UserSplits(f.share, f.Given, f.minTest, seed)
}
