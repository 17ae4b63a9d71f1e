package draw

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/data/text"
	"fubini/infer/mcmc"
)

// sampler makes draws: next moves x to the next one, and summary is a closing line.
type sampler struct {
	x       *partition.Partition
	next    func(ctx context.Context) error
	summary func() string
}

// exactDraws is a table or a listing of tier lists.
type exactDraws interface {
	Draw(d rng.Dice, x *partition.Partition)
}

func independent(table exactDraws, items int, r *rng.Rand) sampler {
	x, count := partition.OneBlock(items), 0
	return sampler{x, func(ctx context.Context) error {
		table.Draw(r, x)
		count++
		return ctx.Err()
	}, func() string { return "exact: " + text.Count(count, "independent draw", "independent draws") }}
}

// walk draws from a Markov chain, after its burn-in.
func walk(ctx context.Context, p *cli.Program, f *sampleFlags, sweep mcmc.Kernel[partition.Partition], items int, r *rng.Rand) (s sampler, err error) {
	var moves mcmc.Tally // since the end of the burn-in
	x := partition.OneBlock(items)
	if err := start(f.space, r, x); err != nil {
		return s, err
	}
	bar := p.Follow("burn-in sweeps", f.burnIn)
	defer bar.Clear()
	for i := range f.burnIn {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		sweep.Step(r, x, nil)
		bar.At(i + 1)
	}
	return sampler{x, func(ctx context.Context) error {
		for range f.thin {
			if err := ctx.Err(); err != nil {
				return err
			}
			sweep.Step(r, x, &moves)
		}
		return nil
	}, func() string { return rates(moves) }}, nil
}

// mixed draws from several sources by their shares, each with a chain or a table of its own; from one it draws as that does.
func mixed(ctx context.Context, p *cli.Program, f *sampleFlags, all []source, r *rng.Rand) (sampler, error) {
	parts, shares := make([]sampler, len(all)), make([]float64, len(all))
	for k, s := range all {
		var err error
		if parts[k], err = s.begin(ctx, p, f, r); err != nil {
			return sampler{}, err
		}
		shares[k] = s.share
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	x := partition.OneBlock(all[0].N())
	return sampler{x, func(ctx context.Context) error {
		part := parts[r.Pick(shares)]
		if err := part.next(ctx); err != nil {
			return err
		}
		x.CopyFrom(part.x)
		return nil
	}, func() string { return fmt.Sprintf("%d sets of hidden units, each by its share of raters", len(parts)) }}, nil
}

// start moves x to a uniform draw, as near to it as the space allows.
func start(space partition.Space, r *rng.Rand, x *partition.Partition) error {
	low, high, err := space.Bounds(x.N())
	if err != nil {
		return err
	}
	partition.NewUniform(x.N()).Draw(r, x)
	for x.Len() > high {
		x.Merge(r.IntN(x.Len() - 1))
	}
	for t := 0; x.Len() < low; {
		if x.Size(t) == 1 {
			t++
			continue
		}
		x.Split(t, []int{x.Block(t)[r.IntN(x.Size(t))]})
	}
	return nil
}

// rates is how often each kind of move changed the state.
func rates(moves mcmc.Tally) string {
	var parts []string
	for _, o := range []mcmc.Operator{mcmc.Split, mcmc.Merge, mcmc.Reinsert} {
		if c := moves.Of(o); c.Tried > 0 {
			parts = append(parts, fmt.Sprintf("%s: %d of %d moved (%.1f %%)", o, c.Moved, c.Tried, 100*c.Rate()))
		}
	}
	return strings.Join(parts, ", ")
}

// drawForm makes two functions that write draws in a format: one for each draw, and one for the end. All but the
// frequency table need memory for one draw only.
func drawForm(format string, w *bufio.Writer, items int) (draw func(x *partition.Partition) error, end func()) {
	switch format {
	case "table":
		return frequencies(w)
	case "csv":
		return tierColumns(w, items)
	case "json":
		return tierObjects(w, "[\n", ",\n", ""), func() { w.WriteString("\n]\n") }
	}
	return tierObjects(w, "", "", "\n"), func() {}
}

// tierObjects writes {"tiers":[[0,2],[1]]} for each draw: JSON lines, or an array.
func tierObjects(w *bufio.Writer, open, comma, after string) func(x *partition.Partition) error {
	before := open
	var items []int
	var text []byte
	return func(x *partition.Partition) error {
		text = append(append(text[:0], before...), `{"tiers":[`...)
		for t := range x.Len() {
			if t > 0 {
				text = append(text, ',')
			}
			items = append(items[:0], x.Block(t)...)
			slices.Sort(items)
			separator := byte('[')
			for _, item := range items {
				text = strconv.AppendInt(append(text, separator), int64(item), 10)
				separator = ','
			}
			text = append(text, ']')
		}
		text = append(append(text, "]}"...), after...)
		before = comma
		_, err := w.Write(text)
		return err
	}
}

// tierColumns writes a row of CSV for each draw: its number, then the tier of every item.
func tierColumns(w *bufio.Writer, items int) (func(x *partition.Partition) error, func()) {
	w.WriteString("draw")
	for item := range items {
		fmt.Fprintf(w, ",item_%d", item)
	}
	w.WriteString("\n")
	rows, tiers := int64(0), make([]int64, items)
	var text []byte
	return func(x *partition.Partition) error {
		for t := range x.Len() {
			for _, item := range x.Block(t) {
				tiers[item] = int64(t + 1)
			}
		}
		rows++
		text = strconv.AppendInt(text[:0], rows, 10)
		for _, tier := range tiers {
			text = strconv.AppendInt(append(text, ','), tier, 10)
		}
		text = append(text, '\n')
		_, err := w.Write(text)
		return err
	}, func() {}
}

// frequencyRows is how many tier lists the table shows: about a screen.
const frequencyRows = 20

// frequencies counts tier lists and writes the most frequent at the end.
func frequencies(w *bufio.Writer) (func(x *partition.Partition) error, func()) {
	count, draws := map[string]int{}, 0
	row := func(n int, text string) {
		fmt.Fprintf(w, "%8d  %6.2f %%  %s\n", n, 100*float64(n)/float64(draws), text)
	}
	return func(x *partition.Partition) error {
			count[x.String()]++
			draws++
			return nil
		}, func() {
			lists := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
				return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
			})
			fmt.Fprintf(w, "%8s  %8s  %s\n", "draws", "share", "tier list, best first")
			left := draws
			for i, text := range lists {
				if i == frequencyRows && len(lists) > frequencyRows+1 {
					row(left, fmt.Sprintf("(%d other tier lists)", len(lists)-i))
					break
				}
				row(count[text], text)
				left -= count[text]
			}
		}
}

type sampleFlags struct {
	*worthsFlags
	draws  int
	kernel string
	thin   int // sweeps
	burnIn int // sweeps
	space  partition.Space
}

// source is what to draw from, with its share of the draws.
type source struct {
	mcmc.Target
	share   float64
	exactly func(r *rng.Rand) (sampler, error)
}

// begin makes the sampler of one source.
func (s source) begin(ctx context.Context, p *cli.Program, f *sampleFlags, r *rng.Rand) (sampler, error) {
	if f.kernel == "exact" {
		return s.exactly(r)
	}
	moves, err := mcmc.ParseMoves(f.kernel)
	if err != nil {
		return sampler{}, err
	}
	sweep, err := moves.Sweep(s.Target, f.space)
	if err != nil {
		return sampler{}, exit.Usagef("--kernel %s: %w", f.kernel, err)
	}
	return walk(ctx, p, f, sweep, s.N(), r)
}
