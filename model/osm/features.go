package osm

import (
	"fmt"

	"fubini/core/partition"
	"fubini/infer/exact"
)

// Feature is a feature function of a pair of catalogue items. For ties, f_a(i, j), it is
// evaluated once a pair, with i < j, and should be symmetric. For orders, g_b(i, j), item i is
// above item j.
type Feature struct {
	Name  string
	Value func(i, j int) float64
}

// Features is the general log-linear model: log potentials of pairs are
// weighted sums of feature functions,
//
//	log phi(i ~ j) = sum over a of alpha_a f_a(i, j)
//	log psi(i > j) = sum over b of beta_b g_b(i, j)
//
// theta holds the alphas, then the betas. See docs/maths.md#osm.
type Features struct {
	Ties   []Feature // f_a
	Orders []Feature // g_b
	Options
}

// Dim is the number of features of both kinds.
func (f Features) Dim() int { return len(f.Ties) + len(f.Orders) }

// Name is the name of feature k, marked as a tie or an order.
func (f Features) Name(k int) string {
	if k < len(f.Ties) {
		return "tie " + f.Ties[k].Name
	}
	return "order " + f.Orders[k-len(f.Ties)].Name
}

// Bind evaluates all features on the pairs of a list, once.
func (f Features) Bind(items []int) (Bound, error) {
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

func (f Features) feature(k int) Feature {
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
