package input

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/lookup"
	"fubini/cmd/fubini/cli"
	"fubini/data/format"
	"fubini/data/personal"
	"fubini/data/ratings"
	"fubini/data/text"
	"fubini/data/titles"
	"fubini/data/votes"
)

// mostAsked is the number of titles up to which a person is asked what they mean, in data of many people.
const mostAsked = 20

// found finds the items of some data. What may be one of several items is asked on a terminal, told and noted in the file of --match; what is
// not found is for the caller.
func (x *Items) found(items []*personal.Item) ([]lookup.Match, error) {
	matches := x.FindItems(items)
	asked, questions := false, 0
	for _, m := range matches {
		if m.How == titles.Ambiguous {
			questions++
		}
	}
	for k, m := range matches {
		if m.How == titles.Ambiguous && questions <= mostAsked {
			asked = x.choose(lookup.Question{Named: lookup.Named{Text: items[k].Text()}, Items: m.Candidates}) || asked
		}
	}
	if err := x.ctx.Err(); err != nil {
		return nil, err
	}
	if asked {
		matches = x.FindItems(items)
	}
	var report lookup.Report
	for k, m := range matches {
		if m.How == titles.Guess || m.How == titles.Ambiguous {
			report.Add(lookup.Named{Text: items[k].Text()}, m)
		}
	}
	return matches, x.reportTitles(&report)
}

// reportTitles prints what was guessed and what may be one of several items, and writes both into the file of --match.
func (x *Items) reportTitles(report *lookup.Report) error {
	if err := x.keep(report); err != nil {
		return err
	}
	x.tell(report)
	x.waiting()
	return nil
}

// Set returns the ratings of a set with the ids of the model in the place of titles. What is not found stays as it is; so does a title
// that may be one of several items, or its ratings are dropped.
func (x *Items) Set(set *ratings.Set, dropOpen bool) (*ratings.Set, error) {
	items := make([]*personal.Item, set.Items().Len())
	for k := range items {
		items[k] = &personal.Item{ID: set.Items().ID(uint32(k))}
		if title := set.Items().Name(uint32(k)); title != items[k].ID {
			items[k].Title = title
		}
	}
	matches, err := x.found(items)
	if err != nil {
		return nil, err
	}
	same := true
	ids := make([]string, len(items))
	for k, m := range matches {
		switch {
		case m.How.Found():
			ids[k] = x.saved.ItemIDs[m.Item]
		case m.How == titles.Ambiguous && dropOpen:
		default:
			ids[k] = items[k].ID
		}
		same = same && ids[k] == items[k].ID
	}
	if same {
		return set, nil
	}
	renamed, twice := set.Renamed(func(item uint32) string { return ids[item] })
	if twice > 0 {
		x.p.Tell("%s left out, because the user has the same item under another name", text.Count(twice, "rating is", "ratings are"))
	}
	return renamed, nil
}

// Votes returns the item of the model for every item of some votes, by id or by title, and -1 for none.
func (x *Items) Votes(set *votes.Set) (at []int, err error) {
	items := make([]*personal.Item, len(set.Items))
	for k, id := range set.Items {
		items[k] = &personal.Item{ID: id}
		if set.Names != nil && set.Names[k] != id {
			items[k].Title = set.Names[k]
		}
	}
	matches, err := x.found(items)
	at = make([]int, len(matches))
	for k, m := range matches {
		at[k] = m.Item
	}
	return at, err
}

// Users returns a reader of users with the ids of the model in the place of titles, and a function that tells what was
// guessed and what may be one of several items. What is not found stays as it is.
func (x *Items) Users(next func(*format.User) error) (renamed func(*format.User) error, tell func() error) {
	renamed, report := x.Finder.Users(next)
	return renamed, func() error { return x.reportTitles(report) }
}

// MatchFlags has the file of answers about titles.
type MatchFlags struct{ Match string }

// AddMatch adds --match, a flag of the commands that find items by their titles.
func AddMatch(p *cli.Program, cmd *cobra.Command) *MatchFlags {
	return cli.Shared(p, cmd, cmd.Flags(), func(f *MatchFlags, _ *cobra.Command, flags *pflag.FlagSet) {
		cli.AddOutput(flags, "match", "", &f.Match, "FILE", cli.ParsePath, "CSV file of titles and the items that they mean: read, and new questions and answers are added")
	})
}
