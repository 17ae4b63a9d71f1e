// Package plackettluce has models of rankings with ties by choices from the top: Plackett-Luce, the probabilistic model
// over ordered partitions, and Davidson-Luce. Their worths have factors; see package factor.
package plackettluce

import (
	"cmp"
	"fmt"
	"slices"

	"fubini/core/partition"
	"fubini/data/ratings"
	"fubini/model"
)

// vectors is a fitted model with factors.
type vectors interface {
	model.Model
	Dim() int
	ItemVector(item uint32, vector []float64) (offset float64)
	PersonVector(known ratings.Row, vector []float64)
}

// likelihood is the part of a loss that has the log probability of a list.
type likelihood interface {
	logLikelihood(scores []float64, list *tiers) float64
}

// fitted is a fitted model with the likelihood of its loss.
type fitted struct {
	vectors
	likelihood
}

// LogLikelihood is the log probability of an order with ties, whose item n has scores[n]. Over all such orders the
// probabilities sum to 1.
func (m fitted) LogLikelihood(scores []float64, order *partition.Partition) float64 {
	if len(scores) != order.N() {
		panic(fmt.Sprintf("%d scores for an order of %d items", len(scores), order.N()))
	}
	list := newTiers(order.N())
	for t := range order.Len() {
		list.order = append(list.order, order.Block(t)...)
		list.start = append(list.start, len(list.order))
	}
	return m.logLikelihood(scores, &list)
}

// tiers are the ties of a list, best first: that at t is order[start[t]:start[t+1]].
type tiers struct {
	order, start []int
}

// newTiers makes room for n items.
func newTiers(n int) tiers { return tiers{make([]int, 0, n), append(make([]int, 0, n+1), 0)} }

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

// shuffle puts items in the order of their random keys.
func shuffle(items []int, keys []float64) {
	slices.SortFunc(items, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
}
