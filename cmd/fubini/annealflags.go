package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
	addFlag(flags, "steps", "", &f.Steps, "S", parseWhole(1), "temperatures of an annealing run; a sweep of N moves at each")
	addFlag(flags, "runs", "", &f.Runs, "R", parseWhole(2), "annealing runs")
	addChoice(cmd, flags, "kernel", &f.kernel, []string{"reinsertion", "split-merge"}, "moves of the annealing runs: reinsertion, split-merge")
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
