package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Table is one table of a league: models on the same data, for the same kind of users.
type Table struct {
	Data, Task string // as in "MovieLens 1M" and "N = 10"
	Rows       []Row  // as in the document
}

// Row is one model of a table.
type Row struct {
	Model string
	Value float64   // of the measure that the page shows
	Ahead *Estimate // our model minus this one; nil where it does not say
}

// Estimate is a difference with its 95 % interval.
type Estimate struct {
	Mean, Low, High float64
	Star            bool // marked as remaining after the correction for the number of models
}

// ours reports whether a row is of our family, which is not compared with itself.
func (r Row) ours() bool {
	name, _, _ := strings.Cut(r.Model, ",")
	return name == "osm" || strings.HasPrefix(name, "latent-osm")
}

// model returns our model's row.
func (t Table) model() (Row, bool) {
	at := slices.IndexFunc(t.Rows, func(r Row) bool { return r.Model == "latent-osm" || r.Model == "latent-osm, not tuned" })
	if at < 0 {
		return Row{}, false
	}
	return t.Rows[at], true
}

// best returns the best row that is not of our family.
func (t Table) best() (Row, bool) {
	var found Row
	for _, r := range t.Rows {
		if !r.ours() && r.Ahead != nil && (found.Model == "" || r.Value > found.Value) {
			found = r
		}
	}
	return found, found.Model != ""
}

// standing says how our model stands to the best of the others. Where a table corrects for the number of its models, only
// what remains after the correction counts as a difference.
func (t Table) standing() string {
	best, there := t.best()
	corrected := slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Ahead != nil && r.Ahead.Star })
	switch {
	case !there:
		return ""
	case best.Ahead.Low > 0 && (best.Ahead.Star || !corrected):
		return "ahead"
	case best.Ahead.High < 0 && (best.Ahead.Star || !corrected):
		return "behind"
	}
	return "not told apart"
}

var (
	number   = `([+-]?[0-9]*\.[0-9]+)`
	bounds   = regexp.MustCompile(`^` + number + ` \(` + number + ` to ` + number + `\)( \\\*)?$`)
	half     = regexp.MustCompile(`^` + number + ` ± ` + number + `( \\\*)?$`)
	headline = regexp.MustCompile(`^N = [0-9]+`)
)

// readEstimate reads "+0.01 (+0.00 to +0.02)" or "+0.01 ± 0.01", with "\*" behind it where it is marked.
func readEstimate(cell string) (*Estimate, error) {
	if cell == "" {
		return nil, nil
	}
	value := func(text string) float64 {
		v, _ := strconv.ParseFloat(text, 64) // the expression above let numbers alone through
		return v
	}
	if m := bounds.FindStringSubmatch(cell); m != nil {
		return &Estimate{value(m[1]), value(m[2]), value(m[3]), m[4] != ""}, nil
	}
	if m := half.FindStringSubmatch(cell); m != nil {
		mean, h := value(m[1]), value(m[2])
		return &Estimate{mean, mean - h, mean + h, m[3] != ""}, nil
	}
	return nil, fmt.Errorf("%q is no difference with an interval", cell)
}

// readTables returns the tables of a Markdown document that have a model, the measure, and how far ours is ahead in it.
// level is how many # the headings of data sets have. The task of a table is the heading below that, or its line "N = 10 (...)".
func readTables(text string, level int, measure, ahead string) ([]Table, error) {
	var tables []Table
	var data, task string
	var columns []string
	for n, line := range strings.Split(text, "\n") {
		title := strings.TrimLeft(line, "#")
		switch depth := len(line) - len(title); {
		case depth > 0:
			if depth <= level {
				data, task = "", ""
			}
			if depth == level {
				data = strings.TrimSpace(title)
			} else if depth > level {
				task = withoutCount(title)
			}
		case headline.MatchString(line):
			task = withoutCount(line)
		}
		if !strings.HasPrefix(line, "|") {
			columns = nil
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		if columns == nil {
			columns = cells
			if data != "" && task != "" && slices.Contains(columns, measure) && slices.Contains(columns, ahead) {
				tables = append(tables, Table{Data: data, Task: task})
			}
			continue
		}
		at, to := slices.Index(columns, measure), slices.Index(columns, ahead)
		if data == "" || task == "" || at < 0 || to < 0 || strings.HasPrefix(cells[0], "---") {
			continue
		}
		if len(cells) != len(columns) {
			return nil, fmt.Errorf("line %d: %d cells below %d columns", n+1, len(cells), len(columns))
		}
		value, err := strconv.ParseFloat(cells[at], 64)
		if err != nil {
			return nil, fmt.Errorf("line %d: %s: %w", n+1, measure, err)
		}
		difference, err := readEstimate(cells[to])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		table := &tables[len(tables)-1]
		table.Rows = append(table.Rows, Row{strings.ReplaceAll(cells[0], "*", ""), value, difference})
	}
	return tables, nil
}

// withoutCount is a title without the number of users behind it.
func withoutCount(title string) string {
	name, _, _ := strings.Cut(title, " (")
	return strings.TrimSpace(name)
}
