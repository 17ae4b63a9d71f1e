package osm

import (
	"cmp"
	"fmt"
	"slices"

	"fubini/core/partition"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
)

// Model is an unnormalised distribution over the ordered partitions of one list, with pairwise
// potentials, with the methods that exact sums and all samplers need.
type Model interface {
	exact.Weigher
	exact.Pairwise
	mcmc.SplitTarget
	mcmc.SlotTarget
}

// List is one observation, a tier list: an ordered partition of some items of a catalogue.
// Item k of the partition is item Items[k] of the catalogue.
type List struct {
	Items []int
	Order *partition.Partition
}

// NewList returns the list; it is an error if items repeat, or their number is not that of the partition.
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

// ValidateItems returns an error for an invalid list, or one with items outside a catalogue of n.
func ValidateItems(n int, lists []List) error {
	return checkLists(lists, func(l List) error { return cmp.Or(l.check(), WorthFamily{Items: n}.check(l.Items)) })
}

func checkLists(lists []List, check func(l List) error) error {
	for l, list := range lists {
		if err := check(list); err != nil {
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

// Family is an exponential family over a catalogue: all lists share the parameters theta, and
// the log weight of a list is the inner product of theta and its sufficient statistics.
// See docs/maths.md#gradient.
type Family interface {
	// Dim is the number of parameters; Name is the name of parameter k.
	Dim() int
	Name(k int) string
	// Bind returns the model of a list of these items, with all parameters zero.
	Bind(items []int) (Bound, error)
}

// Bound is the model of one list under the parameters of a [Family].
type Bound interface {
	Model
	// Index has the numbers of the parameters that the list depends on.
	Index() []int
	// SetParameters sets all parameters; theta has length Dim.
	SetParameters(theta []float64)
	// Statistics writes the sufficient statistics of x: the factor of each parameter of
	// Index in the log weight.
	Statistics(x *partition.Partition, out []float64)
	// Expected writes the expectations of the statistics, by exact moments.
	Expected(m *exact.Moments, out []float64)
}

// WorthFamily is the family of worth models. theta has the worth of every item, then nu, then,
// with weights by tier size, the weights of blocks of 1, 2, ... items and those of last blocks.
type WorthFamily struct {
	Items int // size of the catalogue
	Options
	// Tiers is the largest tier size with a weight: the length of the longest list, or 0 for no
	// weights by tier size. See docs/maths.md#tier-sizes.
	Tiers int
}

// Dim is the number of items, plus one for nu and two for each tier size.
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

// boundWorths is the worth model of one list under a [WorthFamily].
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

// Statistics are the score of each item, the number of tied pairs (both scaled), and with weights
// by tier size the numbers of blocks of each size.
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
