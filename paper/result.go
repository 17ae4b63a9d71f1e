package paper

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"fubini/paper/cells"
	"fubini/paper/chart"
)

// Result is a table or figure, ready to be written.
type Result struct {
	Target   string        `json:"target"`
	Title    string        `json:"title"`
	Program  string        `json:"program"`
	Data     []DataFacts   `json:"data"`
	Seeds    []uint64      `json:"seeds"`
	Settings Size          `json:"settings"`
	Notes    []string      `json:"notes,omitempty"`
	Tables   []Table       `json:"tables,omitempty"`
	Charts   []chart.Chart `json:"charts,omitempty"`
	Pictures []string      `json:"pictures,omitempty"` // files, two of each chart
	Cells    []cells.Made  `json:"cells"`
	WallTime float64       `json:"wall_s"` // of all cells, whenever they were run
}

// DataFacts describe the ratings that went in.
type DataFacts struct {
	Name        string `json:"name"`
	Fingerprint string `json:"fingerprint"`
	Users       int    `json:"users"`
	Items       int    `json:"items"`
	Ratings     int    `json:"ratings"`
}

// Table has a value at some of its rows and columns.
type Table struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Columns []string `json:"columns"`
	Rows    []Line   `json:"rows"`
	Digits  int      `json:"digits"`  // shown of ours
	Printed int      `json:"printed"` // of the paper's, as it prints them
}

// Line is a row of a table.
type Line struct {
	Label    string             `json:"label"`
	Model    string             `json:"model,omitempty"`
	Settings map[string]float64 `json:"settings,omitempty"` // those that differ from the model's own
	Values   []Value            `json:"values"`             // one for each column
	Note     string             `json:"note,omitempty"`     // why there are none of ours
}

// Value is one of ours, with the paper's own beside it where it has one.
type Value struct {
	Ours   *float64 `json:"ours,omitempty"`
	StdErr *float64 `json:"std_err,omitempty"` // over users
	Noise  *float64 `json:"noise,omitempty"`   // standard error of the estimate itself, of annealing
	Paper  *float64 `json:"paper,omitempty"`
	Unmade bool     `json:"unmade,omitempty"` // it could not be made; a note has the reason

	users []int     // of whom it is the mean, to compare it with another user by user
	each  []float64 // of each of them
}

// Difference is ours minus the paper's.
func (v Value) Difference() (float64, bool) {
	if v.Ours == nil || v.Paper == nil {
		return 0, false
	}
	return *v.Ours - *v.Paper, true
}

// number makes a value of ours; NaN is no value.
func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// find is the value of a row and column of a result; false where there is none.
func (r *Result) find(table, row, column string) (Value, bool) {
	for _, t := range r.Tables {
		if t.Name != table {
			continue
		}
		for _, line := range t.Rows {
			for k, name := range t.Columns {
				if line.Label == row && name == column && k < len(line.Values) {
					return line.Values[k], line.Values[k].Ours != nil
				}
			}
		}
	}
	return Value{}, false
}

func (v Value) text(digits, printed int) string {
	var parts []string
	if v.Ours != nil {
		text := strconv.FormatFloat(*v.Ours, 'f', digits, 64)
		if v.StdErr != nil {
			text += " ± " + strconv.FormatFloat(*v.StdErr, 'f', digits, 64)
		}
		if v.Noise != nil {
			text += " [" + strconv.FormatFloat(*v.Noise, 'f', digits, 64) + "]"
		}
		parts = append(parts, text)
	}
	if v.Unmade {
		parts = append(parts, "not made")
	}
	if v.Paper != nil {
		text := "paper " + strconv.FormatFloat(*v.Paper, 'f', printed, 64)
		if d, both := v.Difference(); both {
			text += fmt.Sprintf(", %+.*f", digits, d)
		}
		if len(parts) > 0 {
			text = "(" + text + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

// WriteMarkdown writes a table: ours, the paper's beside it, and the difference.
func (t Table) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	if t.Title != "" {
		fmt.Fprintf(&b, "%s\n\n", t.Title)
	}
	fmt.Fprintf(&b, "| | %s |\n|---|%s\n", strings.Join(t.Columns, " | "), strings.Repeat("---:|", len(t.Columns)))
	for _, line := range t.Rows {
		cells := make([]string, len(t.Columns))
		for k, v := range line.Values {
			cells[k] = v.text(t.Digits, t.Printed)
		}
		label := line.Label
		if line.Note != "" {
			label += " (" + line.Note + ")"
		}
		fmt.Fprintf(&b, "| %s | %s |\n", label, strings.Join(cells, " | "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteMarkdown writes what the tables hold, with all that is needed to make them
// again.
func (r *Result) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", r.Title)
	r.writeAbout(&b)
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "\n%s\n", note)
	}
	for _, chart := range r.Charts {
		fmt.Fprintf(&b, "\n%s\n", chart.Markdown(""))
	}
	for _, t := range r.Tables {
		b.WriteByte('\n')
		if err := t.WriteMarkdown(&b); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Result) writeAbout(b *strings.Builder) {
	for _, d := range r.Data {
		fmt.Fprintf(b, "Data %s, fingerprint %s: %d ratings of %d items by %d users. ", d.Name, d.Fingerprint, d.Ratings, d.Items, d.Users)
	}
	fmt.Fprintf(b, "Seeds %v; fubini %s.", r.Seeds, r.Program)
	r.writeMakers(b)
	if different := r.Settings.differences(r.Target); len(different) > 0 {
		size := "Size " + r.Settings.Name
		if r.Settings.Name == Full().Name {
			size = "Short of the paper's size"
		}
		fmt.Fprintf(b, " %s: %s.", size, strings.Join(different, "; "))
	}
	b.WriteByte('\n')
}

// writeMakers names the other programs that cells were made by.
func (r *Result) writeMakers(b *strings.Builder) {
	same, unknown := map[string]int{}, map[string]int{}
	for _, c := range r.Cells {
		switch {
		case c.Program == r.Program:
		case c.Resolved == nil:
			unknown[c.Program]++
		default:
			same[c.Program]++
		}
	}
	for _, group := range []struct {
		makers map[string]int
		how    string
	}{{same, "with the same settings"}, {unknown, "without a record of default settings"}} {
		var names []string
		count := 0
		for _, program := range slices.Sorted(maps.Keys(group.makers)) {
			names = append(names, fmt.Sprintf("%s (%d)", program, group.makers[program]))
			count += group.makers[program]
		}
		if count > 0 {
			fmt.Fprintf(b, " Of %d cells %d were made by other builds %s: %s.", len(r.Cells), count, group.how, strings.Join(names, ", "))
		}
	}
}

// WriteCSV writes every value, one a line, and every point of every curve.
func (r *Result) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	text := func(v *float64) string {
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'g', -1, 64)
	}
	lines := [][]string{{"table", "row", "column", "ours", "std_err", "noise", "paper", "difference"}}
	for _, t := range r.Tables {
		for _, line := range t.Rows {
			for k, v := range line.Values {
				difference := ""
				if d, both := v.Difference(); both {
					difference = text(&d)
				}
				lines = append(lines, []string{t.Name, line.Label, t.Columns[k], text(v.Ours), text(v.StdErr), text(v.Noise), text(v.Paper), difference})
			}
		}
	}
	for _, c := range r.Charts {
		for _, curve := range c.Curves {
			for _, p := range curve.Points {
				lines = append(lines, []string{c.Name, curve.Label, text(&p[0]), text(&p[1]), "", "", "", ""})
			}
		}
	}
	return out.WriteAll(lines)
}

// WriteJSON writes all of it.
func (r *Result) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

// Files are all of a result: numbers, page, values and pictures.
func (r *Result) Files() []chart.File {
	files := []chart.File{{Name: "results.json", Write: r.WriteJSON}, {Name: r.Target + ".md", Write: r.WriteMarkdown}, {Name: r.Target + ".csv", Write: r.WriteCSV}}
	for _, c := range r.Charts {
		files = append(files, c.Files()...)
	}
	return files
}
