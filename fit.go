package fubini

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"fubini/app/build"
	"fubini/data/votes"
	"fubini/learn/ballot"
	"fubini/learn/leaderboard"
	"fubini/learn/likelihood"
	"fubini/learn/modelstore"
	"fubini/model/osm"
	"fubini/use/board"
)

// Votes are rankings with ties of some items each: results of duels, ballots, tier lists. [Fit] makes a leaderboard of them.
type Votes struct {
	*votes.Set
	name, source string // in errors, and in the report
}

// VoteOptions say which columns of a file are weights, raters and covariates.
type VoteOptions = votes.Options

// ReadVotes reads votes from a file. The form is found out from the content: see `fubini fit --help`. A column of raters
// is read if it is asked for:
//
//	fubini.ReadVotes("votes.csv", func(o *fubini.VoteOptions) { o.Rater = "judge" })
func ReadVotes(path string, change ...func(*VoteOptions)) (*Votes, error) {
	files, name, err := locate(path)
	if err != nil {
		return nil, err
	}
	set, err := votes.Read(files, name, voteOptions(path, change))
	return &Votes{set, path, filepath.Base(path)}, err
}

// ReadVotesFrom is [ReadVotes] for a stream. The name stands in errors.
func ReadVotesFrom(r io.Reader, name string, change ...func(*VoteOptions)) (*Votes, error) {
	set, err := votes.ReadStream(r, name, voteOptions(name, change))
	return &Votes{set, name, ""}, err
}

func voteOptions(name string, change []func(*VoteOptions)) votes.Options {
	o := votes.Options{Name: name}
	for _, each := range change {
		each(&o)
	}
	return o
}

// NewVotes makes votes of tier lists in memory, best tier first. A duel is a list of two items, in two tiers or tied in one.
func NewVotes(lists [][][]string) (*Votes, error) {
	set, err := votes.FromTiers(lists)
	return &Votes{set, "votes", ""}, err
}

// fitOption is an option of Fit.
func fitOption(name string, set func(r *leaderboard.Request) error) Option {
	return func(o *options) error {
		o.ofFit = append(o.ofFit, name)
		return set(&o.fit)
	}
}

// oneOf is the number of a name among all of them.
func oneOf(what, name string, all []string) (int, error) {
	k := slices.Index(all, name)
	if k < 0 {
		return 0, fmt.Errorf("%s %q: there are %s", what, name, strings.Join(all, ", "))
	}
	return k, nil
}

// Prior sets the precision of a normal prior on the worths of [Fit]. The default, 0, is no prior.
func Prior(precision float64) Option {
	return fitOption("Prior", func(r *leaderboard.Request) error {
		if !(precision >= 0) {
			return fmt.Errorf("prior: the precision %g is below zero", precision)
		}
		r.Prior, r.Learned = precision, false
		return nil
	})
}

// LearnPrior learns the precision of the prior of [Fit] from the votes.
func LearnPrior() Option {
	return fitOption("LearnPrior", func(r *leaderboard.Request) error {
		r.Prior, r.Learned = 1, true
		return nil
	})
}

// Errors chooses how [Fit] computes standard errors: information, from the Fisher information; sandwich, which holds where the
// model is wrong; or bootstrap, over votes or raters.
func Errors(kind string) Option {
	return fitOption("Errors", func(r *leaderboard.Request) error {
		r.Errors = kind
		_, err := oneOf("errors", kind, leaderboard.ErrorNames)
		return err
	})
}

// Level sets the confidence level of the intervals, ranks and tiers of [Fit]. The default is 0.95.
func Level(level float64) Option {
	return fitOption("Level", func(r *leaderboard.Request) error {
		if r.Level = level; !(level > 0 && level < 1) {
			return fmt.Errorf("level: %g is not between 0 and 1", level)
		}
		return nil
	})
}

// Ties chooses the form of the tie weights of [Fit]: common, one weight for all ties; item, one for each item; distance, a weight
// that depends on the difference of the worths.
func Ties(form string) Option {
	return fitOption("Ties", func(r *leaderboard.Request) error {
		k, err := oneOf("ties", form, ballot.TieNames)
		r.Ties = ballot.Ties(k)
		return err
	})
}

// Space chooses the sample space of a vote for [Fit]: all, every order with ties; orders, those without ties; two, those with
// two tiers.
func Space(name string) Option {
	return func(o *options) error {
		o.spaceGiven = true
		return fitOption("Space", func(r *leaderboard.Request) error {
			k, err := oneOf("space", name, osm.SpaceNames)
			r.Space = ballot.Space(k)
			return err
		})(o)
	}
}

// Home gives [Fit] an effect of the item that stands first in a vote: the home side.
func Home() Option {
	return fitOption("Home", func(r *leaderboard.Request) error {
		r.Home = true
		return nil
	})
}

// Sizes gives tiers of each size a weight in [Fit], and the last tier a second one, as votes need that approve of some items or name a few favourites.
// The weights are among the Coefficients of the board, under a normal prior of precision 1.
func Sizes() Option {
	return fitOption("Sizes", func(r *leaderboard.Request) error {
		r.Sizes = true
		return nil
	})
}

// Choices fits the Plackett-Luce model in place of the Ordered Set Model: each tier of a vote is chosen from the items that are left.
func Choices() Option {
	return fitOption("Choices", func(r *leaderboard.Request) error {
		r.Choices = true
		return nil
	})
}

// Hidden gives each rater k binary hidden units in place of a reliability; where the data name no raters, each vote has them. Tastes
// of the board has the worths for every value of the units, the share of raters with it, and a test of whether one board is enough.
func Hidden(k int) Option {
	return fitOption("Hidden", func(r *leaderboard.Request) error {
		if r.Hidden = k; k < 1 || k > likelihood.MaxUnits {
			return fmt.Errorf("hidden: %d units; there can be 1 to %d", k, likelihood.MaxUnits)
		}
		return nil
	})
}

// Covariate regresses the worths of [Fit] on a covariate of items, with a value for each item that has votes; its coefficient is among
// the Coefficients of the board. Several covariates are several options. What they leave over is shrunk by a prior, whose precision is
// learned unless [Prior] gives it.
func Covariate(name string, of map[string]float64) Option {
	return func(o *options) error {
		o.covariates = append(o.covariates, covariate{name, of})
		return fitOption("Covariate", func(*leaderboard.Request) error { return nil })(o)
	}
}

// columns are the covariates of all items of votes.
func columns(all []covariate, items []string) (ballot.Columns, error) {
	c := ballot.Columns{}
	for _, each := range all {
		c.Names = append(c.Names, each.name)
	}
	for _, item := range items {
		for _, each := range all {
			x, there := each.of[item]
			if !there {
				return c, fmt.Errorf("covariate %s: no value for item %q, which has votes; add it", each.name, item)
			}
			c.Values = append(c.Values, x)
		}
	}
	return c, nil
}

// Board is a leaderboard: items best first with worths, standard errors, intervals, ranks and tiers, and how well the model fits.
type Board struct {
	*board.Report
	fitted *board.Fitted
	sizes  osm.SizeWeights // nil for none
	mixed  bool            // they stand beside what a model cannot keep with them
}

// Fit finds the worths of items from votes by maximum likelihood, as `fubini fit` does: with standard errors, ranks and tiers
// at the level of 95 %. Where no vote has a tie, it takes the model of orders without ties, and says so to [Notes]. Votes with raters
// give each of them a reliability, or with [Hidden] a taste.
func Fit(ctx context.Context, v *Votes, all ...Option) (*Board, error) {
	o, err := newOptions(all)
	if err != nil {
		return nil, err
	}
	if len(o.ofTrain) > 0 {
		return nil, fmt.Errorf("the option %s is of Train and Evaluate, not of Fit", o.ofTrain[0])
	}
	r := o.fit
	r.Seed, r.Jobs, r.Name, r.Source = o.Seed, o.Jobs, v.name, v.source
	r.Tell = func(format string, args ...any) { o.note(fmt.Sprintf(format, args...)) }
	if !o.spaceGiven && r.WithoutTies(v.Set) {
		r.Tell("no vote has a tie: fitted in the space of orders without ties, which has no tie weight")
	}
	design := r.Design(v.Set)
	if design.Item, err = columns(o.covariates, v.Items); err != nil {
		return nil, err
	}
	if len(o.covariates) > 0 && r.Prior == 0 {
		r.Prior, r.Learned = 1, true
	}
	found, err := r.Run(ctx, v.Set, design)
	if err != nil {
		return nil, err
	}
	mixed := r.Sizes && (r.Choices || r.Ties != ballot.CommonTies || r.Space != ballot.AllOrders || r.Hidden > 0)
	return &Board{&found.Board.Report, found.Board, found.TierSizes(), mixed}, nil
}

// Chances are the probabilities that one item is above another, tied with it, and below it in a vote on the two alone.
func (b *Board) Chances(upper, lower string) (above, tied, below float64, err error) {
	i, j := slices.Index(b.fitted.Items, upper), slices.Index(b.fitted.Items, lower)
	if i < 0 || j < 0 || i == j {
		return 0, 0, 0, fmt.Errorf("%q and %q are not two items of the board", upper, lower)
	}
	above, tied, below = b.fitted.Chances(i, j)
	return above, tied, below, nil
}

// Model is the board as a model, to save, serve and draw from.
func (b *Board) Model() (*Model, error) {
	switch {
	case b.fitted.Model == nil && b.sizes == nil:
		return nil, errors.New("a sequence of choices cannot be kept as a model: fit without Choices")
	case b.mixed:
		return nil, errors.New("a model keeps weights of tier sizes beside worths and one tie weight alone: fit without Sizes, or without Ties, Space and Hidden")
	}
	saved := modelstore.NewFitted(b.fitted, b.sizes)
	saved.Program = build.Read().Version
	return NewModel(saved), nil
}
