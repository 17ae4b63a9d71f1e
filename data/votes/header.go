package votes

import (
	"cmp"
	"slices"
	"strings"

	"fubini/data/codec"
)

// Names of columns, folded, the best first.
var (
	weightNames = []string{"weight", "weights", "votes", "count", "counts"}
	raterNames  = append([]string{"rater", "raterid", "judge", "judgeid", "annotator", "annotatorid", "worker", "workerid", "voterid"}, codec.UserNames()...)
	drawNames   = []string{"draw", "tie", "tied", "isdraw", "istie"}
)

// header has the names of columns, and their numbers by name: as it is written, or else folded.
type header struct {
	names []string
	at    map[string]int
	role  map[string]int // columns given by their roles, by the first name that a role goes by
	taken []bool         // columns given by their roles, which have no other
}

func newHeader(names []string) header {
	h := header{names: names, at: make(map[string]int, 2*len(names))}
	for _, fold := range []func(string) string{strings.Clone, codec.Folded} {
		for k, name := range names {
			if _, known := h.at[fold(name)]; !known && name != "" {
				h.at[fold(name)] = k
			}
		}
	}
	return h
}

// index is the column of the first of the names that is there; -1 for none.
func (h header) index(names ...string) int {
	for _, name := range names {
		if k, given := h.role[name]; given {
			return k
		}
		for _, name := range [2]string{name, codec.Folded(name)} {
			if k, known := h.at[name]; known && (h.taken == nil || !h.taken[k]) {
				return k
			}
		}
	}
	return -1
}

func headerOf(cells [][]byte) header {
	names := make([]string, len(cells))
	for k, cell := range cells {
		names[k] = string(cell)
	}
	return newHeader(names)
}

func (b *builder) noColumn(h header, wanted ...string) error {
	return b.errorf("there is no column %s; the columns are %s", strings.Join(wanted, " or "), h.list())
}

// list is the names, for errors.
func (h header) list() string {
	return cmp.Or(strings.Join(h.names[:min(len(h.names), 50)], ", "), "none")
}

// weightAndRater finds the columns or keys of weights and raters; -1 for none.
func (b *builder) weightAndRater(h header) (weight, rater int, err error) {
	find := func(column *string, names []string, must bool) (int, error) {
		k := h.index(names...)
		if k >= 0 {
			*column = h.names[k]
		} else if must {
			return -1, b.noColumn(h, names[:min(len(names), 5)]...)
		}
		return k, nil
	}
	weights, raters := []string{b.o.Weight}, []string{b.o.Rater}
	if b.o.Columns["weight"] != "" {
		weights = weightNames[:1]
	} else if b.o.Weight == "" {
		weights = slices.DeleteFunc(slices.Clone(weightNames), func(name string) bool { return slices.Contains(b.o.Votes, name) })
	}
	if b.o.Rater != "" && b.o.Columns["rater"] != "" {
		raters = raterNames[:1]
	} else if b.o.Rater == "auto" || b.o.Rater == "any" {
		raters = raterNames
	}
	if weight, err = find(&b.Counts.WeightColumn, weights, b.o.Weight != ""); err != nil || b.o.Rater == "" {
		return weight, -1, err
	}
	rater, err = find(&b.Counts.RaterColumn, raters, b.o.Rater != "any")
	return weight, rater, err
}

// sideNames are columns of pairs, folded, and the words by which a winner may be called beside its name.
type sideNames struct {
	columns [2]string
	words   [4][]string // by side
}

var (
	ties       = []string{"tie", "tied", "draw", "drawn", "both", "equal", "same", "nodifference", "nopreference", "equallygood"}
	bad        = []string{"bothbad", "tiebothbad"}
	plainWords = [4][]string{{"modela", "a", "left", "1"}, {"modelb", "b", "right", "2"}, ties, bad}
	homeWords  = [4][]string{{"home", "h", "1"}, {"away", "a", "2"}, append([]string{"d", "x"}, ties...), bad}
	pairNames  = []sideNames{
		{[2]string{"modela", "modelb"}, plainWords}, {[2]string{"a", "b"}, plainWords}, {[2]string{"left", "right"}, plainWords},
		{[2]string{"itema", "itemb"}, plainWords}, {[2]string{"item1", "item2"}, plainWords}, {[2]string{"model1", "model2"}, plainWords},
		{[2]string{"playera", "playerb"}, plainWords}, {[2]string{"player1", "player2"}, plainWords}, {[2]string{"teama", "teamb"}, plainWords},
		{[2]string{"team1", "team2"}, plainWords}, {[2]string{"optiona", "optionb"}, plainWords}, {[2]string{"option1", "option2"}, plainWords},
		{[2]string{"home", "away"}, homeWords}, {[2]string{"hometeam", "awayteam"}, homeWords},
	}
	winnerNames = []string{"winner", "result", "outcome", "choice", "preferred", "preference", "ftr"}
	loserNames  = []string{"loser", "lost"}

	scoreNames = [2][]string{
		{"homescore", "scorehome", "homegoals", "goalshome", "homepoints", "pointshome", "homepts", "fthg", "hg"},
		{"awayscore", "scoreaway", "awaygoals", "goalsaway", "awaypoints", "pointsaway", "awaypts", "ftag", "ag"},
	}
	homeNames = [2][]string{{"home", "hometeam"}, {"away", "awayteam", "visitor", "visitors", "visitingteam"}}

	// covariateSides are what the columns of a place covariate have beside its name.
	covariateSides = [][2]string{{"a", "b"}, {"1", "2"}, {"left", "right"}, {"home", "away"}, {"winner", "loser"}}
)
