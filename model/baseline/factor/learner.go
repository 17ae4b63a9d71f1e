package factor

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"fubini/core/rng"
	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// Biases are the bias terms of a model: c_u of users, b_i of items.
type Biases struct{ User, Item bool }

// Learner fits scores s_ui = b_i + c_u + P_u . Q_i under any loss of a row of ratings. It minimises
//
//	sum_u loss(row u) + userPrior/2 sum |P_u|^2 + itemPrior/2 sum |Q_i|^2 + biasPrior/2 (sum c_u^2 + sum b_i^2)
//
// by steps along the gradient of a block of users, with a step size for each coordinate that falls with the squared
// slopes so far (AdaGrad: Duchi, Hazan and Singer 2011). Only items of the block move, with their share of the prior;
// an item without ratings stays at zero, the mode of the prior.
type Learner struct {
	Scorer
	run   fitting.Run
	set   *ratings.Set
	order []int // users with ratings, in the order of this epoch

	users                []float64 // vector of user u: P_u, c_u, 1
	userSeen, itemSeen   []float64 // sums of squared slopes
	sharedSeen           []float64
	ratingsOf            []float64 // of each item
	block                []blockRow
	itemSlopes, itemRows []float64 // of the block: slope by the vector of an item, and number of its ratings
	touched              []uint32  // items of the block
	sharedSlope          []float64
	workers              []worker
	orderKeys            []uint64
}

// blockRow is a user of the block.
type blockRow struct {
	user   int
	row    ratings.Row
	loss   float64
	slopes []float64 // by the scores
	slope  []float64 // by the user's vector
	shared []float64
}

// worker is the workspace of a goroutine.
type worker struct {
	Row
	scores []float64
}

// New returns a learner with initial factors.
func New(set *ratings.Set, run fitting.Run, o Options, has Biases, l Loss) (*Learner, error) {
	items, users := set.Items().Len(), set.Users().Len()
	if o.Hidden == setting.Auto {
		o.Hidden = min(o.factors(), items, users)
	}
	if o.Hidden > min(items, users) {
		return nil, fmt.Errorf("hidden %d is more than %d users and %d items can carry", o.Hidden, users, items)
	}
	f := &Learner{Scorer: newScorer(o, has, l), run: run, set: set, workers: make([]worker, run.Workers())}
	f.drawn = run.Unseeded()
	f.items, f.users = make([]float64, items*f.width), make([]float64, users*f.width)
	f.itemSeen, f.userSeen = make([]float64, len(f.items)), make([]float64, len(f.users))
	f.sharedSeen, f.sharedSlope = make([]float64, len(f.shared())), make([]float64, len(f.shared()))
	f.itemSlopes, f.itemRows = make([]float64, len(f.items)), make([]float64, items)
	f.ratingsOf, f.orderKeys = make([]float64, items), make([]uint64, users)
	itemScale := o.Scale
	if o.Start == StartNonNegative {
		itemScale /= 10
	}
	for u := range users {
		row := set.Row(u)
		if row.Len() == 0 {
			continue
		}
		f.order = append(f.order, u)
		for _, i := range row.Items {
			f.ratingsOf[i]++
		}
		f.users[u*f.width+f.hidden+1] = one(has.Item)
		r := run.UserStream("start", u)
		for d := range f.hidden {
			x := r.NormFloat64()
			if o.Start == StartNonNegative {
				x = 0.8 + 0.4*r.Float64()
			}
			f.users[u*f.width+d] = o.Scale * x
		}
	}
	for i := range items {
		x, r := f.itemVector(i), run.ItemStream("start", i)
		x[f.hidden] = one(has.User)
		for d := range x[:f.hidden] {
			if f.ratingsOf[i] > 0 {
				x[d] = itemScale * r.NormFloat64()
			}
		}
	}
	f.average(f.users, f.order)
	return f, nil
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

func (f *Learner) userVector(u int) []float64 { return f.users[u*f.width : (u+1)*f.width] }

// Score implements [model.Model].
func (f *Learner) Score(p model.Person, items []uint32, scores []float64) {
	if p.Index >= 0 && p.Index < f.set.Users().Len() && f.set.Row(p.Index).Len() > 0 {
		f.score(f.userVector(p.Index), items, scores)
		return
	}
	f.Scorer.Score(p, items, scores)
}

// Epoch implements [fitting.Learner].
func (f *Learner) Epoch() float64 {
	r := rng.Stream(0, "")
	for _, u := range f.order {
		r.Reseed(f.run.Seed, "user order", f.run.UserNumber(u), uint64(f.steps))
		f.orderKeys[u] = r.Uint64()
	}
	slices.SortFunc(f.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(f.orderKeys[a], f.orderKeys[b]), cmp.Compare(a, b))
	})
	var objective float64
	for users := range slices.Chunk(f.order, f.options.Batch) {
		if f.run.Over() {
			return 0
		}
		objective += f.gradient(users)
		f.update()
	}
	f.steps++
	f.average(f.users, f.order)
	return objective + f.penalty(f.users)
}

// gradient computes the slopes of a block of users and returns their loss. Sums go in the order of the block.
func (f *Learner) gradient(users []int) float64 {
	for len(f.block) < len(users) {
		f.block = append(f.block, blockRow{slope: make([]float64, f.width), shared: make([]float64, len(f.sharedSlope))})
	}
	f.block = f.block[:len(users)]
	f.run.Do(len(users), func(w, k int) {
		b := &f.block[k]
		b.user, b.row = users[k], f.set.Row(users[k])
		f.rowGradient(f.run, &f.workers[w], b, f.userVector(b.user))
	})
	for _, i := range f.touched {
		clear(f.itemSlope(i))
		f.itemRows[i] = 0
	}
	f.touched = f.touched[:0]
	clear(f.sharedSlope)
	var total float64
	for k := range f.block {
		b := &f.block[k]
		total += b.loss
		for d, g := range b.shared {
			f.sharedSlope[d] += g
		}
		for j, i := range b.row.Items {
			if f.itemRows[i]++; f.itemRows[i] == 1 {
				f.touched = append(f.touched, i)
			}
			fitting.Add(f.itemSlope(i), b.slopes[j], f.userVector(b.user))
		}
	}
	return total
}

// itemSlope is the slope of the block by the vector of an item.
func (f *Learner) itemSlope(i uint32) []float64 {
	return f.itemSlopes[int(i)*f.width : (int(i)+1)*f.width]
}

// rowGradient computes the loss of a row and its slopes, at the vector x of its user.
func (s *Scorer) rowGradient(run fitting.Run, w *worker, b *blockRow, x []float64) {
	items := b.row.Items
	w.scores, b.slopes = fitting.Resize(w.scores, len(items)), fitting.Resize(b.slopes, len(items))
	s.score(x, items, w.scores)
	w.enter(run, b.user, s.steps, items)
	clear(b.shared)
	b.loss = s.Loss.Of(b.row.Values, w.scores, b.slopes, b.shared, &w.Row)
	clear(b.slope)
	for k, i := range items {
		fitting.Add(b.slope, b.slopes[k], s.itemVector(int(i)))
	}
}

// update moves the parameters that the block has slopes for.
func (f *Learner) update() {
	f.run.Do(len(f.touched), func(_, t int) {
		i := f.touched[t]
		f.descend(f.itemVector(int(i)), f.itemSlope(i), f.itemSeen[int(i)*f.width:], f.itemPrior, f.itemRows[i]/f.ratingsOf[i])
	})
	for k := range f.block {
		b := &f.block[k]
		f.descend(f.userVector(b.user), b.slope, f.userSeen[b.user*f.width:], f.userPrior, 1)
	}
	for d, shared := 0, f.shared(); d < len(shared); d++ {
		g := f.sharedSlope[d]
		f.sharedSeen[d] += g * g
		shared[d] -= f.options.Rate * g / (math.Sqrt(f.sharedSeen[d]) + tiny)
	}
}

// tiny keeps the slope of a coordinate that had none from being divided by zero.
const tiny = 1e-12

// descend makes one step. A coordinate with a negative prior is fixed.
func (s *Scorer) descend(x, slope, seen, prior []float64, share float64) {
	for d := range x {
		if prior[d] < 0 {
			continue
		}
		g := slope[d] + share*prior[d]*x[d]
		seen[d] += g * g
		x[d] -= s.options.Rate * g / (math.Sqrt(seen[d]) + tiny)
	}
}
