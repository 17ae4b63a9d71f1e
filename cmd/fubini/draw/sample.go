// Package draw has the commands that draw tier lists from a model and weigh them: sample, logz, loglik.
package draw

import (
	"bufio"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/mcmc"
)

//go:embed help
var pages embed.FS

var kernels = append(slices.Clone(mcmc.MoveNames[:3]), "exact")

// Sample is the command fubini sample, which draws tier lists from a model.
func Sample(p *cli.Program) *cobra.Command {
	f := sampleFlags{draws: 1000, kernel: "reinsertion", thin: 1, burnIn: 1000}
	cmd := cli.Page(pages, "sample")
	cmd.Annotations = map[string]string{cli.OwnFormat: "jsonl"}
	cmd.Args = cli.Arguments(0, 1)
	flags := cmd.Flags()
	f.worthsFlags = cli.Shared(p, cmd, flags, (*worthsFlags).define)
	cli.AddFlag(flags, "draws", "n", &f.draws, "N", cli.ParseWhole(1), "number of draws")
	cli.AddChoice(cmd, flags, "kernel", &f.kernel, kernels, strings.Join(kernels, ", "))
	cli.AddFlag(flags, "thin", "", &f.thin, "T", cli.ParseWhole(1), "sweeps from draw to draw; a sweep is N moves, one for each item")
	cli.AddFlag(flags, "burn-in", "", &f.burnIn, "B", cli.ParseWhole(0), "sweeps before the first draw")
	cli.AddFlag(flags, "tier-range", "", &f.space, "MIN,MAX", parseTierRange, "only tier lists with MIN to MAX tiers")
	flags.Lookup("tier-range").DefValue = ""
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return sample(p, cmd, &f, args) }
	return cmd
}

func parseTierRange(text string) (space partition.Space, err error) {
	low, high, found := strings.Cut(text, ",")
	if space.Min, err = cli.ParseWhole(1)(low); err == nil && found {
		space.Max, err = cli.ParseWhole(1)(high)
	}
	if err != nil || !found {
		return space, fmt.Errorf("%s is not a range; write the fewest and the most tiers, as in 2,5", cli.Quote(text))
	}
	return space, nil
}

// sources are a worth model from flags, or some items of a trained model, hidden units summed out, or one for each set of the hidden
// units of a fit to votes.
func sources(p *cli.Program, cmd *cobra.Command, f *sampleFlags, args []string) (all []source, err error) {
	ctx, flags := cmd.Context(), cmd.Flags()
	switch {
	case len(args) == 0 && len(f.items) > 0:
		return nil, exit.Usagef("--items: MODEL is missing, whose items these are")
	case len(args) == 0:
		model, err := f.model(flags)
		return []source{{model, 1, func(r *rng.Rand) (sampler, error) {
			table, err := exactTable(ctx, p, model, f.space)
			return independent(table, model.N(), r), err
		}}}, err
	case flags.Changed("worths") || flags.Changed("nu") || flags.Changed("size"):
		return nil, exit.Usagef("a MODEL takes the place of --worths, --nu and --size")
	}
	listed, shares, err := named(cmd.Context(), p, args[0], f.items)
	if err != nil {
		return nil, err
	}
	if space := listed[0].space; space != (partition.Space{}) {
		if flags.Changed("tier-range") {
			return nil, exit.Usagef("--tier-range: the sample space of the model has %s", tiers(space))
		}
		f.space = space
	}
	for k, l := range listed {
		all = append(all, source{l.target, shares[k], func(r *rng.Rand) (sampler, error) {
			table, err := l.draws(ctx, f.space)
			return independent(table, l.N(), r), err
		}})
	}
	if len(all) > 1 && flags.Changed("tier-range") {
		return nil, exit.Usagef("--tier-range does not go with a MODEL that has hidden units of raters: in fewer tier lists the units have other shares")
	}
	return all, nil
}

func sample(p *cli.Program, cmd *cobra.Command, f *sampleFlags, args []string) error {
	all, err := sources(p, cmd, f, args)
	if err != nil {
		return err
	}
	n := all[0].N()
	if _, _, err := f.space.Bounds(n); err != nil {
		return exit.Usagef("--tier-range: %w", err)
	}
	ctx := cmd.Context()
	var from sampler
	err = p.Deliver(func(w *bufio.Writer) (err error) {
		if from, err = mixed(ctx, p, f, all, rng.Stream(p.Seed, "sample")); err != nil {
			return err
		}
		draw, end := drawForm(p.Format, w, n)
		bar := p.Follow("draws", f.draws)
		defer bar.Clear()
		for i := range f.draws {
			if err := from.next(ctx); err != nil {
				return err
			}
			if err := draw(from.x); err != nil {
				return err
			}
			bar.At(i + 1)
		}
		end()
		return nil
	})
	if err == nil {
		p.Tell("%s", from.summary())
	}
	return err
}
