// Package plackettluce has models of rankings with ties by choices from the top: Plackett-Luce, the probabilistic model
// over ordered partitions, and Davidson-Luce. Their worths have factors; see package factor.
package plackettluce

import (
	"cmp"
	"fmt"
	"slices"

	"fubini/core/partition"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/factor"
	"fubini/model/baseline/fitting"
)

// vectors is a fitted model with factors.
type vectors interface {
	model.Model
	Dim() int
	ItemVector(item uint32, vector []float64) (offset float64)
	PersonVector(known ratings.Row, vector []float64)
}

// loss is minus the log probability of a list.
type loss interface {
	factor.Loss
	logLikelihood(scores []float64, list *tiers) float64
}

// fitted is a fitted model with the likelihood of its loss.
type fitted struct {
	vectors
	loss
}

func fit(set *ratings.Set, run fitting.Run, o factor.Options, redrawn bool, start func(set *ratings.Set) factor.Loss) (model.Model, error) {
	f, err := factor.FitLists(set, run, o, redrawn, start)
	if err != nil {
		return nil, err
	}
	return fitted{f, f.Loss.(loss)}, nil
}

// load reads a model with a loss of this kind; check is called when the numbers of the loss have been read.
func load(name string, f *modelfile.File, items int, l loss, check func() error) (model.Model, error) {
	s, err := factor.Load(f, items, l)
	if err == nil {
		err = check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return fitted{s, l}, nil
}

// LogLikelihood is the log probability of an order with ties, whose item n has scores[n], among all such orders.
func (m fitted) LogLikelihood(scores []float64, order *partition.Partition) float64 {
	if len(scores) != order.N() {
		panic(fmt.Sprintf("%d scores for an order of %d items", len(scores), order.N()))
	}
	return m.logLikelihood(scores, tiersOf(order))
}

// tiers are the ties of a list, best first: that at t is order[start[t]:start[t+1]].
type tiers struct {
	order, start []int
}

// len is the number of ties.
func (x *tiers) len() int { return len(x.start) - 1 }

// tier is the one at t; below it are all items of the ties after it.
func (x *tiers) tier(t int) []int { return x.order[x.start[t]:x.start[t+1]] }

// tiersOf has the blocks of an order as its tiers.
func tiersOf(order *partition.Partition) *tiers {
	list := &tiers{start: []int{0}}
	for t := range order.Len() {
		list.order = append(list.order, order.Block(t)...)
		list.start = append(list.start, len(list.order))
	}
	return list
}

// rank makes tiers of some ratings of a row, higher first; equal ones tie. It sorts the places of these ratings.
func rank(values []float32, places []int) *tiers {
	slices.SortFunc(places, func(a, b int) int {
		return cmp.Or(cmp.Compare(values[b], values[a]), cmp.Compare(a, b))
	})
	x := &tiers{places, make([]int, 1, len(places)+1)}
	for k := 1; k <= len(places); k++ {
		if k == len(places) || values[places[k]] != values[places[k-1]] {
			x.start = append(x.start, k)
		}
	}
	return x
}

// places are those of all ratings of a row.
func places(values []float32) []int {
	all := make([]int, len(values))
	for k := range all {
		all[k] = k
	}
	return all
}

// shuffle puts items in the order of their random keys.
func shuffle(items []int, keys []float64) {
	slices.SortFunc(items, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
}
