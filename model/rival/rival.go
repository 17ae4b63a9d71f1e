package rival

import (
	"context"
	"fmt"
	"runtime"

	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
)

// Auto is the value of a setting that is left to the data, or to other settings.
const Auto = setting.Auto

// Recipe is a rival that is ready to be fitted: a struct of settings. The New functions
// have the defaults: start from them and change what you mean to change. Zero means zero.
type Recipe interface {
	// Settings are the settings by name; they turn the recipe's own fields.
	Settings() []setting.Setting
	// Fit learns from a set of ratings. Errors name the model and the setting.
	Fit(ctx context.Context, set *ratings.Set, run Run) (Model, error)
	// Load reads what Save of a fitted model wrote, for a catalogue of so many
	// items.
	Load(f *modelfile.File, items int) (Model, error)
}

// Model is a fitted rival. It may be used by several goroutines at once.
type Model interface {
	// Score writes the score of each item for a person, higher for better. A
	// person of the training set is scored by what was learned of them, anybody
	// else is folded in from what is known of them, without changing the model;
	// of whom nothing is known gets the general order.
	Score(p Person, items []uint32, scores []float64)
	// Save writes what it takes to score anybody by folding them in. Persons of
	// the training set are not kept.
	Save(f *modelfile.File) error
}

// Person is somebody for whom items are scored.
type Person struct {
	Index int // in the training set; negative for somebody else
	Known ratings.Row
}

// Run is what all fits have in common.
type Run struct {
	Seed uint64
	Jobs int // goroutines; 0 means one for each core. The result is the same for any number.
	// Observe, if not nil, is told of every epoch.
	Observe func(p Progress)

	ctx            context.Context // of the fit; nil for one that is not called off
	itemAs, userAs []int           // tests only: draw for number n what itemAs[n] would get
}

// Progress is the state of a fit after an epoch.
type Progress struct {
	Epoch, Epochs int
	Left          int     // epochs to come, as it stands: those of a second learning, on all ratings, among them
	Objective     float64 // what is minimised
	Held          float64 // share of held-back pairs in the right order; NaN without any
}

// under is the run of a fit that ends with a context.
func (r Run) under(ctx context.Context) Run {
	r.ctx = ctx
	return r
}

// over says that the fit was called off: nobody will use what it makes.
func (r Run) over() bool { return r.ctx != nil && r.ctx.Err() != nil }

// do calls work for every number below n, on all goroutines. When the fit is called off it
// begins no more.
func (r Run) do(n int, work func(worker, k int)) {
	ctx := r.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	parallel.Until(ctx, n, r.jobs(), work)
}

func (r Run) jobs() int {
	if r.Jobs > 0 {
		return r.Jobs
	}
	return runtime.GOMAXPROCS(0)
}

// itemStream and userStream give one item or user its own random numbers.
func (r Run) itemStream(name string, i int) *rng.Rand {
	return rng.Stream(r.Seed, "item "+name, uint64(renumbered(r.itemAs, i)))
}

func (r Run) userStream(name string, u int) *rng.Rand {
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
