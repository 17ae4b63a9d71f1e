// Package report writes the page about the paper's tables and figures, with a verdict on every claim. It makes no number of them, so
// that no change of its words or rules voids a result.
package report

import (
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"

	"fubini/app/fill"
	"fubini/paper"
	"fubini/paper/chart"
)

//go:embed report.md.tmpl
var reportText string

// page is what the report is made of.
type page struct {
	Command string
	Results map[string]*paper.Result
	Claims  []Claim
}

// Write returns the page about all tables and figures, and its pictures, which belong in a
// folder pictures beside it. The prose is in report.md.tmpl; numbers come
// from the results.
func Write(command string, results []*paper.Result) (chart.File, []chart.File, error) {
	p := page{Command: command, Results: map[string]*paper.Result{}}
	var pictures []chart.File
	for _, r := range results {
		p.Results[r.Target] = r
		for _, c := range r.Charts {
			pictures = append(pictures, c.SVG())
		}
	}
	for _, name := range paper.Targets() {
		if p.Results[name] == nil {
			return chart.File{}, nil, fmt.Errorf("report: the report needs all targets; %s is missing", name)
		}
	}
	p.Claims = dataClaims(p.Results)
	text, err := fill.In(reportText, p.functions())
	if err != nil {
		return chart.File{}, nil, err
	}
	write := func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
	return chart.File{Write: write}, pictures, nil
}

// functions put numbers and tables into the prose, by the names that it has for them.
func (p page) functions() fill.Functions {
	takes := func(n int, value func(a []string) (string, error)) func([]string) (string, error) {
		return func(a []string) (string, error) {
			if len(a) != n {
				return "", fmt.Errorf("report: %d arguments %q, want %d", len(a), a, n)
			}
			return value(a)
		}
	}
	return fill.Functions{
		"command":  fill.Text(p.Command),
		"sections": fill.Text(p.sections()),
		"claims":   fill.Text(p.claims()),
		"data":     takes(1, func(a []string) (string, error) { return p.data(a[0]) }),
		"value":    takes(4, func(a []string) (string, error) { return p.value(a[0], a[1], a[2], a[3]) }),
		"minus":    takes(5, func(a []string) (string, error) { return p.minus(a[0], a[1], a[2], a[3], a[4]) }),
		"best":     takes(3, func(a []string) (string, error) { return p.best(a[0], a[1], a[2]), nil }),
		"place":    takes(4, func(a []string) (string, error) { return p.place(a[0], a[1], a[2], a[3]), nil }),
	}
}

// claims are rows of the table of claims.
func (p page) claims() string {
	var rows strings.Builder
	for _, c := range p.Claims {
		fmt.Fprintf(&rows, "| %s | %s | %s | %s |\n", c.Text, c.Where, c.Verdict, c.Number)
	}
	return rows.String()
}

// data is the size of the first data of a result.
func (p page) data(target string) (string, error) {
	if len(p.Results[target].Data) == 0 {
		return "", fmt.Errorf("report: %s has no data", target)
	}
	d := p.Results[target].Data[0]
	return fmt.Sprintf("%s has %v ratings by %v users", d.Name, d.Ratings, d.Users), nil
}

// sections are the tables and figures, each under the name that its title begins with.
func (p page) sections() string {
	var parts []string
	for _, name := range paper.Targets() {
		r := p.Results[name]
		heading, _, _ := strings.Cut(r.Title, ":")
		parts = append(parts, fmt.Sprintf("## %s\n\n%s. %s", heading, r.Title, r.Body("pictures/")))
	}
	return strings.Join(parts, "\n\n")
}

// value is one of our numbers, as its table shows it.
func (p page) value(target, table, row, column string) (string, error) {
	v := p.Results[target].Find(table, row, column)
	for _, t := range p.Results[target].Tables {
		switch {
		case t.Name != table:
		case v.Unmade:
			return "not made", nil
		case v.Ours != nil:
			return strconv.FormatFloat(*v.Ours, 'f', t.Digits, 64), nil
		}
	}
	return "", fmt.Errorf("report: the report asks %s for %q, %q of table %q, which it does not have", target, row, column, table)
}

// minus is the difference of two rows in a column, with its interval.
func (p page) minus(target, table, row, other, column string) (string, error) {
	d, err := p.Results[target].Find(table, row, column).Minus(p.Results[target].Find(table, other, column))
	if err != nil {
		return "", fmt.Errorf("report: %s, %q against %q: %w", target, row, other, err)
	}
	return fmt.Sprintf("%+.3f (%+.3f to %+.3f)", d.Mean, d.Low, d.High), nil
}

// best is the row with the highest value in a column, with that value.
func (p page) best(target, table, column string) string {
	label, most := p.Results[target].Best(table, column, func(string) bool { return true })
	return fmt.Sprintf("%s (%.3f)", label, most.Number())
}

// place is where a row stands in a column, as "3 of 10".
func (p page) place(target, table, row, column string) string {
	place, of := p.Results[target].Place(table, row, column)
	return fmt.Sprintf("%d of %d", place, of)
}
