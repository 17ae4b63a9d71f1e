package draw

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/cmd/fubini/cli"
	"fubini/infer/ais"
	"fubini/model/latent"
)

// annealFlags are the flags of annealing runs.
type annealFlags struct {
	ais.Options
	kernel string
}

func (f *annealFlags) add(cmd *cobra.Command, flags *pflag.FlagSet) {
	*f = annealFlags{Options: ais.Options{Steps: 1000, Runs: 100}, kernel: "reinsertion"}
	cli.AddFlag(flags, "steps", "", &f.Steps, "S", cli.ParseWhole(1), "number of temperatures of an annealing run; each has a sweep of N moves")
	cli.AddFlag(flags, "runs", "", &f.Runs, "R", cli.ParseWhole(2), "number of annealing runs")
	cli.AddChoice(cmd, flags, "kernel", &f.kernel, []string{"reinsertion", "split-merge"}, "kernel of the annealing runs: reinsertion, split-merge")
}

func (f *annealFlags) splitMerge() bool { return f.kernel == "split-merge" }

// latent is the path of a model with hidden units.
func (f *annealFlags) latent(m *latent.Model) ais.Problem {
	moves := latent.Reinsertion
	if f.splitMerge() {
		moves = latent.SplitMerge
	}
	return m.Annealing(moves, false)
}
