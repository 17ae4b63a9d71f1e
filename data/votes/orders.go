package votes

import (
	"fmt"
	"slices"
	"strconv"

	"fubini/data/codec"
	"fubini/data/codec/preflib"
	"fubini/data/ratings"
	"fubini/data/text"
)

// readPrefLib reads orders; the number of voters of each is its weight.
func (b *builder) readPrefLib(in *codec.Input) error {
	if err := b.only(in.Name, "preflib"); err != nil {
		return err
	}
	start := func(names []string) error {
		for k := range names {
			b.Items = append(b.Items, strconv.Itoa(k+1))
		}
		b.Names = names
		return nil
	}
	return preflib.EachOrder(in, codec.Options{}, start, func(order preflib.Order) error {
		b.begin(order.Line)
		at, tier := 0, int32(0)
		for _, end := range order.Ends {
			if end == at { // an empty category
				continue
			}
			for ; at < end; at++ {
				if err := b.placeNumber(int32(order.Alternatives[at]-1), tier); err != nil {
					return err
				}
			}
			tier++
		}
		if weight := float64(order.Count); b.keeps(weight) {
			b.end(weight)
		}
		return nil
	})
}

// addRatings makes the ratings of each user one vote.
func (b *builder) addRatings(name string, s *ratings.Set) error {
	rater := b.o.Rater
	if rater == "auto" || rater == "any" || slices.Contains(codec.UserNames(), codec.Folded(rater)) {
		b.o.Rater = ""
		b.Counts.RaterColumn = "user"
	}
	if err := b.only(name, "ratings"); err != nil {
		return err
	}
	b.Counts.Own = s.Own()
	for k := range s.Items().Len() {
		b.Items = append(b.Items, s.Items().ID(uint32(k)))
		if s.Items().Named() > 0 {
			b.Names = append(b.Names, s.Items().Name(uint32(k)))
		}
	}
	var values []float64
	for u := range s.Users().Len() {
		b.begin(0)
		row := s.Row(u)
		values = values[:0]
		for k, item := range row.Items {
			if err := b.placeNumber(int32(item), 0); err != nil {
				return err
			}
			values = append(values, -float64(row.Values[k])) // the highest is the best
		}
		b.rank(values)
		if !b.keeps(1) {
			continue
		}
		if b.Counts.RaterColumn != "" {
			b.Rater = append(b.Rater, int32(len(b.Raters)))
			b.Raters = append(b.Raters, s.Users().ID(uint32(u)))
		}
		b.end(1)
	}
	return nil
}

// only sets a form that has no columns, and refuses options that need some.
func (b *builder) only(name, form string) error {
	b.Counts.Form = form
	b.errorAt = func(line int, format string, args ...any) error {
		if line == 0 {
			return fmt.Errorf("%s: %w", name, fmt.Errorf(format, args...))
		}
		return fmt.Errorf("%s:%d: %w", name, line, fmt.Errorf(format, args...))
	}
	if b.o.Rater == "any" {
		b.o.Rater = ""
	}
	for _, wanted := range append([]string{b.o.Weight, b.o.Rater}, slices.Concat(b.o.Votes, b.o.Place)...) {
		if wanted != "" {
			return fmt.Errorf("%s: a file of the form %s has no column %s; read it without, or write the votes as a table", name, form, text.Quote(wanted))
		}
	}
	if form != "ratings" && len(b.o.Columns) > 0 {
		return fmt.Errorf("%s: %w: a file of the form %s has none that could be named; read it without their names", name, codec.ErrColumns, form)
	}
	return nil
}
