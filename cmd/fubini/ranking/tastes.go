package ranking

import (
	"bufio"
	"fmt"

	"fubini/cmd/fubini/cli"
	"fubini/use/board"
)

// writeTastes writes the boards of tastes side by side, a star where one differs from the first, and whether one is enough.
func writeTastes(p *cli.Program, w *bufio.Writer, t *board.Tastes, names []string, digits int, level float64) error {
	records := make([]cli.Record, len(names))
	for i, name := range names {
		records[i] = cli.Record{{"item", name}}
		for k, taste := range t.Groups {
			worth, star := taste.Worths[i], ""
			if worth.Apart {
				star = " *"
			}
			heading := fmt.Sprintf("taste_%d:_%.0f_%%,_%.0f_%s", k+1, 100*taste.Share, taste.Raters, t.Of)
			records[i] = append(records[i], cli.Field{heading, fmt.Sprintf("%s ± %s%s", fixed(worth.Worth, digits), fixed(worth.StdError, digits), star)})
		}
	}
	if err := p.WriteRecords(w, records); err != nil {
		return err
	}
	legend := ""
	if len(t.Groups) > 1 {
		legend = "* differs from taste 1. "
	}
	fmt.Fprintf(w, "\n%s%s\n\n", legend, t.Words())
	if t.Units == nil {
		return nil
	}
	if err := p.WriteRecords(w, coefficients(t.Units, level)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nParameters of those with no hidden unit, and the weights of the units on them.\n\n")
	return err
}
