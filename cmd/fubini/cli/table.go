package cli

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"fubini/data/text"
)

// InTables reports whether results are written as tables, for people to read.
func (p *Program) InTables() bool { return p.Format == "" || p.Format == "table" }

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

const between = 2 // spaces between two columns

// align writes the rows of a table in columns.
func align(w *bufio.Writer, table [][]string) {
	width := widths(table)
	for _, row := range table {
		for c, cell := range row {
			if c == 0 { // names to the left, numbers to the right
				fmt.Fprintf(w, "%-*s", width[c], cell)
			} else {
				fmt.Fprintf(w, "%*s", between+width[c], cell)
			}
		}
		w.WriteString("\n")
	}
}

// widths are those of the columns of a table.
func widths(table [][]string) (width []int) {
	for _, row := range table {
		for c, cell := range row {
			if c == len(width) {
				width = append(width, 0)
			}
			width[c] = max(width[c], utf8.RuneCountInString(cell))
		}
	}
	return width
}

// total is the width of a table.
func total(width []int) (sum int) {
	for _, w := range width {
		sum += between + w
	}
	return sum - between
}
