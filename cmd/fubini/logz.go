package main

import (
	"bufio"
	"context"

	"github.com/spf13/cobra"

	"fubini/core/partition"
	"fubini/infer/ais"
	"fubini/infer/exact"
	"fubini/model/osm"
)

func newLogZ(p *program) *cobra.Command {
	var model worthsFlags
	method := "exact"
	cmd := &cobra.Command{
		Use:   "logz --worths LIST --nu X",
		Short: "Compute the normaliser log Z of a model",
		Long: `Compute log Z, the logarithm of the summed weights of all tier lists.

Potentials are raw: neither centred nor, without --size, scaled. The keys of the
result are method, log_z, std_err and ess (standard error and effective sample
size of an estimate; an exact value has std_err 0 and ess null) and log_fubini,
the logarithm of the number of tier lists, which is log Z when worths and nu are 0.`,
		Example: "  fubini logz --worths 1,0.5,0,-1 --nu 0.3 --format json\n  fubini logz --worths 1,0.5,0,-1 --nu 0.3 --method ais --runs 10",
		Args:    noArguments,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	model.add(flags)
	addChoice(cmd, flags, "method", &method, []string{"exact", "ais"}, "exact, to 20 items; ais, annealed importance sampling")
	latent, kernel := "", "reinsertion"
	annealing := ais.Options{Steps: 1000, Runs: 100}
	addFlag(flags, "steps", "", &annealing.Steps, "S", parseWhole(1), "temperatures of an annealing run; a sweep of N moves at each")
	addFlag(flags, "runs", "", &annealing.Runs, "R", parseWhole(2), "annealing runs")
	addChoice(cmd, flags, "kernel", &kernel, []string{"reinsertion", "split-merge"}, "moves of the annealing runs: reinsertion, split-merge")
	// A flag of what is to come, so that asking for it gets an answer.
	addFlag(flags, "latent", "", &latent, "FILE", parsePath, "file of a model with hidden units")
	flags.Lookup("latent").Hidden = true

	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if latent != "" {
			return usagef("--latent: models with hidden units are not built yet; --worths and --nu work now")
		}
		m, err := model.model(flags)
		if err != nil {
			return err
		}
		return p.deliver(func(w *bufio.Writer) error {
			if method == "ais" {
				annealing.Seed, annealing.Jobs = p.seed, p.jobs
				e, err := ais.Run(cmd.Context(), m.Annealing(kernel == "split-merge"), annealing)
				if err != nil {
					return err
				}
				return p.writeRecord(w, []field{
					{"method", "ais"}, {"log_z", e.LogZ}, {"std_err", e.StdErr}, {"ess", e.Size}, {"log_fubini", partition.LogFubini(m.N())},
				})
			}
			table, err := await(cmd.Context(), func() (*exact.Table, error) { return exact.NewTable(m, partition.Space{}) })
			if err != nil {
				return err
			}
			return p.writeRecord(w, []field{
				{"method", "exact"},
				{"log_z", table.LogZ()},
				{"std_err", 0.0},
				{"ess", nil},
				{"log_fubini", partition.LogFubini(m.N())},
			})
		})
	}
	return cmd
}

// exactTable is exact.NewTable, with a word to the waiting user and an ear for
// interrupts.
func (p *program) exactTable(ctx context.Context, model *osm.Worths, space partition.Space) (*exact.Table, error) {
	if n := model.N(); n > 16 && n <= exact.MaxItems { // from about a second on
		p.tell("exact table of %d items ...", n)
	}
	return await(ctx, func() (*exact.Table, error) { return exact.NewTable(model, space) })
}
