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

	"github.com/danielgtaylor/huma/v2"
)

// query refuses queries in which a parameter comes twice: two programs that read it may see two different values.
func query(_ http.ResponseWriter, r *http.Request, _ *Call) error {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return NewProblem(http.StatusBadRequest, "the query cannot be read", &Fault{Message: "wrongly escaped", Location: "query"})
	}
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if len(values[name]) > 1 {
			faults = append(faults, &Fault{Message: twice, Location: Short("query."+name, mostEchoed)})
		}
	}
	return Invalid(faults...)
}

const twice = "comes more than once; it may come once"

// bound refuses bodies with too much in them before anything is made of them. Validation lists all faults of a body,
// at a cost for each: of a body within these bounds there cannot be many.
func (g *Gate) bound(_ http.ResponseWriter, r *http.Request, c *Call) error {
	if err := r.Context().Err(); err != nil {
		return problemOf(err)
	}
	if c.Route.File > 0 {
		return nil // no JSON: its reader has bounds of its own
	}
	return scan(c.body, c.Route.Body, g.options.Resolve)
}

// nest is an object or an array that surrounds a place in JSON.
type nest struct {
	schema *huma.Schema // nil for none
	object bool
	names  []string // of the fields so far
	named  bool     // the name of the next field was read
	n      int      // elements so far
}

// name is that of the last field.
func (n *nest) name() string {
	if len(n.names) == 0 {
		return "" // no JSON
	}
	return n.names[len(n.names)-1]
}

// next is the schema of the next value; nil for none.
func (n *nest) next() *huma.Schema {
	switch {
	case n.schema == nil:
		return nil
	case n.object:
		return n.schema.Properties[n.name()]
	}
	return n.schema.Items
}

// scan goes through JSON once, beside the schema that it should have, and refuses the first excess: too many values,
// fields, elements or brackets within brackets, too long a text, more faults than an answer lists, a field that comes
// twice. Whether the text is JSON at all is found out later; of what is not, nothing is used.
func scan(text []byte, body *huma.Schema, resolve func(*huma.Schema) *huma.Schema) error {
	open := make([]nest, 1, mostDepth+2) // what surrounds the place
	open[0].schema = &huma.Schema{Items: body}
	excess := func(message string) error {
		location := "body"
		for _, around := range open[1:] {
			if around.object {
				location += "." + around.name()
			} else {
				location += "[" + strconv.Itoa(around.n) + "]"
			}
		}
		return Invalid(&Fault{Message: message, Location: Short(location, 200)})
	}
	values, faults := 0, 0
	for at := 0; at < len(text); at++ {
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
		}
		length := bytes.IndexAny(text[at:], ",]} \t\n\r\"[{:") // of a number, true, false or null
		switch first {
		case '[', '{':
			length = 1
		case '"':
			length = quoted(text[at:])
		}
		if length < 0 {
			length = len(text) - at
		}
		word := text[at : at+length]
		at += length - 1
		if first == '"' && around.object && !around.named {
			name := string(bytes.Trim(word, `"`))
			if bytes.IndexByte(word, '\\') >= 0 && json.Unmarshal(word, &name) != nil { // letters of a name may be escaped
				return nil // no JSON
			}
			again := slices.Contains(around.names, name)
			around.names, around.named = append(around.names, name), true
			if around.schema != nil && around.next() == nil {
				faults++
			}
			switch {
			case again:
				return excess(twice)
			case len(around.names) > mostFields || faults > mostFaults:
				return excess("unexpected property")
			}
			continue
		}
		schema := resolve(around.next())
		if schema != nil && !couldBe(word, schema) {
			faults++
		}
		switch values++; {
		case values > mostValues:
			return excess(fmt.Sprintf("more than %d values in one body", mostValues))
		case faults > mostFaults:
			return excess("expected " + schema.Type + ", not " + Short(string(word), mostEchoed))
		case len(word) > mostText:
			return excess(fmt.Sprintf("more than %d bytes in one text", mostText))
		case first == '[' || first == '{':
			if open = append(open, nest{schema: schema, object: first == '{'}); len(open)-1 > mostDepth {
				return NewProblem(http.StatusBadRequest, "the body has too many brackets within brackets", &Fault{Message: "nested too deeply", Location: "body"})
			}
		}
	}
	return nil
}

// couldBe reports whether a value may be of a schema, by how it begins; an empty text may be refused too.
func couldBe(word []byte, schema *huma.Schema) bool {
	switch first := word[0]; schema.Type {
	case huma.TypeArray:
		return first == '['
	case huma.TypeObject:
		return first == '{'
	case huma.TypeString:
		return first == '"' && (len(word) > 2 || schema.MinLength == nil)
	case huma.TypeBoolean:
		return first == 't' || first == 'f'
	case huma.TypeInteger, huma.TypeNumber:
		return first == '-' || '0' <= first && first <= '9'
	}
	return true
}

// quoted is the length of the text with its quotes at the beginning of JSON; of all where it does not end.
func quoted(text []byte) int {
	for at := 1; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(text)
}
