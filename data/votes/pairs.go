package votes

import (
	"bytes"
	"slices"
	"strings"

	"fubini/data/codec"
	"fubini/data/text"
)

// side is the outcome of a pair.
type side int8

const (
	unknown side = iota - 1
	first
	second
	tie
	bothBad
)

// formOf is the reader of a table with these columns: of results or pairs, or nil.
func (b *builder) formOf(h header) func(b *builder, r *rows) error {
	has := func(names []string) bool { return h.index(names...) >= 0 }
	switch {
	case b.o.Columns["item_a"] == "" && b.o.Columns["winner"] == "" && has(homeNames[0]) && has(homeNames[1]) && has(scoreNames[0]) && has(scoreNames[1]):
		return (*builder).readResults
	case has(winnerNames) && slices.ContainsFunc(pairNames, h.hasBoth):
		return (*builder).readPairs
	case has(winnerNames[:1]) && has(loserNames):
		return (*builder).readWinners
	}
	return nil
}

func (h header) hasBoth(p sideNames) bool {
	return h.index(p.columns[0]) >= 0 && h.index(p.columns[1]) >= 0
}

// readPairs reads two items and a winner.
func (b *builder) readPairs(r *rows) error {
	b.Counts.Form = "pairs"
	names := pairNames[slices.IndexFunc(pairNames, r.header.hasBoth)]
	columns := [2]int{r.find(names.columns[0]), r.find(names.columns[1])}
	for k, column := range columns { // a column's own name is a word for its side, also where the column was given
		names.columns[k] = codec.Folded(r.header.names[column])
	}
	winner := r.find(winnerNames...)
	if err := r.findPlaces(b, slices.Concat(covariateSides, [][2]string{names.columns})...); err != nil {
		return err
	}
	judged := winners{sideNames: names, known: map[string]side{}}
	err := r.each(b, func() error {
		pair := [2][]byte{r.cells[columns[0]], r.cells[columns[1]]}
		if err := b.placePair(pair); err != nil {
			return err
		}
		outcome, unsure, err := judged.of(b, pair, r.cells[winner])
		if err != nil {
			return err
		}
		weight, err := r.weigh(b)
		if err != nil {
			return err
		}
		votes := b.Len()
		if err := b.finishPair(r, outcome, weight); err != nil {
			return err
		}
		if unsure && b.Len() > votes {
			judged.unsure = append(judged.unsure, votes)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return judged.decide(b, r.header.names[winner])
}

func (b *builder) placePair(pair [2][]byte) error {
	if err := b.place(pair[0], 0); err != nil {
		return err
	}
	return b.place(pair[1], 0)
}

// finishPair sets the tiers of two items and keeps the vote, or drops it.
func (b *builder) finishPair(r *rows, outcome side, weight float64) error {
	if outcome == bothBad && b.o.DropBothBad {
		b.drop(BothBad, weight)
		return nil
	}
	if outcome == first || outcome == second {
		b.Tier[b.from()+int(1-outcome)] = 1
	}
	return r.keep(b, weight, nil)
}

// winners makes out who won. A winner is written as a name or as a word for a side. Where items have such words for names
// ("1" and "2", say), the rows that leave no doubt decide for those that do.
type winners struct {
	sideNames
	known          map[string]side // by text, also for names that are no words
	byName, bySide bool            // rows without doubt were met
	unsure         []int           // votes read by name that are the other way round by side
}

func (w *winners) of(b *builder, pair [2][]byte, winner []byte) (outcome side, unsure bool, err error) {
	word, met := w.known[string(winner)]
	if !met {
		word = w.word(string(winner))
	}
	name := unknown
	if bytes.Equal(winner, pair[0]) {
		name = first
	} else if bytes.Equal(winner, pair[1]) {
		name = second
	}
	switch {
	case name == unknown && word == unknown:
		return 0, false, b.errorf("winner %s is neither %s nor %s, which were compared; write one of these names, model_a, model_b or tie", text.Quote(winner), text.Quote(pair[0]), text.Quote(pair[1]))
	case name != unknown && (word == tie || word == bothBad):
		return 0, false, b.errorf("winner %s is an item of this pair and the word for a tie; rename the item", text.Quote(winner))
	}
	if !met {
		w.known[string(winner)] = word
	}
	switch {
	case name == unknown:
		w.bySide = w.bySide || word == first || word == second
		return word, false, nil
	case word == unknown:
		w.byName = true
	}
	return name, word != unknown && word != name, nil
}

// word is the meaning of a text that is not a name.
func (w *winners) word(s string) side {
	s = strings.NewReplacer("(", "", ")", "").Replace(codec.Folded(s))
	for k, column := range w.columns { // before the words, which may be the name of the other column
		if s == column {
			return side(k)
		}
	}
	for k, words := range w.words {
		if slices.Contains(words, s) {
			return side(k)
		}
	}
	return unknown
}

// decide decides the votes in doubt.
func (w *winners) decide(b *builder, column string) error {
	if len(w.unsure) > 0 && w.byName == w.bySide {
		b.line = int(b.Line[w.unsure[0]])
		return b.errorf("column %s may hold the name of an item or a word for a side; write model_a, model_b or tie in all lines", text.Quote(column))
	}
	for _, v := range w.unsure {
		if _, tiers := b.At(v); w.bySide {
			tiers[0], tiers[1] = tiers[1], tiers[0]
		}
	}
	return nil
}

// readWinners reads a winner, a loser and perhaps whether it was a draw.
func (b *builder) readWinners(r *rows) error {
	b.Counts.Form = "pairs"
	columns, draw := [2]int{r.find(winnerNames[0]), r.find(loserNames...)}, r.find(drawNames...)
	if err := r.findPlaces(b, covariateSides...); err != nil {
		return err
	}
	return r.each(b, func() error {
		if err := b.placePair([2][]byte{r.cells[columns[0]], r.cells[columns[1]]}); err != nil {
			return err
		}
		outcome := first
		if draw >= 0 {
			switch strings.ToLower(string(r.cells[draw])) {
			case "true", "1", "yes", "y", "t", "draw", "tie":
				outcome = tie
			case "", "false", "0", "no", "n", "f":
			default:
				return b.errorf("draw %s is neither true nor false", text.Quote(r.cells[draw]))
			}
		}
		weight, err := r.weigh(b)
		if err != nil {
			return err
		}
		return b.finishPair(r, outcome, weight)
	})
}

// readResults reads two sides and their scores, of which the higher wins.
func (b *builder) readResults(r *rows) error {
	b.Counts.Form = "results"
	var columns, scores [2]int
	for k := range 2 {
		columns[k], scores[k] = r.find(homeNames[k]...), r.find(scoreNames[k]...)
	}
	if err := r.findPlaces(b, covariateSides...); err != nil {
		return err
	}
	return r.each(b, func() error {
		if err := b.placePair([2][]byte{r.cells[columns[0]], r.cells[columns[1]]}); err != nil {
			return err
		}
		weight, err := r.weigh(b)
		if err != nil {
			return err
		}
		home, away := r.cells[scores[0]], r.cells[scores[1]]
		if missing(home) && missing(away) {
			b.drop(NotPlayed, weight)
			return nil
		}
		var points [2]float64
		for k, cell := range [][]byte{home, away} {
			var ok bool
			if points[k], ok = parseNumber(cell, r.comma); !ok {
				return b.errorf("score %s is not a finite number; leave both scores empty if the match was not played", text.Quote(cell))
			}
		}
		outcome := tie
		if points[0] > points[1] {
			outcome = first
		} else if points[0] < points[1] {
			outcome = second
		}
		return b.finishPair(r, outcome, weight)
	})
}
