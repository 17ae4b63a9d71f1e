package draw

import (
	"context"
	"fmt"
	"strings"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/mcmc"
)

// A sampler makes draws. What next returns is valid until it is called again.
type sampler interface {
	start(ctx context.Context, p *program) error
	next(ctx context.Context) (*partition.Partition, error)
	summary() string // a closing line
}

// walk draws from a Markov chain.
type walk struct {
	sweep  mcmc.Kernel[partition.Partition] // N elementary moves
	thin   int
	burnIn int
	space  partition.Space
	r      *rng.Rand
	x      *partition.Partition
	moves  mcmc.Tally // since the end of the burn-in
}

func newWalk(model mcmc.Target, f *sampleFlags, r *rng.Rand) (*walk, error) {
	moves, err := mcmc.ParseMoves(f.kernel)
	if err != nil {
		return nil, err
	}
	sweep, err := moves.Sweep(model, f.space)
	return &walk{sweep: sweep, thin: f.thin, burnIn: f.burnIn, space: f.space, r: r, x: partition.OneBlock(model.N())}, err
}

// start goes to a uniform draw, as near to it as the space allows, and walks
// away from there.
func (w *walk) start(ctx context.Context, p *program) error {
	low, high, err := w.space.Bounds(w.x.N())
	if err != nil {
		return err
	}
	partition.NewUniform(w.x.N()).Draw(w.r, w.x)
	for w.x.Len() > high {
		w.x.Merge(w.r.IntN(w.x.Len() - 1))
	}
	for t := 0; w.x.Len() < low; {
		if w.x.Size(t) == 1 {
			t++
			continue
		}
		w.x.Split(t, []int{w.x.Block(t)[w.r.IntN(w.x.Size(t))]})
	}
	bar := p.Follow("burn-in sweeps", w.burnIn)
	defer bar.Clear()
	for i := range w.burnIn {
		if err := w.walk(ctx, 1, nil); err != nil {
			return err
		}
		bar.At(i + 1)
	}
	return nil
}

func (w *walk) next(ctx context.Context) (*partition.Partition, error) {
	err := w.walk(ctx, w.thin, &w.moves)
	return w.x, err
}

func (w *walk) walk(ctx context.Context, sweeps int, seen *mcmc.Tally) error {
	for range sweeps {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.sweep.Step(w.r, w.x, seen)
	}
	return nil
}

// summary is how often each kind of move changed the state.
func (w *walk) summary() string {
	var parts []string
	for _, o := range []mcmc.Operator{mcmc.Split, mcmc.Merge, mcmc.Reinsert} {
		if c := w.moves.Of(o); c.Tried > 0 {
			parts = append(parts, fmt.Sprintf("%s: %d of %d moved (%.1f %%)", o, c.Moved, c.Tried, 100*c.Rate()))
		}
	}
	return strings.Join(parts, ", ")
}

// exactDraws is a table or a listing.
type exactDraws interface {
	Draw(d rng.Dice, x *partition.Partition)
}

// independent draws exactly.
type independent struct {
	table exactDraws
	r     *rng.Rand
	x     *partition.Partition
	count int
}

func (d *independent) start(context.Context, *program) error { return nil }

func (d *independent) next(ctx context.Context) (*partition.Partition, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.table.Draw(d.r, d.x)
	d.count++
	return d.x, nil
}

func (d *independent) summary() string {
	return fmt.Sprintf("exact: %d independent draws", d.count)
}
