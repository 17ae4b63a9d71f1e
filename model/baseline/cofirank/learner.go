package cofirank

import (
	"cmp"
	"fmt"
	"slices"

	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/model/baseline/fitting"
)

// learner is the model during its fit. Rows are in random order, so that sums do not depend on numbers of users and items.
type learner struct {
	fitted
	itemOffset float64 // prior
	itemPriors []float64
	run        fitting.Run

	lists    []list
	slope    []float64   // of all lists, one after the other
	mentions [][]mention // of each item
	tasks    []*worker
	bundle   bundle
	planes   []plane
}

// mention is a place in a list.
type mention struct{ list, at int }

func newLearner(r Recipe, set *ratings.Set, run fitting.Run) (*learner, error) {
	name := r.Loss.String()
	l := &learner{itemOffset: r.Offset, run: run, slope: make([]float64, set.Len())}
	l.loss, l.bundle.jobs, l.bundle.over = r.Loss, run.Workers(), run.Over
	l.header = header{Adapt: r.Adapt, Offset: r.Offset, Pairs: r.Pairs, Top: r.Top, Decay: r.Decay}
	l.arrange(name, set)
	users, items := set.Users().Len(), set.Items().Len()
	most := min(users, items)
	if l.Hidden = r.Hidden; r.Hidden == setting.Auto {
		l.Hidden = min(factors, most)
	}
	if l.Hidden > most {
		return nil, fmt.Errorf("hidden %d is more than %d users and %d items can carry", l.Hidden, users, items)
	}
	l.prepare()
	for range run.Workers() {
		l.tasks = append(l.tasks, newWorker(&l.fitted))
	}
	l.begin(name, r.Lambda)
	return l, nil
}

// arrange draws the order of users and items and lists ratings by both.
func (l *learner) arrange(name string, set *ratings.Set) {
	drawn := func(n int, draw func(i int) uint64) []int {
		keys, order := make([]uint64, n), make([]int, n)
		for i := range order {
			keys[i], order[i] = draw(i), i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
		return order
	}
	items := drawn(set.Items().Len(), func(i int) uint64 { return l.run.ItemStream(name+" order", i).Uint64() })
	l.itemRow, l.mentions = make([]int, len(items)), make([][]mention, len(items))
	for row, i := range items {
		l.itemRow[i] = row
	}
	l.userRow = make([]int, set.Users().Len())
	from := 0
	for _, u := range drawn(len(l.userRow), func(u int) uint64 { return l.run.UserStream(name+" order", u).Uint64() }) {
		known := set.Row(u)
		if known.Len() == 0 {
			l.userRow[u] = -1
			continue
		}
		l.userRow[u] = len(l.lists)
		one := l.sorted(known, cmp.Compare)
		one.slope = l.slope[from : from+known.Len()]
		from += known.Len()
		for at, row := range one.rows {
			l.mentions[row] = append(l.mentions[row], mention{len(l.lists), at})
		}
		l.lists = append(l.lists, one)
	}
}

// prepare readies all lists for the loss, and finds the scale of ratings and the usual list.
func (l *learner) prepare() {
	l.Gain = newGainScale(l.lists)
	l.Usual = float64(len(l.slope)) / float64(len(l.lists))
	loss := l.listLoss()
	var costs, lists float64
	for u := range l.lists {
		one := &l.lists[u]
		if one.prepare(loss); one.ordered {
			costs += one.costs
			lists++
		}
		if loss == nil {
			for _, v := range one.values {
				l.Mean += v
			}
		}
	}
	l.Mean /= float64(len(l.slope))
	if l.loss == Ordinal && lists > 0 {
		l.Usual = costs / lists
	}
}

// each calls work for every number below n, on all goroutines.
func (l *learner) each(n int, work func(w *worker, i int)) {
	l.run.Do(n, func(worker, i int) { work(l.tasks[worker], i) })
}

// Epoch fits items, then users, and returns the objective.
func (l *learner) Epoch() float64 {
	l.fitItems()
	objective := l.fitUsers()
	for row, prior := range l.itemPriors {
		item := l.itemVector(row)
		objective += 0.5*prior*fitting.Dot(item[:l.Hidden], item) + 0.5*l.itemOffset*item[l.Hidden]*item[l.Hidden]
	}
	return objective
}

// fitUsers returns the loss of all users and the prior on them.
func (l *learner) fitUsers() (objective float64) {
	l.each(len(l.lists), func(w *worker, u int) { l.lists[u].loss = w.fit(&l.lists[u], l.userVector(u)) })
	for u := range l.lists {
		objective += l.lists[u].loss
	}
	return objective
}
