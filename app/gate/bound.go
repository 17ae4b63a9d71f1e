package gate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
)

// query refuses queries in which a parameter comes twice: two programs that read it may see two different values.
func (g *Gate) query(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		values, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil {
			writeProblem(w, r, NewProblem(http.StatusBadRequest, "the query cannot be read", &Fault{Message: "wrongly escaped", Location: "query"}))
			return
		}
		var faults []*Fault
		for name, all := range values {
			if len(all) > 1 {
				faults = append(faults, &Fault{Message: twice, Location: Short("query."+name, mostEchoed)})
			}
		}
		if len(faults) > 0 {
			slices.SortFunc(faults, func(a, b *Fault) int { return cmp.Compare(a.Location, b.Location) })
			writeProblem(w, r, Invalid(faults...))
			return
		}
		next.ServeHTTP(w, r)
	})
}

const twice = "comes more than once; it may come once"

// bound refuses bodies with too much in them before anything is made of them. Validation lists all faults of a
// body, at a cost for each: of a body within these bounds there cannot be many.
func (g *Gate) bound(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := CallOf(r.Context())
		if err := r.Context().Err(); err != nil {
			writeProblem(w, r, ProblemOf(err))
			return
		}
		look := &scan{resolve: g.options.Resolve, text: c.body}
		switch fault := look.value(c.Route.Body, 0); fault {
		case nil, errEnds:
			next.ServeHTTP(w, r)
		case errDeep:
			writeProblem(w, r, NewProblem(http.StatusBadRequest, "the body has too many brackets within brackets", &Fault{Message: fault.Message, Location: "body"}))
		default:
			writeProblem(w, r, Invalid(&Fault{Message: fault.Message, Location: Short("body"+fault.Location, 200)}))
		}
	})
}

// scan goes through JSON once, beside the schema that it should have, and stops at the first excess: too many
// values, brackets within brackets, elements of an array or characters of a text, more faults than an answer lists,
// or a field that comes twice. Whether the text is JSON at all is found out later; of what is not, nothing is used.
type scan struct {
	resolve func(*huma.Schema) *huma.Schema
	text    []byte
	at      int
	values  int // so far
	faults  int // unknown fields and values of another type, so far
}

// Faults that are not of a place in the body.
var (
	errDeep = &Fault{Message: "nested too deeply"}
	errEnds = &Fault{} // no JSON: what comes next will say so
)

// anything is the schema of a value for which there is none.
var anything = &huma.Schema{}

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
	if schema = s.resolve(schema); schema == nil {
		schema = anything
	}
	if s.values++; s.values > mostValues {
		return &Fault{Message: "more than " + strconv.Itoa(mostValues) + " values in one body"}
	}
	first := s.space()
	if !couldBe(first, schema.Type) {
		if s.faults++; s.faults > mostFaults {
			return &Fault{Message: "expected " + schema.Type}
		}
	}
	switch first {
	case '[', '{':
		return s.members(schema, first == '{', depth+1)
	case '"':
		// One character takes up to twelve bytes, as in \ud83c\udf55.
		if length := len(s.word()) - 2; schema.MaxLength != nil && length > 12**schema.MaxLength {
			return &Fault{Message: fmt.Sprintf("expected length <= %d", *schema.MaxLength)}
		}
		return nil
	}
	// A number, true, false or null.
	length := bytes.IndexAny(s.text[s.at:], ",]} \t\n\r\"[{:")
	if length < 0 {
		length = len(s.text) - s.at
	}
	if s.at += length; length == 0 && first != 0 {
		return errEnds
	}
	return nil
}

// couldBe reports whether a value that begins so may be of a type.
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

// word passes over a text and returns it with its quotes; without the last where it does not end.
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

// members passes over the fields of an object or the elements of an array.
func (s *scan) members(schema *huma.Schema, object bool, depth int) *Fault {
	if depth > mostDepth {
		return errDeep
	}
	end, most := byte(']'), mostValues
	if object {
		end = '}'
	} else if schema.MaxItems != nil {
		most = *schema.MaxItems
	}
	var room [8]string // as many fields as our objects have
	seen := room[:0]
	s.at++
	if s.space() == end {
		s.at++
		return nil
	}
	for n := 0; ; n++ {
		var fault *Fault
		if of, name := schema.Items, ""; object {
			if of, name, fault = s.field(schema, &seen); fault == nil {
				fault = s.value(of, depth)
			}
			if fault != nil {
				return fault.within("." + name)
			}
		} else {
			if n == most {
				return &Fault{Message: fmt.Sprintf("expected array length <= %d", most)}
			}
			if fault = s.value(of, depth); fault != nil {
				return fault.within("[" + strconv.Itoa(n) + "]")
			}
		}
		switch s.space() {
		case ',':
			s.at++
		case end:
			s.at++
			return nil
		default:
			return errEnds
		}
	}
}

// field passes over the name of a field and its colon. It returns the schema of its value, nil where there is none.
func (s *scan) field(object *huma.Schema, seen *[]string) (of *huma.Schema, name string, fault *Fault) {
	if s.space() != '"' {
		return nil, "", errEnds
	}
	word := s.word()
	if bytes.IndexByte(word, '\\') < 0 {
		name = string(bytes.Trim(word, `"`))
	} else if json.Unmarshal(word, &name) != nil { // letters of a name may be escaped
		return nil, "", errEnds
	}
	if s.space() != ':' {
		return nil, "", errEnds
	}
	s.at++
	of = object.Properties[name]
	switch {
	case of != nil && slices.Contains(*seen, name):
		return nil, name, &Fault{Message: twice}
	case of != nil:
		*seen = append(*seen, name)
	case object.Type != "":
		if s.faults++; s.faults > mostFaults {
			return nil, name, &Fault{Message: "unexpected property"}
		}
	}
	return of, name, nil
}

// within is the fault as seen from one level further out.
func (f *Fault) within(place string) *Fault {
	if f == errDeep || f == errEnds {
		return f
	}
	return &Fault{Message: f.Message, Location: place + f.Location}
}
