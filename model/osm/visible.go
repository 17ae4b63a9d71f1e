package osm

import (
	"fmt"
	"math"
	"slices"

	"fubini/core/partition"
)

// Space is the sample space of a vote on n items.
type Space int

// The spaces are those of the paper: all ordered partitions, orders without ties (T = N), and
// two tiers (T = 2).
const (
	AllOrders Space = iota
	WithoutTies
	TwoTiers
)

// SpaceNames are the names of the spaces, in files and for flags.
var SpaceNames = []string{"all", "orders", "two"}

// String is the name of the space, one of [SpaceNames].
func (s Space) String() string { return SpaceNames[s] }

// ParseSpace reads the name of a space.
func ParseSpace(name string) (Space, error) {
	at := slices.Index(SpaceNames, name)
	if at < 0 {
		return 0, fmt.Errorf("osm: no sample space %.80q; there are %v", name, SpaceNames)
	}
	return Space(at), nil
}

// Of is the space for n items.
func (s Space) Of(n int) partition.Space {
	switch s {
	case WithoutTies:
		return partition.Permutations(n)
	case TwoTiers:
		return partition.TwoBlocks()
	}
	return partition.Space{}
}

// Visible is the model of all lists of a catalogue, without hidden units, as a fit to votes
// leaves it. Item i above item j has the log potential u_i, a tie of them
//
//	(u_i + u_j)/2 + nu + (n_i + n_j)/2 + delta log cosh((u_i - u_j)/2)
//
// with the worths u, the deviations n of the tie weight and the coefficient delta of the
// distance: without the last two it is that of [Worths]. Features of pairs add a number of the pair to
// either. See docs/maths.md#votes.
type Visible struct {
	Worths     []float64
	Nu         float64
	Deviations []float64 // nil for none
	Distance   float64   // delta; 0 for none
	Space      Space
	// PairTies and PairOrders are what features of pairs add to the log potentials, row by row: of a tie of i and j, the same from
	// either side, and of i above j. Nil for none.
	PairTies, PairOrders []float64
}

// OneTieWeight is whether ties of all pairs have one weight, and orders none but worths.
func (v *Visible) OneTieWeight() bool {
	return v.Deviations == nil && v.Distance == 0 && v.PairTies == nil && v.PairOrders == nil
}

// logTie and logAbove are the log potentials of items i and j.
func (v *Visible) logTie(i, j int) float64 {
	tie := v.Nu + (v.Worths[i]+v.Worths[j])/2
	if v.Deviations != nil {
		tie += (v.Deviations[i] + v.Deviations[j]) / 2
	}
	if v.Distance != 0 {
		tie += v.Distance * LogCosh((v.Worths[i]-v.Worths[j])/2)
	}
	if v.PairTies != nil {
		tie += v.PairTies[i*len(v.Worths)+j]
	}
	return tie
}

func (v *Visible) logAbove(i, j int) float64 {
	if v.PairOrders != nil {
		return v.Worths[i] + v.PairOrders[i*len(v.Worths)+j]
	}
	return v.Worths[i]
}

// LogCosh is the logarithm of the hyperbolic cosine, for any x.
func LogCosh(x float64) float64 {
	x = math.Abs(x)
	return x + math.Log1p(math.Exp(-2*x)) - math.Ln2
}

// Check returns an error unless lengths agree and all potentials are finite, with room for the
// sums of a long list.
func (v *Visible) Check() error {
	if len(v.Worths) == 0 || v.Deviations != nil && len(v.Deviations) != len(v.Worths) {
		return fmt.Errorf("osm: %d worths and %d deviations of tie weights", len(v.Worths), len(v.Deviations))
	}
	if v.Space < AllOrders || v.Space > TwoTiers {
		return fmt.Errorf("osm: no sample space %d", v.Space)
	}
	n := len(v.Worths)
	for _, pairs := range [][]float64{v.PairTies, v.PairOrders} {
		if pairs != nil && len(pairs) != n*n {
			return fmt.Errorf("osm: %d worths and %d numbers of pairs", n, len(pairs))
		}
	}
	for k, x := range v.PairTies {
		if back := v.PairTies[k%n*n+k/n]; x != back {
			return fmt.Errorf("osm: the tie of items %d and %d has the weights %g and %g", k/n, k%n, x, back)
		}
	}
	const most = 1e6 // log odds; products and sums over the pairs of any list are then finite
	for _, list := range [][]float64{v.Worths, v.Deviations, {v.Nu, v.Distance}, v.PairTies, v.PairOrders} {
		for _, x := range list {
			if !(math.Abs(x) <= most) {
				return fmt.Errorf("osm: a parameter is %g; it must be between -%g and %g", x, most, most)
			}
		}
	}
	return nil
}

// Model is the model of a list of items. Its space is v.Space.Of(len(items)).
func (v *Visible) Model(items []int) (Model, error) { return v.pairs(items) }

func (v *Visible) pairs(items []int) (*pairs, error) {
	n := len(items)
	if n == 0 {
		return nil, fmt.Errorf("osm: no items; at least one is needed")
	}
	if err := checkItems(len(v.Worths), items); err != nil {
		return nil, err
	}
	m := newPairs(n)
	for i, first := range items {
		for j, second := range items {
			if i == j {
				continue
			}
			tie, above := v.logTie(first, second), v.logAbove(first, second)
			if !finite(tie) || !finite(above) {
				return nil, fmt.Errorf("osm: items %d and %d have the log potentials %g tied and %g in order; they must be finite", first, second, tie, above)
			}
			m.tie[i*n+j], m.above[i*n+j] = tie, above
		}
	}
	return m, nil
}

// Pair are the probabilities that item i wins against item j, ties with it and loses, in a vote
// on these two.
func (v *Visible) Pair(i, j int) (win, tie, loss float64) {
	logs := [3]float64{v.logAbove(i, j), v.logTie(i, j), v.logAbove(j, i)}
	if v.Space != AllOrders { // two items without a tie are two tiers
		logs[1] = math.Inf(-1)
	}
	most := max(logs[0], logs[1], logs[2])
	for k := range logs {
		logs[k] = math.Exp(logs[k] - most)
	}
	total := logs[0] + logs[2] + logs[1] // the same from either side
	return logs[0] / total, logs[1] / total, logs[2] / total
}

// Slots writes the log weights of the slots of an item that joins the ordered items of a list:
// gap, tier, gap and so on, from above, relative to the first gap. Item k of x is items[k].
func (v *Visible) Slots(x *partition.Partition, items []int, item int, weights []float64) {
	var gap float64
	for t := range x.Len() {
		join, past := gap, gap
		for _, k := range x.Block(t) {
			j := items[k]
			over := v.logAbove(item, j)
			join += v.logTie(item, j) - over
			past += v.logAbove(j, item) - over
		}
		weights[2*t], weights[2*t+1] = gap, join
		gap = past
	}
	weights[len(weights)-1] = gap
}
