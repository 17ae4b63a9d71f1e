package draw

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
	"fubini/model/latent"
)

var kernels = append(slices.Clone(mcmc.MoveNames[:3]), "exact")

// sampleFlags say what to draw and how.
type sampleFlags struct {
	worthsFlags
	draws  int
	kernel string
	thin   int // sweeps
	burnIn int // sweeps
	space  partition.Space
	items  []string
}

func newSample(p *program) *cobra.Command {
	f := sampleFlags{draws: 1000, kernel: "reinsertion", thin: 1, burnIn: 1000}
	cmd := &cobra.Command{
		Use:   "sample --worths LIST --nu X | MODEL --items LIST",
		Short: "Draw tier lists from a model",
		Long: `Draw tier lists from the Ordered Set Model with the given worths and tie weight, or
from some items of a trained MODEL. Potentials are not centred, and scaled only by --size.

The results are JSON lines, best tier first, items numbered from 0 in the order of
LIST: {"tiers":[[0,2],[1]]}. --format json gives one array, csv one column an item with
its tier (1 is the best), table the tier lists by frequency.

Kernels: reinsertion takes out one item after another and draws its place from the
conditional distribution; split-merge splits and merges tiers by Metropolis-Hastings;
split-merge-paper uses the acceptance ratio printed in the paper, which is biased. These
three are Markov chains from a uniform draw, and successive draws are correlated (see
--thin). exact gives independent draws, for at most 20 items.`,
		Example: `  fubini sample --worths 1,0.5,0,-1 --nu 0.3 -n 5
  fubini sample --worths 1,0.5,0,-1 --nu 0.3 --kernel exact --format table`,
		Annotations: map[string]string{cli.OwnFormat: "jsonl", cli.Arguments: "read"},
		Args:        cli.AtMostOne("MODEL"),
	}
	flags := cmd.Flags()
	f.add(flags)
	cli.AddFlag(flags, "draws", "n", &f.draws, "N", cli.ParseWhole(1), "number of draws")
	cli.AddChoice(cmd, flags, "kernel", &f.kernel, kernels, strings.Join(kernels, ", "))
	cli.AddFlag(flags, "thin", "", &f.thin, "T", cli.ParseWhole(1), "sweeps from draw to draw; a sweep is N moves, one for each item")
	cli.AddFlag(flags, "burn-in", "", &f.burnIn, "B", cli.ParseWhole(0), "sweeps before the first draw")
	cli.AddFlag(flags, "tier-range", "", &f.space, "MIN,MAX", parseTierRange, "only tier lists with MIN to MAX tiers")
	flags.Lookup("tier-range").DefValue = ""
	cli.AddFlag(flags, "items", "", &f.items, "LIST", cli.ParseWords, "ids of items of MODEL, with commas between, in place of --worths and --nu")

	cmd.RunE = func(cmd *cobra.Command, args []string) error { return p.sample(cmd, &f, args) }
	return cmd
}

// parseTierRange reads the smallest and the largest number of tiers.
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

// target is what to draw from: a worth model from flags, or some items of a
// trained model, hidden units summed out. The second result draws exactly.
func (p *program) target(cmd *cobra.Command, f *sampleFlags, args []string) (mcmc.Target, func(ctx context.Context) (exactDraws, error), error) {
	if len(args) == 0 {
		if len(f.items) > 0 {
			return nil, nil, exit.Usagef("--items: MODEL is missing, whose items these are")
		}
		model, err := f.model(cmd.Flags())
		return model, func(ctx context.Context) (exactDraws, error) { return p.exactTable(ctx, model, f.space) }, err
	}
	if len(f.items) == 0 {
		return nil, nil, exit.Usagef("--items is missing: ids of items of the model, as in --items 1,50,100")
	}
	if cmd.Flags().Changed("worths") || cmd.Flags().Changed("nu") || cmd.Flags().Changed("size") {
		return nil, nil, exit.Usagef("a MODEL takes the place of --worths, --nu and --size")
	}
	saved, err := input.ReadModel(args[0])
	if err != nil {
		return nil, nil, err
	}
	var items []int
	for _, id := range f.items {
		i, known := saved.Find(id)
		if !known {
			return nil, nil, exit.Usagef("--items: the model has no item %s", cli.Quote(id))
		}
		if slices.Contains(items, i) {
			return nil, nil, exit.Usagef("--items: item %s is named twice", cli.Quote(id))
		}
		items = append(items, i)
	}
	catalogue, err := saved.Catalogue()
	if err != nil {
		return nil, nil, err
	}
	model, err := catalogue.Model(items)
	if err != nil {
		return nil, nil, err
	}
	return latent.NewMarginal(model), func(ctx context.Context) (exactDraws, error) {
		return cli.Await(ctx, func() (*exact.Listing, error) { return exact.List(model, f.space) })
	}, nil
}

func (p *program) sample(cmd *cobra.Command, f *sampleFlags, args []string) error {
	model, draws, err := p.target(cmd, f, args)
	if err != nil {
		return err
	}
	if _, _, err := f.space.Bounds(model.N()); err != nil {
		return exit.Usagef("--tier-range: %w", err)
	}
	ctx := cmd.Context()
	r := rng.Stream(p.Seed, "sample")
	var from sampler
	if f.kernel != "exact" {
		if from, err = newWalk(model, f, r); err != nil {
			return exit.Usagef("--kernel %s: %w", f.kernel, err)
		}
	}
	err = p.Deliver(func(w *bufio.Writer) error {
		if f.kernel == "exact" {
			table, err := draws(ctx)
			if err != nil {
				return err
			}
			from = &independent{table: table, r: r, x: partition.OneBlock(model.N())}
		}
		return p.draw(ctx, from, f.draws, newDrawForm(p.Format, w, model.N()))
	})
	if err == nil {
		p.Tell("%s", from.summary())
	}
	return err
}

func (p *program) draw(ctx context.Context, from sampler, draws int, form drawForm) error {
	if err := from.start(ctx, p); err != nil {
		return err
	}
	bar := p.Follow("draws", draws)
	defer bar.Clear()
	for i := range draws {
		x, err := from.next(ctx)
		if err != nil {
			return err
		}
		if err := form.draw(x); err != nil {
			return err
		}
		bar.At(i + 1)
	}
	return form.end()
}
