package rival

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"fubini/data/ratings"
)

// cofiLearner is a [CoFiRank] while it learns.
type cofiLearner struct {
	cofiModel
	itemOffset float64 // prior
	itemPriors []float64
	jobs       int

	// Ratings by user, best first, in the order of rows: it is drawn, so that the
	// numbers of users and items do not show in any sum.
	start  []int
	row    []int
	value  []float64
	first  []float64
	second []float64
	useful []bool // lists that say something of order
	// By item: which users, and where their ratings are.
	itemStart []int
	itemUser  []int
	itemAt    []int

	tasks     []*cofiWorker
	slope     []float64 // by rating
	losses    []float64 // by user
	bundle    bundle
	curvature []float64
	planes    []cofiPlane
	spare     [][]float32
}

func newCoFiLearner(r CoFiRank, set *ratings.Set, run Run) (*cofiLearner, error) {
	name := r.Loss.String()
	l := &cofiLearner{itemOffset: r.Offset, jobs: run.jobs()}
	l.loss = r.Loss
	l.cofiScalars = cofiScalars{Hidden: r.Hidden, Lambda: r.Lambda, Adapt: r.Adapt, Offset: r.Offset, Pairs: r.Pairs, Top: r.Top, Decay: r.Decay}
	l.arrange(name, set, run)
	if most := min(len(l.start)-1, set.Items().Len()); r.Hidden > most {
		return nil, fmt.Errorf("hidden %d is more than the %d that %d users and %d items can carry", r.Hidden, most, len(l.start)-1, set.Items().Len())
	}
	l.Gain = newCoFiGain(l.value)
	if l.loss == CoFiSquared {
		for _, v := range l.value {
			l.Mean += v
		}
		l.Mean /= float64(len(l.value))
	}
	l.prepare()
	for range l.jobs {
		l.tasks = append(l.tasks, newCoFiWorker(&l.cofiModel))
	}
	l.begin(name, r.Lambda, run)
	return l, nil
}

// arrange puts users and items in an order drawn for them and lists ratings by
// both.
func (l *cofiLearner) arrange(name string, set *ratings.Set, run Run) {
	drawn := func(n int, draw func(i int) uint64) []int {
		keys, order := make([]uint64, n), make([]int, n)
		for i := range order {
			keys[i], order[i] = draw(i), i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
		return order
	}
	items := drawn(set.Items().Len(), func(i int) uint64 { return run.itemStream(name+" order", i).Uint64() })
	l.itemRow = make([]int, len(items))
	for row, i := range items {
		l.itemRow[i] = row
	}
	users := drawn(set.Users().Len(), func(u int) uint64 { return run.userStream(name+" order", u).Uint64() })
	l.userRow = make([]int, len(users))
	l.start = []int{0}
	l.itemStart = make([]int, len(items)+1)
	var list []cofiRating
	for _, u := range users {
		known := set.Row(u)
		if known.Len() == 0 {
			l.userRow[u] = -1
			continue
		}
		l.userRow[u] = len(l.start) - 1
		list = list[:0]
		for k, i := range known.Items {
			list = append(list, cofiRating{l.itemRow[i], float64(known.Values[k])})
			l.itemStart[l.itemRow[i]+1]++
		}
		slices.SortFunc(list, func(a, b cofiRating) int {
			return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.row, b.row))
		})
		for _, r := range list {
			l.row, l.value = append(l.row, r.row), append(l.value, r.value)
		}
		l.start = append(l.start, len(l.row))
	}
	for i := range items {
		l.itemStart[i+1] += l.itemStart[i]
	}
	l.itemUser, l.itemAt = make([]int, len(l.row)), make([]int, len(l.row))
	next := slices.Clone(l.itemStart)
	for u := range len(l.start) - 1 {
		for at := l.start[u]; at < l.start[u+1]; at++ {
			row := l.row[at]
			l.itemUser[next[row]], l.itemAt[next[row]] = u, at
			next[row]++
		}
	}
}

// prepare has the loss look at every list once, and finds what is usual.
func (l *cofiLearner) prepare() {
	users := len(l.start) - 1
	l.useful, l.losses = make([]bool, users), make([]float64, users)
	l.slope = make([]float64, len(l.row))
	l.Usual = float64(len(l.row)) / float64(users)
	if l.loss == CoFiSquared {
		return
	}
	l.first, l.second = make([]float64, len(l.row)), make([]float64, len(l.row))
	loss := l.listLoss()
	var costs, lists float64
	for u := range users {
		from, to := l.start[u], l.start[u+1]
		if l.useful[u] = loss.prepare(l.value[from:to], l.first[from:to], l.second[from:to]); l.useful[u] {
			costs += l.second[from]
			lists++
		}
	}
	if l.loss == CoFiOrdinal && lists > 0 {
		l.Usual = costs / lists
	}
}

// begin finds offsets as if there were no factors and turns lambda, a share of
// the least prior that would keep it so, into a prior. Then it draws factors of
// items and fits users to them. Items without ratings stay at zero.
func (l *cofiLearner) begin(name string, lambda float64, run Run) {
	items, users, hidden := len(l.itemRow), len(l.losses), l.Hidden
	l.itemPriors = make([]float64, items)
	for i := range l.itemPriors {
		l.itemPriors[i] = math.Pow(math.Max(1, float64(l.itemStart[i+1]-l.itemStart[i]))*float64(items)/float64(len(l.row)), l.Adapt)
	}
	l.Hidden, l.Lambda = 0, 1
	l.item, l.user = make([]float64, items), make([]float64, users)
	l.fitItems()
	if l.loss == CoFiSquared {
		for range 3 {
			l.fitUsers()
			l.fitItems()
		}
	}
	l.Lambda = lambda * l.strength(name, run)
	for i := range l.itemPriors {
		l.itemPriors[i] *= l.Lambda
	}
	offsets := l.item
	l.Hidden = hidden
	l.item, l.user = make([]float64, items*l.stride()), make([]float64, users*l.stride())
	for i, row := range l.itemRow {
		if l.itemStart[row+1] == l.itemStart[row] {
			continue
		}
		r := run.itemStream(name, i)
		out := l.item[row*l.stride():][:l.stride()]
		for k := range hidden {
			out[k] = r.NormFloat64() / math.Sqrt(float64(hidden))
		}
		out[hidden] = offsets[row]
	}
	l.fitUsers()
}

// strength is the largest singular value of the slopes of the loss by user and
// item, each over the root of its prior: with a larger lambda factors are not
// worth their prior, and fall to zero. It is found by power iteration.
func (l *cofiLearner) strength(name string, run Run) float64 {
	l.measure(l.item)
	item, user := make([]float64, len(l.itemRow)), make([]float64, len(l.losses))
	for i, row := range l.itemRow {
		item[row] = run.itemStream(name+" strength", i).NormFloat64()
	}
	var value float64
	for range 50 {
		norm := math.Sqrt(product(item, item))
		if !(norm > 0) {
			return 1 // nothing to learn: any prior will do
		}
		for row := range item {
			item[row] /= norm * math.Sqrt(l.itemPriors[row])
		}
		for u := range user {
			user[u] = 0
			for at := l.start[u]; at < l.start[u+1]; at++ {
				user[u] += l.slope[at] * item[l.row[at]]
			}
			user[u] /= l.userPrior(l.start[u+1] - l.start[u])
		}
		for row := range item {
			item[row] = 0
			for k := l.itemStart[row]; k < l.itemStart[row+1]; k++ {
				item[row] += l.slope[l.itemAt[k]] * user[l.itemUser[k]]
			}
			item[row] /= math.Sqrt(l.itemPriors[row])
		}
		value = math.Sqrt(math.Sqrt(product(item, item)))
	}
	return value
}

// each calls work for every number below n, from jobs goroutines.
func (l *cofiLearner) each(n int, work func(w *cofiWorker, i int)) {
	var workers sync.WaitGroup
	for job, task := range l.tasks {
		workers.Go(func() {
			for i := job; i < n; i += l.jobs {
				work(task, i)
			}
		})
	}
	workers.Wait()
}

// epoch fits items, then users, and returns the objective.
func (l *cofiLearner) epoch(context.Context) (float64, error) {
	l.fitItems()
	objective := l.fitUsers()
	for row, prior := range l.itemPriors {
		item := l.item[row*l.stride():][:l.stride()]
		objective += 0.5*prior*product(item[:l.Hidden], item) + 0.5*l.itemOffset*item[l.Hidden]*item[l.Hidden]
	}
	return objective, nil
}

// fitUsers returns the loss of all users and the prior on them.
func (l *cofiLearner) fitUsers() (objective float64) {
	l.each(len(l.losses), func(w *cofiWorker, u int) {
		from, to := l.start[u], l.start[u+1]
		user := l.user[u*l.stride():][:l.stride()]
		switch {
		case l.loss == CoFiSquared:
			l.losses[u] = w.fit(l.row[from:to], l.value[from:to], nil, nil, user)
		case l.useful[u]:
			l.losses[u] = w.fit(l.row[from:to], l.value[from:to], l.first[from:to], l.second[from:to], user)
		}
	})
	for _, each := range l.losses {
		objective += each
	}
	return objective
}

// cofiPlane bounds the loss from below in terms of scores: level plus slopes times
// scores, by rating. It holds whatever the factors are, so that planes found in
// one round are used in the next.
type cofiPlane struct {
	level float64
	slope []float32
}

// fitItems improves factors and offsets of all items.
func (l *cofiLearner) fitItems() {
	if l.loss == CoFiSquared {
		l.each(len(l.itemRow), l.fitItem)
		return
	}
	l.curvature = l.curvature[:0]
	for _, prior := range l.itemPriors {
		for range l.Hidden {
			l.curvature = append(l.curvature, prior)
		}
		l.curvature = append(l.curvature, l.itemOffset)
	}
	limits := cofiLimits[l.loss].items
	l.bundle.reset(l.curvature, len(l.planes)+limits.looks)
	for _, plane := range l.planes {
		for at, s := range plane.slope {
			l.slope[at] = float64(s)
		}
		l.gather(l.bundle.slope)
		l.bundle.cut(plane.level)
	}
	l.bundle.minimise(l.item, func(item, slope []float64) float64 {
		loss := l.measure(item)
		l.gather(slope)
		l.keep()
		return loss
	}, limits)
	l.choose()
}

// keep notes the slopes by rating of a plane.
func (l *cofiLearner) keep() {
	var slope []float32
	if last := len(l.spare) - 1; last >= 0 {
		slope, l.spare = l.spare[last], l.spare[:last]
	} else {
		slope = make([]float32, len(l.slope))
	}
	for at, s := range l.slope {
		slope[at] = float32(s)
	}
	l.planes = append(l.planes, cofiPlane{slope: slope})
}

// choose keeps the planes that bear the minimum, for the next round.
func (l *cofiLearner) choose() {
	kept := l.planes[:0]
	weight := l.bundle.dual.alpha[1:l.bundle.dual.size] // the first plane is zero
	for t, plane := range l.planes {
		if weight[t] == 0 {
			l.spare = append(l.spare, plane.slope)
			continue
		}
		plane.level = l.bundle.dual.offset[1+t]
		kept = append(kept, plane)
	}
	l.planes = kept
}

// gather turns slopes by rating into those by item.
func (l *cofiLearner) gather(out []float64) {
	stride, hidden := l.stride(), l.Hidden
	l.each(len(l.itemRow), func(_ *cofiWorker, row int) {
		out := out[row*stride:][:stride]
		clear(out)
		for k := l.itemStart[row]; k < l.itemStart[row+1]; k++ {
			s := l.slope[l.itemAt[k]]
			for d, x := range l.user[l.itemUser[k]*stride:][:hidden] {
				out[d] += s * x
			}
			out[hidden] += s
		}
	})
}

// measure returns the loss of all users at these items and finds the slope by
// rating.
func (l *cofiLearner) measure(item []float64) (loss float64) {
	stride, hidden := l.stride(), l.Hidden
	l.each(len(l.losses), func(w *cofiWorker, u int) {
		from, to := l.start[u], l.start[u+1]
		w.room(to - from)
		scores, user := w.scores[:to-from], l.user[u*stride:][:stride]
		for j, row := range l.row[from:to] {
			scores[j] = l.Mean + user[hidden] + item[row*stride+hidden] + product(user[:hidden], item[row*stride:])
		}
		switch {
		case l.loss == CoFiSquared:
			for j, v := range l.value[from:to] {
				l.slope[from+j] = scores[j] - v
			}
		case l.useful[u]:
			l.losses[u] = w.loss.measure(scores, l.first[from:to], l.second[from:to], l.slope[from:to])
		}
	})
	for _, each := range l.losses {
		loss += each
	}
	return loss
}

// fitItem solves for one item under the squared loss.
func (l *cofiLearner) fitItem(w *cofiWorker, row int) {
	stride, hidden := l.stride(), l.Hidden
	item := l.item[row*stride:][:stride]
	if l.itemStart[row] == l.itemStart[row+1] {
		clear(item)
		return
	}
	w.cofiRidge.reset(stride)
	for k := l.itemStart[row]; k < l.itemStart[row+1]; k++ {
		user := l.user[l.itemUser[k]*stride:][:stride]
		w.cofiRidge.add(user[:hidden], l.value[l.itemAt[k]]-l.Mean-user[hidden])
	}
	w.cofiRidge.solve(l.itemPriors[row], l.itemOffset, item)
}
