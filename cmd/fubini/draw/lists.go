package draw

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/core/partition"
	"fubini/data/votes"
	"fubini/learn/modelstore"
	"fubini/model/osm"
)

// cast is a tier list of the items that a model has, and who cast it.
type cast struct {
	osm.List
	user    string  // empty for a vote of nobody that is named
	line    int     // in the file; 0 where a list stands on several
	unknown int     // items that the model does not have
	weight  float64 // how often it was cast
}

// where is the list in messages.
func (c *cast) where(path string) string {
	if c.line > 0 {
		return fmt.Sprintf("%s:%d", path, c.line)
	}
	return fmt.Sprintf("%s: user %s", path, cli.Quote(c.user))
}

// readLists reads DATA: for a fit to votes whatever fubini fit reads, for another model ratings and what is read as such, and of
// votes the forms that are not: pairs, results and ranks. Equal votes are one list each.
func readLists(ctx context.Context, p *cli.Program, saved *modelstore.Saved, items *input.Items, path string, columns map[string]string) ([]cast, error) {
	fitted := saved.Board != nil || saved.Visible() != nil
	if fitted || path != "-" {
		set, err := input.ReadVotes(ctx, p, path, votes.Options{Rater: "any", Columns: columns})
		switch {
		case err == nil && (fitted || set.Counts.Form == "pairs" || set.Counts.Form == "results" || set.Counts.Form == "ranks"):
			p.Tell("%s", input.VotesLine(path, set))
			at, err := items.Votes(set)
			if err != nil {
				return nil, err
			}
			return votedLists(set, at)
		case errors.Is(err, votes.ErrZeroRank):
			return nil, fmt.Errorf("%w: an item that is not ranked has an empty cell", err)
		case err != nil && (fitted || columns != nil):
			return nil, err
		}
	}
	data := input.PlainData
	data.Columns = columns
	set, _, err := input.Read(ctx, p, path, data)
	if err != nil {
		return nil, err
	}
	if set, err = items.Set(set, false); err != nil {
		return nil, err
	}
	lists := make([]cast, set.Users().Len())
	for u := range lists {
		person, unknown := saved.Person(set, u)
		list, err := osm.ListOf(person.Known)
		if err != nil {
			return nil, err
		}
		lists[u] = cast{List: list, user: set.Users().ID(uint32(u)), unknown: len(unknown), weight: 1}
	}
	return lists, nil
}

// votedLists are the lists of some votes, whose items are those of a model; of two names of one item in a vote the first counts.
func votedLists(set *votes.Set, at []int) ([]cast, error) {
	lists := make([]cast, set.Len())
	for v := range lists {
		c := cast{line: int(set.Line[v]), weight: set.Weight[v]}
		if set.Rater != nil {
			c.user = set.Raters[set.Rater[v]]
		}
		items, tiers := set.At(v)
		var levels []int
		for k, item := range items {
			if i := at[item]; i < 0 {
				c.unknown++
			} else if !slices.Contains(c.Items, i) {
				c.Items, levels = append(c.Items, i), append(levels, -int(tiers[k]))
			}
		}
		if len(levels) > 0 {
			order, err := partition.FromLevels(levels)
			if err != nil {
				return nil, err
			}
			c.Order = order
		}
		lists[v] = c
	}
	return lists, nil
}
