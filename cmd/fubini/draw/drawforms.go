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

// A drawForm writes draws one by one in some format. All but the frequency
// table need memory for one draw only.
type drawForm interface {
	draw(x *partition.Partition) error
	end() error
}

func newDrawForm(format string, w *bufio.Writer, items int) drawForm {
	switch format {
	case "table":
		return &frequencies{w: w, count: map[string]int{}}
	case "csv":
		return &tierColumns{w: w, tier: make([]int, items)}
	case "json":
		return &tierObjects{w: w, open: "[\n", comma: ",\n", close: "\n]\n"}
	}
	return &tierObjects{w: w, after: "\n"}
}

// tierObjects writes {"tiers":[[0,2],[1]]} for each draw: JSON lines, or an
// array.
type tierObjects struct {
	w            *bufio.Writer
	open, close  string // around all draws
	comma, after string // between two draws; after each
	begun        bool
	items        []int
	text         []byte
}

func (f *tierObjects) draw(x *partition.Partition) error {
	text := append(f.text[:0], f.comma...)
	if !f.begun {
		text = append(f.text[:0], f.open...)
		f.begun = true
	}
	text = append(text, `{"tiers":[`...)
	for t := range x.Len() {
		if t > 0 {
			text = append(text, ',')
		}
		f.items = append(f.items[:0], x.Block(t)...)
		slices.Sort(f.items)
		separator := byte('[')
		for _, item := range f.items {
			text = strconv.AppendInt(append(text, separator), int64(item), 10)
			separator = ','
		}
		text = append(text, ']')
	}
	f.text = append(append(text, "]}"...), f.after...)
	_, err := f.w.Write(f.text)
	return err
}

func (f *tierObjects) end() error {
	_, err := f.w.WriteString(f.close)
	return err
}

// tierColumns writes a row of CSV for each draw: its number, then the tier of
// every item.
type tierColumns struct {
	w    *bufio.Writer
	rows int
	tier []int
	text []byte
}

func (f *tierColumns) draw(x *partition.Partition) error {
	text := f.text[:0]
	if f.rows == 0 {
		text = append(text, "draw"...)
		for item := range f.tier {
			text = strconv.AppendInt(append(text, ",item_"...), int64(item), 10)
		}
		text = append(text, '\n')
	}
	f.rows++
	for t := range x.Len() {
		for _, item := range x.Block(t) {
			f.tier[item] = t + 1
		}
	}
	text = strconv.AppendInt(text, int64(f.rows), 10)
	for _, tier := range f.tier {
		text = strconv.AppendInt(append(text, ','), int64(tier), 10)
	}
	f.text = append(text, '\n')
	_, err := f.w.Write(f.text)
	return err
}

func (f *tierColumns) end() error { return nil }

// frequencies counts tier lists and writes the most frequent at the end.
type frequencies struct {
	w     *bufio.Writer
	count map[string]int
	draws int
}

// frequencyRows is how many tier lists the table shows: about a screen.
const frequencyRows = 20

func (f *frequencies) draw(x *partition.Partition) error {
	f.count[x.String()]++
	f.draws++
	return nil
}

func (f *frequencies) end() error {
	lists := slices.SortedFunc(maps.Keys(f.count), func(a, b string) int {
		return cmp.Or(cmp.Compare(f.count[b], f.count[a]), cmp.Compare(a, b))
	})
	row := func(count int, text string) {
		fmt.Fprintf(f.w, "%8d  %6.2f %%  %s\n", count, 100*float64(count)/float64(f.draws), text)
	}
	fmt.Fprintf(f.w, "%8s  %8s  %s\n", "draws", "share", "tier list, best first")
	left := f.draws
	for i, text := range lists {
		if i == frequencyRows && len(lists) > frequencyRows+1 {
			row(left, fmt.Sprintf("(%d other tier lists)", len(lists)-i))
			break
		}
		row(f.count[text], text)
		left -= f.count[text]
	}
	return nil
}
