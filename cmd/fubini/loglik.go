package main

import (
	"bufio"
	"math"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/core/partition"
	"fubini/infer/ais"
	"fubini/model/latent"
)

func newLogLik(p *program) *cobra.Command {
	var read dataFlags
	var annealing annealFlags
	method := "ais"
	cmd := &cobra.Command{
		Use:   "loglik MODEL DATA",
		Short: "Log likelihood of people's tier lists under a model",
		Long: `Log likelihood of every user's tier list in DATA under the model: log weight minus
log Z, which annealing estimates or, for short lists, is computed exactly. Beside it
stand the uniform references: minus the log of the number of tier lists of as many
items (uniform), and of strict orders (uniform_strict), which is another space.
Items that the model does not know are left out, and counted.`,
		Example: "  fubini loglik movies.safetensors new.csv --runs 10 --format csv",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return exit.Usagef("loglik takes MODEL and DATA, not %d arguments (see %s --help)", len(args), cmd.CommandPath())
			}
			return nil
		},
		Annotations: map[string]string{arguments: "read"},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	addChoice(cmd, flags, "method", &method, []string{"ais", "exact"}, "ais, annealed importance sampling; exact, for short lists")
	annealing.add(cmd, flags)
	read.add(cmd, flags, "data-format")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		saved, err := readModel(args[0])
		if err != nil {
			return err
		}
		catalogue, err := saved.Catalogue()
		if err != nil {
			return err
		}
		set, _, err := p.read(cmd.Context(), args[1], read)
		if err != nil {
			return err
		}
		annealing.Jobs = p.jobs
		return p.deliver(func(w *bufio.Writer) error {
			var records [][]field
			var total float64
			skipped := 0
			progress := p.follow("users", set.Users().Len())
			defer progress.end()
			for u := range set.Users().Len() {
				progress.at(u)
				list, unknown, err := saved.List(set, u)
				if err != nil {
					return err
				}
				if len(list.Items) == 0 {
					skipped++
					continue
				}
				m, err := catalogue.Model(list.Items)
				if err != nil {
					return err
				}
				annealing.Seed = p.seed + uint64(u)
				estimate, err := logZOf(cmd, m, method, &annealing)
				if err != nil {
					return err
				}
				logLik := m.LogWeight(list.Order) - estimate.LogZ
				total += logLik
				n := len(list.Items)
				strict, _ := math.Lgamma(float64(n) + 1)
				records = append(records, []field{
					{"user", set.Users().ID(uint32(u))}, {"items", n}, {"unknown", len(unknown)},
					{"log_lik", logLik}, {"std_err", estimate.StdErr}, {"uniform", -partition.LogFubini(n)}, {"uniform_strict", -strict},
				})
			}
			if skipped > 0 {
				p.tell("%d users have no item that the model knows", skipped)
			}
			if len(records) > 0 {
				p.tell("mean log likelihood of %d users: %.4f", len(records), total/float64(len(records)))
			}
			return p.writeRecords(w, records)
		})
	}
	return cmd
}

// logZOf finds log Z of one list.
func logZOf(cmd *cobra.Command, m *latent.Model, method string, annealing *annealFlags) (*ais.Estimate, error) {
	if method == "exact" {
		logZ, err := await(cmd.Context(), m.ExactLogZ)
		return &ais.Estimate{LogZ: logZ}, err
	}
	return ais.Run(cmd.Context(), annealing.latent(m), annealing.Options)
}
