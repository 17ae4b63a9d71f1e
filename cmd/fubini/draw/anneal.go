package draw

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/cmd/fubini/cli"
	"fubini/infer/ais"
	"fubini/infer/mcmc"
	"fubini/model/latent"
)

// annealFlags are the flags of annealing runs.
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

// latent is the path of a model with hidden units.
func (f *annealFlags) latent(m *latent.Model) ais.Problem { return m.Annealing(f.moves(), false) }
