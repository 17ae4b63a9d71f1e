package paper

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/template"

	"fubini/paper/chart"
)

//go:embed report.md.tmpl
var reportText string

// page is what the template of the report sees.
type page struct {
	Command string
	Results map[string]*Result
	Claims  []Claim
}

// Report is the page about all targets, and the pictures it shows, which stand in a
// folder pictures beside it. The prose is in report.md.tmpl; every number comes
// from the results.
func Report(command string, results []*Result) (chart.File, []chart.File, error) {
	p := page{Command: command, Results: map[string]*Result{}}
	var pictures []chart.File
	for _, r := range results {
		p.Results[r.Target] = r
		for _, c := range r.Charts {
			pictures = append(pictures, c.Files()...)
		}
	}
	for _, name := range Targets() {
		if p.Results[name] == nil {
			return chart.File{}, nil, fmt.Errorf("paper: the report needs all targets; %s is missing", name)
		}
	}
	p.Claims = claims(p.Results)
	t, err := template.New("report").Funcs(template.FuncMap{
		"title":  func(target string) string { return p.Results[target].Title },
		"about":  p.about,
		"notes":  func(target string) string { return strings.Join(p.Results[target].Notes, "\n\n") },
		"tables": p.tables,
		"charts": p.charts,
		"value":  p.value,
		"best":   p.best,
		"place":  p.place,
	}).Parse(reportText)
	if err != nil {
		return chart.File{}, nil, err
	}
	var text bytes.Buffer
	if err := t.Execute(&text, p); err != nil {
		return chart.File{}, nil, err
	}
	write := func(w io.Writer) error {
		_, err := w.Write(text.Bytes())
		return err
	}
	return chart.File{Write: write}, pictures, nil
}

func (p page) about(target string) string {
	var b strings.Builder
	p.Results[target].writeAbout(&b)
	return strings.TrimSpace(b.String())
}

func (p page) tables(target string) (string, error) {
	var b strings.Builder
	for k, t := range p.Results[target].Tables {
		if k > 0 {
			b.WriteByte('\n')
		}
		if err := t.WriteMarkdown(&b); err != nil {
			return "", err
		}
	}
	return strings.TrimSpace(b.String()), nil
}

func (p page) charts(target string) string {
	var lines []string
	for _, c := range p.Results[target].Charts {
		lines = append(lines, c.Markdown("pictures/"))
	}
	return strings.Join(lines, "\n\n")
}

// value is one of our numbers, as its table shows it.
func (p page) value(target, table, row, column string) (string, error) {
	v, there := p.Results[target].find(table, row, column)
	if v.Unmade {
		return "not made", nil
	}
	if !there {
		return "", fmt.Errorf("paper: the report asks %s for %q, %q of table %q, which it does not have", target, row, column, table)
	}
	digits := 3
	for _, t := range p.Results[target].Tables {
		if t.Name == table {
			digits = t.Digits
		}
	}
	return strconv.FormatFloat(*v.Ours, 'f', digits, 64), nil
}

// best is the row with the highest value in a column, with that value.
func (p page) best(target, table, column string) string {
	label, most := "", 0.0
	for _, t := range p.Results[target].Tables {
		for _, line := range t.Rows {
			if v, there := p.Results[target].find(table, line.Label, column); there && t.Name == table && (label == "" || *v.Ours > most) {
				label, most = line.Label, *v.Ours
			}
		}
	}
	return fmt.Sprintf("%s (%.3f)", label, most)
}

// place is where a row stands in a column, as "3 of 10".
func (p page) place(target, table, row, column string) string {
	place, of := placeOf(p.Results[target], table, row, column)
	return fmt.Sprintf("%d of %d", place, of)
}

// placeOf counts rows with higher values in a column.
func placeOf(r *Result, table, row, column string) (place, of int) {
	own, there := r.find(table, row, column)
	if !there {
		return 0, 0
	}
	place = 1
	for _, t := range r.Tables {
		if t.Name != table {
			continue
		}
		for _, line := range t.Rows {
			v, there := r.find(table, line.Label, column)
			if !there {
				continue
			}
			of++
			if *v.Ours > *own.Ours {
				place++
			}
		}
	}
	return place, of
}
