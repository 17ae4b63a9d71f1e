package input

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/cmd/fubini/cli"
	"fubini/data/codec"
	"fubini/data/text"
	"fubini/data/votes"
)

// VoteFlags are the flags of reading votes.
type VoteFlags struct {
	Columns map[string]string // names of columns by their roles
}

// AddVoteColumns adds --columns of a command that reads votes.
func AddVoteColumns(p *cli.Program, cmd *cobra.Command) *VoteFlags {
	return cli.Shared(p, cmd, cmd.Flags(), func(f *VoteFlags, cmd *cobra.Command, flags *pflag.FlagSet) {
		cli.AddFlag(flags, "columns", "", &f.Columns, "ROLE=NAME,...", func(list string) (map[string]string, error) { return codec.ParseRoles(list, votes.Roles, "winner=Who") }, "names of the columns in a table, or keys, where they are not understood, as in item_a=Left,item_b=Right,winner=Who; also loser, draw, home, away, home_score, away_score, tiers, weight, rater, and those of ratings")
	})
}

// ReadVotes reads votes, rankings or tier lists of any form.
func ReadVotes(ctx context.Context, p *cli.Program, path string, o votes.Options) (*votes.Set, error) {
	o.Name = path
	set, err := cli.Await(ctx, func() (*votes.Set, error) {
		if path == "-" {
			return votes.ReadStream(p.Stdin, "standard input", o)
		}
		files, name, err := Locate(path)
		if err != nil {
			return nil, err
		}
		return votes.Read(files, name, o)
	})
	if errors.Is(err, codec.ErrColumns) {
		err = fmt.Errorf("%w (--columns)", err)
	}
	return set, err
}

// VotesLine is the line that reports a file of votes: its form, the number of votes, the records left out by reason, and the columns and
// ranks that readers may take for something else.
func VotesLine(path string, set *votes.Set) string {
	c := &set.Counts
	records := text.Count(c.Records, "record", "records")
	if c.Form == "ratings" {
		records = text.Count(c.Records, "user, whose ratings are", "users, the ratings of each are") + " a vote"
	}
	line := fmt.Sprintf("%s: %s, %s, %d kept, weight %g", path, c.Form, records, c.Kept, c.Weight)
	if c.Own {
		line += ", rank 1 is the best"
	}
	for _, reason := range cli.SortedKeys(c.Dropped) {
		line += fmt.Sprintf(", %d left out (%s)", c.Dropped[reason].Records, reason)
	}
	if c.Zeros > 0 {
		line += ", " + text.Count(c.Zeros, "rank", "ranks") + " of 0 read as not ranked"
	}
	if c.Gaps > 0 {
		line += ", " + text.Count(c.Gaps, "vote", "votes") + " with ranks that skip a number, read by their order"
	}
	if c.Unranked > 0 {
		line += ", " + text.Count(c.Unranked, "unranked item", "unranked items") + " left out"
	}
	if len(c.Ignored) > 0 {
		line += ", not read: " + strings.Join(c.Ignored[:min(8, len(c.Ignored))], ", ")
		if more := len(c.Ignored) - 8; more > 0 {
			line += fmt.Sprintf(" and %d more", more)
		}
	}
	return line
}

// votesIn describes the votes in a file that holds no ratings; empty for none. Standard input cannot be read again.
func votesIn(ctx context.Context, p *cli.Program, path string) string {
	if path == "-" {
		return ""
	}
	set, err := ReadVotes(ctx, p, path, votes.Options{})
	if err != nil {
		return ""
	}
	switch c := &set.Counts; {
	case c.Form == "pairs" || c.Form == "results":
		return text.Count(c.Kept, "vote", "votes") + " between two items, and no ratings"
	case c.Form == "ranks" && c.Gaps == c.Competition: // other numbers might be anything
		return text.Count(c.Kept, "ranking", "rankings") + " with a column for each item, and no ratings"
	}
	return ""
}
