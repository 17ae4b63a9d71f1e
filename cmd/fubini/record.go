package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// formats are the names that --format takes.
var formats = []string{"table", "json", "jsonl", "csv"}

// field is one entry of a result: a string, a bool, a finite number, a list of
// such, or nil for what does not apply.
type field struct {
	key   string
	value any
}

// writeRecord writes one result in the format asked for: as lines, as a JSON
// object over several lines or on one, or as a header and a row of CSV.
func (p *program) writeRecord(w *bufio.Writer, record []field) error {
	switch p.format {
	case "json":
		return writeObject(w, record, "{\n  ", ": ", ",\n  ", "\n}\n")
	case "jsonl":
		return writeObject(w, record, "{", ":", ",", "}\n")
	case "csv":
		var header, row []string
		for _, f := range record {
			header, row = append(header, f.key), append(row, plain(f.value, -1))
		}
		table := csv.NewWriter(w)
		return table.WriteAll([][]string{header, row})
	}
	width := 0
	for _, f := range record {
		width = max(width, len(f.key))
	}
	for _, f := range record {
		text := plain(f.value, 12)
		if text == "" {
			text = "-"
		}
		fmt.Fprintf(w, "%-*s  %s\n", width, strings.ReplaceAll(f.key, "_", " "), text)
	}
	return nil
}

func writeObject(w *bufio.Writer, record []field, open, colon, comma, end string) error {
	for i, f := range record {
		text, err := json.Marshal(f.value)
		if err != nil {
			return err // a number that is not finite: the caller's mistake
		}
		if i == 0 {
			w.WriteString(open)
		} else {
			w.WriteString(comma)
		}
		fmt.Fprintf(w, "%q%s%s", f.key, colon, text)
	}
	w.WriteString(end)
	return nil
}

// plain writes a value for a person or for CSV, numbers with so many digits.
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
