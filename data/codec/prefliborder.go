package codec

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
)

// preflibOrder is one order: alternatives tier by tier, and where each tier ends.
type preflibOrder struct {
	alternatives []int
	ends         []int
}

// parse reads an order such as 1,{2,3},4. Each tier is then ascending.
func (o *preflibOrder) parse(order []byte, emptyTiers bool) error {
	o.alternatives, o.ends = o.alternatives[:0], o.ends[:0]
	inside := false // of braces
	opened := 0     // where the tier in braces began
	wanted := true  // a number, or an opening brace
	for at := 0; at < len(order); at++ {
		switch c := order[at]; {
		case c == ' ' || c == '\t':
		case c == '{' && inside:
			return fmt.Errorf("unbalanced braces, { inside {")
		case c == '{' && !wanted:
			return fmt.Errorf("no comma before {")
		case c == '{':
			inside, opened = true, len(o.alternatives)
		case c == '}' && !inside:
			return fmt.Errorf("unbalanced braces, } without {")
		case c == '}' && wanted && len(o.alternatives) > opened:
			return fmt.Errorf("nothing after a comma")
		case c == '}' && wanted && !emptyTiers:
			return fmt.Errorf("an empty tier")
		case c == '}':
			slices.Sort(o.alternatives[opened:])
			o.ends = append(o.ends, len(o.alternatives))
			inside, wanted = false, false
		case c == ',' && wanted:
			return fmt.Errorf("nothing before a comma")
		case c == ',':
			wanted = true
		case c >= '0' && c <= '9' && !wanted:
			return fmt.Errorf("no comma before a number")
		case c >= '0' && c <= '9':
			end := at + 1
			for end < len(order) && order[end] >= '0' && order[end] <= '9' {
				end++
			}
			a, err := preflibNumber(order[at:end])
			if err != nil {
				return err
			}
			o.alternatives = append(o.alternatives, a)
			if !inside {
				o.ends = append(o.ends, len(o.alternatives))
			}
			at, wanted = end-1, false
		default:
			return fmt.Errorf("unexpected %q", c)
		}
	}
	switch {
	case inside:
		return fmt.Errorf("unbalanced braces, { without }")
	case len(o.ends) == 0:
		return fmt.Errorf("no alternative")
	case wanted:
		return fmt.Errorf("nothing after a comma")
	}
	return nil
}

// digest identifies an order in sixteen bytes.
func (o *preflibOrder) digest() [16]byte {
	sum := sha256.Sum256(o.append(nil))
	return [16]byte(sum[:16])
}

// append writes the order as the files have it.
func (o *preflibOrder) append(line []byte) []byte {
	at := 0
	for tier, end := range o.ends {
		if tier > 0 {
			line = append(line, ',')
		}
		braces := end != at+1
		if braces {
			line = append(line, '{')
		}
		for start := at; at < end; at++ {
			if at > start {
				line = append(line, ',')
			}
			line = strconv.AppendInt(line, int64(o.alternatives[at]), 10)
		}
		if braces {
			line = append(line, '}')
		}
	}
	return line
}
