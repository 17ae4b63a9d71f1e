package ranking

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/data/votes"
	"fubini/learn/ballot"
	"fubini/learn/leaderboard"
	"fubini/learn/likelihood"
	"fubini/model/osm"
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
	fit                 leaderboard.Request // what they ask for
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

// remedy adds the flag that helps to an error of a fit.
func (f *flags) remedy(err error) error {
	switch {
	case errors.Is(err, osm.ErrNoMaximum) && f.prior.precision == 0:
		return fmt.Errorf("%w: --prior learn", err)
	case errors.Is(err, likelihood.ErrNoTies):
		return fmt.Errorf("%w: --space orders", err)
	case errors.Is(err, leaderboard.ErrFewRaters):
		return fmt.Errorf("%w; leave out --raters, or use --errors information", err)
	case errors.Is(err, leaderboard.ErrInformation):
		return exit.Usagef("%w: use --errors sandwich or bootstrap", err)
	}
	return err
}

// The names of the forms, in the order of package likelihood.
var (
	tieNames   = ballot.TieNames
	spaceNames = osm.SpaceNames
	errorNames = leaderboard.ErrorNames
	modelNames = []string{"osm", "plackett-luce"}
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
