package ballot

import (
	"math"

	"fubini/model/osm"
)

// Local is the model of one vote (of all votes of one group, which have the same distribution) in local coordinates: those of its
// own items alone, in which the log weight is linear near the current point. Coordinates are the worth v_k at each place, the tie
// deviation at each place, the number of ties, their distances, the features of pairs, and the numbers of tiers by size. Rows has
// their derivatives by the parameters of all votes. [Local.Load] sets the vote, and the other methods are about that vote.
type Local struct {
	*Data
	State      int       // the units of the rater, a bit each
	Dim        int       // number of coordinates
	Rows       [][]Entry // of each coordinate: its derivatives by the parameters
	LogZ       float64   // of the model, by [Local.Expect]
	Mean       []float64 // of the statistics, by the same
	Covariance []float64 // of them, Dim x Dim
	Statistic  []float64 // what was last computed of an outcome: its statistics, or its gradient

	n             int
	reliability   float64                  // of the rater
	base, v       []float64                // worth without and with the rater's reliability
	nu            float64                  // log weight of a tie, without the deviations of items
	deviation     []float64                // of the ties of each place
	delta         float64                  // coefficient of the distance of worths
	above, tie    []float64                // log potentials, n x n
	apart, equal  []float64                // their parts that do not depend on worths
	curve, slope  []float64                // of the distance of each pair: log cosh(d/2) and its derivative times delta
	features      []float64                // f and g of the pairs, one n x n matrix after the other
	sizes         osm.SizeWeights          // weights of tier sizes, empty for none
	at            Layout                   // first coordinate of nu, tie, distance, f, g and size
	slot          *slots                   // scratch of the slot likelihood
	listing       [][][]int32              // by n: the tiers of all outcomes, up to maxListed items
	statistics    [maxListed + 1][]float64 // by n: those of all outcomes, where no vote has its own
	probabilities []float64
	choices       choices // scratch, where votes are choices
}

// maxListed is the largest number of items whose outcomes are listed in every space: 541 of five.
const maxListed = 5

// Entry is one element of a sparse row: the value By of parameter At.
type Entry struct {
	At int
	By float64
}

// NewLocal is scratch for the votes of these data.
func (d *Data) NewLocal() *Local { return &Local{Data: d} }

// given is parameter k for a rater with the units of State: theta[k] plus the weights of these units on it.
func (m *Local) given(theta []float64, k int) float64 {
	value := theta[k]
	if k < m.Each {
		for unit := range m.Units {
			if m.State>>unit&1 == 1 {
				value += theta[m.W+unit*m.Each+k]
			}
		}
	}
	return value
}

// entries adds the derivatives of a coordinate by parameter k, which is by, and by the weights of units on it.
func (m *Local) entries(row []Entry, k int, by float64) []Entry {
	row = append(row, Entry{k, by})
	if k < m.Each {
		for unit := range m.Units {
			if m.State>>unit&1 == 1 {
				row = append(row, Entry{m.W + unit*m.Each + k, by})
			}
		}
	}
	return row
}

// Scale changes the reliability of the rater of the loaded vote; it must be positive.
func (m *Local) Scale(reliability float64) {
	by := reliability / m.reliability
	m.reliability = reliability
	for k, base := range m.base {
		m.v[k] = reliability * base
		for j := range m.Rows[k] {
			m.Rows[k][j].By *= by
		}
	}
	m.setPotentials()
}

// AddInformation adds Covariance, which [Local.Expect] or [Local.OfVote] computed, times a weight to the information about the
// parameters of all votes: the lower triangle of a matrix of n rows.
func (m *Local) AddInformation(information []float64, n int, weight float64) {
	for a := range m.Dim {
		for b := range m.Dim {
			c := weight * m.Covariance[a*m.Dim+b]
			if c == 0 {
				continue
			}
			for _, e := range m.Rows[a] {
				for _, f := range m.Rows[b] {
					if f.At <= e.At {
						information[e.At*n+f.At] += c * e.By * f.By
					}
				}
			}
		}
	}
}

// setPotentials sets the log potentials by the worths.
func (m *Local) setPotentials() {
	n := m.n
	for k := range n {
		for l := range k {
			d := m.v[k] - m.v[l]
			here, there := k*n+l, l*n+k
			m.above[here], m.above[there] = m.apart[here]+d/2, m.apart[there]-d/2
			tie := m.equal[here]
			if m.Ties == DistanceTies {
				curve := osm.LogCosh(d / 2)
				slope := m.delta * math.Tanh(d/2) / 2
				m.curve[here], m.curve[there] = curve, curve
				m.slope[here], m.slope[there] = slope, -slope
				tie += m.delta * curve
			}
			m.tie[here], m.tie[there] = tie, tie
		}
	}
}

// ties is whether the space has ties.
func (m *Local) ties() bool { return m.Space != WithoutTies }

// N is the number of items of the loaded vote; with LogTie and LogAbove it implements exact.Pairwise.
func (m *Local) N() int { return m.n }

// LogTie is the log potential of a tie of the items at places k and l.
func (m *Local) LogTie(k, l int) float64 { return m.tie[k*m.n+l] }

// LogAbove is the log potential of the item at place k above that at place l.
func (m *Local) LogAbove(k, l int) float64 { return m.above[k*m.n+l] }

// choices is the likelihood of Plackett and Luce, with the ties of Davidson and Luce: the best tier is chosen from all
// items of the vote, the next from those left, and so on. A tier of items S of d has the log weight
//
//	log delta_d + the mean of v_k over S,   delta_1 = 1,
//
// relative to all other sets of one item or of a size that some vote tied. See docs/maths.md#choices.
type choices struct {
	left    []int     // places not chosen yet
	set     []int     // places of one possible choice
	weights []float64 // of all possible choices, in the order of visit
	mean    []float64 // of the statistics of a choice, by local coordinates
	tied    []float64 // log delta_d of each tie size
}
