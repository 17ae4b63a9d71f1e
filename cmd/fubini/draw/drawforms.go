package draw

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"fubini/core/partition"
)

// drawForm makes two functions that write draws in a format: one for each draw, and one for the end. All but the
// frequency table need memory for one draw only.
func drawForm(format string, w *bufio.Writer, items int) (draw func(x *partition.Partition) error, end func()) {
	switch format {
	case "table":
		return frequencies(w)
	case "csv":
		return tierColumns(w, items)
	case "json":
		return tierObjects(w, "[\n", ",\n", ""), func() { w.WriteString("\n]\n") }
	}
	return tierObjects(w, "", "", "\n"), func() {}
}

// tierObjects writes {"tiers":[[0,2],[1]]} for each draw: JSON lines, or an array.
func tierObjects(w *bufio.Writer, open, comma, after string) func(x *partition.Partition) error {
	before := open
	var items []int
	var text []byte
	return func(x *partition.Partition) error {
		text = append(append(text[:0], before...), `{"tiers":[`...)
		for t := range x.Len() {
			if t > 0 {
				text = append(text, ',')
			}
			items = append(items[:0], x.Block(t)...)
			slices.Sort(items)
			separator := byte('[')
			for _, item := range items {
				text = strconv.AppendInt(append(text, separator), int64(item), 10)
				separator = ','
			}
			text = append(text, ']')
		}
		text = append(append(text, "]}"...), after...)
		before = comma
		_, err := w.Write(text)
		return err
	}
}

// tierColumns writes a row of CSV for each draw: its number, then the tier of every item.
func tierColumns(w *bufio.Writer, items int) (func(x *partition.Partition) error, func()) {
	w.WriteString("draw")
	for item := range items {
		fmt.Fprintf(w, ",item_%d", item)
	}
	w.WriteString("\n")
	rows, tiers := int64(0), make([]int64, items)
	var text []byte
	return func(x *partition.Partition) error {
		for t := range x.Len() {
			for _, item := range x.Block(t) {
				tiers[item] = int64(t + 1)
			}
		}
		rows++
		text = strconv.AppendInt(text[:0], rows, 10)
		for _, tier := range tiers {
			text = strconv.AppendInt(append(text, ','), tier, 10)
		}
		text = append(text, '\n')
		_, err := w.Write(text)
		return err
	}, func() {}
}

// frequencyRows is how many tier lists the table shows: about a screen.
const frequencyRows = 20

// frequencies counts tier lists and writes the most frequent at the end.
func frequencies(w *bufio.Writer) (func(x *partition.Partition) error, func()) {
	count, draws := map[string]int{}, 0
	row := func(n int, text string) {
		fmt.Fprintf(w, "%8d  %6.2f %%  %s\n", n, 100*float64(n)/float64(draws), text)
	}
	return func(x *partition.Partition) error {
			count[x.String()]++
			draws++
			return nil
		}, func() {
			lists := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
				return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
			})
			fmt.Fprintf(w, "%8s  %8s  %s\n", "draws", "share", "tier list, best first")
			left := draws
			for i, text := range lists {
				if i == frequencyRows && len(lists) > frequencyRows+1 {
					row(left, fmt.Sprintf("(%d other tier lists)", len(lists)-i))
					break
				}
				row(count[text], text)
				left -= count[text]
			}
		}
}
