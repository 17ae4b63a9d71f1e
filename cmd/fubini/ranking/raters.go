package ranking

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"

	"fubini/cmd/fubini/cli"
	"fubini/use/board"
)

// shownRaters is the number of raters in a table at either end.
const shownRaters = 5

// writeRaters writes the raters who agree least and most with the board, and how much all of them differ.
func writeRaters(p *cli.Program, w *bufio.Writer, raters []board.Rater, s *board.Spread) error {
	sorted := slices.SortedStableFunc(slices.Values(raters), func(a, b board.Rater) int { return cmp.Compare(b.Reliability, a.Reliability) })
	left := ""
	if n := len(sorted); n > 2*shownRaters {
		left = fmt.Sprintf(" The table has %d at either end of %d raters; --format json has all.", shownRaters, n)
		sorted = slices.Concat(sorted[:shownRaters], sorted[n-shownRaters:])
	}
	records := make([]cli.Record, len(sorted))
	for k, r := range sorted {
		records[k] = cli.Record{{"rater", r.ID}, {"reliability", fixed(r.Reliability, 2)}, {"interval", fixed(r.Low, 2) + " to " + fixed(r.High, 2)}}
	}
	if err := p.WriteRecords(w, records); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n\n", cli.Folded(fmt.Sprintf("Raters who agree most with the board come first; 1 is the mean.%s %s", left, s.Words()), 0))
	return err
}
