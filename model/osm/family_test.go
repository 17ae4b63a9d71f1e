package osm

import (
	"fmt"
	"slices"

	"fubini/core/partition"
	"fubini/infer/exact"
)

// The models as exponential families, with their sufficient statistics written out: the reference for likelihoods and gradients.

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
	if err := checkItems(f.Items, items); err != nil {
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
	bound.sizes = NewSizeWeights(len(items))
	return bound, nil
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
	for i, item := range b.index[:n] {
		b.worth[i] = b.scale * theta[item]
	}
	b.tie = b.scale * theta[b.index[n]]
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

// FeatureFamily is the family of the general model: theta holds the weights of the features of ties, then of orders.
type FeatureFamily struct {
	Features
	Options
}

// Name is the name of feature k, marked as a tie or an order.
func (f FeatureFamily) Name(k int) string {
	if k < len(f.Ties) {
		return "tie " + f.Ties[k].Name
	}
	return "order " + f.Orders[k-len(f.Ties)].Name
}

// Bind evaluates all features on the pairs of a list, once.
func (f FeatureFamily) Bind(items []int) (Bound, error) {
	n := len(items)
	if n == 0 {
		return nil, fmt.Errorf("osm: no items; at least one is needed")
	}
	if f.Dim() == 0 {
		return nil, fmt.Errorf("osm: a model without features")
	}
	for k := range f.Dim() {
		if f.feature(k).Value == nil {
			return nil, fmt.Errorf("osm: feature %q has no function", f.Name(k))
		}
	}
	scale, err := f.scale(n)
	if err != nil {
		return nil, err
	}
	b := &boundFeatures{pairs: newPairs(n), ties: len(f.Ties), index: make([]int, f.Dim()), value: make([][]float64, f.Dim())}
	for k := range b.index {
		b.index[k] = k
		b.value[k] = make([]float64, n*n)
		feature := f.feature(k)
		for i := range n {
			for j := range n {
				first, second := items[i], items[j]
				if i == j || k < b.ties && first > second {
					continue
				}
				v := scale * feature.Value(first, second)
				if !finite(v) {
					return nil, fmt.Errorf("osm: feature %q of items %d and %d is %g; it must be finite", f.Name(k), first, second, v)
				}
				b.value[k][i*n+j] = v
				if k < b.ties {
					b.value[k][j*n+i] = v
				}
			}
		}
	}
	return b, nil
}

func (f FeatureFamily) feature(k int) Feature {
	if k < len(f.Ties) {
		return f.Ties[k]
	}
	return f.Orders[k-len(f.Ties)]
}

type boundFeatures struct {
	*pairs
	ties  int
	index []int
	value [][]float64 // [feature][i*n+j]; symmetric for ties
}

func (b *boundFeatures) Index() []int { return b.index }

func (b *boundFeatures) SetParameters(theta []float64) {
	clear(b.tie)
	clear(b.above)
	for k, values := range b.value {
		potential := b.above
		if k < b.ties {
			potential = b.tie
		}
		for p, v := range values {
			potential[p] += theta[k] * v
		}
	}
}

func (b *boundFeatures) Statistics(x *partition.Partition, out []float64) {
	clear(out)
	n := b.n
	for t := range x.Len() {
		block := x.Block(t)
		for k, i := range block {
			for _, j := range block[:k] {
				b.add(out[:b.ties], b.value[:b.ties], i*n+j)
			}
			for lower := t + 1; lower < x.Len(); lower++ {
				for _, j := range x.Block(lower) {
					b.add(out[b.ties:], b.value[b.ties:], i*n+j)
				}
			}
		}
	}
}

func (b *boundFeatures) add(out []float64, value [][]float64, pair int) {
	for k := range out {
		out[k] += value[k][pair]
	}
}

func (b *boundFeatures) Expected(m *exact.Moments, out []float64) {
	clear(out)
	n := b.n
	for i := range n {
		for j := range n {
			if i == j {
				continue
			}
			for k, values := range b.value {
				if k >= b.ties {
					out[k] += m.Above(i, j) * values[i*n+j]
				} else if i < j {
					out[k] += m.Tied(i, j) * values[i*n+j]
				}
			}
		}
	}
}
