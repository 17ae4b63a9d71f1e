package exact

import (
	"fmt"
	"iter"
	"math"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/core/rng"
)

// MaxListed is the largest number of items that List takes: Fubini(8) = 545,835.
const MaxListed = 8

// Listing holds every ordered partition of a space with its probability.
type Listing struct {
	LogZ          float64
	states        []*partition.Partition
	probabilities []float64
}

// List visits every ordered partition in the space and asks the model for its
// weight. It is the slow witness, with no assumption about the model.
func List(model Weigher, space partition.Space) (*Listing, error) {
	n := model.N()
	if n > MaxListed {
		return nil, fmt.Errorf("exact: listing %d items means %v partitions; the limit is %d items", n, partition.Fubini(n), MaxListed)
	}
	if _, _, err := space.Bounds(n); err != nil {
		return nil, fmt.Errorf("exact: %w", err)
	}
	l := &Listing{}
	for x := range partition.All(n) {
		if !space.Contains(x.Len()) {
			continue
		}
		w := model.LogWeight(x)
		if math.IsNaN(w) || math.IsInf(w, 1) {
			return nil, fmt.Errorf("exact: the log weight of %s is %g", x, w)
		}
		l.states = append(l.states, x.Clone())
		l.probabilities = append(l.probabilities, w)
	}
	l.LogZ = logprob.SumExp(l.probabilities)
	if math.IsInf(l.LogZ, -1) {
		return nil, errNothingPossible
	}
	for i, w := range l.probabilities {
		l.probabilities[i] = math.Exp(w - l.LogZ)
	}
	return l, nil
}

var errNothingPossible = fmt.Errorf("exact: every partition has weight zero")

// All yields every partition of the space with its probability. The partitions
// belong to the listing: Clone before editing.
func (l *Listing) All() iter.Seq2[*partition.Partition, float64] {
	return func(yield func(*partition.Partition, float64) bool) {
		for i, x := range l.states {
			if !yield(x, l.probabilities[i]) {
				return
			}
		}
	}
}

// States and Probabilities are All as two slices, in one order; do not edit them.
func (l *Listing) States() []*partition.Partition { return l.states }

// Probabilities has the probability of each of States.
func (l *Listing) Probabilities() []float64 { return l.probabilities }

// Mean is the exact expectation of any statistic.
func (l *Listing) Mean(statistic func(x *partition.Partition) float64) float64 {
	var mean float64
	for x, p := range l.All() {
		mean += p * statistic(x)
	}
	return mean
}

// Moments returns the pair probabilities.
func (l *Listing) Moments() *Moments {
	n := l.states[0].N()
	m := newMoments(n)
	m.LogZ = l.LogZ
	for x, p := range l.All() {
		for t := range x.Len() {
			m.sizes[x.Size(t)] += p
		}
		m.last[x.Size(x.Len()-1)] += p
		for i := range n {
			for j := range n {
				switch {
				case i == j:
				case x.Relation(i, j) == partition.Tied:
					m.tied[i*n+j] += p
				case x.Relation(i, j) == partition.Above:
					m.above[i*n+j] += p
				}
			}
		}
	}
	return m
}

// Draw overwrites x with an independent draw.
func (l *Listing) Draw(d rng.Dice, x *partition.Partition) {
	x.CopyFrom(l.states[d.Pick(l.probabilities)])
}
