package votes

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// featureTable is a table of numbers about items or pairs of items.
type featureTable struct {
	name   string // in errors
	read   *csv.Reader
	header []string
	number map[string]int // of each item of the catalogue
}

func openFeatures(r io.Reader, name string, items []string) (*featureTable, error) {
	t := &featureTable{name: name, read: csv.NewReader(r), number: make(map[string]int, len(items))}
	for i, id := range items {
		t.number[id] = i
	}
	header, err := t.read.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: no header: %w", name, err)
	}
	for _, cell := range header {
		t.header = append(t.header, strings.TrimSpace(cell))
	}
	return t, nil
}

// errorf is an error in the line at hand.
func (t *featureTable) errorf(format string, args ...any) error {
	line, _ := t.read.FieldPos(0)
	return fmt.Errorf("%s:%d: %w", t.name, line, fmt.Errorf(format, args...))
}

// each calls a function with every row.
func (t *featureTable) each(use func(row []string) error) error {
	for {
		row, err := t.read.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		if err := use(row); err != nil {
			return err
		}
	}
}

// finite reads a finite number.
func finite(cell string) (x float64, ok bool) {
	x, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
	return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}

// Covariates reads a table with the column item and numbers in all others: covariates of items.
// Values has a row for each item of the catalogue, in its order. Rows of other items are left
// out, and others is their number.
func Covariates(r io.Reader, name string, items []string) (columns []string, values []float64, others int, err error) {
	t, err := openFeatures(r, name, items)
	if err != nil {
		return nil, nil, 0, err
	}
	at := slices.IndexFunc(t.header, func(c string) bool { return strings.EqualFold(c, "item") })
	if at < 0 || len(t.header) < 2 {
		return nil, nil, 0, fmt.Errorf("%s: the header is %s; it needs the column item and one or more of numbers", name, strings.Join(t.header, ", "))
	}
	columns = slices.Delete(slices.Clone(t.header), at, at+1)
	values = make([]float64, len(items)*len(columns))
	seen := make([]bool, len(items))
	err = t.each(func(row []string) error {
		item := row[at]
		i, there := t.number[item]
		if !there {
			others++
			return nil
		}
		if seen[i] {
			return t.errorf("item %q is there twice", item)
		}
		seen[i] = true
		for k, cell := range slices.Delete(row, at, at+1) {
			x, ok := finite(cell)
			if !ok {
				return t.errorf("%s of item %q is %q; every item needs a finite number", columns[k], item, cell)
			}
			values[i*len(columns)+k] = x
		}
		return nil
	})
	if err != nil {
		return nil, nil, 0, err
	}
	if missing := slices.Index(seen, false); missing >= 0 {
		return nil, nil, 0, fmt.Errorf("%s: no row for item %q, which has votes; add it", name, items[missing])
	}
	return columns, values, others, nil
}
