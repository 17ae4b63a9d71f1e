package osm

import (
	"fmt"
	"math"

	"fubini/core/partition"
)

// Worths is the worth model of one list of items:
//
//	log weight = scale (sum of u_i s_i + nu C) + g
//
// An ordered partition X has the probability exp(log weight of X) / Z, where Z sums exp(log weight) over all of them. scale is
// 1, or c/(N-1) with the size normalisation c of [Options].
// The score s_i is the number of items below i plus half the number tied with i. C is the
// number of tied pairs. g is the sum of the weights of blocks by size, 0 without [SizeWeights].
// The potentials of the paper are e^{u_i} for i above j and e^{nu} sqrt(e^{u_i} e^{u_j}) for
// a tie, which is Davidson's model for two items. See docs/maths.md#worth-model.
type Worths struct {
	worth []float64   // scaled
	tie   float64     // scaled
	sizes SizeWeights // not scaled; empty for none
}

// Options of a model beside its parameters. The zero value is the paper's model.
type Options struct {
	// Size is the constant c of the normalisation by the size of the list (tiers have their sizes in [SizeWeights]): log potentials are
	// multiplied by c/(N-1), so that the distribution does not concentrate as lists become longer. 0 means
	// no normalisation. See docs/maths.md#size-normalisation.
	Size float64
}

// scale is the factor on all log potentials of a list of n items.
func (o Options) scale(n int) (float64, error) {
	if !(o.Size >= 0) || math.IsInf(o.Size, 1) {
		return 0, fmt.Errorf("osm: size normalisation %g; it must be 0 for none, or positive", o.Size)
	}
	if o.Size == 0 || n < 2 { // a single item has no pairs to weigh
		return 1, nil
	}
	return o.Size / float64(n-1), nil
}

// NewWorths returns the worth model of len(u) items.
func NewWorths(u []float64, nu float64, options Options) (*Worths, error) {
	if len(u) == 0 {
		return nil, fmt.Errorf("osm: no worths; at least one item is needed")
	}
	scale, err := options.scale(len(u))
	if err != nil {
		return nil, err
	}
	// A log weight is a sum of N worths, each times less than N, and of nu times
	// less than N^2: it must stay in range, with room for differences.
	most := 1e300 / (float64(len(u)) * float64(len(u)))
	if !(math.Abs(scale*nu) <= most) {
		return nil, fmt.Errorf("osm: the tie weight nu is %g; it must be finite, and times %g for size at most %.2g", nu, scale, most)
	}
	m := &Worths{worth: make([]float64, len(u)), tie: scale * nu}
	for i, v := range u {
		if !(math.Abs(scale*v) <= most) {
			return nil, fmt.Errorf("osm: the worth of item %d is %g; it must be finite, and times %g for size at most %.2g", i, v, scale, most)
		}
		m.worth[i] = scale * v
	}
	return m, nil
}

// N is the number of items.
func (m *Worths) N() int { return len(m.worth) }

// LogTie is the log potential of items i and j in one block.
func (m *Worths) LogTie(i, j int) float64 { return m.tie + (m.worth[i]+m.worth[j])/2 }

// LogAbove is the log potential of item i above item j.
func (m *Worths) LogAbove(i, _ int) float64 { return m.worth[i] }

// LogWeight is the log weight of x, in O(N). See docs/maths.md#scores.
func (m *Worths) LogWeight(x *partition.Partition) float64 {
	var weight float64
	for t := range x.Len() {
		n := x.Size(t)
		score := float64(x.Below(t)) + float64(n-1)/2
		weight += m.sum(x.Block(t))*score + m.tie*float64(n*(n-1)/2)
	}
	return weight + m.sizes.Total(x)
}

func (m *Worths) sum(items []int) float64 {
	var total float64
	for _, item := range items {
		total += m.worth[item]
	}
	return total
}

// SplitGain is the change in log weight when block t splits into the items of upper, A, and
// below them the rest, B. The score of each item of A rises by |B|/2, that of each item of B
// falls by |A|/2, and |A||B| ties are cut:
//
//	(|B| sum of the worths of A - |A| sum of the worths of B)/2 - nu |A||B|,
//
// plus the change in the weights by size. See docs/maths.md#split-gain.
func (m *Worths) SplitGain(x *partition.Partition, t int, upper []int) float64 {
	up := m.sum(upper)
	down := m.sum(x.Block(t)) - up
	return m.cut(len(upper), x.Size(t)-len(upper), up, down, t == x.Len()-1)
}

// MergeGain is the change in log weight when block t merges with the next: minus the gain of
// the split that undoes the merge.
func (m *Worths) MergeGain(x *partition.Partition, t int) float64 {
	return -m.cut(x.Size(t), x.Size(t+1), m.sum(x.Block(t)), m.sum(x.Block(t+1)), t+1 == x.Len()-1)
}

// cut is the gain of a split into blocks of these sizes, with up and down the sums of their
// worths; last is whether the block is the lowest.
func (m *Worths) cut(upper, lower int, up, down float64, last bool) float64 {
	a, b := float64(upper), float64(lower)
	gain := (b*up-a*down)/2 - m.tie*a*b
	if len(m.sizes) > 0 {
		gain += m.sizes.Cut(upper, lower, last)
	}
	return gain
}

// Set overwrites the parameters without allocating, for models that are a worth model given
// hidden units or a temperature. The values must be finite; no size normalisation is applied.
func (m *Worths) Set(worths []float64, tie float64) {
	if len(worths) != len(m.worth) {
		panic(fmt.Sprintf("osm: %d worths for a model of %d items", len(worths), len(m.worth)))
	}
	copy(m.worth, worths)
	m.tie = tie
}

// SetSizes sets the weights of blocks by size to a table times a factor; an empty table
// removes them. It allocates only for a table longer than any before.
func (m *Worths) SetSizes(sizes SizeWeights, times float64) {
	m.sizes = m.sizes[:0]
	for _, g := range sizes {
		m.sizes = append(m.sizes, times*g)
	}
}

// LogSizes implements [exact.SizeWeigher].
func (m *Worths) LogSizes() (every, last []float64) { return m.sizes.Rows() }
