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
// with s_i the items below i plus half the items tied with i, and C the tied
// pairs, and g what blocks weigh by their sizes, if the model has [Sizes]. It comes from the order potential e^{u_i} and the tie potential
// e^{nu} sqrt(e^{u_i} e^{u_j}), Davidson's when there are two items. See
// docs/maths.md#worth-model.
type Worths struct {
	worth []float64 // scaled
	tie   float64   // scaled
	sizes Sizes     // not scaled; empty for none
}

// Options of a model.
type Options struct {
	// Size is the constant c of the size normalisation: potentials are taken to
	// the power c/(N-1), so that long lists do not harden the distribution. 0
	// switches it off. See docs/maths.md#size-normalisation.
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

// set overwrites the parameters with those of some items of a longer list of
// worths, without allocating.
func (m *Worths) set(u []float64, items []int, nu, scale float64) {
	for i, item := range items {
		m.worth[i] = scale * u[item]
	}
	m.tie = scale * nu
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

// SplitGain is the change in log weight when the items of upper leave block t
// upwards. With A above B, each item of A gains half a place on each of B, each
// of B loses as much, and |A||B| ties are cut:
//
//	(|B| sum of A - |A| sum of B)/2 - nu |A||B|
//
// and with weights by tier size what those of the three blocks change. See
// docs/maths.md#split-gain.
func (m *Worths) SplitGain(x *partition.Partition, t int, upper []int) float64 {
	up := m.sum(upper)
	down := m.sum(x.Block(t)) - up
	return m.cut(len(upper), x.Size(t)-len(upper), up, down, t == x.Len()-1)
}

// MergeGain is the change in log weight when block t merges with the next: the
// split that would undo it, reversed.
func (m *Worths) MergeGain(x *partition.Partition, t int) float64 {
	return -m.cut(x.Size(t), x.Size(t+1), m.sum(x.Block(t)), m.sum(x.Block(t+1)), t+1 == x.Len()-1)
}

// cut is the change when a block, the last or not, falls into two with these sums of worths.
func (m *Worths) cut(upper, lower int, up, down float64, last bool) float64 {
	a, b := float64(upper), float64(lower)
	gain := (b*up-a*down)/2 - m.tie*a*b
	if len(m.sizes) > 0 {
		gain += m.sizes.Cut(upper, lower, last)
	}
	return gain
}

// Set overwrites the parameters without allocating: for models that become a
// worth model again and again, given hidden units or a temperature. Values are
// taken as they are, without size normalisation, and must be finite.
func (m *Worths) Set(worths []float64, tie float64) {
	if len(worths) != len(m.worth) {
		panic(fmt.Sprintf("osm: %d worths for a model of %d items", len(worths), len(m.worth)))
	}
	copy(m.worth, worths)
	m.tie = tie
}

// SetSizes gives every block a weight by its size, the table times a factor, beside
// what its ties weigh; an empty table takes the weights away. It does not allocate
// unless the table is longer than any before.
func (m *Worths) SetSizes(sizes Sizes, times float64) {
	m.sizes = m.sizes[:0]
	for _, g := range sizes {
		m.sizes = append(m.sizes, times*g)
	}
}

// LogSizes implements [exact.SizeWeigher].
func (m *Worths) LogSizes() (every, last []float64) { return m.sizes.Rows() }
