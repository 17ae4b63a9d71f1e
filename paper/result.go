package paper

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"fubini/judge/evaluate"
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

// DataFacts describe the ratings that a result is computed from.
type DataFacts struct {
	Name        string `json:"name"`
	Fingerprint string `json:"fingerprint"`
	Users       int    `json:"users"`
	Items       int    `json:"items"`
	Ratings     int    `json:"ratings"`
}

// Table has a value for each row and column.
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
}

// Value is a number of ours, with the paper's beside it where it has one.
type Value struct {
	Ours   *float64 `json:"ours,omitempty"`
	StdErr *float64 `json:"std_err,omitempty"` // over users
	Noise  *float64 `json:"noise,omitempty"`   // standard error of the estimate itself, of annealing
	Paper  *float64 `json:"paper,omitempty"`
	Unmade bool     `json:"unmade,omitempty"` // it could not be made; a note has the reason

	users []int     // of whom it is the mean, to compare it with another user by user
	each  []float64 // of each of them

	runs   []*evaluate.Result // of each split and training, where it is a mean over several
	metric string
}

// Difference is our number minus the paper's; false without both.
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

// columns are the names of columns by a number, as in "M = 10".
func columns(letter string, numbers []int) (names []string) {
	for _, n := range numbers {
		names = append(names, fmt.Sprintf("%s = %d", letter, n))
	}
	return names
}

// curve goes through the values of a row at the places xs, without those that could not be made.
func (l Line) curve(xs []int) chart.Curve {
	c := chart.Curve{Label: l.Label}
	for k, v := range l.Values {
		if v.Ours == nil {
			continue
		}
		c.Points = append(c.Points, [2]float64{float64(xs[k]), *v.Ours})
		if v.StdErr != nil {
			c.Errors = append(c.Errors, *v.StdErr)
		}
	}
	return c
}

// column has the values in a column of a table, by row.
func (r *Result) column(table, column string) iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for _, t := range r.Tables {
			k := slices.Index(t.Columns, column)
			if t.Name != table || k < 0 {
				continue
			}
			for _, line := range t.Rows {
				if !yield(line.Label, line.Values[k]) {
					return
				}
			}
		}
	}
}

// Find is the value of a row and column of a table; without a number where there is none.
func (r *Result) Find(table, row, column string) Value {
	for label, v := range r.column(table, column) {
		if label == row {
			return v
		}
	}
	return Value{}
}

// Best is the row with the highest value in a column, of those that count.
func (r *Result) Best(table, column string, counts func(label string) bool) (best string, most Value) {
	for label, v := range r.column(table, column) {
		if counts(label) && v.Ours != nil && (most.Ours == nil || *v.Ours > *most.Ours) {
			best, most = label, v
		}
	}
	return best, most
}

// Place counts the rows with a number in a column, and the place of one of them from the top.
func (r *Result) Place(table, row, column string) (place, of int) {
	own := r.Find(table, row, column)
	if own.Ours == nil {
		return 0, 0
	}
	place = 1
	for _, v := range r.column(table, column) {
		if v.Ours != nil {
			of++
		}
		if v.Number() > *own.Ours {
			place++
		}
	}
	return place, of
}

// Number is ours; NaN where there is none.
func (v Value) Number() float64 {
	if v.Ours == nil {
		return math.NaN()
	}
	return *v.Ours
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

// markdown is a table: ours, the paper's beside it, and the difference.
func (t Table) markdown() string {
	var b strings.Builder
	if t.Title != "" {
		fmt.Fprintf(&b, "%s\n\n", t.Title)
	}
	fmt.Fprintf(&b, "| | %s |\n|---|%s", strings.Join(t.Columns, " | "), strings.Repeat("---:|", len(t.Columns)))
	for _, line := range t.Rows {
		fmt.Fprintf(&b, "\n| %s |", line.Label)
		for _, v := range line.Values {
			fmt.Fprintf(&b, " %s |", v.text(t.Digits, t.Printed))
		}
	}
	return b.String()
}

// WriteMarkdown writes a page: the data and settings, notes, pictures and tables.
func (r *Result) WriteMarkdown(w io.Writer) error {
	_, err := fmt.Fprintf(w, "# %s\n\n%s\n", r.Title, r.Body(""))
	return err
}

// Body is the page without its title. Pictures are in a folder, whose name ends in a slash if it has one.
func (r *Result) Body(folder string) string {
	parts := append([]string{r.about()}, r.Notes...)
	for _, c := range r.Charts {
		parts = append(parts, c.Markdown(folder))
	}
	for _, t := range r.Tables {
		parts = append(parts, t.markdown())
	}
	return strings.Join(parts, "\n\n")
}

// about has what is needed to make a result again.
func (r *Result) about() string {
	b := &strings.Builder{}
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
	return b.String()
}

// writeMakers names the other programs, of the same code, that made cells.
func (r *Result) writeMakers(b *strings.Builder) {
	makers, count := map[string]int{}, 0
	for _, c := range r.Cells {
		if c.Program != r.Program {
			makers[c.Program]++
			count++
		}
	}
	var names []string
	for _, program := range slices.Sorted(maps.Keys(makers)) {
		names = append(names, fmt.Sprintf("%s (%d)", program, makers[program]))
	}
	if count > 0 {
		fmt.Fprintf(b, " Of %d cells %d were made by other builds of the same code: %s.", len(r.Cells), count, strings.Join(names, ", "))
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

// WriteJSON writes the whole result.
func (r *Result) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

// Files returns the files of a result: JSON, a page in Markdown, CSV and pictures.
func (r *Result) Files() []chart.File {
	files := []chart.File{{Name: "results.json", Write: r.WriteJSON}, {Name: r.Target + ".md", Write: r.WriteMarkdown}, {Name: r.Target + ".csv", Write: r.WriteCSV}}
	for _, c := range r.Charts {
		files = append(files, c.Files()...)
	}
	return files
}
