package leaderboard

import (
	"context"
	"errors"
	"fmt"

	"fubini/data/votes"
	"fubini/learn/ballot"
	"fubini/learn/likelihood"
	"fubini/use/board"
)

// ErrInformation is the error of standard errors by the information where votes are too long for exact sums.
var ErrInformation = fmt.Errorf("standard errors by the information hold for votes of up to %d items: longer ones are fitted by the slot likelihood, which counts a vote more than once", ballot.MaxItems)

// ErrFewRaters is wrapped by the error of standard errors over raters of whom there are too few.
var ErrFewRaters = errors.New("too few raters")

// Result is a fitted board.
type Result struct {
	*likelihood.Fit
	Covariance likelihood.Covariance // of all parameters, by the errors asked for
	Board      *board.Fitted
}

// Run fits a design to votes.
func (r *Request) Run(ctx context.Context, set *votes.Set, design ballot.Design) (*Result, error) {
	data, err := r.Group(set, design)
	if err != nil {
		return nil, err
	}
	if err := r.ChooseErrors(data); err != nil {
		return nil, err
	}
	f := &Result{}
	r.Stage("worths")
	if f.Fit, err = r.Maximise(ctx, data); err != nil {
		return nil, err
	}
	about := Reported{Votes: set, Source: r.Source, Errors: r.Errors, Level: r.Level, Seed: r.Seed, Jobs: r.Jobs}
	r.Stage("standard errors, by " + r.Errors)
	if f.Covariance, about.Redrawn, err = r.covariance(ctx, f.Fit); err != nil {
		return nil, err
	}
	r.Stage("goodness of fit")
	goodness, err := f.Goodness(ctx)
	if err != nil {
		return nil, err
	}
	if about.Annealed, err = r.anneal(ctx, f.Fit); err != nil {
		return nil, err
	}
	if f.Board, err = Of(f.Fit, f.Covariance, goodness, about); err != nil {
		return nil, err
	}
	if r.Hidden > 0 {
		r.Stage("tastes")
		if f.Board.Report.Tastes, err = r.tastes(ctx, set, design, f.Board, f.Prior.Worth); err != nil {
			return nil, err
		}
	}
	if f.Slots { // a refit of long lists takes as long as the fit
		return f, nil
	}
	r.Stage("influence of votes")
	information := f.Covariance
	if r.Errors != "information" || f.Raters > 0 {
		if information, err = f.Inverse(); err != nil {
			return nil, err
		}
	}
	f.Board.Report.Influence, err = influence(ctx, set, f.Fit, information)
	return f, err
}

// Maximise fits one board. Without a prior votes must put all items on one scale.
func (r *Request) Maximise(ctx context.Context, data *likelihood.Data) (*likelihood.Fit, error) {
	o := r.Options(&data.Design)
	if o.Prior.Worth == 0 {
		if err := data.Exists(data.ItemNames); err != nil {
			return nil, err
		}
	}
	if r.Learned {
		return data.Learn(ctx, o)
	}
	return data.Maximise(ctx, o)
}

// ChooseErrors chooses the kind of standard errors where the request has none: by the information, and by the sandwich where votes are too
// long for exact sums.
func (r *Request) ChooseErrors(data *likelihood.Data) error {
	switch {
	case !data.Slots && r.Errors == "":
		r.Errors = "information"
	case data.Slots && r.Errors == "":
		r.Errors = "sandwich"
	case data.Slots && r.Errors == "information":
		return ErrInformation
	}
	if data.Slots {
		r.Tell("votes of more than %d items: all are fitted by the slot likelihood, with %s errors", ballot.MaxItems, r.Errors)
	}
	return nil
}

// covariance is that of the errors asked for; with bootstrap, redrawn is how many resamples had no estimate.
func (r *Request) covariance(ctx context.Context, fit *likelihood.Fit) (c likelihood.Covariance, redrawn *int, err error) {
	if r.Errors == "information" {
		c, err = fit.Covariance()
		return c, nil, err
	}
	if raters, free := fit.Clusters(), fit.Free(); raters > 0 && raters <= free {
		return nil, nil, fmt.Errorf("%s errors: %w: there are %d, and must be more than the %d parameters", r.Errors, ErrFewRaters, raters, free)
	}
	if r.Errors == "sandwich" {
		c, err = fit.Sandwich(ctx)
		return c, nil, err
	}
	draws, failed, err := fit.Bootstrap(ctx, 200, r.Seed)
	if err != nil {
		return nil, nil, err
	}
	if failed > 0 {
		r.Tell("bootstrap: %d resamples without an estimate (items not connected, or separated) were drawn anew, beside the %d used", failed, len(draws))
	}
	return fit.OfDraws(draws), &failed, nil
}

// anneal estimates the likelihood where lists are too long for exact sums; it is nil for others.
func (r *Request) anneal(ctx context.Context, fit *likelihood.Fit) (*likelihood.Annealed, error) {
	if !fit.Slots {
		return nil, nil
	}
	o := likelihood.DefaultAnnealing()
	o.Seed = r.Seed
	annealed, err := fit.Anneal(ctx, o)
	switch {
	case err != nil:
		return nil, err
	case !annealed.Reliable():
		r.Tell("mean_nll: annealing finds no reliable normaliser; slot_nll, of the composite likelihood, is exact")
	case annealed.Used < annealed.Sets:
		r.Tell("mean_nll by annealing of %d sets of items, drawn from %d", annealed.Used, annealed.Sets)
	}
	return annealed, nil
}
