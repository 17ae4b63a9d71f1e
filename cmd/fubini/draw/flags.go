package draw

import (
	"math"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/infer/ais"
	"fubini/infer/mcmc"
	"fubini/model/osm"
)

// worthsFlags are the flags for the model that sample and logz take: worths, or items of a model file.
type worthsFlags struct {
	worths []float64
	nu     float64
	size   float64
	items  []string
}

func (f *worthsFlags) define(_ *cobra.Command, flags *pflag.FlagSet) {
	cli.AddFlag(flags, "worths", "", &f.worths, "LIST", cli.ParseList, "worth of each item, as in 1,0.5,-1; items are numbered from 0")
	cli.AddFlag(flags, "nu", "", &f.nu, "X", cli.ParseFinite, "tie weight: above 0 favours ties, below 0 disfavours them")
	cli.AddFlag(flags, "size", "", &f.size, "C", cli.ParseNotNegative, "size normalisation: raise potentials to the power C/(N-1); 0 for none")
	cli.AddFlag(flags, "items", "", &f.items, "LIST", cli.ParseWords, "ids of items of MODEL, with commas between, in place of --worths and --nu")
}

// largestLogWeight bounds the sums that make a log weight, with room to add
// and subtract many of them before float64 ends at 1.8e308.
const largestLogWeight = 1e300

func (f *worthsFlags) model(flags *pflag.FlagSet) (*osm.Worths, error) {
	if !flags.Changed("worths") {
		return nil, exit.Usagef("--worths is missing: the worth of each item, as in --worths 1,0.5,-1")
	}
	if !flags.Changed("nu") {
		return nil, exit.Usagef("--nu is missing: the weight of ties, as in --nu 0")
	}
	// A log weight is the sum of N worths, each times at most N-1, and of nu
	// times at most N(N-1)/2: docs/maths.md#scores.
	n := float64(len(f.worths))
	most := largestLogWeight / (n * max(1, n-1))
	if f.size > 0 && n > 1 {
		most /= f.size / (n - 1)
	}
	for i, u := range f.worths {
		if !(math.Abs(u) <= most) {
			return nil, exit.Usagef("--worths: item %d is %g; log weights would leave the range of numbers, keep worths below %.1g in size", i, u, most)
		}
	}
	if !(math.Abs(f.nu) <= most) {
		return nil, exit.Usagef("--nu is %g; log weights would leave the range of numbers, keep it below %.1g in size", f.nu, most)
	}
	return osm.NewWorths(f.worths, f.nu, osm.Options{Size: f.size})
}

type annealFlags struct {
	ais.Options
	kernel string
}

func (f *annealFlags) add(cmd *cobra.Command, flags *pflag.FlagSet) {
	*f = annealFlags{Options: ais.Options{Steps: 1000, Runs: 100}, kernel: "reinsertion"}
	cli.AddFlag(flags, "steps", "", &f.Steps, "S", cli.ParseWhole(1), "temperatures of an annealing run; a sweep of N moves at each")
	cli.AddFlag(flags, "runs", "", &f.Runs, "R", cli.ParseWhole(2), "annealing runs")
	cli.AddChoice(cmd, flags, "kernel", &f.kernel, mcmc.MoveNames[:2], "moves of the annealing runs: reinsertion, split-merge")
}

// moves are those of the kernel, whose name has been checked.
func (f *annealFlags) moves() mcmc.Moves {
	moves, _ := mcmc.ParseMoves(f.kernel)
	return moves
}
