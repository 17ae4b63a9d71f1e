package leaderboard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"fubini/data/votes"
	"fubini/learn/ballot"
	"fubini/learn/likelihood"
	"fubini/use/board"
)

// tastes fits raters that differ, or where they are not named votes. Worths are in the order of the rows of the board, which is that of
// one visible model; prior is the precision of its worths. The board gets the units, to be kept.
func (r *Request) tastes(ctx context.Context, set *votes.Set, design ballot.Design, b *board.Fitted, prior float64) (*board.Tastes, error) {
	design.Raters, design.Cluster, design.Units = 0, set.Rater != nil, r.Hidden
	design.General = len(design.Item.Names)+len(design.Places)+len(design.Votes)+design.Pairs.Dim() > 0
	data, err := r.Group(set, design)
	if err != nil {
		return nil, err
	}
	people, of := data.Weight, "votes"
	if set.Rater != nil {
		people, of = float64(len(set.Raters)), "raters"
	}
	if least := 2 << r.Hidden; people < float64(least) {
		return nil, fmt.Errorf("%d hidden units: %g %s cannot tell %d tastes apart; there should be %d or more", r.Hidden, people, of, 1<<r.Hidden, least)
	}
	o := r.Options(&data.Design)
	o.Prior.Worth, o.Prior.Unit = prior, 1
	fit, err := data.Tastes(ctx, o)
	if err != nil {
		return nil, err
	}
	if design.Sizes == 0 && !design.Choices { // these are not kept beside units
		if b.Mixture, err = mixture(fit); err != nil {
			return nil, err
		}
	}
	covariance, err := fit.Covariance()
	if err != nil {
		return nil, err
	}
	if data.Slots {
		if free := fit.Free(); people <= float64(free) {
			return nil, fmt.Errorf("%d hidden units: votes of more than %d items have sandwich errors, for which %g %s are too few: there must be more than the %d parameters; use fewer units", r.Hidden, ballot.MaxItems, people, of, free)
		}
		r.Tell("hidden units are found by the slot likelihood, to the power of %.2f, with sandwich errors", fit.Power)
	}
	gain, err := data.OneBoard(ctx, o, r.Seed)
	for try := uint64(1); errors.Is(err, likelihood.ErrNotConverged) && try < divisions; try++ { // a half without what is rare in the votes
		gain, err = data.OneBoard(ctx, o, r.Seed+try)
	}
	if err != nil {
		return nil, err
	}
	t := &board.Tastes{Of: of, Gain: gain.Nats, StdError: gain.StdError, Enough: gain.OneIsEnough()}
	if data.Slots {
		t.SlotPower = fit.Power
	} else {
		t.LogLikelihood = fit.LogLikelihood
	}
	for _, w := range fit.UnitWeights(covariance) {
		t.Units = append(t.Units, board.Coefficient(w))
	}
	held := slices.Clone(fit.Held)
	var sets []int
	for units, raters := range held {
		if raters >= 0.5 || raters == slices.Max(held) {
			sets = append(sets, units)
		}
	}
	slices.SortStableFunc(sets, func(a, b int) int { return cmp.Compare(held[b], held[a]) })
	sets = distinct(fit, covariance, sets, held)
	level := distuv.UnitNormal.Quantile((1 + r.Level) / 2)
	first := fit.Board(sets[0])
	for _, units := range sets {
		worths, variances := fit.Board(units), fit.Variances(covariance, units, 0, 0)
		apart := fit.Variances(covariance, units, sets[0], 1)
		taste := board.Taste{Share: held[units] / people, Raters: held[units]}
		for _, row := range b.Rows {
			i := row.Item
			taste.Worths = append(taste.Worths, board.Worth{Worth: worths[i], StdError: math.Sqrt(variances[i]),
				Apart: units != sets[0] && math.Abs(worths[i]-first[i]) > level*math.Sqrt(apart[i])})
		}
		t.Groups = append(t.Groups, taste)
	}
	return t, nil
}

// divisions is how many divisions of the votes into halves are tried: where two votes of all have a tie, one in two leaves none to a half.
const divisions = 5

// distinct are the sets of units whose boards differ: by more than a thousandth of a standard error on any item. Raters of a set that
// is left out are counted with the first that has the same board.
func distinct(fit *likelihood.Tastes, covariance likelihood.Covariance, sets []int, held []float64) (kept []int) {
	for _, units := range sets {
		worths, variances := fit.Board(units), fit.Variances(covariance, units, 0, 0)
		same := slices.IndexFunc(kept, func(other int) bool {
			for i, w := range fit.Board(other) {
				if !(math.Abs(w-worths[i]) <= 1e-3*math.Sqrt(variances[i])) {
					return false
				}
			}
			return true
		})
		if same < 0 {
			kept = append(kept, units)
			continue
		}
		held[kept[same]] += held[units]
		held[units] = 0
	}
	return kept
}
