// Package fitting has what the fits of baselines share: a run with its random streams, early stopping on held-back
// ratings, and sums over short vectors.
package fitting

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/model"
)

// FileKey is the metadata key under which the file of a baseline keeps its numbers that are no arrays.
const FileKey = "rival"

// DefaultFactors is the number of factors of most models, where there are as many users and items.
const DefaultFactors = 10

// ErrNoRatings comes from a fit to an empty set.
var ErrNoRatings = errors.New("there are no ratings to learn from")

// Run is the run of one fit, with its context and random streams.
type Run struct {
	model.Run
	name           string          // of the model, for errors
	ctx            context.Context // nil for a fit that is not cancelled
	itemAs, userAs []int           // see WithNumbers
}

type numbersKey struct{}

// WithNumbers makes fits under a context draw, for item n, the random numbers of item items[n], and likewise for users.
// Tests show by it that a fit does not depend on how items and users are numbered.
func WithNumbers(ctx context.Context, items, users []int) context.Context {
	return context.WithValue(ctx, numbersKey{}, [2][]int{items, users})
}

// Under is a run that ends with a context.
func Under(ctx context.Context, run model.Run) Run {
	numbers, _ := ctx.Value(numbersKey{}).([2][]int)
	return Run{Run: run, ctx: ctx, itemAs: numbers[0], userAs: numbers[1]}
}

// Begin is the run of a fit of a model by name. It refuses settings that the model cannot be fitted with, and an empty set.
func Begin(ctx context.Context, name string, settings []setting.Setting, set *ratings.Set, run model.Run) (Run, error) {
	r := Under(ctx, run)
	r.name = name
	for _, s := range settings {
		if !s.Said() {
			continue
		}
		if err := s.Set(s.Value()); err != nil {
			return r, r.Failed(errors.New(strings.TrimPrefix(err.Error(), "setting: ")))
		}
	}
	if set.Len() == 0 {
		return r, r.Failed(ErrNoRatings)
	}
	return r, nil
}

// Failed is an error with the name of the model in front, or the error of the context where that has ended.
func (r Run) Failed(err error) error {
	if over := r.Err(); over != nil {
		return over
	}
	return fmt.Errorf("%s: %w", r.name, err)
}

// Unseeded is a run with seed 0 and the item numbers of this one. Whoever is folded in draws from it.
func (r Run) Unseeded() Run { return Run{itemAs: r.itemAs} }

// Err is the error of the context, nil while the fit goes on.
func (r Run) Err() error {
	if r.ctx == nil {
		return nil
	}
	return r.ctx.Err()
}

// Over is true once the context has ended: the result will not be used.
func (r Run) Over() bool { return r.Err() != nil }

// Do calls work for every number below n, on all goroutines. It starts no more work once the context has ended.
func (r Run) Do(n int, work func(worker, k int)) {
	ctx := r.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	parallel.Until(ctx, n, r.Workers(), work)
}

// Workers is the number of goroutines.
func (r Run) Workers() int {
	if r.Jobs > 0 {
		return r.Jobs
	}
	return runtime.GOMAXPROCS(0)
}

// ItemStream has the random numbers of one item, for one purpose.
func (r Run) ItemStream(name string, i int) *rng.Rand {
	return rng.Stream(r.Seed, "item "+name, r.ItemNumber(i))
}

// UserStream has the random numbers of one user, for one purpose.
func (r Run) UserStream(name string, u int) *rng.Rand {
	return rng.Stream(r.Seed, "user "+name, r.UserNumber(u))
}

// ItemNumber is the number of an item in random streams.
func (r Run) ItemNumber(i int) uint64 { return numberOf(r.itemAs, i) }

// UserNumber is the number of a user in random streams.
func (r Run) UserNumber(u int) uint64 { return numberOf(r.userAs, u) }

func numberOf(as []int, n int) uint64 {
	if as != nil {
		n = as[n]
	}
	return uint64(n)
}
