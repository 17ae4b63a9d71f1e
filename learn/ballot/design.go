package ballot

import (
	"fmt"
	"math"
	"slices"

	"fubini/model/osm"
)

// Ties is the form of the log weight of a tie of items i and j, relative to the geometric mean
// of the weights of the two orders.
type Ties int

// The forms are nu, one number for all pairs; nu + (n_i + n_j)/2, with a deviation n_i for each
// item; and nu + delta log cosh((u_i - u_j)/2). The last is Davidson's model at delta = 0; at delta = 1
// pairs of any distance tie equally often.
const (
	CommonTies Ties = iota
	ItemTies
	DistanceTies
)

// TieNames are the names of the forms of tie weights, in their order.
var TieNames = []string{"common", "item", "distance"}

// String is the name of a form of tie weights.
func (t Ties) String() string { return TieNames[t] }

// Space is the sample space of a vote on n items.
type Space = osm.Space

// The spaces are those of the paper: all ordered partitions, orders without ties (T = N), and
// two tiers (T = 2).
const (
	AllOrders   = osm.AllOrders
	WithoutTies = osm.WithoutTies
	TwoTiers    = osm.TwoTiers
)

// Design is the parameters of a fit. In a vote the item at place k has the worth
//
//	v_k = s_r (u_i + c_i beta + x_k gamma)
//
// with the worth u_i of the item, its covariates c_i, the covariates x_k of the place (a home
// side, a length), and the reliability s_r of the rater. Item k above item l has the log
// potential (v_k - v_l)/2 + sum of b_b g_b(i, j), a tie that of [Ties] + z alpha + sum of
// a_a f_a(i, j), with the covariates z of the vote.
type Design struct {
	Items  int
	Ties   Ties
	Space  Space
	Item   Columns // of items: covariates c
	Places []string
	Votes  []string
	Pairs  osm.Features // f_a and g_b
	// Raters is the number of raters with a reliability each; 0 means that all are equal. Reliabilities are drawn from a
	// log-normal distribution of mean 1, and integrated out; the logarithm of its spread is a parameter.
	Raters int
	// Sizes is the largest tier with a weight by its size, as osm.SizeWeights: a number for each tier of 1, 2, ... items, and a
	// second one for the last tier. 0 means none.
	Sizes int
	// Slots climbs the slot likelihood in place of the likelihood, whatever the length of the votes. [Gather] sets it where a
	// vote has more than [MaxItems] items. See docs/maths.md#votes.
	Slots bool
	// Choices makes a vote a sequence of choices, each tier chosen from the items left, in place of the Ordered Set Model:
	// Plackett and Luce's, with ties Davidson and Luce's. Worths are then the logarithms of theirs, Nu is the log weight
	// of a tie of two, and ties of more items have a weight for each size. See docs/maths.md#choices.
	Choices bool
	// Cluster keeps the votes of a rater together without giving raters a reliability, for errors that allow for
	// votes of one rater to be alike.
	Cluster bool
	// Units is the number of hidden units of a rater, as in the latent model: unit k, where a
	// rater has it, adds its weight w_ki to the worth of item i. See Data.Tastes of learn/likelihood.
	Units int
	// General gives each unit a weight on every parameter, and not on the worths alone: the general form of the paper, with
	// weights lambda_ak on the features of ties and mu_bk on those of orders.
	General bool

	// ItemNames and RaterNames are for names of parameters; nil for their numbers.
	ItemNames, RaterNames []string

	tieSizes []int // of votes that are choices: sizes of ties, 2 first
}

// Columns are named covariates, a row for each item.
type Columns struct {
	Names  []string
	Values []float64 // rows times names
}

// Precision is the precision of normal priors, 0 for none: of worths around 0 (with covariates
// of items, around their regression), of tie deviations of items around 0, of the log spread of
// reliabilities around [CentreOfSpread], of the weights of units around 0, and of the weights of
// tier sizes around 0.
type Precision struct{ Worth, Tie, Spread, Unit, Size float64 }

// CentreOfSpread is the mean of the prior of the log spread of reliabilities: a spread of one half, with two thirds of raters
// between 0.54 and 1.45.
const CentreOfSpread = -math.Ln2

// Layout has the first index of every kind of parameter.
type Layout struct {
	Nu       int // log weight of a tie; worths are before it
	Delta    int // of ties of more than two, where votes are choices
	Tie      int // deviations of items
	Distance int // coefficient of the distance of worths
	Beta     int // coefficients of covariates: of items
	Gamma    int // of places
	Alpha    int // of votes
	F, G     int // coefficients of features of pairs: ties, orders
	Size     int // weights of tier sizes
	W        int // weights of hidden units, of one after the other
	Each     int // number of weights of one unit, which are on the first parameters
	Spread   int // logarithm of the spread of reliabilities, the standard deviation of their logarithms
	Global   int // number of all but the reliabilities, which follow
	All      int // number of all
}

// Layout is where the parameters of the design are.
func (d *Design) Layout() (l Layout) {
	at := d.Items
	take := func(n int) int { at += n; return at - n }
	one := func(there bool) int {
		if there {
			return 1
		}
		return 0
	}
	ties := d.Space != WithoutTies
	l.Nu = take(one(ties))
	l.Delta = take(max(0, len(d.tieSizes)-1) * one(ties && d.Choices)) // ties of more than two in choices
	l.Tie = take(d.Items * one(ties && d.Ties == ItemTies))
	l.Distance = take(one(ties && d.Ties == DistanceTies))
	l.Beta = take(len(d.Item.Names))
	l.Gamma = take(len(d.Places))
	l.Alpha = take(len(d.Votes) * one(ties))
	l.F = take(len(d.Pairs.Ties) * one(ties))
	l.G = take(len(d.Pairs.Orders))
	l.Size = take(2 * d.Sizes * one(ties))
	l.Each = d.Items
	if d.General {
		l.Each = at
	}
	l.W = take(d.Units * l.Each)
	l.Spread = take(one(d.Raters > 0))
	l.Global = at
	l.All = at + d.Raters
	return l
}

// Name is the name of parameter k.
func (d *Design) Name(k int) string {
	l := d.Layout()
	switch {
	case k < l.Nu:
		return "worth of " + nameOr(d.ItemNames, k)
	case k < l.Delta:
		return "nu"
	case k < l.Tie:
		return fmt.Sprintf("tie of %d", d.tieSizes[k-l.Delta+1])
	case k < l.Distance:
		return "tie weight of " + nameOr(d.ItemNames, k-l.Tie)
	case k < l.Beta:
		return "distance"
	case k < l.Gamma:
		return d.Item.Names[k-l.Beta]
	case k < l.Alpha:
		return d.Places[k-l.Gamma]
	case k < l.F:
		return d.Votes[k-l.Alpha]
	case k < l.G:
		return "tie " + d.Pairs.Ties[k-l.F].Name
	case k < l.Size:
		return "order " + d.Pairs.Orders[k-l.G].Name
	case k < l.Size+d.Sizes && k < l.W:
		return fmt.Sprintf("tier of %d", k-l.Size+1)
	case k < l.W:
		return fmt.Sprintf("last tier of %d", k-l.Size-d.Sizes+1)
	case k < l.Spread:
		return fmt.Sprintf("unit %d of %s", (k-l.W)/l.Each+1, d.Name((k-l.W)%l.Each))
	case k < l.Global:
		return "log spread of reliabilities"
	}
	return "reliability of " + nameOr(d.RaterNames, k-l.Global)
}

// nameOr is the name of an item or rater, or its number.
func nameOr(names []string, k int) string {
	if k < len(names) {
		return names[k]
	}
	return fmt.Sprintf("number %d", k)
}

// Start is the point at which a fit starts: equal worths, raters of the usual spread.
func (d *Design) Start() []float64 {
	l := d.Layout()
	theta := make([]float64, l.All)
	for k := l.Global; k < l.All; k++ {
		theta[k] = 1
	}
	if d.Raters > 0 {
		theta[l.Spread] = CentreOfSpread
	}
	return theta
}

// Redundant are ranges of parameters to which a constant can be added without a change of any
// distribution.
func (d *Design) Redundant() [][2]int {
	l := d.Layout()
	ranges := [][2]int{{0, d.Items}}
	if l.Distance > l.Tie {
		ranges = append(ranges, [2]int{l.Tie, l.Distance})
	}
	for _, r := range slices.Clone(ranges) {
		for k := range d.Units {
			if at := l.W + k*l.Each; r[1] <= l.Each {
				ranges = append(ranges, [2]int{at + r[0], at + r[1]})
			}
		}
	}
	return ranges
}
