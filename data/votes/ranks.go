package votes

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"fubini/data/codec"
	"fubini/data/text"
)

// ballotNames are columns, folded, that number ballots and are no items, as those of raters are.
var ballotNames = append([]string{"id", "ballot", "ballotid", "respondent", "respondentid", "timestamp", "date"}, raterNames...)

// ErrZeroRank is the error of a rank of 0 where [Options] does not say what that is.
var ErrZeroRank = errors.New("rank 0")

// readRanks reads a table with a column for each item and a ballot in each row.
func (b *builder) readRanks(r *rows) error {
	b.Counts.Form = "ranks"
	columns, err := b.itemColumns(r)
	if err != nil {
		return err
	}
	values := make([]float64, 0, len(columns))
	places := make([]int, 0, len(columns))
	return r.each(b, func() error {
		values, places = values[:0], places[:0]
		for k, column := range columns {
			cell := r.cells[column]
			if missing(cell) {
				continue
			}
			rank, ok := parseNumber(cell, r.comma)
			if ok && rank == 0 {
				switch b.o.Zeros {
				case "":
					return b.errorf("%w, in column %s; ranks count from 1, and it may mean that an item is not ranked, or that it is the best and ranks count from 0; say which", ErrZeroRank, text.Quote(r.header.names[column]))
				case "unranked":
					b.Counts.Zeros++
					continue
				}
			}
			if ok && b.o.Zeros == "best" {
				rank++
			}
			if !ok || rank < 1 || rank != math.Trunc(rank) {
				err := b.errorf("rank %s in column %s is not a whole number from 1; items that tie have the same rank, and an item that is not ranked has an empty cell", text.Quote(cell), text.Quote(r.header.names[column]))
				if b.Counts.Records == 1 {
					err = b.errorf("%w: the header is that of no table of pairs, and %s in column %s is not a rank, a whole number from 1; name the columns of pairs model_a, model_b and winner, or say which they are, as in item_a=Left,item_b=Right,winner=Who", codec.ErrColumns, text.Quote(cell), text.Quote(r.header.names[column]))
				}
				return err
			}
			values, places = append(values, rank), append(places, k)
			if err := b.placeNumber(int32(k), 0); err != nil {
				return err
			}
		}
		weight, err := r.weigh(b)
		if err != nil {
			return err
		}
		b.rank(values)
		kept := b.Counts.Kept
		if err := r.keep(b, weight, places); err != nil || b.Counts.Kept == kept {
			return err
		}
		b.countGaps(b.sorted)
		return nil
	})
}

// itemColumns are the columns of the items, which become the catalogue.
func (b *builder) itemColumns(r *rows) (columns []int, err error) {
	for k, name := range r.header.names {
		covariate := slices.ContainsFunc(b.o.Place, func(c string) bool { return strings.HasPrefix(name, c+"_") })
		switch {
		case name == "":
			return nil, b.errorf("column %d has no name; name the item, or take the column out", k+1)
		case r.used[k] || r.header.taken != nil && r.header.taken[k] || covariate || slices.Contains(ballotNames, codec.Folded(name)):
		default:
			columns = append(columns, k)
			b.Items = append(b.Items, name)
		}
	}
	b.Items = itemsOf(b.Items)
	if len(columns) < 2 {
		return nil, b.errorf("%d columns of items; ranks need at least two; %s", len(columns), expected)
	}
	for k, column := range columns {
		r.used[column] = true
		var covariates []int
		for _, name := range b.o.Place {
			wanted := []string{name + "_" + r.header.names[column], name + "_" + strconv.Itoa(k+1)}
			found := r.find(wanted...)
			if found < 0 {
				return nil, b.noColumn(r.header, wanted...)
			}
			covariates = append(covariates, found)
		}
		r.place = append(r.place, covariates)
	}
	return columns, nil
}

// itemsOf are the items by the names of their columns: without the question that forms write before each, as in "Rank these [tea]".
func itemsOf(names []string) []string {
	items := slices.Clone(names)
	for k, name := range names {
		question, _, _ := strings.Cut(names[0], " [")
		item, after := strings.CutPrefix(name, question+" [")
		if items[k] = strings.TrimSuffix(item, "]"); !after || items[k] == item || items[k] == "" {
			return names
		}
	}
	return items
}

// countGaps counts a ballot whose sorted ranks skip a number.
func (b *builder) countGaps(ranks []float64) {
	dense, competition := true, true
	tiers := 0.
	for k, rank := range ranks {
		if k > 0 && rank == ranks[k-1] {
			continue
		}
		tiers++
		dense = dense && rank == tiers
		competition = competition && rank == float64(k+1)
	}
	if !dense {
		b.Counts.Gaps++
		if competition {
			b.Counts.Competition++
		}
	}
}
