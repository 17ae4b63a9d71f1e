package draw

import (
	"context"
	"fmt"
	"strings"

	"fubini/cmd/fubini/cli"
	"fubini/core/partition"
	"fubini/core/rng"
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

// independent draws exactly.
func independent(table exactDraws, items int, r *rng.Rand) sampler {
	x, count := partition.OneBlock(items), 0
	return sampler{x, func(ctx context.Context) error {
		table.Draw(r, x)
		count++
		return ctx.Err()
	}, func() string { return fmt.Sprintf("exact: %d independent draws", count) }}
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
