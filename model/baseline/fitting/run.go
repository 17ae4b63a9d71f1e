// Package fitting has what fits of baselines share: runs with random streams, early stopping, sums over short vectors.
package fitting

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/model"
)

// FileKey is the metadata key of the scalar parameters of a baseline in its model file (the word is
// kept for old files).
const FileKey = "rival"

// DefaultFactors is the default number of factors of most models, if there are at least as many users and items.
const DefaultFactors = 10

// Run is one fit: its context, its goroutines and its random streams.
type Run struct {
	model.Run
	ctx            context.Context // nil for a fit that is not cancelled
	itemAs, userAs []int           // see WithNumbers
}

type numbersKey struct{}

// WithNumbers returns a context under which item n has the random stream of item items[n], and likewise for users. Tests
// use it to show that a fit does not depend on the numbering of items and users.
func WithNumbers(ctx context.Context, items, users []int) context.Context {
	return context.WithValue(ctx, numbersKey{}, [2][]int{items, users})
}

// Under returns a run that ends when a context ends.
func Under(ctx context.Context, run model.Run) Run {
	numbers, _ := ctx.Value(numbersKey{}).([2][]int)
	return Run{Run: run, ctx: ctx, itemAs: numbers[0], userAs: numbers[1]}
}

// Fit fits a model by name. A setting outside its range is an error, and so is an empty set. Errors begin with the name.
func Fit(ctx context.Context, name string, settings []setting.Setting, set *ratings.Set, run model.Run, fit func(run Run) (model.Model, error)) (m model.Model, err error) {
	if set.Len() == 0 {
		err = errors.New("there are no ratings to learn from")
	}
	for _, s := range settings {
		if err == nil && s.Changed() {
			err = s.Set(s.Value())
		}
	}
	if err == nil {
		m, err = fit(Under(ctx, run))
	}
	switch {
	case err == nil:
		return m, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("%s: %w", name, err)
}

// Unseeded returns a run with seed 0 and the same numbering of items, for folding in new persons.
func (r Run) Unseeded() Run { return Run{itemAs: r.itemAs} }

func (r Run) context() context.Context {
	if r.ctx == nil {
		return context.Background()
	}
	return r.ctx
}

// Err is the error of the context; nil while the fit goes on.
func (r Run) Err() error { return r.context().Err() }

// Over reports whether the context has ended; the result of the fit is then not used.
func (r Run) Over() bool { return r.Err() != nil }

// Do calls work for each k from 0 to n-1 on several goroutines. It starts no more work once the context has ended.
func (r Run) Do(n int, work func(worker, k int)) { parallel.Until(r.context(), n, r.Workers(), work) }

// Workers is the number of goroutines.
func (r Run) Workers() int {
	if r.Jobs > 0 {
		return r.Jobs
	}
	return runtime.GOMAXPROCS(0)
}

// ItemStream is the random stream of one item, for one purpose.
func (r Run) ItemStream(name string, i int) *rng.Rand {
	return rng.Stream(r.Seed, "item "+name, r.ItemNumber(i))
}

// UserStream is the random stream of one user, for one purpose.
func (r Run) UserStream(name string, u int) *rng.Rand {
	return rng.Stream(r.Seed, "user "+name, r.UserNumber(u))
}

// ItemNumber is the number of an item in its random streams; see [WithNumbers].
func (r Run) ItemNumber(i int) uint64 { return numberOf(r.itemAs, i) }

// UserNumber is the number of a user in their random streams; see [WithNumbers].
func (r Run) UserNumber(u int) uint64 { return numberOf(r.userAs, u) }

func numberOf(as []int, n int) uint64 {
	if as != nil {
		n = as[n]
	}
	return uint64(n)
}
