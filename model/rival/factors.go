package rival

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"fubini/core/rng"
	"fubini/core/setting"
	"fubini/data/ratings"
)

// FactorOptions are the settings that models with factors have in common. What those
// that are Auto come to is up to the model.
type FactorOptions struct {
	Hidden    int     // factors; Auto: fewer than the model's own number where there are fewer users or items
	Epochs    int     // Auto: early stopping
	Rate      float64 // size of the first steps
	UserPrior float64 // weight of half the squared user factors
	ItemPrior float64 // the same for item factors
	BiasPrior float64 // the same for biases
	Scale     float64 // of random starts
	Start     Start   // how factors begin
	Batch     int     // users between two updates of the items

	fewerDo bool // Hidden was Auto
}

// Start says how factors begin.
type Start int

// The ways in which factors begin; ownStart is the model's own.
const (
	ownStart    Start = iota
	StartNormal       // all normal around zero
	// Users uniform in 0.8 to 1.2 of the scale, items normal with a tenth of it. To
	// begin with, all users agree; what they agree on is learned first.
	StartNonNegative
)

// settings names the fields. Defaults are those of the model, with so many factors.
func (o *FactorOptions) settings(d FactorOptions, factors int) []setting.Setting {
	return []setting.Setting{
		setting.Int(&o.Hidden, d.Hidden, setting.Setting{Name: "hidden", Means: "factors", Default: float64(factors), Low: 1, High: 100, Log: true}),
		setting.Int(&o.Epochs, d.Epochs, setting.Setting{Name: "epochs", Means: "passes over the data; early stopping if not set", Positive: true, Default: math.NaN()}),
		setting.Float(&o.Rate, d.Rate, setting.Setting{Name: "rate", Means: "size of the first steps", Positive: true, Low: d.Rate / 5, High: d.Rate * 5, Log: true}),
		setting.Float(&o.UserPrior, d.UserPrior, setting.Setting{Name: "user-prior", Means: "ridge on user factors", Default: math.NaN(), Low: d.UserPrior / 30, High: d.UserPrior * 30, Log: true}),
		setting.Float(&o.ItemPrior, d.ItemPrior, setting.Setting{Name: "item-prior", Means: "ridge on item factors", Default: math.NaN(), Low: d.ItemPrior / 30, High: d.ItemPrior * 30, Log: true}),
		setting.Float(&o.BiasPrior, d.BiasPrior, setting.Setting{Name: "bias-prior", Means: "ridge on biases", Low: d.BiasPrior / 30, High: d.BiasPrior * 30, Log: true}),
		setting.Float(&o.Scale, d.Scale, setting.Setting{Name: "scale", Means: "size of random starts", Low: d.Scale / 10, High: d.Scale * 10, Log: true}),
		setting.Choice(&o.Start, d.Start, setting.Setting{Name: "start", Means: "how factors begin", Low: 1, High: 2}, "own", "normal", "nonnegative"),
		setting.Int(&o.Batch, d.Batch, setting.Setting{Name: "batch", Means: "users between two updates of items", Positive: true}),
	}
}

// fewer makes factors that are left to the data so many, or as many as there are users or
// items.
func (o *FactorOptions) fewer(factors int) {
	if o.Hidden == Auto {
		o.Hidden, o.fewerDo = factors, true
	}
}

// resolved fills in the factors and the start of a model with these defaults, and checks.
func (o FactorOptions) resolved(d FactorOptions, factors int) (FactorOptions, error) {
	o.fewer(factors)
	if o.Start == ownStart {
		o.Start = d.Start
	}
	for _, each := range []struct {
		name  string
		value float64
		auto  bool
	}{{"user-prior", o.UserPrior, d.UserPrior == Auto}, {"item-prior", o.ItemPrior, d.ItemPrior == Auto}, {"bias-prior", o.BiasPrior, false}, {"scale", o.Scale, false}} {
		if !(each.value >= 0) && !(each.auto && each.value == Auto) || math.IsInf(each.value, 0) {
			return o, fmt.Errorf("%s %g must be finite and not negative", each.name, each.value)
		}
	}
	switch {
	case o.Hidden < 0:
		return o, fmt.Errorf("hidden %d must not be negative", o.Hidden)
	case !(o.Rate > 0) || math.IsInf(o.Rate, 0):
		return o, fmt.Errorf("rate %g must be positive", o.Rate)
	case o.Batch < 1:
		return o, fmt.Errorf("batch %d must be positive", o.Batch)
	case o.Start != StartNormal && o.Start != StartNonNegative:
		return o, fmt.Errorf("start %d is neither normal nor nonnegative", o.Start)
	}
	return o, nil
}

// biases says which of them a model has.
type biases struct{ User, Item bool }

// factorLearner learns scores s_ui = b_i + c_u + P_u . Q_i under any loss of the
// rows. It minimises
//
//	sum_u loss(row u) + userPrior/2 sum |P_u|^2 + itemPrior/2 sum |Q_i|^2 + biasPrior/2 (sum c_u^2 + sum b_i^2)
//
// by steps along the gradient of a block of users, each coordinate with a step
// that shrinks with the slopes it has seen (AdaGrad: Duchi, Hazan and Singer
// 2011). Only items of the block move, with their share of the prior; an item
// that nobody rated stays at zero, where the prior has its peak.
type factorLearner struct {
	factorScorer
	run   fitRun
	set   *ratings.Set
	block []blockRow
	order []int // users with ratings, in the order of this epoch

	users              []float64 // vector of user u: P_u, c_u, 1
	userSeen, itemSeen []float64 // sums of squared slopes
	sharedSeen         []float64
	ratingsOf          []float64 // of each item
	head, next, rowOf  []int     // of the block: first rating of an item, the next one, its row
	touched            []uint32  // items of the block
	slopes             []float64 // of the block, rating by rating
	workers            []worker
	orderKeys          []uint64
	sharedSlope        []float64
}

// blockRow is a user of the block.
type blockRow struct {
	user, from int // ratings of the block before this row
	row        ratings.Row
	loss       float64
	slope      []float64 // by the user's vector
	shared     []float64
}

// worker is what one goroutine needs.
type worker struct {
	rowScratch
	scores, slope []float64
}

// newFactors starts a learner. Options are resolved.
func newFactors(set *ratings.Set, run fitRun, o FactorOptions, has biases, l loss) (*factorLearner, error) {
	items, users := set.Items().Len(), set.Users().Len()
	if o.fewerDo {
		o.Hidden = min(o.Hidden, items, users)
	}
	if o.Hidden > min(items, users) {
		return nil, fmt.Errorf("hidden %d is more than %d users and %d items can carry", o.Hidden, users, items)
	}
	f := &factorLearner{factorScorer: newFactorScorer(o, has, l), run: run, set: set, workers: make([]worker, run.jobs())}
	f.drawn.itemAs = run.itemAs
	f.items, f.users = make([]float64, items*f.width), make([]float64, users*f.width)
	f.itemSeen, f.userSeen = make([]float64, len(f.items)), make([]float64, len(f.users))
	f.sharedSeen, f.sharedSlope = make([]float64, f.sharedCount()), make([]float64, f.sharedCount())
	f.head, f.ratingsOf, f.orderKeys = make([]int, items), make([]float64, items), make([]uint64, users)
	for u := range users {
		row := set.Row(u)
		if row.Len() == 0 {
			continue
		}
		f.order = append(f.order, u)
		for _, i := range row.Items {
			f.ratingsOf[i]++
		}
		f.startUser(u)
	}
	for i := range items {
		f.head[i] = -1
		f.startItem(i)
	}
	f.average(f.users, f.order)
	return f, nil
}

func (f *factorLearner) startUser(u int) {
	r, x := f.run.userStream("start", u), f.userVector(u)
	for d := range f.hidden {
		x[d] = f.options.Scale * r.NormFloat64()
		if f.options.Start == StartNonNegative {
			x[d] = f.options.Scale * (0.8 + 0.4*r.Float64())
		}
	}
	x[f.hidden+1] = one(f.has.Item)
}

func (f *factorLearner) startItem(i int) {
	r, x := f.run.itemStream("start", i), f.itemVector(i)
	x[f.hidden] = one(f.has.User)
	if f.ratingsOf[i] == 0 {
		return
	}
	scale := f.options.Scale
	if f.options.Start == StartNonNegative {
		scale /= 10
	}
	for d := range f.hidden {
		x[d] = scale * r.NormFloat64()
	}
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

func (f *factorLearner) userVector(u int) []float64 { return f.users[u*f.width : (u+1)*f.width] }

// epoch implements [learner].
func (f *factorLearner) epoch(ctx context.Context) (float64, error) {
	f.run.ctx = ctx
	r := rng.Stream(0, "")
	for _, u := range f.order {
		r.Reseed(f.run.Seed, "user order", uint64(renumbered(f.run.userAs, u)), uint64(f.steps))
		f.orderKeys[u] = r.Uint64()
	}
	slices.SortFunc(f.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(f.orderKeys[a], f.orderKeys[b]), cmp.Compare(a, b))
	})
	var objective float64
	for users := range slices.Chunk(f.order, f.options.Batch) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		objective += f.gradient(users)
		f.update()
	}
	f.steps++
	f.average(f.users, f.order)
	return objective + f.penalty(f.users), ctx.Err()
}

// parallel runs a part of the work in each worker.
func (f *factorLearner) parallel(part func(w *worker, first, stride int)) {
	if len(f.workers) == 1 {
		part(&f.workers[0], 0, 1)
		return
	}
	var group sync.WaitGroup
	for k := range f.workers {
		group.Go(func() { part(&f.workers[k], k, len(f.workers)) })
	}
	group.Wait()
}
