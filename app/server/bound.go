package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
)

// keepSchemas notes the schema of each route's body.
func (s *Server) keepSchemas() {
	for path, item := range s.api.OpenAPI().Paths {
		for method, op := range methodsOf(item) {
			if op.RequestBody == nil {
				continue
			}
			for _, media := range op.RequestBody.Content {
				s.schemas[method+" "+path] = media.Schema
			}
		}
	}
}

// bound refuses bodies with too much in them before anything is made of them.
// Validation lists all faults of a body, at a cost for each: of a body within these
// bounds there cannot be many.
func (s *Server) bound(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := callOf(r.Context())
		look := &scan{ctx: r.Context(), resolve: s.resolve, text: c.body, depth: s.limits.Depth}
		if fault := look.value(s.schemas[c.route], 0); fault != nil && fault != errEnds {
			writeProblem(w, r, look.problem(fault))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// scan goes through JSON once, beside the schema that it should have, and stops at
// the first excess: too many values, brackets within brackets, elements of an array
// or characters of a text, more faults than an answer lists, or a field that comes twice.
// Whether the text is JSON at all is found out later; of what is not, nothing is used.
type scan struct {
	ctx     context.Context //nolint:containedctx // of the one request that it looks at
	resolve func(*huma.Schema) (*huma.Schema, string)
	text    []byte
	at      int
	depth   int // most brackets within brackets
	values  int // so far
	faults  int // unknown fields and values of another type, so far
}

// Faults that are not of a place in the body.
var (
	errDeep = &Fault{Message: "nested too deeply"}
	errLate = &Fault{Message: "too late"}
	errEnds = &Fault{} // no JSON: what comes next will say so
)

// problem is the answer to a fault.
func (s *scan) problem(fault *Fault) *Problem {
	switch fault {
	case errDeep:
		return problem(http.StatusBadRequest, "the body has too many brackets within brackets", &Fault{Message: fault.Message, Location: "body"})
	case errLate:
		return problemOf(s.ctx.Err())
	}
	return invalid(&Fault{Message: fault.Message, Location: shortText("body"+fault.Location, 200)})
}

// space passes over white space and returns what stands behind it; 0 at the end.
func (s *scan) space() byte {
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// value passes over a value.
func (s *scan) value(schema *huma.Schema, depth int) *Fault {
	schema, _ = s.resolve(schema)
	if s.values++; s.values > mostValues {
		return &Fault{Message: "more than " + strconv.Itoa(mostValues) + " values in one body"}
	}
	if s.values%1024 == 1 && s.ctx.Err() != nil {
		return errLate
	}
	first := s.space()
	if schema != nil && !couldBe(first, schema.Type) {
		if s.faults++; s.faults > mostFaults {
			return &Fault{Message: "expected " + schema.Type}
		}
	}
	switch first {
	case '[':
		return s.array(schema, depth+1)
	case '{':
		return s.object(schema, depth+1)
	case '"':
		length := len(s.word()) - 2
		// One character takes up to twelve bytes, as in \ud83c\udf55.
		if schema != nil && schema.MaxLength != nil && length > 12**schema.MaxLength {
			return &Fault{Message: fmt.Sprintf("expected length <= %d", *schema.MaxLength)}
		}
		return nil
	}
	for from := s.at; s.at < len(s.text); s.at++ { // a number, true, false or null
		switch s.text[s.at] {
		case ',', ']', '}', ' ', '\t', '\n', '\r', '"', '[', '{', ':':
			if s.at == from {
				return errEnds
			}
			return nil
		}
	}
	return nil
}

// couldBe says whether a value that begins so may be of a type.
func couldBe(first byte, kind string) bool {
	switch kind {
	case huma.TypeArray:
		return first == '['
	case huma.TypeObject:
		return first == '{'
	case huma.TypeString:
		return first == '"'
	case huma.TypeBoolean:
		return first == 't' || first == 'f'
	case huma.TypeInteger, huma.TypeNumber:
		return first == '-' || '0' <= first && first <= '9'
	}
	return true
}

// word passes over a text and returns it with its quotes; without the last where it
// does not end.
func (s *scan) word() []byte {
	from := s.at
	for s.at++; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			return s.text[from:s.at]
		}
	}
	return s.text[from:]
}

func (s *scan) array(schema *huma.Schema, depth int) *Fault {
	if depth > s.depth {
		return errDeep
	}
	var items *huma.Schema
	most := mostValues
	if schema != nil && schema.Type == huma.TypeArray {
		items = schema.Items
		if schema.MaxItems != nil {
			most = *schema.MaxItems
		}
	}
	s.at++
	if s.space() == ']' {
		s.at++
		return nil
	}
	for n := 0; ; n++ {
		if n == most {
			return &Fault{Message: fmt.Sprintf("expected array length <= %d", most)}
		}
		if fault := s.value(items, depth); fault != nil {
			return fault.within("[" + strconv.Itoa(n) + "]")
		}
		if more, fault := s.goesOn(']'); !more {
			return fault
		}
	}
}

func (s *scan) object(schema *huma.Schema, depth int) *Fault {
	if depth > s.depth {
		return errDeep
	}
	var room [8]string // as many fields as our objects have
	seen := room[:0]
	s.at++
	if s.space() == '}' {
		s.at++
		return nil
	}
	for {
		if s.space() != '"' {
			return errEnds
		}
		name, sound := unquoted(s.word())
		if !sound || s.space() != ':' {
			return errEnds
		}
		s.at++
		var of *huma.Schema
		if schema != nil {
			of = schema.Properties[name]
			switch {
			case of != nil && slices.Contains(seen, name):
				return (&Fault{Message: "comes more than once; it may come once"}).within("." + name)
			case of != nil:
				seen = append(seen, name)
			default:
				if s.faults++; s.faults > mostFaults {
					return (&Fault{Message: "unexpected property"}).within("." + name)
				}
			}
		}
		if fault := s.value(of, depth); fault != nil {
			return fault.within("." + name)
		}
		if more, fault := s.goesOn('}'); !more {
			return fault
		}
	}
}

// unquoted is a name without its quotes, in which letters may be escaped.
func unquoted(word []byte) (name string, sound bool) {
	if bytes.IndexByte(word, '\\') < 0 {
		return string(bytes.Trim(word, `"`)), true
	}
	err := json.Unmarshal(word, &name)
	return name, err == nil
}

// goesOn passes over what stands behind an element, and says whether another follows.
func (s *scan) goesOn(end byte) (more bool, fault *Fault) {
	switch s.space() {
	case ',':
		s.at++
		return true, nil
	case end:
		s.at++
		return false, nil
	}
	return false, errEnds
}

// within is the fault as seen from one level further out.
func (f *Fault) within(place string) *Fault {
	if f == errDeep || f == errLate || f == errEnds {
		return f
	}
	return &Fault{Message: f.Message, Location: place + f.Location}
}
