package personal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	elsewhere "fubini/data/catalogue"
	"fubini/data/codec"
	"fubini/data/ratings"
	"fubini/data/text"
)

// table is a table with a header, read row by row.
type table struct {
	*text.Fields
	at map[string]int // columns by their names in lower case
	x  *Export
}

// headerOf returns the columns of a first line that looks like a header; nil for another line.
func headerOf(first []byte) []string {
	t := &text.Fields{Lines: text.NewLines("", bytes.NewReader(nil)), Quotes: true, Separator: separatorOf(first)}
	if t.Separator == 0 || t.Cut(first) != nil || len(t.Values) < 2 {
		return nil
	}
	var columns []string
	for _, v := range t.Values {
		name := strings.TrimSpace(string(v))
		if _, number := text.ParseRating([]byte(name)); number && name != "" {
			return nil // a row
		}
		columns = append(columns, name)
	}
	return columns
}

// separatorOf is the separator that a line has most of; 0 for none.
func separatorOf(line []byte) byte {
	best, most := byte(0), 0
	for _, s := range []byte(",;\t") {
		if n := bytes.Count(line, []byte{s}); n > most {
			best, most = s, n
		}
	}
	return best
}

// has reports whether a header has all of some columns.
func has(columns []string, names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return !slices.ContainsFunc(columns, func(c string) bool { return strings.EqualFold(c, name) })
	})
}

// rows calls each for the rows of a table. Rows that cannot be read are skipped.
func (x *Export) rows(in *codec.Input, each func(t *table)) error {
	t := &table{Fields: &text.Fields{Lines: in.Lines(), Quotes: true, Separator: '\n'}, x: x}
	first, err := t.Lines.NextFilled()
	if err != nil {
		return err
	}
	first = bytes.Clone(first)
	t.Separator = separatorOf(first)
	if err := t.Cut(first); err != nil {
		return err
	}
	width := len(t.Values)
	t.at = map[string]int{}
	for k, name := range t.Values {
		name := strings.ToLower(strings.TrimSpace(string(name)))
		if _, there := t.at[name]; !there {
			t.at[name] = k
		}
	}
	for {
		err := t.Next()
		bad := (*text.BadLine)(nil)
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &bad):
			if err := x.count(in.Name); err != nil {
				return err
			}
			x.skip(bad.Line, "", strings.TrimPrefix(bad.Error(), fmt.Sprintf("%s:%d: ", bad.Name, bad.Line)))
			continue
		case err != nil:
			return err
		}
		if err := x.count(in.Name); err != nil {
			return err
		}
		if len(t.Values) != width {
			x.skip(t.Started, string(t.Values[0]), fmt.Sprintf("%d columns where the header has %d", len(t.Values), width))
			continue
		}
		each(t)
	}
}

// has reports whether there is a column.
func (t *table) has(name string) bool {
	_, there := t.at[name]
	return there
}

// get returns the cell of the first of some columns that is there; empty where none is. A cell that a spreadsheet
// would calculate is a text like any other: a quote before it, and ="…" around it, are taken off.
func (t *table) get(names ...string) string {
	for _, name := range names {
		if k, there := t.at[name]; there {
			return Uncalm(strings.TrimSpace(string(t.Values[k])))
		}
	}
	return ""
}

// Calm puts a quote before a cell that a spreadsheet would calculate.
func Calm(cell string) string {
	if cell != "" && strings.IndexByte("=+-@\t\r", cell[0]) >= 0 {
		return "'" + cell
	}
	return cell
}

// Uncalm takes the quote off, and the ="…" of numbers whose zeros a spreadsheet would drop.
func Uncalm(cell string) string {
	if len(cell) > 1 && cell[0] == '\'' && strings.IndexByte("=+-@\t\r", cell[1]) >= 0 {
		return cell[1:]
	}
	if inner, is := strings.CutPrefix(cell, `="`); is {
		if inner, is := strings.CutSuffix(inner, `"`); is {
			return inner
		}
	}
	return cell
}

// item is the item of a row, with a year and ids as catalogue, id, catalogue, id.
func (t *table) item(title, year string, ids ...string) Item {
	item := Item{Title: title, Year: asYear(year), Line: t.Started}
	for k := 0; k+1 < len(ids); k += 2 {
		item.addID(ids[k], ids[k+1])
	}
	return item
}

// addID adds an id in another catalogue.
func (i *Item) addID(catalogue, id string) {
	if id := elsewhere.ElsewhereID(catalogue, id); id != "" && !slices.Contains(i.IDs, id) {
		i.IDs = append(i.IDs, id)
	}
}

// asYear is a year, 0 for a text that is none.
func asYear(cell string) int {
	cell, _, _ = strings.Cut(cell, ".") // 2001.0
	year, err := strconv.Atoi(cell)
	if err != nil || year < -5000 || year > 3000 {
		return 0
	}
	return year
}

// rating is the number of a cell, with a point or a comma; ok is false for an empty cell and N/A. Another text is
// skipped.
func (t *table) rating(item Item, cell string) (value float32, ok bool) {
	if cell == "" || strings.EqualFold(cell, "n/a") {
		return 0, false
	}
	value, ok = text.ParseRating([]byte(strings.Replace(cell, ",", ".", 1)))
	if !ok {
		t.x.skip(item.Line, item.Text(), fmt.Sprintf("the rating %s is no number", text.Quote(shortened(cell))))
		return -1, false
	}
	return value, true
}

// when is the time of a cell. One that cannot be read costs only itself.
func when(cell string) int64 {
	if seconds, ok := text.ParseTime([]byte(strings.ReplaceAll(cell, "/", "-"))); ok && cell != "" {
		return seconds
	}
	return ratings.NoTime
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
