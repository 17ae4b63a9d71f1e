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

// Covariates reads a table with the column item and numbers in all others: covariates of items.
// Values has a row for each item of the catalogue, in its order. Rows of other items are left
// out, and others is their number.
func Covariates(r io.Reader, name string, items []string) (columns []string, values []float64, others int, err error) {
	read := csv.NewReader(r)
	read.ReuseRecord = true
	header, err := read.Read()
	if err != nil {
		return nil, nil, 0, fmt.Errorf("%s: no header: %w", name, err)
	}
	columns = slices.Clone(header)
	at := slices.IndexFunc(columns, func(c string) bool { return strings.EqualFold(strings.TrimSpace(c), "item") })
	if at < 0 || len(columns) < 2 {
		return nil, nil, 0, fmt.Errorf("%s: the header is %s; it needs the column item and one or more of numbers", name, strings.Join(columns, ", "))
	}
	columns = slices.Delete(columns, at, at+1)
	number := make(map[string]int, len(items))
	for i, id := range items {
		number[id] = i
	}
	values = make([]float64, len(items)*len(columns))
	seen := make([]bool, len(items))
	for {
		row, err := read.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, 0, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := read.FieldPos(0)
		i, there := number[row[at]]
		if !there {
			others++
			continue
		}
		if seen[i] {
			return nil, nil, 0, fmt.Errorf("%s: line %d: item %q is there twice", name, line, row[at])
		}
		seen[i] = true
		for k, cell := range slices.Delete(slices.Clone(row), at, at+1) {
			x, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
			if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, nil, 0, fmt.Errorf("%s: line %d: %s of item %q is %q; every item needs a finite number", name, line, columns[k], row[at], cell)
			}
			values[i*len(columns)+k] = x
		}
	}
	if missing := slices.Index(seen, false); missing >= 0 {
		return nil, nil, 0, fmt.Errorf("%s: no row for item %q, which has votes; add it", name, items[missing])
	}
	return columns, values, others, nil
}
