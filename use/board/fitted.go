package board

import (
	"fmt"
	"math"

	"fubini/model/osm"
)

// Fitted is a fit with all that questions about it need: its report, its potentials, the
// covariance of the worths, and the votes counted by pairs.
type Fitted struct {
	Report     Report
	Model      *osm.Visible
	Covariance []float64 // of the worths, row by row
	Quasi      []float64 // quasi-variances of the worths; Prepare computes them if they are nil
	Counted    []Counted // pairs that met in votes
	Items      []string  // ids, in the order of the worths
	Names      []string  // titles; nil for none
	Weights    []float64 // of each item, the weight of all votes with it
	Entries    int       // items of all votes together
	Tiers      int       // most tiers of a vote
	Seed       uint64    // of the simulation of the critical value
	Jobs       int       // goroutines of that simulation; 0 means one for each core

	*Board       // at the level of the report, after Prepare
	place  []int // of each item in the report
	met    map[[2]int]*Counted
}

// Counted is two items that met in votes.
type Counted struct {
	I, J  int        // I < J
	Votes [3]float64 // I above J, tied, J above I
	P     float64    // probability of a residual as large if the fit is true
}

// Check returns an error unless all parts are of the same items, and votes and probabilities
// are numbers that there can be.
func (f *Fitted) Check() error {
	n := len(f.Items)
	if f.Model == nil || len(f.Model.Worths) != n || len(f.Covariance) != n*n || f.Names != nil && len(f.Names) != n || f.Quasi != nil && len(f.Quasi) != n {
		return fmt.Errorf("board: %d items, and parts of another number of them", n)
	}
	for i, q := range f.Quasi {
		if !(q >= 0) || math.IsInf(q, 1) {
			return fmt.Errorf("board: item %d has the quasi-variance %g", i, q)
		}
	}
	f.met = make(map[[2]int]*Counted, len(f.Counted))
	for k := range f.Counted {
		c := &f.Counted[k]
		if c.I < 0 || c.I >= c.J || c.J >= n || f.met[[2]int{c.I, c.J}] != nil {
			return fmt.Errorf("board: counted votes of items %d and %d of %d", c.I, c.J, n)
		}
		f.met[[2]int{c.I, c.J}] = c
		for _, v := range c.Votes {
			if !(v >= 0) || math.IsInf(v, 1) {
				return fmt.Errorf("board: items %d and %d met in %g votes", c.I, c.J, v)
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
	if f.Board, err = New(f.Model.Worths, f.Covariance, Options{Level: f.Report.Level, Seed: f.Seed, Jobs: f.Jobs, Quasi: f.Quasi}); err != nil {
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
		if f.Model.Deviations != nil {
			items[k].Tie = &f.Model.Deviations[row.Item]
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

// Pair is item i against item j, told apart or not at the level of a board.
func (f *Fitted) Pair(b *Board, i, j int) *PairReport {
	win, tie, loss := f.Model.Pair(i, j)
	r := &PairReport{A: f.Items[i], B: f.Items[j], Fitted: [3]float64{win, tie, loss}, Apart: b.Apart(i, j)}
	r.Difference, r.StdError = b.Difference(i, j)
	if c := f.met[[2]int{min(i, j), max(i, j)}]; c != nil {
		votes := c.turned(i > j)
		r.Counted, r.P = &votes, &c.P
	}
	return r
}

// turned are the votes from the side of I, or of J.
func (c *Counted) turned(over bool) [3]float64 {
	v := c.Votes
	if over {
		v[0], v[2] = v[2], v[0]
	}
	return v
}

// Pairs is all pairs of a board, by places in its order.
type Pairs struct {
	Items   []string     `json:"items" doc:"Best first"`
	Win     []float64    `json:"win" doc:"Probability that the item of the row is above that of the column, row by row"`
	Tie     []float64    `json:"tie" doc:"Probability of a tie, row by row"`
	Counted [][5]float64 `json:"counted" doc:"Places i < j of two items that met, and the votes for i, for a tie, and for j"`
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
				p.Win[a*n+b], p.Tie[a*n+b], _ = f.Model.Pair(upper.Item, lower.Item)
			}
		}
	}
	for k := range f.Counted {
		c := &f.Counted[k]
		i, j := f.place[c.I], f.place[c.J]
		votes := c.turned(i > j)
		p.Counted = append(p.Counted, [5]float64{float64(min(i, j)), float64(max(i, j)), votes[0], votes[1], votes[2]})
	}
	return p, nil
}
