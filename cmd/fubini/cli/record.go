package cli

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fubini/app/exit"
	"fubini/data/text"
)

// Formats are the names that --format takes.
var Formats = []string{"table", "json", "jsonl", "csv"}

// Field is one entry of a result: a key, and a text, a bool, a finite number, a list of such, or nil for none.
type Field [2]any

// Record is one result: its fields, in the order in which they are written.
type Record []Field

// OrNil returns a value, or nil for the zero value: a field that does not apply.
func OrNil[T comparable](value T) any {
	if value == *new(T) {
		return nil
	}
	return value
}

// MarshalJSON implements [json.Marshaler]: an object with the fields in order.
func (r Record) MarshalJSON() ([]byte, error) { return r.object("{", ":", ",", "}") }

func (r Record) object(open, colon, comma, end string) ([]byte, error) {
	text := []byte(open)
	for i, f := range r {
		value, err := json.Marshal(f[1])
		if err != nil {
			return nil, err // a number that is not finite: the caller's mistake
		}
		if i > 0 {
			text = append(text, comma...)
		}
		text = append(strconv.AppendQuote(text, f[0].(string)), colon...)
		text = append(text, value...)
	}
	return append(text, end...), nil
}

// Record delivers one result to --output in the format of --format.
func (p *Program) Record(record Record) error {
	return p.Deliver(func(w *bufio.Writer) error { return p.WriteRecord(w, record) })
}

// Records delivers results with the same fields to --output in the format of --format.
func (p *Program) Records(records []Record) error {
	return p.Deliver(func(w *bufio.Writer) error { return p.WriteRecords(w, records) })
}

// WriteRecord writes one result in the format of --format: as lines, as a JSON
// object over several lines or on one, or as a header and a row of CSV.
func (p *Program) WriteRecord(w *bufio.Writer, record Record) error {
	switch p.Format {
	case "json":
		text, err := record.object("{\n  ", ": ", ",\n  ", "\n}\n")
		w.Write(text)
		return err
	case "jsonl", "csv":
		return p.WriteRecords(w, []Record{record})
	}
	width := 0
	for _, f := range record {
		width = max(width, len(f[0].(string)))
	}
	for _, f := range record {
		value := cmp.Or(cell(f[1], 12), "-")
		if width+between+utf8.RuneCountInString(value) > HelpWidth {
			value = Folded(value, width+between)
		}
		fmt.Fprintf(w, "%-*s%s\n", width+between, title(f), value)
	}
	return nil
}

// WriteRecords writes results with the same fields in the format of --format: as an
// aligned table, an array of JSON objects, an object a line, or CSV.
func (p *Program) WriteRecords(w *bufio.Writer, records []Record) error {
	switch p.Format {
	case "json", "jsonl":
		open, colon, comma, end, last := "[\n  {", ": ", ", ", "}", "\n]\n"
		if p.Format == "jsonl" {
			open, colon, comma, end, last = "{", ":", ",", "}\n", ""
		} else if len(records) == 0 {
			w.WriteString("[")
		}
		for i, record := range records {
			if i > 0 && p.Format == "json" {
				open = ",\n  {"
			}
			text, err := record.object(open, colon, comma, end)
			if err != nil {
				return err
			}
			w.Write(text)
		}
		w.WriteString(last)
		return nil
	case "csv":
		return WriteCSV(w, records)
	}
	align(w, tableOf(records))
	return nil
}

func tableOf(records []Record) [][]string {
	return rows(records, title, func(v any) string { return cell(v, 6) })
}

// WriteCSV writes a header and a row for each result.
func WriteCSV(w *bufio.Writer, records []Record) error {
	return csv.NewWriter(w).WriteAll(rows(records, func(f Field) string { return f[0].(string) }, CSVCell))
}

func rows(records []Record, name func(Field) string, text func(any) string) (table [][]string) {
	for i, record := range records {
		var header, row []string
		for _, f := range record {
			header, row = append(header, name(f)), append(row, text(f[1]))
		}
		if i == 0 {
			table = append(table, header)
		}
		table = append(table, row)
	}
	return table
}

func title(f Field) string { return strings.ReplaceAll(f[0].(string), "_", " ") }

// plain writes a value for a person or for CSV, numbers with a number of digits (-1 for all).
func plain(value any, digits int) string {
	switch v := value.(type) {
	case nil:
		return ""
	case []float64: // to two places for a person
		texts := make([]string, len(v))
		for i, x := range v {
			texts[i] = strconv.FormatFloat(x, 'g', digits, 64)
			if digits > 0 {
				texts[i] = strconv.FormatFloat(x, 'f', 2, 64)
			}
		}
		return strings.Join(texts, " ")
	case float64:
		return strconv.FormatFloat(v, 'g', digits, 64)
	}
	return fmt.Sprint(value)
}

// cell is plain for a table: a text from a file can neither steer the terminal nor begin another line or column.
func cell(value any, digits int) string {
	if value == nil {
		return "-"
	}
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(exit.Printable(plain(value, digits)))
}

// CSVCell is the text of a value in CSV. Spreadsheets take a text that begins with one of = + - @, a
// tab or a return for a formula: it gets an apostrophe before it, as OWASP advises. A
// number stays as it is.
func CSVCell(value any) string {
	text := plain(value, -1)
	if _, isText := value.(string); !isText || text == "" || !strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return "'" + text
}

// OrNone is what a pointer points to, or nil, for a field of a record.
func OrNone[T any](value *T) any {
	if value == nil {
		return nil
	}
	return *value
}

// Fitted delivers results as [Program.Records] does, a table no wider than a terminal, and tells what was left out of it.
func (p *Program) Fitted(records []Record, spare ...string) error {
	var left []string
	err := p.Deliver(func(w *bufio.Writer) (err error) {
		left, err = p.WriteFitted(w, records, spare...)
		return err
	})
	if len(left) > 0 && err == nil {
		p.Tell("left out of the table, to fit into %s: %s; --format csv has all", text.Count(HelpWidth, "column", "columns"), strings.Join(left, ", "))
	}
	return err
}

// WriteFitted writes results as [Program.WriteRecords] does. A table that is wider than [HelpWidth] loses the spare columns, one
// after another, until it fits; then the longest texts of its column name are cut. It returns the columns left out. Other formats have all.
func (p *Program) WriteFitted(w *bufio.Writer, records []Record, spare ...string) (left []string, err error) {
	if !p.InTables() || len(records) == 0 {
		return nil, p.WriteRecords(w, records)
	}
	table := tableOf(records)
	for _, name := range spare {
		if c := slices.Index(table[0], name); c >= 0 && total(widths(table)) > HelpWidth {
			for r := range table {
				table[r] = slices.Delete(table[r], c, c+1)
			}
			left = append(left, name)
		}
	}
	if c := slices.Index(table[0], "name"); c >= 0 {
		const least = 20
		width := widths(table)
		most := max(least, width[c]-max(0, total(width)-HelpWidth))
		for _, row := range table {
			if runes := []rune(row[c]); len(runes) > most {
				row[c] = string(runes[:most-1]) + "…"
			}
		}
	}
	align(w, table)
	return left, nil
}
