package votes

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"fubini/data/text"
)

// maxWeight keeps sums of weights finite, and counts exact.
const maxWeight = 1e15

// weigh reads a weight.
func (b *builder) weigh(cell []byte, comma bool) (float64, error) {
	weight, ok := parseNumber(cell, comma)
	switch {
	case !ok && len(bytes.TrimSpace(cell)) == 0:
		return 0, b.errorf("a vote without a weight; write 1 for one vote, or 0 to leave it out")
	case !ok:
		return 0, b.errorf("weight %s is not a finite number; write it like 1 or 2.5", text.Quote(cell))
	case weight < 0:
		return 0, b.errorf("weight %s is below zero; write 0 to leave a vote out", text.Quote(cell))
	case weight > maxWeight:
		return 0, b.errorf("weight %s is above %g; divide all weights by a constant", text.Quote(cell), maxWeight)
	}
	return weight, nil
}

// rate notes the rater of the record at hand.
func (b *builder) rate(id []byte) error {
	if len(id) == 0 {
		return b.errorf("a vote without a rater; name the rater, or read the votes without raters")
	}
	b.Rater = append(b.Rater, number(b.raters, &b.Raters, id))
	return nil
}

// covariate reads a covariate: a number, or true or false.
func (b *builder) covariate(name string, cell []byte, comma bool) (float64, error) {
	x, ok := parseNumber(cell, comma)
	switch {
	case ok:
		return x, nil
	case missing(cell):
		return 0, b.errorf("covariate %s is missing; fill it in, or take the line out", text.Quote(name))
	case bytes.EqualFold(cell, []byte("true")):
		return 1, nil
	case bytes.EqualFold(cell, []byte("false")):
		return 0, nil
	}
	return 0, b.errorf("covariate %s is %s, which is not a finite number; write it like 4 or -0.5, or true or false", text.Quote(name), text.Quote(cell))
}

// missing reports whether a cell holds no value.
func missing(cell []byte) bool {
	switch len(cell) {
	case 0:
		return true
	case 1:
		return cell[0] == '-' || cell[0] == '.'
	case 2, 3, 4:
		return slices.Contains([]string{"na", "n/a", "nan", "null", "none"}, strings.ToLower(string(cell)))
	}
	return false
}

// parseNumber reads a finite decimal number.
func parseNumber(cell []byte, comma bool) (float64, bool) {
	if len(cell) <= 15 { // exact
		if n, ok := text.Digits(cell); ok {
			return float64(n), true
		}
	}
	if comma && bytes.Count(cell, []byte(",")) == 1 {
		cell = bytes.Replace(cell, []byte(","), []byte("."), 1)
	}
	for _, c := range cell { // strconv would take words, hexadecimals and underscores
		if !('0' <= c && c <= '9' || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E') {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(string(cell), 64)
	return x, err == nil && !math.IsInf(x, 0)
}
