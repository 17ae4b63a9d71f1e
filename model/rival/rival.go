package rival

import (
	"context"
	"fmt"
	"runtime"

	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/core/setting"
	"fubini/model"
)

// Auto is the value of a setting that is left to the data, or to other settings.
const Auto = setting.Auto

// What any model is; see package model.
type (
	Recipe   = model.Recipe
	Model    = model.Model
	Person   = model.Person
	Run      = model.Run
	Progress = model.Progress
)

// fitRun is the run of one fit.
type fitRun struct {
	Run
	ctx            context.Context // of the fit; nil for one that is not called off
	itemAs, userAs []int           // number n draws the random numbers of itemAs[n]; nil means its own. See withNumbers.
}

// numbersKey is the key of item and user numbers in a context.
type numbersKey struct{}

// withNumbers lets fits under a context draw random numbers for items and users as if they had other numbers. Tests
// show by it that results do not depend on how items and users are numbered.
func withNumbers(ctx context.Context, items, users []int) context.Context {
	return context.WithValue(ctx, numbersKey{}, [2][]int{items, users})
}

// under is the run of a fit that ends with a context.
func under(ctx context.Context, run Run) fitRun {
	numbers, _ := ctx.Value(numbersKey{}).([2][]int)
	return fitRun{Run: run, ctx: ctx, itemAs: numbers[0], userAs: numbers[1]}
}

// over says that the fit was called off: nobody will use what it makes.
func (r fitRun) over() bool { return r.ctx != nil && r.ctx.Err() != nil }

// do calls work for every number below n, on all goroutines. When the fit is called off it
// begins no more.
func (r fitRun) do(n int, work func(worker, k int)) {
	ctx := r.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	parallel.Until(ctx, n, r.jobs(), work)
}

func (r fitRun) jobs() int {
	if r.Jobs > 0 {
		return r.Jobs
	}
	return runtime.GOMAXPROCS(0)
}

// itemStream and userStream give one item or user its own random numbers.
func (r fitRun) itemStream(name string, i int) *rng.Rand {
	return rng.Stream(r.Seed, "item "+name, uint64(renumbered(r.itemAs, i)))
}

func (r fitRun) userStream(name string, u int) *rng.Rand {
	return rng.Stream(r.Seed, "user "+name, uint64(renumbered(r.userAs, u)))
}

func renumbered(as []int, n int) int {
	if as == nil {
		return n
	}
	return as[n]
}

// kind is a recipe by name.
type kind struct {
	name string
	make func() Recipe
}

// kinds are in the order in which tables show them.
var kinds = []kind{
	{"item-mean", func() Recipe { return NewItemMean() }},
	{"pmf", func() Recipe { return NewPMF() }},
	{"biased-mf", func() Recipe { return NewBiasedMF() }},
	{"bayesian-mf", func() Recipe { return NewBayesianMF() }},
	{"listrank-mf", func() Recipe { return NewListRankMF() }},
	{"plpa", func() Recipe { return NewPLPA() }},
	{"plackett-luce-mf", func() Recipe { return NewPlackettLuceMF() }},
	{"cofirank-regress", func() Recipe { return NewCoFiRank(CoFiSquared) }},
	{"cofirank-ordinal", func() Recipe { return NewCoFiRank(CoFiOrdinal) }},
	{"cofirank-ndcg", func() Recipe { return NewCoFiRank(CoFiNDCG) }},
	{"pmop", func() Recipe { return NewPMOP() }},
	{"davidson-luce", func() Recipe { return NewDavidsonLuce() }},
}

// Names lists the rivals.
func Names() []string {
	names := make([]string, len(kinds))
	for k, each := range kinds {
		names[k] = each.name
	}
	return names
}

// New returns the recipe of a name, with default settings.
func New(name string) (Recipe, error) {
	for _, each := range kinds {
		if each.name == name {
			return each.make(), nil
		}
	}
	return nil, fmt.Errorf("rival: there is no model %q; there are %v", name, Names())
}
