// Package boardtest fits boards to votes that tests made up.
package boardtest

import (
	"testing"

	"fubini/data/votes"
	"fubini/learn/ballot"
	"fubini/learn/leaderboard"
	"fubini/learn/likelihood"
	"fubini/use/board"
)

// Fit is the maximum of the posterior density of a design on votes, and its board with errors by the information.
func Fit(t testing.TB, set *votes.Set, d ballot.Design, prior ballot.Precision, level float64, seed uint64) (*likelihood.Fit, *board.Fitted) {
	t.Helper()
	data, err := likelihood.Group(d, ballot.Votes{Start: set.Start, Item: set.Item, Tier: set.Tier, Weight: set.Weight, Rater: set.Rater, Place: set.Place, Vote: set.Vote})
	if err != nil {
		t.Fatal(err)
	}
	o := likelihood.Defaults()
	o.Prior = prior
	fit, err := data.Maximise(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	c, err := fit.Covariance()
	if err != nil {
		t.Fatal(err)
	}
	goodness, err := fit.Goodness(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b, err := leaderboard.Of(fit, c, goodness, leaderboard.Reported{Votes: set, Source: "votes.csv", Errors: "information", Level: level, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return fit, b
}
