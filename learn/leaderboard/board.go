package leaderboard

import (
	"math"
	"slices"

	"fubini/data/votes"
	"fubini/learn/ballot"
	"fubini/learn/likelihood"
	"fubini/use/board"
)

// Reported is the part of a report that the fit does not determine: the votes, where they came from, and how errors were computed.
type Reported struct {
	Votes  *votes.Set
	Source string // name of the file of votes; empty for none
	Errors string // kind of the standard errors
	// Redrawn is how many resamples of a bootstrap had no estimate; nil for other errors.
	Redrawn *int
	Level   float64 // of intervals, ranks and tiers
	// Annealed is the estimate of the likelihood of long lists; nil where it is exact.
	Annealed *likelihood.Annealed
	Seed     uint64
	Jobs     int
}

// Of is a fit as a board, where c is the covariance of its parameters. It has no Model where [Visible] has none.
func Of(f *likelihood.Fit, c likelihood.Covariance, g *likelihood.Goodness, about Reported) (*board.Fitted, error) {
	set := about.Votes
	b := &board.Fitted{Covariance: f.OfWorths(c), Items: set.Items, Raters: len(set.Raters), Seed: about.Seed, Jobs: about.Jobs, Report: board.Report{
		Source: about.Source,
		Lists:  set.Len(), Weight: f.Weight, Tied: set.Counts.Ties, Ties: f.Ties.String(), Space: f.Space.String(), Parameters: f.Free(),
		TiesSeen: g.Observed, TiesFitted: g.Expected,
		Errors: about.Errors, Redrawn: about.Redrawn, Level: about.Level, Coefficients: []board.Coefficient{},
	}}
	if f.Prior != (ballot.Precision{}) && !f.Slots {
		b.Report.Effective = &g.Effective
	}
	fitted(&b.Report, f, g, about.Annealed)
	for i, id := range set.Items {
		if name := set.Name(i); name != id { // some items have titles
			if b.Names == nil {
				b.Names = slices.Clone(set.Items)
			}
			b.Names[i] = name
		}
	}
	b.Weights, b.Entries = make([]float64, len(set.Items)), len(set.Item)
	for v := range set.Len() {
		items, tiers := set.At(v)
		for k, i := range items {
			b.Weights[i] += set.Weight[v]
			b.Tiers = max(b.Tiers, int(tiers[k])+1)
		}
	}
	if form, err := visible(f); err == nil {
		b.Model = form // Prepare takes worths and chances from it
	} else {
		b.Worths, b.Chances = f.Worths(), f.Pair
		if f.Ties == ballot.ItemTies && f.Space != ballot.WithoutTies {
			b.Deviations = slices.Clone(f.TieDeviations())
		}
	}
	if nu := f.Nu(); !math.IsInf(nu, -1) {
		b.Report.Nu = &nu
	}
	if f.Prior.Worth > 0 {
		b.Report.Prior = &f.Prior.Worth
	}
	for _, p := range f.Others(c) {
		b.Report.Coefficients = append(b.Report.Coefficients, board.Coefficient(p))
	}
	addRaters(&b.Report, f, c, set.Raters)
	b.TieErrors = f.TieErrors(c)
	b.Report.Open = open(f.Data, set.Items)
	for k := range g.Pairs {
		p := &g.Pairs[k]
		b.Counted = append(b.Counted, board.Counted{I: p.I, J: p.J, Votes: p.Observed, Expected: p.Expected, P: p.P(f.Space)})
	}
	return b, b.Prepare()
}

// fitted fills in how well the model fits. Where lists are long the composite likelihood of their slots is exact, and the
// likelihood an estimate.
func fitted(r *board.Report, f *likelihood.Fit, g *likelihood.Goodness, annealed *likelihood.Annealed) {
	log, mean := f.LogLikelihood, -f.LogLikelihood/f.Weight
	if !f.Slots {
		r.Likelihood, r.LogLikelihood, r.MeanNLL, r.Deviance, r.Degrees = "exact", &log, &mean, &g.Deviance, &g.Degrees
		return
	}
	r.Likelihood, r.SlotNLL = "slots", &mean
	if annealed != nil && annealed.Reliable() {
		log, estimate := annealed.Mean*f.Weight, -annealed.Mean
		r.LogLikelihood, r.MeanNLL, r.MeanNLLStd = &log, &estimate, &annealed.StdError
	}
}

// addRaters fills in the reliabilities of raters with the names given, and how much they vary, where c is the covariance of the
// parameters.
func addRaters(r *board.Report, f *likelihood.Fit, c likelihood.Covariance, names []string) {
	if f.Raters == 0 {
		return
	}
	errors := f.ReliabilityErrors(c)
	low, high := f.ReliabilityIntervals(c, r.Level)
	for k, v := range f.Reliabilities() {
		r.Raters = append(r.Raters, board.Rater{ID: names[k], Reliability: v, StdError: errors[k], Low: low[k], High: high[k]})
	}
	r.Spread = f.SpreadOf(c, r.Level)
}
