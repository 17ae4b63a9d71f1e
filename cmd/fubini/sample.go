package main

import (
	"bufio"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"fubini/core/partition"
	"fubini/core/rng"
)

var kernels = []string{"reinsertion", "split-merge", "split-merge-paper", "exact"}

// sampleFlags say what to draw and how.
type sampleFlags struct {
	worthsFlags
	draws  int
	kernel string
	thin   int // sweeps
	burnIn int // sweeps
	space  partition.Space
	items  string
}

func newSample(p *program) *cobra.Command {
	f := sampleFlags{draws: 1000, kernel: "reinsertion", thin: 1, burnIn: 1000}
	cmd := &cobra.Command{
		Use:   "sample --worths LIST --nu X",
		Short: "Draw tier lists from a model",
		Long: `Draw tier lists from the model with these worths and this tie weight. Potentials
are raw: neither centred nor, without --size, scaled.

The results are JSON lines, best tier first and items numbered from 0 in the order
of LIST: {"tiers":[[0,2],[1]]}. Other forms of --format: json, one array; csv, a
column an item that holds its tier, 1 for the best; table, how often each tier
list came, the most frequent first.

The kernel reinsertion lifts item after item and draws its place anew;
split-merge splits and merges tiers; split-merge-paper does so with the acceptance
ratio as printed in the paper, which is biased: use it to reproduce, not to
sample. All three walk: they start from a uniform draw, and draws that are close
in time are alike (see --thin). exact draws independently, to 20 items.`,
		Example: `  fubini sample --worths 1,0.5,0,-1 --nu 0.3 -n 5
  fubini sample --worths 1,0.5,0,-1 --nu 0.3 --kernel exact --format table`,
		Annotations: map[string]string{ownFormat: "jsonl"},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("sample %s: drawing from a model file is not built yet; give --worths and --nu", quote(args[0]))
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	f.add(flags)
	addFlag(flags, "draws", "n", &f.draws, "N", parseWhole(1), "number of draws")
	addChoice(cmd, flags, "kernel", &f.kernel, kernels, strings.Join(kernels, ", "))
	addFlag(flags, "thin", "", &f.thin, "T", parseWhole(1), "sweeps from draw to draw; a sweep is N moves, one for each item")
	addFlag(flags, "burn-in", "", &f.burnIn, "B", parseWhole(0), "sweeps before the first draw")
	addFlag(flags, "min-tiers", "", &f.space.Min, "N", parseWhole(1), "only tier lists with at least so many tiers")
	addFlag(flags, "max-tiers", "", &f.space.Max, "N", parseWhole(1), "only tier lists with at most so many tiers")
	addFlag(flags, "items", "", &f.items, "LIST", parsePath, "items of a model file")
	flags.Lookup("items").Hidden = true

	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if f.items != "" {
			return usagef("--items: drawing from a model file is not built yet; give --worths and --nu")
		}
		return p.sample(cmd, &f)
	}
	return cmd
}

func (p *program) sample(cmd *cobra.Command, f *sampleFlags) error {
	model, err := f.model(cmd.Flags())
	if err != nil {
		return err
	}
	if _, _, err := f.space.Bounds(model.N()); err != nil {
		return usagef("--min-tiers, --max-tiers: %w", err)
	}
	ctx := cmd.Context()
	r := rng.Stream(p.seed, "sample")
	var from sampler
	if f.kernel != "exact" {
		if from, err = newWalk(model, f, r); err != nil {
			return usagef("--kernel %s: %w", f.kernel, err)
		}
	}
	err = p.deliver(func(w *bufio.Writer) error {
		if f.kernel == "exact" {
			table, err := p.exactTable(ctx, model, f.space)
			if err != nil {
				return err
			}
			from = &independent{table: table, r: r, x: partition.OneBlock(model.N())}
		}
		return p.draw(ctx, from, f.draws, newDrawForm(p.format, w, model.N()))
	})
	if err == nil {
		p.tell("%s", from.summary())
	}
	return err
}

func (p *program) draw(ctx context.Context, from sampler, draws int, form drawForm) error {
	if err := from.start(ctx, p); err != nil {
		return err
	}
	bar := p.follow("draws", draws)
	defer bar.end()
	for i := range draws {
		x, err := from.next(ctx)
		if err != nil {
			return err
		}
		if err := form.draw(x); err != nil {
			return err
		}
		bar.at(i + 1)
	}
	return form.end()
}
