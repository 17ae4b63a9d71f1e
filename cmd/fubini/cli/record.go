package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"fubini/app/exit"
)

// Formats are the names that --format takes.
var Formats = []string{"table", "json", "jsonl", "csv"}

// Field is one entry of a result: a key, and a string, a bool, a finite number, a list of
// such, or nil for what does not apply.
type Field [2]any

func (f Field) key() string { return f[0].(string) }

// Value is the second half of a field.
func (f Field) Value() any { return f[1] }

// WriteRecord writes one result in the format asked for: as lines, as a JSON
// object over several lines or on one, or as a header and a row of CSV.
func (p *Program) WriteRecord(w *bufio.Writer, record []Field) error {
	switch p.Format {
	case "json":
		return writeObject(w, record, "{\n  ", ": ", ",\n  ", "\n}\n")
	case "jsonl":
		return writeObject(w, record, "{", ":", ",", "}\n")
	case "csv":
		return WriteCSV(w, [][]Field{record})
	}
	width := 0
	for _, f := range record {
		width = max(width, len(f.key()))
	}
	for _, f := range record {
		text := cell(f.Value(), 12)
		if text == "" {
			text = "-"
		}
		fmt.Fprintf(w, "%-*s  %s\n", width, strings.ReplaceAll(f.key(), "_", " "), text)
	}
	return nil
}

func writeObject(w *bufio.Writer, record []Field, open, colon, comma, end string) error {
	for i, f := range record {
		text, err := json.Marshal(f.Value())
		if err != nil {
			return err // a number that is not finite: the caller's mistake
		}
		if i == 0 {
			w.WriteString(open)
		} else {
			w.WriteString(comma)
		}
		fmt.Fprintf(w, "%q%s%s", f.key(), colon, text)
	}
	w.WriteString(end)
	return nil
}

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

// cell is plain for a table, in which a text from a file can neither steer the terminal
// nor begin another line or column.
func cell(value any, digits int) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(exit.Printable(plain(value, digits)))
}

// CsvCell is plain for CSV. Spreadsheets take a text that begins with one of = + - @, a
// tab or a return for a formula: it gets an apostrophe before it, as OWASP advises. A
// number stays as it is.
func CsvCell(value any) string {
	text := plain(value, -1)
	if _, isText := value.(string); !isText || text == "" || !strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return "'" + text
}
