package ranking

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/data/votes"
	"fubini/learn/ballot"
	"fubini/learn/leaderboard"
	"fubini/learn/likelihood"
	"fubini/use/board"
)

// checkHidden refuses units that cannot be fitted or kept.
func (f *flags) checkHidden() error {
	if f.hidden == 0 {
		return nil
	}
	if f.hidden > likelihood.MaxUnits {
		return exit.Usagef("--hidden %d: at most %d units are fitted, all sets of which are listed", f.hidden, likelihood.MaxUnits)
	}
	if f.save != "" && f.sizes {
		return exit.Usagef("--save keeps no weights of tier sizes beside hidden units: leave out --sizes or --hidden")
	}
	return nil
}

// tastes fits raters that differ, or where they are not named votes. Worths are in the order of the rows of the board, which is that of
// one visible model; prior is the precision of its worths.
func (f *flags) tastes(ctx context.Context, p *cli.Program, set *votes.Set, design ballot.Design, b *board.Fitted, prior float64) (*board.Tastes, error) {
	design.Raters, design.Cluster, design.Units = 0, set.Rater != nil, f.hidden
	design.General = len(design.Item.Names)+len(design.Places)+len(design.Votes)+design.Pairs.Dim() > 0
	data, err := f.fit.Group(set, design)
	if err != nil {
		return nil, err
	}
	people, of := data.Weight, "votes"
	if set.Rater != nil {
		people, of = float64(len(set.Raters)), "raters"
	}
	if least := 2 << f.hidden; people < float64(least) {
		return nil, fmt.Errorf("--hidden %d: %g %s cannot tell %d tastes apart; there should be %d or more", f.hidden, people, of, 1<<f.hidden, least)
	}
	o := f.fit.Options(&data.Design)
	o.Prior.Worth, o.Prior.Unit = prior, 1
	fit, err := data.Tastes(ctx, o)
	if err != nil {
		return nil, err
	}
	if f.save != "" {
		if b.Mixture, err = leaderboard.Mixture(fit); err != nil {
			return nil, err
		}
	}
	covariance, err := fit.Covariance()
	if err != nil {
		return nil, err
	}
	gain, err := data.OneBoard(ctx, o, p.Seed)
	if err != nil {
		return nil, err
	}
	t := &board.Tastes{Of: of, Gain: gain.Nats, StdError: gain.StdError, Enough: gain.OneIsEnough(), LogLikelihood: fit.LogLikelihood}
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
	level := distuv.UnitNormal.Quantile((1 + f.level) / 2)
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

// writeTastes writes the boards of tastes side by side, a star where one differs from the first, and whether one is enough.
func writeTastes(p *cli.Program, w *bufio.Writer, t *board.Tastes, names []string, digits int) error {
	records := make([]cli.Record, len(names))
	for i, name := range names {
		records[i] = cli.Record{{"item", name}}
		for k, taste := range t.Groups {
			worth, star := taste.Worths[i], ""
			if worth.Apart {
				star = " *"
			}
			heading := fmt.Sprintf("taste_%d:_%.0f_%%,_%.0f_%s", k+1, 100*taste.Share, taste.Raters, t.Of)
			records[i] = append(records[i], cli.Field{heading, fmt.Sprintf("%s ± %s%s", fixed(worth.Worth, digits), fixed(worth.StdError, digits), star)})
		}
	}
	if err := p.WriteRecords(w, records); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n* differs from taste 1. %s\n\n", t.Words())
	if t.Units == nil {
		return nil
	}
	if err := p.WriteRecords(w, coefficients(t.Units)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nParameters of those with no hidden unit, and the weights of the units on them.\n\n")
	return err
}
