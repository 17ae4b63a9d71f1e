package cofirank

import (
	"cmp"
	"fmt"
	"slices"

	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/model/baseline/fitting"
)

// cofiLearner is a [Recipe] while it learns.
type learner struct {
	fitted
	itemOffset float64 // prior
	itemPriors []float64
	run        fitting.Run

	// Ratings by user, best first, in the order of rows: it is drawn, so that the numbers of users and items do not
	// show in any sum.
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

	tasks  []*worker
	slope  []float64 // by rating
	losses []float64 // by user
	bundle bundle
	planes []plane
	spare  [][]float32
}

func newLearner(r Recipe, set *ratings.Set, run fitting.Run) (*learner, error) {
	name := r.Loss.String()
	l := &learner{itemOffset: r.Offset, run: run}
	l.loss, l.bundle.jobs, l.bundle.over = r.Loss, run.Workers(), run.Over
	l.header = header{Adapt: r.Adapt, Offset: r.Offset, Pairs: r.Pairs, Top: r.Top, Decay: r.Decay}
	l.arrange(name, set, run)
	users, items := set.Users().Len(), set.Items().Len()
	most := min(users, items)
	if l.Hidden = r.Hidden; r.Hidden == setting.Auto {
		l.Hidden = min(factors, most)
	}
	if l.Hidden > most {
		return nil, fmt.Errorf("hidden %d is more than %d users and %d items can carry", l.Hidden, users, items)
	}
	l.Gain = newGainScale(l.value)
	if l.loss == Squared {
		for _, v := range l.value {
			l.Mean += v
		}
		l.Mean /= float64(len(l.value))
	}
	l.prepare()
	for range run.Workers() {
		l.tasks = append(l.tasks, newWorker(&l.fitted))
	}
	l.begin(name, r.Lambda, run)
	return l, nil
}

// arrange puts users and items in an order drawn for them and lists ratings by both.
func (l *learner) arrange(name string, set *ratings.Set, run fitting.Run) {
	drawn := func(n int, draw func(i int) uint64) []int {
		keys, order := make([]uint64, n), make([]int, n)
		for i := range order {
			keys[i], order[i] = draw(i), i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
		return order
	}
	items := drawn(set.Items().Len(), func(i int) uint64 { return run.ItemStream(name+" order", i).Uint64() })
	l.itemRow = make([]int, len(items))
	for row, i := range items {
		l.itemRow[i] = row
	}
	users := drawn(set.Users().Len(), func(u int) uint64 { return run.UserStream(name+" order", u).Uint64() })
	l.userRow = make([]int, len(users))
	l.start = []int{0}
	l.itemStart = make([]int, len(items)+1)
	var list []rating
	for _, u := range users {
		known := set.Row(u)
		if known.Len() == 0 {
			l.userRow[u] = -1
			continue
		}
		l.userRow[u] = len(l.start) - 1
		list = list[:0]
		for k, i := range known.Items {
			list = append(list, rating{l.itemRow[i], float64(known.Values[k])})
			l.itemStart[l.itemRow[i]+1]++
		}
		slices.SortFunc(list, func(a, b rating) int {
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
func (l *learner) prepare() {
	users := len(l.start) - 1
	l.useful, l.losses = make([]bool, users), make([]float64, users)
	l.slope = make([]float64, len(l.row))
	l.Usual = float64(len(l.row)) / float64(users)
	if l.loss == Squared {
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
	if l.loss == Ordinal && lists > 0 {
		l.Usual = costs / lists
	}
}

// each calls work for every number below n, from jobs goroutines.
func (l *learner) each(n int, work func(w *worker, i int)) {
	l.run.Do(n, func(worker, i int) { work(l.tasks[worker], i) })
}

// epoch fits items, then users, and returns the objective.
func (l *learner) Epoch() float64 {
	l.fitItems()
	objective := l.fitUsers()
	for row, prior := range l.itemPriors {
		item := l.item[row*l.stride():][:l.stride()]
		objective += 0.5*prior*fitting.Dot(item[:l.Hidden], item) + 0.5*l.itemOffset*item[l.Hidden]*item[l.Hidden]
	}
	return objective
}

// fitUsers returns the loss of all users and the prior on them.
func (l *learner) fitUsers() (objective float64) {
	l.each(len(l.losses), func(w *worker, u int) {
		from, to := l.start[u], l.start[u+1]
		user := l.user[u*l.stride():][:l.stride()]
		switch {
		case l.loss == Squared:
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
