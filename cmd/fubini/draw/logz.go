package draw

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/core/partition"
	"fubini/infer/ais"
	"fubini/infer/mcmc"
	"fubini/model/latent"
)

// LogZ is the command fubini logz, which computes the normaliser of a model.
func LogZ(p *cli.Program) *cobra.Command {
	method := "exact"
	cmd := cli.Page(pages, "logz")
	flags := cmd.Flags()
	model := cli.Shared(p, cmd, flags, (*worthsFlags).define)
	cli.AddChoice(cmd, flags, "method", &method, []string{"exact", "ais"}, "exact, for at most 20 items; ais, annealed importance sampling")
	file := ""
	cli.AddInput(flags, "latent", &file, "FILE", "model with hidden units, in place of --worths and --nu")
	cmd.Args = cli.Arguments(0, 1)
	var annealing annealFlags
	annealing.add(cmd, flags)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		annealing.Seed, annealing.Jobs = p.Seed, p.Jobs
		var problem ais.Problem
		var logZ func(context.Context) (float64, error)
		var n int
		var err error
		if len(args) > 0 {
			problem, logZ, n, err = ofFile(cmd.Context(), p, flags, args[0], model.items, annealing.moves())
		} else if len(model.items) > 0 {
			err = exit.Usagef("--items: MODEL is missing, whose items these are")
		} else {
			problem, logZ, n, err = normaliser(p, flags, model, file, &annealing)
		}
		if err != nil {
			return err
		}
		return p.Deliver(func(w *bufio.Writer) error {
			e := &ais.Estimate{}
			size := any(nil) // of an exact value
			if method == "exact" {
				e.LogZ, err = logZ(cmd.Context())
			} else if e, err = ais.Run(cmd.Context(), problem, annealing.Options); err == nil {
				size = e.Size
			}
			if err != nil {
				return err
			}
			return p.WriteRecord(w, cli.Record{{"method", method}, {"log_z", e.LogZ}, {"std_err", e.StdErr}, {"ess", size}, {"log_fubini", partition.LogFubini(n)}})
		})
	}
	return cmd
}

// ofFile is what logz estimates or computes, of some items of a model file.
func ofFile(ctx context.Context, p *cli.Program, flags *pflag.FlagSet, path string, items []string, moves mcmc.Moves) (problem ais.Problem, logZ func(context.Context) (float64, error), n int, err error) {
	for _, name := range []string{"worths", "nu", "size", "latent"} {
		if flags.Changed(name) {
			return problem, nil, 0, exit.Usagef("a MODEL takes the place of --worths, --nu, --size and --latent")
		}
	}
	all, _, err := named(ctx, p, path, items)
	if err != nil {
		return problem, nil, 0, err
	}
	if len(all) > 1 {
		return problem, nil, 0, exit.Usagef("MODEL has hidden units of raters, and a normaliser for each of %d sets of them: loglik has the log probabilities of votes", len(all))
	}
	l := all[0]
	if problem, err = l.annealing(moves); err != nil {
		return problem, nil, 0, exit.Usagef("--kernel: %w", err)
	}
	return problem, l.logZ, l.N(), nil
}

// normaliser is what logz estimates or computes, of the worths of flags or of a file with hidden units.
func normaliser(p *cli.Program, flags *pflag.FlagSet, model *worthsFlags, file string, annealing *annealFlags) (problem ais.Problem, logZ func(context.Context) (float64, error), n int, err error) {
	if file == "" {
		m, err := model.model(flags)
		if err != nil {
			return problem, nil, 0, err
		}
		return m.Annealing(annealing.moves()), func(ctx context.Context) (float64, error) { return exactLogZ(ctx, p, m, partition.Space{}) }, m.N(), nil
	}
	if flags.Changed("worths") || flags.Changed("nu") {
		return problem, nil, 0, exit.Usagef("--latent takes the place of --worths and --nu")
	}
	m, err := readLatent(file, latent.Options{Size: model.size})
	if err != nil {
		return problem, nil, 0, err
	}
	return m.Annealing(annealing.moves(), false), func(ctx context.Context) (float64, error) { return cli.Await(ctx, m.ExactLogZ) }, m.N(), nil
}

// readLatent reads a model with hidden units from JSON:
// {"units":"binary","u":[...],"nu":x,"W":[[K numbers] per item],"nu_k":[...],"b":[...]}.
func readLatent(path string, options latent.Options) (*latent.Model, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--latent: %w", err)
	}
	failed := func(err error) (*latent.Model, error) { return nil, fmt.Errorf("--latent: %s: %w", path, err) }
	var file struct {
		Units string      `json:"units"`
		U     []float64   `json:"u"`
		Nu    float64     `json:"nu"`
		W     [][]float64 `json:"W"`
		NuK   []float64   `json:"nu_k"`
		B     []float64   `json:"b"`
	}
	read := json.NewDecoder(bytes.NewReader(text))
	read.DisallowUnknownFields()
	if err := read.Decode(&file); err != nil {
		return failed(err)
	}
	units, err := latent.ParseUnits(cmp.Or(file.Units, "binary"))
	if err != nil {
		return failed(err)
	}
	m, err := latent.New(latent.Parameters{Units: units, U: file.U, Nu: file.Nu, W: file.W, NuK: file.NuK, B: file.B}, options)
	if err != nil {
		return failed(err)
	}
	return m, nil
}
