package leaderboard

import (
	"errors"
	"fmt"

	"fubini/data/votes"
	"fubini/learn/ballot"
	"fubini/learn/likelihood"
)

// Request is how votes are fitted. Start from [Defaults].
type Request struct {
	Choices bool // each tier is chosen from what is left, as in Plackett and Luce's model; otherwise the Ordered Set Model
	Ties    ballot.Ties
	Space   ballot.Space
	Home    bool // an effect of the item that stands first in a vote
	Sizes   bool // a weight for tiers of each size, and for the last tier
	Hidden  int  // hidden units of raters, or where these are not named of votes: boards by taste beside the one board
	// Alike gives raters no reliability of their own: where they are named, they count for errors by sandwich and bootstrap alone, which
	// are then over raters.
	Alike bool
	// Prior is the precision of a normal prior of worths; 0 for none. With Learned it is where learning starts.
	Prior   float64
	Learned bool
	// Errors is the kind of the standard errors, one of [ErrorNames]. Empty means information, and sandwich where votes are too long
	// for exact sums.
	Errors string
	Level  float64 // of intervals, ranks and tiers
	Name   string  // of the file of votes, in errors
	Source string  // its name in the report; empty for none
	Seed   uint64
	Jobs   int                              // goroutines; 0 means one for each core
	Tell   func(format string, args ...any) // what a person should know
	Stage  func(name string)                // called when a stage of [Request.Run] begins, with its name
}

// ErrorNames are the kinds of standard errors.
var ErrorNames = []string{"information", "sandwich", "bootstrap"}

// Defaults are one tie weight for all items, all weak orders, no prior, and intervals of 95 %.
func Defaults() Request {
	return Request{Level: 0.95, Seed: 1, Tell: func(string, ...any) {}, Stage: func(string) {}}
}

// WithoutTies takes the space of orders without ties if no vote has one and nothing in the request needs ties, and reports
// whether it did: the weight of ties would fall without end.
func (r *Request) WithoutTies(set *votes.Set) bool {
	if set.Counts.Ties > 0 || r.Space != ballot.AllOrders || r.Choices || r.Ties != ballot.CommonTies || r.Sizes || len(set.VoteColumns) > 0 {
		return false
	}
	r.Space = ballot.WithoutTies
	return true
}

// Design is the parameters of the votes, without covariates of items and features of pairs.
func (r *Request) Design(set *votes.Set) ballot.Design {
	d := ballot.Design{Items: len(set.Items), Ties: r.Ties, Space: r.Space, Choices: r.Choices, Places: set.PlaceColumns, Votes: set.VoteColumns, RaterNames: set.Raters}
	for i := range set.Items {
		d.ItemNames = append(d.ItemNames, set.Name(i))
	}
	if r.Home {
		d.Places = append([]string{"home"}, d.Places...)
	}
	if set.Rater != nil {
		d.Cluster = true
		d.Raters = len(set.Raters)
	}
	longest := 0
	for v := range set.Len() {
		longest = max(longest, int(set.Start[v+1]-set.Start[v]))
	}
	if r.Sizes {
		d.Sizes = longest
	}
	if r.Hidden > 0 || r.Alike { // tastes in place of reliabilities, or neither; raters then count for errors over raters alone
		d.Raters, d.Cluster = 0, d.Cluster && (longest > ballot.MaxItems || r.Errors == "sandwich" || r.Errors == "bootstrap")
	}
	return d
}

// Group is [likelihood.Group] with the lines of bad votes.
func (r *Request) Group(set *votes.Set, d ballot.Design) (*likelihood.Data, error) {
	data, err := likelihood.Group(d, r.votes(set))
	var bad *ballot.VoteError
	if errors.As(err, &bad) && set.Line[bad.Vote] > 0 {
		return nil, fmt.Errorf("%s:%d: %w", r.Name, set.Line[bad.Vote], bad.Err)
	}
	return data, err
}

// votes is the votes, with the first place marked where that has an effect.
func (r *Request) votes(set *votes.Set) ballot.Votes {
	v := ballot.Votes{Start: set.Start, Item: set.Item, Tier: set.Tier, Weight: set.Weight, Rater: set.Rater, Place: set.Place, Vote: set.Vote}
	if !r.Home {
		return v
	}
	columns := len(set.PlaceColumns)
	v.Place = make([]float64, 0, len(set.Item)*(columns+1))
	for k := range set.Len() {
		for e := set.Start[k]; e < set.Start[k+1]; e++ {
			first := 0.0
			if e == set.Start[k] {
				first = 1
			}
			v.Place = append(append(v.Place, first), set.Place[int(e)*columns:int(e+1)*columns]...)
		}
	}
	return v
}

// Options of the fit of a design.
func (r *Request) Options(d *ballot.Design) likelihood.Options {
	o := likelihood.Defaults()
	o.Jobs = r.Jobs
	o.Prior.Worth, o.Fixed = r.Prior, !r.Learned
	if d.Ties == ballot.ItemTies && r.Prior > 0 {
		o.Prior.Tie = 1
	}
	if d.Raters > 0 {
		o.Prior.Spread = 1
	}
	if d.Sizes > 0 {
		o.Prior.Size = 1
	}
	return o
}
