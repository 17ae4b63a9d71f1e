package cli

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"strings"
	"unicode/utf8"
)

// WriteRecords writes results of the same fields, one after the other: as an
// aligned table, an array of JSON objects, an object a line, or CSV.
func (p *Program) WriteRecords(w *bufio.Writer, records [][]Field) error {
	switch p.Format {
	case "json":
		w.WriteString("[")
		for i, record := range records {
			if i > 0 {
				w.WriteString(",")
			}
			if err := writeObject(w, record, "\n  {", ": ", ", ", "}"); err != nil {
				return err
			}
		}
		w.WriteString("\n]\n")
		return nil
	case "jsonl":
		for _, record := range records {
			if err := p.WriteRecord(w, record); err != nil {
				return err
			}
		}
		return nil
	case "csv":
		return WriteCSV(w, records)
	}
	table := rows(records, func(key string) string { return strings.ReplaceAll(key, "_", " ") }, func(v any) string {
		if v == nil {
			return "-"
		}
		return cell(v, 6)
	})
	var width []int
	for _, row := range table {
		for c, cell := range row {
			if c == len(width) {
				width = append(width, 0)
			}
			width[c] = max(width[c], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range table {
		for c, cell := range row {
			if c == 0 { // names to the left, numbers to the right
				fmt.Fprintf(w, "%-*s", width[c], cell)
			} else {
				fmt.Fprintf(w, "  %*s", width[c], cell)
			}
		}
		w.WriteString("\n")
	}
	return nil
}

// WriteCSV writes a header and a row for each result.
func WriteCSV(w *bufio.Writer, records [][]Field) error {
	return csv.NewWriter(w).WriteAll(rows(records, func(key string) string { return key }, CsvCell))
}

// rows are a header and the values below it.
func rows(records [][]Field, name func(string) string, text func(any) string) [][]string {
	var table [][]string
	for i, record := range records {
		var header, row []string
		for _, f := range record {
			header, row = append(header, name(f.key())), append(row, text(f.Value()))
		}
		if i == 0 {
			table = append(table, header)
		}
		table = append(table, row)
	}
	return table
}
