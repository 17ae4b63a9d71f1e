package osm

import (
	"fmt"
	"slices"

	"fubini/core/partition"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
)

// Model is what a list of items has in any pairwise form: weights for package
// exact, gains and slots for package mcmc.
type Model interface {
	exact.Weigher
	exact.Pairwise
	mcmc.SplitTarget
	mcmc.SlotTarget
}

// List is one observation: some items of a catalogue and how they were
// ordered. Item k of the partition is catalogue item Items[k].
type List struct {
	Items []int
	Order *partition.Partition
}

// NewList checks that items are distinct and as many as the partition has.
func NewList(items []int, order *partition.Partition) (List, error) {
	if len(items) != order.N() {
		return List{}, fmt.Errorf("osm: %d items, but an order of %d", len(items), order.N())
	}
	sorted := slices.Sorted(slices.Values(items))
	for k := 1; k < len(sorted); k++ {
		if sorted[k] == sorted[k-1] {
			return List{}, fmt.Errorf("osm: item %d is listed twice", sorted[k])
		}
	}
	return List{Items: items, Order: order}, nil
}

// Exister is a Family that can check beforehand whether lists have a maximum of
// the likelihood without a prior.
type Exister interface {
	Exists(lists []List) error
}

// Validate checks lists, and the family for them.
func Validate(family Family, lists []List) error {
	if family == nil || family.Dim() < 1 {
		return fmt.Errorf("osm: a family without parameters")
	}
	for l, list := range lists {
		if err := list.check(); err != nil {
			return fmt.Errorf("list %d: %w", l, err)
		}
	}
	return nil
}

func (l List) check() error {
	if l.Order == nil || len(l.Items) == 0 {
		return fmt.Errorf("osm: a list without items or without an order")
	}
	if item := l.Order.Lifted(); item >= 0 {
		return fmt.Errorf("osm: item %d of the order is lifted", item)
	}
	_, err := NewList(l.Items, l.Order)
	return err
}

// A Family is a set of log-linear models with common parameters theta: the log
// weight of any list is theta times its statistics, which is all that learning
// needs. See docs/maths.md#gradient.
type Family interface {
	// Dim is the number of parameters, Name what the k-th is called.
	Dim() int
	Name(k int) string
	// Bind returns the model of a list of catalogue items, with parameters zero.
	Bind(items []int) (Bound, error)
	// Redundant returns directions of theta that change no distribution.
	Redundant() [][]float64
}

// Bound is the model of one list, which follows the family's parameters.
type Bound interface {
	Model
	// Index lists the parameters that this list depends on.
	Index() []int
	// SetParameters takes all of theta, of length Dim.
	SetParameters(theta []float64)
	// Statistics writes what multiplies each parameter of Index in the log
	// weight of x.
	Statistics(x *partition.Partition, out []float64)
	// Expected writes the mean of Statistics from exact pair probabilities.
	Expected(m *exact.Moments, out []float64)
}

// WorthFamily is the worth model over a catalogue: theta holds the worth of
// every item, then nu, then with weights by tier size those of blocks of 1, 2, ...
// items, and as many of the last block.
type WorthFamily struct {
	Items int // size of the catalogue
	Options
	// Tiers is the size of the largest tier with a weight of its own, which must be
	// that of the longest list; 0 for no such weights. See docs/maths.md#tier-sizes.
	Tiers int
}

// Dim is the number of items plus one, and two for each tier size.
func (f WorthFamily) Dim() int { return f.Items + 1 + 2*f.Tiers }

// Name is u[i] for the worths, nu, and size[s] and last[s] for tiers of s items.
func (f WorthFamily) Name(k int) string {
	switch s := k - f.Items; {
	case s < 0:
		return fmt.Sprintf("u[%d]", k)
	case s == 0:
		return "nu"
	case s <= f.Tiers:
		return fmt.Sprintf("size[%d]", s)
	default:
		return fmt.Sprintf("last[%d]", s-f.Tiers)
	}
}

// Redundant is the direction that adds the same to all worths, and with weights by
// tier size those of docs/maths.md#tier-sizes.
func (f WorthFamily) Redundant() [][]float64 {
	worths := make([]float64, f.Dim())
	for i := range f.Items {
		worths[i] = 1
	}
	if f.Tiers == 0 {
		return [][]float64{worths}
	}
	return append([][]float64{worths}, f.redundantSizes()...)
}

// Exists implements [Exister] by [Connectivity]. Weights by tier size have no such rule.
func (f WorthFamily) Exists(lists []List) error {
	if f.Tiers > 0 {
		return fmt.Errorf("osm: whether weights by tier size have a maximum of the likelihood is not known beforehand, and a size that nobody has rules it out: use a prior")
	}
	connected, err := Connectivity(f.Items, lists)
	if err != nil {
		return err
	}
	return connected.Err(true)
}

// Bind implements [Family].
func (f WorthFamily) Bind(items []int) (Bound, error) {
	if err := f.check(items); err != nil {
		return nil, err
	}
	model, err := NewWorths(make([]float64, len(items)), 0, Options{})
	if err != nil {
		return nil, err
	}
	scale, err := f.scale(len(items))
	if err != nil {
		return nil, err
	}
	bound := &boundWorths{Worths: model, index: append(slices.Clone(items), f.Items), scale: scale}
	if f.Tiers == 0 {
		return bound, nil
	}
	if len(items) > f.Tiers {
		return nil, fmt.Errorf("osm: a list of %d items, but weights of tiers of up to %d; there must be as many as the longest list has items", len(items), f.Tiers)
	}
	for _, row := range []int{f.Items, f.Items + f.Tiers} {
		for s := 1; s <= len(items); s++ {
			bound.index = append(bound.index, row+s)
		}
	}
	bound.sizes = NewSizes(len(items))
	return bound, nil
}

func (f WorthFamily) check(items []int) error {
	for _, item := range items {
		if item < 0 || item >= f.Items {
			return fmt.Errorf("osm: item %d is outside the catalogue of %d", item, f.Items)
		}
	}
	return nil
}

type boundWorths struct {
	*Worths
	index []int // the items, then nu, then weights by tier size if there are any
	scale float64
}

func (b *boundWorths) Index() []int { return b.index }

func (b *boundWorths) SetParameters(theta []float64) {
	n := b.N()
	b.set(theta, b.index[:n], theta[b.index[n]], b.scale)
	every, last := b.sizes.Rows()
	for k, at := range b.index[n+1:] {
		if k < n {
			every[k+1] = theta[at]
		} else {
			last[k-n+1] = theta[at]
		}
	}
}

func (b *boundWorths) Statistics(x *partition.Partition, out []float64) {
	x.Scores(out)
	n := b.N()
	out[n] = float64(x.TiedPairs())
	for k := range out[:n+1] {
		out[k] *= b.scale
	}
	if len(b.sizes) == 0 {
		return
	}
	clear(out[n+1:])
	for t := range x.Len() {
		out[n+x.Size(t)]++
	}
	out[2*n+x.Size(x.Len()-1)]++
}

func (b *boundWorths) Expected(m *exact.Moments, out []float64) {
	for i := range b.N() {
		out[i] = b.scale * m.Score(i)
	}
	n := b.N()
	out[n] = b.scale * m.TiedPairs()
	for k := range out[n+1:] {
		if k < n {
			out[n+1+k] = m.Blocks(k + 1)
		} else {
			out[n+1+k] = m.Last(k - n + 1)
		}
	}
}

// Part is the list of some of its items, given by their places in Items,
// ordered as they were.
func (l List) Part(places []int) List {
	all := l.Order.Levels()
	items, levels := make([]int, len(places)), make([]int, len(places))
	for k, place := range places {
		items[k], levels[k] = l.Items[place], all[place]
	}
	order, err := partition.FromLevels(levels)
	if err != nil {
		panic(fmt.Sprintf("osm: %v", err)) // a part without items
	}
	return List{Items: items, Order: order}
}
