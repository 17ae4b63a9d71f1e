package cli

import (
	"bufio"
	"fmt"
	"unicode/utf8"
)

// InTables reports whether results are written as tables, for people to read.
func (p *Program) InTables() bool { return p.Format == "" || p.Format == "table" }

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
