// Package ranking has the command fubini fit, which ranks items from votes.
package ranking

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/votes"
	"fubini/learn/ballot"
	"fubini/learn/likelihood"
	"fubini/model/osm"
)

//go:embed help
var pages embed.FS

// The names of the forms, in the order of package likelihood.
var (
	tieNames   = ballot.TieNames
	spaceNames = osm.SpaceNames
	errorNames = []string{"information", "sandwich", "bootstrap"}
	modelNames = []string{"osm", "plackett-luce"}
)

type flags struct {
	model               string
	ties, space, errors string
	errorsGiven         bool
	spaceGiven          bool
	covariates          string
	pairFeatures        string
	read                votes.Options
	home, sizes, elo    bool
	prior               prior
	level               float64
	save, plot, pairs   string
	heat                string
	hidden              int
	compare             []string
	alike               []string
}

// prior is the precision of the prior of worths: given, learned, or none.
type prior struct {
	precision float64
	learned   bool
}

func parsePrior(text string) (prior, error) {
	if text == "learn" {
		return prior{1, true}, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0) || math.IsInf(x, 1) {
		return prior{}, fmt.Errorf("%s is no precision; write a number, 0 for none, or learn", cli.Quote(text))
	}
	return prior{precision: x}, nil
}

// String is what the flag takes.
func (p prior) String() string {
	if p.learned {
		return "learn"
	}
	return strconv.FormatFloat(p.precision, 'g', -1, 64)
}

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
		return run(cmd.Context(), p, &f, args[0])
	}
	return cmd
}

func parseCompare(text string) ([]string, error) {
	names, err := cli.ParseWords(text)
	if err != nil || len(names) != 2 || names[0] == names[1] {
		return nil, fmt.Errorf("%s is not two forms of ties; write two of %s", cli.Quote(text), strings.Join(tieNames, ", "))
	}
	for _, name := range names {
		if _, err := cli.ParseChoice(tieNames)(name); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// run reads votes, fits and delivers the result.
func run(ctx context.Context, p *cli.Program, f *flags, path string) error {
	if err := f.check(); err != nil {
		return err
	}
	f.read.Name = path
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
		return compare(ctx, p, f, set, design)
	}
	r, err := f.report(ctx, p, set, design)
	if err != nil {
		return err
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

// check refuses flags that do not go together.
func (f *flags) check() error {
	if f.space == "orders" && (f.ties != "common" || f.compare != nil) {
		return exit.Usagef("--space orders has no ties, and no forms of their weight: leave out --ties and --compare")
	}
	if f.compare != nil && (f.save != "" || f.plot != "" || f.pairs != "" || f.heat != "" || f.hidden > 0 || f.elo) {
		return exit.Usagef("--compare prints two rows, and no board: it does not go with --save, --plot, --pairs, --heat, --hidden and --elo")
	}
	if f.save != "" && f.model == "plackett-luce" {
		return exit.Usagef("--save keeps an Ordered Set Model, and --model plackett-luce is a sequence of choices, which sample, logz and recommend have no form of: leave out --save, or use --model osm, with the same worths on pairs (--space orders where none is tied), and a model of its own of longer votes")
	}
	if f.save != "" && f.sizes && (f.ties != "common" || f.space != "all" || f.alike != nil || f.pairFeatures != "") {
		return exit.Usagef("--save keeps weights of tier sizes beside worths and one tie weight: with --ties common and --space all, and without --alike and --pair-features")
	}
	if f.read.Rater != "" && f.hidden == 0 && (f.ties == "distance" || slices.Contains(f.compare, "distance")) {
		return exit.Usagef("--ties distance does not go with reliabilities of raters: both bend the curve of chances over distances; use --ties common or item, leave out --raters, or give raters tastes (--hidden K)")
	}
	return f.checkHidden()
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
	return set, nil
}

// chooseSpace takes the space of orders without ties where no vote has one and nothing that was asked for needs ties: their weight
// would fall without end.
func (f *flags) chooseSpace(p *cli.Program, set *votes.Set) {
	if set.Counts.Ties > 0 || f.spaceGiven || f.model != "osm" || f.ties != "common" || f.compare != nil || f.sizes || f.alike != nil || f.pairFeatures != "" || f.read.Votes != nil {
		return
	}
	f.space = "orders"
	p.Tell("no vote has a tie: fitted in the space of orders without ties (--space orders), which has no tie weight")
}

// design is the parameters that the flags ask for.
func (f *flags) design(p *cli.Program, set *votes.Set) (ballot.Design, error) {
	d := ballot.Design{Items: len(set.Items), Ties: ballot.Ties(slices.Index(tieNames, f.ties)), Space: ballot.Space(slices.Index(spaceNames, f.space)),
		Choices: f.model == "plackett-luce", Places: set.PlaceColumns, Votes: set.VoteColumns, RaterNames: set.Raters}
	for i := range set.Items {
		d.ItemNames = append(d.ItemNames, set.Name(i))
	}
	if f.home {
		d.Places = append([]string{"home"}, d.Places...)
	}
	if set.Rater != nil {
		d.Cluster = true
		d.Raters = len(set.Raters)
	}
	if f.sizes {
		for v := range set.Len() {
			d.Sizes = max(d.Sizes, int(set.Start[v+1]-set.Start[v]))
		}
	}
	if f.hidden > 0 { // tastes in place of reliabilities; raters then count for errors over raters alone
		d.Raters, d.Cluster = 0, f.errors != "information"
	}
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

// votes is the votes, with the first place marked where that has an effect.
func (f *flags) votes(set *votes.Set) ballot.Votes {
	v := ballot.Votes{Start: set.Start, Item: set.Item, Tier: set.Tier, Weight: set.Weight, Rater: set.Rater, Place: set.Place, Vote: set.Vote}
	if !f.home {
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

// group is likelihood.Group with the lines of bad votes.
func (f *flags) group(set *votes.Set, d ballot.Design) (*likelihood.Data, error) {
	data, err := likelihood.Group(d, f.votes(set))
	var bad *ballot.VoteError
	if errors.As(err, &bad) && set.Line[bad.Vote] > 0 {
		return nil, fmt.Errorf("%s:%d: %w", f.read.Name, set.Line[bad.Vote], bad.Err)
	}
	return data, err
}

// options of the fit.
func (f *flags) options(p *cli.Program, d *ballot.Design) likelihood.Options {
	o := likelihood.Defaults()
	o.Jobs = p.Jobs
	o.Prior.Worth, o.Fixed = f.prior.precision, !f.prior.learned
	if d.Ties == ballot.ItemTies && f.prior.precision > 0 {
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

// maximise fits one board.
func (f *flags) maximise(ctx context.Context, p *cli.Program, data *likelihood.Data) (*likelihood.Fit, error) {
	o := f.options(p, &data.Design)
	if o.Prior.Worth == 0 {
		if err := data.Exists(data.ItemNames); err != nil {
			switch {
			case errors.Is(err, osm.ErrNoMaximum):
				err = fmt.Errorf("%w: --prior learn", err)
			case errors.Is(err, likelihood.ErrNoTies):
				err = fmt.Errorf("%w: --space orders", err)
			}
			return nil, err
		}
	}
	fit := data.Maximise
	if f.prior.learned {
		fit = data.Learn
	}
	result, err := fit(ctx, o)
	if errors.Is(err, likelihood.ErrNoTies) {
		err = fmt.Errorf("%w: --space orders", err)
	}
	return result, err
}

// long says that votes are too long for exact sums, and chooses the errors for them.
func (f *flags) long(p *cli.Program, data *likelihood.Data) error {
	if !data.Slots {
		return nil
	}
	if f.errors == "information" {
		if f.errorsGiven {
			return exit.Usagef("--errors information holds for votes of up to %d items: longer ones are fitted by the slot likelihood, which counts a vote more than once; use --errors sandwich or bootstrap", ballot.MaxItems)
		}
		f.errors = "sandwich"
	}
	p.Tell("votes of more than %d items: all are fitted by the slot likelihood, with %s errors", ballot.MaxItems, f.errors)
	return nil
}

// covariance is that of the errors asked for; with bootstrap, redrawn is how many resamples had no estimate.
func (f *flags) covariance(ctx context.Context, p *cli.Program, fit *likelihood.Fit) (c likelihood.Covariance, redrawn *int, err error) {
	if f.errors == "information" {
		c, err = fit.Covariance()
		return c, nil, err
	}
	if raters, free := fit.Clusters(), fit.Free(); raters > 0 && raters <= free {
		return nil, nil, fmt.Errorf("--errors %s over %d raters: there must be more of them than the %d parameters; leave out --raters, or use --errors information", f.errors, raters, free)
	}
	if f.errors == "sandwich" {
		c, err = fit.Sandwich(ctx)
		return c, nil, err
	}
	draws, failed, err := fit.Bootstrap(ctx, 200, p.Seed)
	if err != nil {
		return nil, nil, err
	}
	if failed > 0 {
		p.Tell("bootstrap: %d resamples without an estimate (items not connected, or separated) were drawn anew, beside the %d used", failed, len(draws))
	}
	return fit.OfDraws(draws), &failed, nil
}
