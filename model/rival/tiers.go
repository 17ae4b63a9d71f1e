package rival

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"fubini/core/partition"
)

// WeakOrders is a model that gives rankings with ties a probability. Over all
// weak orders of the scored items it sums to 1.
type WeakOrders interface {
	Model
	// LogLikelihood is the log probability of an order, whose item n has
	// scores[n].
	LogLikelihood(scores []float64, order *partition.Partition) float64
}

// orderLikelihood is the part of a loss that knows the log probability of a list.
type orderLikelihood interface {
	logLikelihood(scores []float64, list *tiers, row *rowScratch) float64
}

// ordersModel is a fitted model with the likelihood of its loss.
type ordersModel struct {
	VectorModel
	orderLikelihood
	space *sync.Pool
}

func newOrdersModel(m VectorModel, l orderLikelihood) *ordersModel {
	return &ordersModel{m, l, &sync.Pool{New: func() any { return new(rowScratch) }}}
}

// LogLikelihood implements [WeakOrders].
func (m *ordersModel) LogLikelihood(scores []float64, order *partition.Partition) float64 {
	if len(scores) != order.N() {
		panic(fmt.Sprintf("rival: %d scores for an order of %d items", len(scores), order.N()))
	}
	row := m.space.Get().(*rowScratch)
	defer m.space.Put(row)
	row.enter(fitRun{}, -1, 0, nil)
	list := newTiers(order.N(), row)
	for t := range order.Len() {
		list.order = append(list.order, order.Block(t)...)
		list.start = append(list.start, len(list.order))
	}
	return m.logLikelihood(scores, &list, row)
}

// tiers are the ties of a list, best first: that at t is
// order[start[t]:start[t+1]].
type tiers struct {
	order, start []int
}

// newTiers makes room for n items.
func newTiers(n int, row *rowScratch) tiers {
	return tiers{row.ints(n)[:0], append(row.ints(n + 1)[:0], 0)}
}

// len is the number of ties.
func (x *tiers) len() int { return len(x.start) - 1 }

// tier is the one at t; below it are all items of the ties after it.
func (x *tiers) tier(t int) []int { return x.order[x.start[t]:x.start[t+1]] }

// sort makes tiers of a row of ratings, higher first; equal ones tie.
func (x *tiers) sort(values []float32) {
	x.order = x.order[:0]
	for k := range values {
		x.order = append(x.order, k)
	}
	x.rank(values)
}

// rank makes tiers of those ratings of a row that are in order.
func (x *tiers) rank(values []float32) {
	slices.SortFunc(x.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(values[b], values[a]), cmp.Compare(a, b))
	})
	x.start = append(x.start[:0], 0)
	for k := 1; k < len(x.order); k++ {
		if values[x.order[k]] != values[x.order[k-1]] {
			x.start = append(x.start, k)
		}
	}
	if len(x.order) > 0 {
		x.start = append(x.start, len(x.order))
	}
}

// steadyLots draws a number for each rating of a row, the same in each epoch.
func steadyLots(row *rowScratch) []float64 {
	if row.user >= 0 {
		row.rand.Reseed(row.run.Seed, "user ties", uint64(renumbered(row.run.userAs, row.user)))
	}
	return lots(row)
}

// lots draws a number for each rating of a row.
func lots(row *rowScratch) []float64 {
	drawn := row.floats(len(row.items))
	row.lots(drawn)
	return drawn
}

// shuffle puts items in the order of their lots.
func shuffle(items []int, lots []float64) {
	slices.SortFunc(items, func(a, b int) int { return cmp.Compare(lots[a], lots[b]) })
}
