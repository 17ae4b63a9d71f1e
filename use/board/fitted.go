package board

import (
	"fmt"
	"math"

	"fubini/model/osm"
)

// Fitted is a fitted leaderboard with everything that answers about it are computed from: its report, its potentials, the
// covariance of the worths, and the votes counted by pairs.
type Fitted struct {
	Report Report
	Model  *osm.Visible // nil for a form of the model that no file keeps
	// Mixture has the hidden units of raters, whose one board is Model; nil for none.
	Mixture *osm.Mixture
	Worths  []float64 // those of Model if they are nil
	// Chances are the probabilities that one item is above another, tied with it and below it; those of Model if it is nil.
	Chances    func(i, j int) (win, tie, loss float64)
	Deviations []float64 // of the log tie weights of items; nil for none
	TieErrors  []float64 // standard errors of Deviations; nil if they are not known
	Covariance []float64 // of the worths, row by row
	Quasi      []float64 // quasi-variances of the worths; Prepare computes them if they are nil
	Counted    []Counted // pairs that met in votes
	Items      []string  // ids, in the order of the worths
	Names      []string  // titles; nil for none
	Weights    []float64 // of each item, the weight of all votes with it
	Raters     int       // number of raters; 0 where they are not named
	Entries    int       // items of all votes together
	Tiers      int       // most tiers of a vote
	Seed       uint64    // of the simulation of the critical value
	Jobs       int       // goroutines of that simulation; 0 means one for each core

	*Board       // at the level of the report, after Prepare
	place  []int // of each item in the report
	met    map[[2]int]*Counted
}

// Counted has the votes in which two items were compared, by their outcome.
type Counted struct {
	I, J  int        // I < J
	Votes [3]float64 // I above J, tied, J above I
	// Expected is what the fit expects in the same votes: in lists of more than two items not what it expects of a vote on the
	// two alone. All 0 if it is not known.
	Expected [3]float64
	P        float64 // probability of a residual as large if the fit is true
}

// known is whether there are expectations.
func (c *Counted) known() bool { return c.Expected != [3]float64{} }

// Check returns an error unless all parts are of the same items, and votes and probabilities
// are numbers that there can be.
func (f *Fitted) Check() error {
	n := len(f.Items)
	if f.Model != nil && f.Worths == nil {
		f.Worths, f.Deviations, f.Chances = f.Model.Worths, f.Model.Deviations, f.Model.Pair
	}
	if len(f.Worths) != n || f.Chances == nil || len(f.Covariance) != n*n || f.Names != nil && len(f.Names) != n || f.Quasi != nil && len(f.Quasi) != n || f.TieErrors != nil && (len(f.TieErrors) != n || f.Deviations == nil) {
		return fmt.Errorf("board: %d items, and parts of another number of them", n)
	}
	for i, q := range f.Quasi {
		if !(q >= 0) || math.IsInf(q, 1) {
			return fmt.Errorf("board: item %d has the quasi-variance %g", i, q)
		}
	}
	for i, e := range f.TieErrors {
		if !(e >= 0) || math.IsInf(e, 1) {
			return fmt.Errorf("board: the tie weight of item %d has the standard error %g", i, e)
		}
	}
	f.met = make(map[[2]int]*Counted, len(f.Counted))
	for k := range f.Counted {
		c := &f.Counted[k]
		if c.I < 0 || c.I >= c.J || c.J >= n || f.met[[2]int{c.I, c.J}] != nil {
			return fmt.Errorf("board: counted votes of items %d and %d of %d", c.I, c.J, n)
		}
		f.met[[2]int{c.I, c.J}] = c
		for k, v := range c.Votes {
			if e := c.Expected[k]; !(v >= 0) || math.IsInf(v, 1) || !(e >= 0) || math.IsInf(e, 1) {
				return fmt.Errorf("board: items %d and %d met in %g votes, of which %g are expected", c.I, c.J, v, e)
			}
		}
		if !(c.P >= 0 && c.P <= 1) {
			return fmt.Errorf("board: the residual of items %d and %d has the probability %g", c.I, c.J, c.P)
		}
	}
	return nil
}

// Prepare makes the board, and fills in the items of the report at its level.
func (f *Fitted) Prepare() (err error) {
	if err := f.Check(); err != nil {
		return err
	}
	if f.Board, err = New(f.Worths, f.Covariance, Options{Level: f.Report.Level, Seed: f.Seed, Jobs: f.Jobs, Quasi: f.Quasi}); err != nil {
		return err
	}
	f.Quasi, f.place = f.quasi, make([]int, len(f.Items))
	for at, row := range f.Rows {
		f.place[row.Item] = at
	}
	f.Report.Items, f.Report.Critical = f.rows(f.Board), f.Critical
	return nil
}

// rows are the items of a board as a report has them.
func (f *Fitted) rows(b *Board) []Item {
	items := make([]Item, len(b.Rows))
	for k, row := range b.Rows {
		items[k] = Item{ID: f.Items[row.Item], Worth: row.Worth, StdError: row.StdError, Low: row.Low, High: row.High, Quasi: row.Quasi,
			Rank: row.Rank, RankLow: row.RankLow, RankHigh: row.RankHigh, Tier: row.Tier}
		if f.Names != nil {
			items[k].Name = &f.Names[row.Item]
		}
		if f.Deviations != nil {
			items[k].Tie = &f.Deviations[row.Item]
		}
		if f.TieErrors != nil {
			items[k].TieError = &f.TieErrors[row.Item]
		}
	}
	return items
}

// ReportOf is the report with the intervals, ranks and tiers of a board at another level.
func (f *Fitted) ReportOf(b *Board) *Report {
	r := f.Report
	if b != f.Board {
		r.Level, r.Critical, r.Items = b.Level, b.Critical, f.rows(b)
	}
	return &r
}

// Pair compares item i with item j: the difference of their worths, and whether it is significant at the level of a board.
func (f *Fitted) Pair(b *Board, i, j int) *PairReport {
	win, tie, loss := f.Chances(i, j)
	r := &PairReport{A: f.Items[i], B: f.Items[j], Fitted: [3]float64{win, tie, loss}, Apart: b.Apart(i, j)}
	r.Difference, r.StdError = b.Difference(i, j)
	if c := f.met[[2]int{min(i, j), max(i, j)}]; c != nil {
		votes := turned(c.Votes, i > j)
		r.Counted, r.P = &votes, &c.P
		if c.known() {
			expected := turned(c.Expected, i > j)
			r.Expected = &expected
		}
	}
	return r
}

// turned are outcomes from the side of the other item, if over.
func turned(outcomes [3]float64, over bool) [3]float64 {
	if over {
		outcomes[0], outcomes[2] = outcomes[2], outcomes[0]
	}
	return outcomes
}

// Pairs is all pairs of a board, by places in its order.
type Pairs struct {
	Items    []string     `json:"items" doc:"Best first"`
	Win      []float64    `json:"win" doc:"Probability that the item of the row is above that of the column in a vote on these two alone, row by row"`
	Tie      []float64    `json:"tie" doc:"Probability of a tie in such a vote, row by row"`
	Counted  [][5]float64 `json:"counted" doc:"Places i < j of two items that met, and the votes for i, for a tie, and for j"`
	Expected [][3]float64 `json:"expected,omitempty" doc:"What the fit expects in the same votes, in the order of counted: for i, for a tie, and for j; left out if it is not known"`
}

// MostPairs is the largest number of items whose pairs are written out whole.
const MostPairs = 500

// Pairs are all pairs, of at most [MostPairs] items.
func (f *Fitted) Pairs() (*Pairs, error) {
	n := len(f.Rows)
	if n > MostPairs {
		return nil, fmt.Errorf("board: all pairs of %d items are %d numbers; the matrix is written for at most %d items", n, 2*n*n, MostPairs)
	}
	p := &Pairs{Items: make([]string, n), Win: make([]float64, n*n), Tie: make([]float64, n*n), Counted: [][5]float64{}}
	for a, upper := range f.Rows {
		p.Items[a] = f.Items[upper.Item]
		for b, lower := range f.Rows {
			if a != b {
				p.Win[a*n+b], p.Tie[a*n+b], _ = f.Chances(upper.Item, lower.Item)
			}
		}
	}
	for k := range f.Counted {
		c := &f.Counted[k]
		i, j := f.place[c.I], f.place[c.J]
		votes := turned(c.Votes, i > j)
		p.Counted = append(p.Counted, [5]float64{float64(min(i, j)), float64(max(i, j)), votes[0], votes[1], votes[2]})
		if c.known() {
			p.Expected = append(p.Expected, turned(c.Expected, i > j))
		}
	}
	return p, nil
}
