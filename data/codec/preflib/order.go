package preflib

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"fubini/data/codec"
	"fubini/data/ratings"
)

// tieredOrder is one order: alternatives tier by tier, and where each tier ends.
type tieredOrder struct {
	alternatives []int
	ends         []int
}

// parse reads an order such as 1,{2,3},4. Each tier is then ascending.
func (o *tieredOrder) parse(order []byte, emptyTiers bool) error {
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
			a, err := parseNumber(order[at:end])
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
func (o *tieredOrder) digest() [16]byte {
	sum := sha256.Sum256(o.append(nil))
	return [16]byte(sum[:16])
}

// append writes the order as the files have it.
func (o *tieredOrder) append(line []byte) []byte {
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

// kindOf is the PrefLib type of a set, which is also the extension its file
// should have: soc or soi for orders without ties, toc or toi for orders with
// ties; the c stands for complete, the i for incomplete.
func kindOf(s *ratings.Set) string {
	strict, complete := true, true
	seen := map[float32]bool{}
	for u := range s.Users().Len() {
		row := s.Row(u)
		complete = complete && row.Len() == s.Items().Len()
		clear(seen)
		for _, v := range row.Values {
			strict = strict && !seen[v]
			seen[v] = true
		}
	}
	return map[bool]string{true: "so", false: "to"}[strict] + map[bool]string{true: "c", false: "i"}[complete]
}

// write writes orders, the most frequent first. Values are lost beyond
// the order they make, and users beyond their number. Items whose ids are 1 to n
// keep them; others are numbered in the order of their ids.
func write(w io.Writer, s *ratings.Set, o codec.Options) error {
	kind := kindOf(s)
	if s.Len() == 0 {
		return fmt.Errorf("format: there are no ratings to write as PrefLib orders")
	}
	if wanted := o.Format; slices.Contains(types, "."+wanted) {
		// An order without ties is one that may have some, and a complete one may be incomplete.
		if wanted == "cat" || kind[0] == 't' && wanted[0] == 's' || kind[2] == 'i' && wanted[2] == 'c' {
			return fmt.Errorf("format: the orders are %s and cannot be written as %s", kind, wanted)
		}
		kind = wanted
	}
	number := numbering(s.Items())
	var distinct []string
	count := map[string]int{} // of each
	for u := range s.Users().Len() {
		order, err := orderOf(s.Row(u), number)
		if err != nil {
			return fmt.Errorf("format: user %q rated nothing, and PrefLib has no empty orders", s.Users().ID(uint32(u)))
		}
		text := string(order.append(nil))
		if count[text]++; count[text] == 1 {
			distinct = append(distinct, text)
		}
	}
	slices.SortStableFunc(distinct, func(a, b string) int { return cmp.Compare(count[b], count[a]) })

	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# DATA TYPE: %s\n", kind)
	fmt.Fprintf(out, "# MODIFICATION TYPE: original\n")
	fmt.Fprintf(out, "# NUMBER ALTERNATIVES: %d\n", s.Items().Len())
	fmt.Fprintf(out, "# NUMBER VOTERS: %d\n", s.Users().Len())
	fmt.Fprintf(out, "# NUMBER UNIQUE ORDERS: %d\n", len(distinct))
	names := make([]string, s.Items().Len()+1)
	for i, n := range number {
		names[n] = s.Items().Name(uint32(i))
		if strings.ContainsAny(names[n], "\r\n") {
			return fmt.Errorf("format: item %q has the name %q; a name in a PrefLib file is one line", s.Items().ID(uint32(i)), names[n])
		}
	}
	for n, name := range names[1:] {
		fmt.Fprintf(out, "# ALTERNATIVE NAME %d: %s\n", n+1, name)
	}
	for _, order := range distinct {
		fmt.Fprintf(out, "%d: %s\n", count[order], order)
	}
	return out.Flush()
}

// numbering gives every item a number, 1 to n.
func numbering(items *ratings.Vocabulary) []int {
	number := make([]int, items.Len())
	for i := range number {
		id := items.ID(uint32(i))
		n, err := strconv.Atoi(id)
		if err != nil || n < 1 || n > len(number) || strconv.Itoa(n) != id { // so that no two ids share a number
			for i := range number {
				number[i] = i + 1
			}
			return number
		}
		number[i] = n
	}
	return number
}

// orderOf is the order of a row that is not empty, the largest value first.
func orderOf(row ratings.Row, number []int) (o tieredOrder, err error) {
	order, err := ratings.Order(row)
	if err != nil {
		return o, err
	}
	for _, places := range order.Blocks() {
		from := len(o.alternatives)
		for _, place := range places {
			o.alternatives = append(o.alternatives, number[row.Items[place]])
		}
		slices.Sort(o.alternatives[from:])
		o.ends = append(o.ends, len(o.alternatives))
	}
	return o, nil
}
