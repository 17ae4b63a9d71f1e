package personal

import (
	"bytes"
	"cmp"
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
	at    map[string]int // columns by their names in lower case
	width int
	dates text.Slashes // of all rows
	x     *Export
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

// open reads the header of a table.
func (x *Export) open(lines *text.Lines) (*table, error) {
	t := &table{Fields: &text.Fields{Lines: lines, Quotes: true, Separator: '\n'}, x: x, at: map[string]int{}}
	first, err := t.Lines.NextFilled()
	if err != nil {
		return nil, err
	}
	return t, t.head(bytes.Clone(first))
}

// head takes a line as the header.
func (t *table) head(first []byte) error {
	t.Separator = separatorOf(first)
	if err := t.Cut(first); err != nil {
		return err
	}
	t.width = len(t.Values)
	for k, name := range t.Values {
		name := strings.ToLower(strings.TrimSpace(string(name)))
		if _, there := t.at[name]; !there {
			t.at[name] = k
		}
	}
	return nil
}

// rows calls each for the rows of a table. Rows that cannot be read are skipped. The file is read twice, the first time for its dates.
func (x *Export) rows(in *codec.Input, each func(t *table)) error {
	content, err := io.ReadAll(in.R)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	in.R = bytes.NewReader(content)
	t, err := x.open(in.Lines())
	if err != nil {
		return err
	}
	t.dates = datesOf(content, sorted(t.at))
	x.Dates = cmp.Or(x.Dates, t.dates.Note())
	return x.eachRow(in.Name, t, each)
}

// eachRow calls each for the rows below a header.
func (x *Export) eachRow(name string, t *table, each func(t *table)) error {
	for {
		err := t.Next()
		bad := (*text.BadLine)(nil)
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &bad):
			if err := x.count(name); err != nil {
				return err
			}
			x.skip(bad.Line, "", strings.TrimPrefix(bad.Error(), fmt.Sprintf("%s:%d: ", bad.Name, bad.Line)))
			continue
		case err != nil:
			return err
		}
		if err := x.count(name); err != nil {
			return err
		}
		if len(t.Values) != t.width {
			x.skip(t.Started, string(t.Values[0]), fmt.Sprintf("%s where the header has %d", text.Count(len(t.Values), "column", "columns"), t.width))
			continue
		}
		each(t)
	}
}

// dateColumns are the columns of all forms whose dates are read.
var dateColumns = []string{"date", "watched date", "date rated", "date read", "date added", "last date read", "lastmodified", "timestamp"}

// datesOf reads the dates of a table, to find out whether those with slashes have the day first.
func datesOf(content []byte, columns []string) (dates text.Slashes) {
	columns = slices.DeleteFunc(columns, func(name string) bool { return !slices.Contains(dateColumns, name) })
	if len(columns) == 0 || bytes.IndexByte(content, '/') < 0 {
		return dates
	}
	t, err := (&Export{}).open(text.NewLines("", bytes.NewReader(content)))
	if err != nil {
		return dates
	}
	for range mostRecords {
		bad := (*text.BadLine)(nil)
		if err = t.Next(); err != nil && !errors.As(err, &bad) {
			break // the end
		}
		for _, name := range columns {
			if k := t.at[name]; err == nil && k < len(t.Values) {
				dates.Parse(bytes.TrimSpace(t.Values[k]), t.Started)
			}
		}
	}
	return dates
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

// addOther adds another title, unless it is the first.
func (i *Item) addOther(title string) {
	if title != "" && title != i.Title {
		i.Others = append(i.Others, title)
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

// when is the time of a cell, by the order of day and month that the whole table has. One that cannot be read costs only itself.
func (t *table) when(cell string) int64 {
	var alone text.Slashes
	seconds, open, ok := alone.Parse([]byte(cell), t.Started)
	switch {
	case !ok:
		return ratings.NoTime
	case open && t.dates.DayFirst():
		return text.Swapped(seconds)
	}
	return seconds
}

// when is the time of a text; none where it cannot be read.
func when(date string) int64 {
	if seconds, ok := text.ParseTime([]byte(date)); ok {
		return seconds
	}
	return ratings.NoTime
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
