package likelihood

import (
	"fmt"
	"math"
	"slices"

	"fubini/data/votes"
	"fubini/learn/ballot"
	"fubini/model/osm"
	"fubini/use/board"
)

// TieNames are the names of the forms of tie weights, in their order.
var TieNames = []string{"common", "item", "distance"}

// Reported is what a report has beside the fit.
type Reported struct {
	Votes  *votes.Set
	Source string // name of the file of votes; empty for none
	Errors string // kind of the standard errors
	// Redrawn is how many resamples of a bootstrap had no estimate; nil for other errors.
	Redrawn *int
	Level   float64 // of intervals, ranks and tiers
	// Annealed is the estimate of the likelihood of long lists; nil where it is exact.
	Annealed *Annealed
	Seed     uint64
	Jobs     int
}

// Visible is the model of a vote by a rater of reliability 1, with the covariates of its places
// and of itself 0. Hidden units, weights of tier sizes and choices have no place in it.
func (f *Fit) Visible() (*osm.Visible, error) {
	if f.Sizes > 0 {
		return nil, fmt.Errorf("fit: a board has no weights of tier sizes; fit without them to keep it")
	}
	if f.Units > 0 || f.Choices {
		return nil, fmt.Errorf("fit: a board has worths and weights of pairs; hidden units and sequences of choices are not part of one")
	}
	v := &osm.Visible{Worths: f.Worths(), Space: f.Space}
	v.PairOrders = f.ofPairs(f.Pairs.Orders, f.G, func(i, j int) (int, int) { return i, j })
	if f.Space == ballot.WithoutTies {
		return v, nil
	}
	v.PairTies = f.ofPairs(f.Pairs.Ties, f.F, func(i, j int) (int, int) { return min(i, j), max(i, j) })
	v.Nu = f.Theta[f.Layout.Nu]
	if f.Ties == ballot.ItemTies {
		v.Deviations = slices.Clone(f.TieDeviations())
	}
	if f.Ties == ballot.DistanceTies {
		v.Distance = f.Theta[f.Distance]
	}
	return v, nil
}

// ofPairs is the sum of features of pairs by their coefficients, from index first of theta on, row by row; nil for none. Each is
// evaluated at the items that at makes of a row and a column.
func (f *Fit) ofPairs(features []osm.Feature, first int, at func(i, j int) (int, int)) []float64 {
	if len(features) == 0 {
		return nil
	}
	n := f.Items
	sums := make([]float64, n*n)
	for i := range n {
		for j := range n {
			if i == j {
				continue
			}
			a, b := at(i, j)
			for k, feature := range features {
				sums[i*n+j] += f.Theta[first+k] * feature.Value(a, b)
			}
		}
	}
	return sums
}

// Board is the fit as a board, where c is the covariance of the parameters. It has no Model where [Fit.Visible] has none.
func (f *Fit) Board(c Covariance, g *Goodness, about Reported) (*board.Fitted, error) {
	set := about.Votes
	b := &board.Fitted{Covariance: f.OfWorths(c), Items: set.Items, Seed: about.Seed, Jobs: about.Jobs, Report: board.Report{
		Source: about.Source,
		Lists:  set.Len(), Weight: f.Weight, Tied: set.Counts.Ties, Ties: TieNames[f.Ties], Space: f.Space.String(), Parameters: f.Free(),
		TiesSeen: g.Observed, TiesFitted: g.Expected,
		Errors: about.Errors, Redrawn: about.Redrawn, Level: about.Level, Coefficients: []board.Coefficient{},
	}}
	if f.Prior != (ballot.Precision{}) && !f.Slots {
		b.Report.Effective = &g.Effective
	}
	f.fitted(&b.Report, g, about.Annealed)
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
	if visible, err := f.Visible(); err == nil {
		b.Model = visible // Prepare takes worths and chances from it
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
	f.addRaters(&b.Report, c, set.Raters)
	b.TieErrors = f.TieErrors(c)
	b.Report.Open = f.open(set.Items)
	for k := range g.Pairs {
		p := &g.Pairs[k]
		b.Counted = append(b.Counted, board.Counted{I: p.I, J: p.J, Votes: p.Observed, Expected: p.Expected, P: p.P(f.Space)})
	}
	return b, b.Prepare()
}

// fitted fills in how well the model fits. Where lists are long the composite likelihood of their slots is exact, and the
// likelihood an estimate.
func (f *Fit) fitted(r *board.Report, g *Goodness, annealed *Annealed) {
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
