package votes

import (
	"fmt"
	"io"
	"slices"
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
	t, err := openFeatures(r, name, items)
	if err != nil {
		return nil, 0, err
	}
	n := len(items)
	column := make([]int, len(t.header)) // the feature of each column; -1 and -2 for item_a and item_b
	for k, cell := range t.header {
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
	if a < 0 || b < 0 || len(features) == 0 || len(features)+2 != len(t.header) {
		return nil, 0, fmt.Errorf("%s: the header is %s; it needs item_a and item_b once, and one or more columns named tie_NAME or order_NAME", name, strings.Join(t.header, ", "))
	}
	seen := map[[2]int]bool{}
	err = t.each(func(row []string) error {
		i, thereA := t.number[row[a]]
		j, thereB := t.number[row[b]]
		switch {
		case row[a] == row[b]:
			return t.errorf("item %q with itself; a pair is two items", row[a])
		case !thereA || !thereB:
			others++
			return nil
		case seen[[2]int{i, j}]:
			return t.errorf("%q and %q are there twice", row[a], row[b])
		}
		seen[[2]int{i, j}] = true
		for k, at := range column {
			if at < 0 {
				continue
			}
			f := &features[at]
			x, ok := finite(row[k])
			if !ok {
				return t.errorf("%s is %q; write a finite number, or 0 for none", t.header[k], row[k])
			}
			if !f.Order {
				if seen[[2]int{j, i}] && f.Values[j*n+i] != x {
					return t.errorf("%s of %q and %q is %g, and %g the other way round; a tie has no direction", t.header[k], row[a], row[b], x, f.Values[j*n+i])
				}
				f.Values[j*n+i] = x
			}
			f.Values[i*n+j] = x
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return features, others, nil
}
