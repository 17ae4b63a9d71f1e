package gate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
)

// query refuses queries in which a parameter comes twice: two programs that read it may see two different values.
func query(_ http.ResponseWriter, r *http.Request, _ *Call) *Problem {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return NewProblem(http.StatusBadRequest, "the query cannot be read", &Fault{Message: "wrongly escaped", Location: "query"})
	}
	var faults []*Fault
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if len(values[name]) > 1 {
			faults = append(faults, &Fault{Message: twice, Location: Short("query."+name, mostEchoed)})
		}
	}
	if len(faults) > 0 {
		return Invalid(faults...)
	}
	return nil
}

const twice = "comes more than once; it may come once"

// bound refuses bodies with too much in them before anything is made of them. Validation lists all faults of a body,
// at a cost for each: of a body within these bounds there cannot be many.
func bound(_ http.ResponseWriter, r *http.Request, c *Call) *Problem {
	if err := r.Context().Err(); err != nil {
		return ProblemOf(err)
	}
	return scan(c.body)
}

// nest is an object or an array that surrounds a place in JSON.
type nest struct {
	object bool
	names  []string // of the fields so far
	named  bool     // the name of the next field was read
	n      int      // elements so far
}

// scan goes through JSON once and refuses the first excess: too many values, fields or brackets within brackets, too
// long a text, a field that comes twice. Whether the text is JSON at all is found out later; of what is not, nothing
// is used.
func scan(text []byte) *Problem {
	open := make([]nest, 1, mostDepth+2) // what surrounds the place; the first is the body itself
	excess := func(message string) *Problem {
		location := "body"
		for _, around := range open[1:] {
			if around.object {
				location += "." + around.names[len(around.names)-1]
			} else {
				location += "[" + strconv.Itoa(around.n) + "]"
			}
		}
		return Invalid(&Fault{Message: message, Location: Short(location, 200)})
	}
	for at, values := 0, 0; at < len(text); at++ {
		around, first := &open[len(open)-1], text[at]
		switch first {
		case ' ', '\t', '\n', '\r', ':':
			continue
		case ',':
			around.named = false
			if around.n++; around.n == mostElements {
				open = open[:max(1, len(open)-1)] // the array is the place
				return excess(fmt.Sprintf("expected array length <= %d", mostElements))
			}
			continue
		case ']', '}':
			if len(open) == 1 {
				return nil // no JSON
			}
			open = open[:len(open)-1]
			continue
		case '"':
			word := quoted(text[at:])
			at += len(word) - 1
			if around.object && !around.named {
				name := string(bytes.Trim(word, `"`))
				if bytes.IndexByte(word, '\\') >= 0 && json.Unmarshal(word, &name) != nil { // letters of a name may be escaped
					return nil // no JSON
				}
				again := slices.Contains(around.names, name)
				around.names, around.named = append(around.names, name), true
				switch {
				case again:
					return excess(twice)
				case len(around.names) > mostFields:
					return excess("unexpected property")
				}
				continue
			}
			if len(word) > mostText {
				return excess(fmt.Sprintf("more than %d bytes in one text", mostText))
			}
		case '[', '{':
		default: // a number, true, false or null
			if length := bytes.IndexAny(text[at:], ",]} \t\n\r\"[{:"); length > 0 {
				at += length - 1
			} else {
				at = len(text)
			}
		}
		if values++; values > mostValues {
			return excess(fmt.Sprintf("more than %d values in one body", mostValues))
		}
		if first == '[' || first == '{' {
			if open = append(open, nest{object: first == '{'}); len(open)-1 > mostDepth {
				return NewProblem(http.StatusBadRequest, "the body has too many brackets within brackets", &Fault{Message: "nested too deeply", Location: "body"})
			}
		}
	}
	return nil
}

// quoted is the text with its quotes at the beginning of JSON; without the last where it does not end.
func quoted(text []byte) []byte {
	for at := 1; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return text[:at+1]
		}
	}
	return text
}
