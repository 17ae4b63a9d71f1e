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

// PairFeature is a feature of pairs of items, as a table has it.
type PairFeature struct {
	Name string
	// Order is whether it is a feature g(i, j) of item i above item j; otherwise it is a feature f(i, j) = f(j, i) of a tie.
	Order  bool
	Values []float64 // row by row; 0 for pairs that the table does not have
}

// PairFeatures reads a table with the columns item_a and item_b and columns of numbers whose names begin with tie_ or order_: features
// of a tie of the two, and of item_a above item_b. Rows of items without votes are left out, and others is their number.
func PairFeatures(r io.Reader, name string, items []string) (features []PairFeature, others int, err error) {
	read := csv.NewReader(r)
	header, err := read.Read()
	if err != nil {
		return nil, 0, fmt.Errorf("%s: no header: %w", name, err)
	}
	n := len(items)
	column := make([]int, len(header)) // the feature of each column; -1 and -2 for item_a and item_b
	for k, cell := range header {
		cell = strings.TrimSpace(cell)
		tie, isTie := strings.CutPrefix(cell, "tie_")
		order, isOrder := strings.CutPrefix(cell, "order_")
		switch {
		case strings.EqualFold(cell, "item_a"):
			column[k] = -1
		case strings.EqualFold(cell, "item_b"):
			column[k] = -2
		case isTie && tie != "", isOrder && order != "":
			column[k] = len(features)
			feature := tie
			if isOrder {
				feature = order
			}
			features = append(features, PairFeature{Name: feature, Order: isOrder, Values: make([]float64, n*n)})
		default:
			return nil, 0, fmt.Errorf("%s: column %q; there are item_a, item_b, and numbers in columns named tie_NAME or order_NAME", name, cell)
		}
	}
	a, b := slices.Index(column, -1), slices.Index(column, -2)
	if a < 0 || b < 0 || len(features) == 0 || len(features)+2 != len(header) {
		return nil, 0, fmt.Errorf("%s: the header is %s; it needs item_a and item_b once, and one or more columns named tie_NAME or order_NAME", name, strings.Join(header, ", "))
	}
	number := make(map[string]int, n)
	for i, id := range items {
		number[id] = i
	}
	seen := map[[2]int]bool{}
	for {
		row, err := read.Read()
		if errors.Is(err, io.EOF) {
			return features, others, nil
		}
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := read.FieldPos(0)
		i, thereA := number[row[a]]
		j, thereB := number[row[b]]
		switch {
		case row[a] == row[b]:
			return nil, 0, fmt.Errorf("%s: line %d: item %q with itself; a pair is two items", name, line, row[a])
		case !thereA || !thereB:
			others++
			continue
		case seen[[2]int{i, j}]:
			return nil, 0, fmt.Errorf("%s: line %d: %q and %q are there twice", name, line, row[a], row[b])
		}
		seen[[2]int{i, j}] = true
		for k, at := range column {
			if at < 0 {
				continue
			}
			f := &features[at]
			x, err := strconv.ParseFloat(strings.TrimSpace(row[k]), 64)
			if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, 0, fmt.Errorf("%s: line %d: %s is %q; write a finite number, or 0 for none", name, line, header[k], row[k])
			}
			if !f.Order {
				if seen[[2]int{j, i}] && f.Values[j*n+i] != x {
					return nil, 0, fmt.Errorf("%s: line %d: %s of %q and %q is %g, and %g the other way round; a tie has no direction", name, line, header[k], row[a], row[b], x, f.Values[j*n+i])
				}
				f.Values[j*n+i] = x
			}
			f.Values[i*n+j] = x
		}
	}
}
