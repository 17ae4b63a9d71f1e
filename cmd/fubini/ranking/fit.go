// Package ranking has the command fubini fit, which ranks items from votes.
package ranking

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/votes"
	"fubini/learn/ballot"
	"fubini/learn/leaderboard"
)

//go:embed help
var pages embed.FS

// Fit is the command fubini fit.
func Fit(p *cli.Program) *cobra.Command {
	f := flags{model: "osm", ties: "common", space: "all", errors: "information", level: 0.95}
	cmd := cli.Page(pages, "fit")
	set := cmd.Flags()
	cli.AddChoice(cmd, set, "model", &f.model, modelNames, "osm, the Ordered Set Model; plackett-luce, each tier chosen from what is left")
	cli.AddChoice(cmd, set, "ties", &f.ties, tieNames, "weight of ties: common, one for all; item, one an item; distance, by the difference of worths")
	cli.AddChoice(cmd, set, "space", &f.space, spaceNames, "outcomes of a vote: all weak orders; orders, without ties; two tiers")
	cli.AddInput(set, "covariates", &f.covariates, "FILE", "table of covariates of items, with the column item")
	cli.AddFlag(set, "alike", "", &f.alike, "LIST", cli.ParseWords, "columns of --covariates in which items that are alike tie more, or less, often")
	cli.AddInput(set, "pair-features", &f.pairFeatures, "FILE", "table of features of pairs, with the columns item_a, item_b, and tie_NAME or order_NAME")
	cli.AddFlag(set, "place", "", &f.read.Place, "LIST", cli.ParseWords, "columns that are covariates of an item in a vote: length from length_a and length_b")
	cli.AddFlag(set, "vote", "", &f.read.Votes, "LIST", cli.ParseWords, "columns that are covariates of a vote and change the weight of ties")
	cli.AddSwitch(set, "home", &f.home, "an effect of the item that stands first in a vote: the home side")
	cli.AddFlag(set, "raters", "", &f.read.Rater, "COLUMN", cli.NotEmpty("name the column of raters"), "column of raters, each with a reliability; auto for rater, judge, user or voter")
	cli.AddFlag(set, "hidden", "", &f.hidden, "K", cli.ParseWhole(1), "hidden units of raters, or without --raters of votes: boards by taste, and whether one is enough")
	columns := input.AddVoteColumns(p, cmd)
	cli.AddFlag(set, "weights", "", &f.read.Weight, "COLUMN", cli.NotEmpty("name the column of weights"), "column of weights")
	cli.AddSwitch(set, "sizes", &f.sizes, "a weight for tiers of each size, and for the last tier")
	cli.AddSwitch(set, "drop-bothbad", &f.read.DropBothBad, "leave out ties of two that are both bad")
	cli.AddChoice(cmd, set, "zeros", &f.read.Zeros, []string{"unranked", "best"}, "what rank 0 is in columns of ranks: unranked; best, where ranks count from 0")
	cli.AddFlag(set, "prior", "", &f.prior, "X", parsePrior, "precision of a normal prior on the worths, or learn; 0 for none")
	cli.AddChoice(cmd, set, "errors", &f.errors, errorNames, "standard errors: information, sandwich, bootstrap")
	cli.AddFlag(set, "level", "", &f.level, "X", cli.ParseShare, "level of intervals, ranks and tiers")
	cli.AddSwitch(set, "elo", &f.elo, "worths on the scale of Elo: 400 points are odds of 10 to 1, 1000 the mean")
	cli.AddOutput(set, "save", "", &f.save, "FILE", cli.ParsePath, "keep the fit as a model that serve, sample, loglik and model read")
	cli.AddOutput(set, "plot", "", &f.plot, "FILE", cli.ParsePicture, "draw the board as a forest plot, .svg or .png")
	cli.AddOutput(set, "heat", "", &f.heat, "FILE", cli.ParsePicture, "draw a heat map of who wins against whom, .svg or .png")
	cli.AddOutput(set, "pairs", "", &f.pairs, "FILE", cli.ParsePath, "write a CSV of all pairs: probabilities of win, tie and loss, the difference, votes and residual")
	cli.AddFlag(set, "compare", "", &f.compare, "A,B", parseCompare, "compare two forms of ties")

	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		f.errorsGiven, f.spaceGiven = cmd.Flags().Changed("errors"), cmd.Flags().Changed("space")
		f.read.Columns = columns.Columns
		return run(cmd.Context(), p, &f, args[0])
	}
	return cmd
}

// run reads votes, fits and delivers the result.
func run(ctx context.Context, p *cli.Program, f *flags, path string) error {
	if err := f.check(); err != nil {
		return err
	}
	f.read.Name, f.fit = path, f.request(p, path)
	if f.read.Columns["rater"] != "" && f.read.Rater == "" && f.hidden == 0 {
		f.read.Rater, f.fit.Alike = "auto", true
	}
	set, err := read(ctx, p, f, path)
	if err != nil {
		return err
	}
	f.chooseSpace(p, set)
	design, err := f.design(p, set)
	if err != nil {
		return err
	}
	if f.compare != nil {
		return f.remedy(compare(ctx, p, f, set, design))
	}
	r, err := f.report(ctx, p, set, design)
	if err != nil {
		return f.remedy(err)
	}
	if f.save != "" {
		if err := r.keep(); err != nil {
			return err
		}
	}
	if f.plot != "" {
		if err := r.draw(p, path); err != nil {
			return err
		}
	}
	if f.heat != "" {
		if err := r.drawHeat(p, path); err != nil {
			return err
		}
	}
	if f.pairs != "" {
		if err := r.writePairs(); err != nil {
			return err
		}
	}
	return r.deliver(p)
}

// read reads LISTS and says what was read and left out.
func read(ctx context.Context, p *cli.Program, f *flags, path string) (*votes.Set, error) {
	set, err := input.ReadVotes(ctx, p, path, f.read)
	if errors.Is(err, votes.ErrZeroRank) {
		err = fmt.Errorf("%w: --zeros unranked or --zeros best", err)
	}
	if err != nil {
		return nil, err
	}
	p.Tell("%s", input.VotesLine(path, set))
	switch rater := f.read.Columns["rater"]; {
	case rater != "" && f.read.Rater == "":
		p.Tell("raters, in column %s, are not read: --raters auto gives them tastes", cli.Quote(rater))
	case f.fit.Alike && (!f.errorsGiven || f.errors == "information"):
		p.Tell("raters, in column %s, count for errors by sandwich or bootstrap; --raters auto gives each a reliability", cli.Quote(rater))
	}
	return set, nil
}

// request is what the flags ask for.
func (f *flags) request(p *cli.Program, path string) leaderboard.Request {
	r := leaderboard.Request{Choices: f.model == "plackett-luce", Ties: ballot.Ties(slices.Index(tieNames, f.ties)), Space: ballot.Space(slices.Index(spaceNames, f.space)),
		Home: f.home, Sizes: f.sizes, Hidden: f.hidden, Prior: f.prior.precision, Learned: f.prior.learned, Level: f.level, Name: path, Seed: p.Seed, Jobs: p.Jobs, Tell: p.Tell}
	if f.errorsGiven {
		r.Errors = f.errors
	}
	if path != "-" {
		r.Source = filepath.Base(path)
	}
	return r
}

// chooseSpace takes the space of orders without ties where no vote has one and nothing that was asked for needs ties.
func (f *flags) chooseSpace(p *cli.Program, set *votes.Set) {
	if f.spaceGiven || f.compare != nil || f.alike != nil || f.pairFeatures != "" || !f.fit.WithoutTies(set) {
		return
	}
	p.Tell("no vote has a tie: fitted in the space of orders without ties (--space orders), which has no tie weight")
}

// design is the parameters that the flags ask for.
func (f *flags) design(p *cli.Program, set *votes.Set) (ballot.Design, error) {
	d := f.fit.Design(set)
	if f.alike != nil && f.covariates == "" {
		return d, exit.Usagef("--alike names columns of --covariates, a table with the column item: give that too")
	}
	if err := f.addCovariates(p, set, &d); err != nil {
		return d, fmt.Errorf("--covariates: %w", err)
	}
	if err := f.addPairFeatures(p, set, &d); err != nil {
		return d, fmt.Errorf("--pair-features: %w", err)
	}
	return d, nil
}
