package server

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"fubini/app/store"
)

// routeDocs serves the OpenAPI document, and a page made of it here: nothing is
// loaded from elsewhere, and no script runs.
func (s *Server) routeDocs() {
	text, err := json.Marshal(s.api.OpenAPI())
	if err != nil {
		panic(err) // the document is ours
	}
	s.mux.HandleFunc("GET /openapi.json", serveText("application/openapi+json", text))
	s.mux.HandleFunc("GET /docs", serveText("text/html; charset=utf-8", page("docs.html", s.describe())))
	s.mux.HandleFunc("GET /docs.css", serveText("text/css; charset=utf-8", page("docs.css", nil)))
}

// described is a route as the page shows it: its operation, with the fields of the body and of the answer.
type described struct {
	*huma.Operation
	Scope        store.Scope
	Body, Answer []fieldOf
	Example      string
}

type fieldOf struct{ Name, Kind, Means string }

// describe lists all routes in the order of their paths.
func (s *Server) describe() (all []described) {
	for pattern, op := range s.operations {
		route := s.routes[pattern]
		d := described{Operation: op, Scope: route.Scope, Body: s.fields("", route.Body), Example: curl(op, route.Scope == store.Admin)}
		for _, status := range []string{"200", "201", "202"} {
			if response := op.Responses[status]; response != nil && response.Content["application/json"] != nil {
				d.Answer = s.fields("", response.Content["application/json"].Schema)
			}
		}
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b described) int { // what only admins do comes last
		if (a.Scope == store.Admin) != (b.Scope == store.Admin) {
			return cmp.Compare(b.Scope, a.Scope)
		}
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method))
	})
	return all
}

// fields are the properties of a schema, nested ones with their path.
func (s *Server) fields(prefix string, schema *huma.Schema) (list []fieldOf) {
	if schema = s.resolve(schema); schema == nil {
		return nil
	}
	if schema.Type == huma.TypeArray {
		return s.fields(prefix+"[]", schema.Items)
	}
	for _, each := range slices.Sorted(maps.Keys(schema.Properties)) {
		property := schema.Properties[each]
		path := strings.TrimPrefix(prefix+"."+each, ".")
		plain := s.resolve(property)
		list = append(list, fieldOf{Name: path, Kind: described{}.Kind(plain), Means: cmp.Or(property.Description, plain.Description)})
		list = append(list, s.fields(path, property)...)
	}
	return list
}

// resolve follows a reference.
func (s *Server) resolve(schema *huma.Schema) *huma.Schema {
	if schema == nil || schema.Ref == "" {
		return schema
	}
	return s.api.OpenAPI().Components.Schemas.SchemaFromRef(schema.Ref)
}

// Kind is a few words for the values that a schema takes.
func (described) Kind(schema *huma.Schema) string {
	words := bound([]string{schema.Type}, "from", schema.Minimum)
	words = bound(words, "to", schema.Maximum)
	words = bound(words, "at least", schema.MinLength)
	words = bound(words, "at most", schema.MaxLength)
	words = bound(words, "at most", schema.MaxItems)
	if schema.Default != nil {
		text, _ := json.Marshal(schema.Default) // it came from a tag
		words = append(words, "default "+string(text))
	}
	return strings.Join(words, ", ")
}

// bound appends a bound that a schema has.
func bound[T int | float64](words []string, name string, v *T) []string {
	if v == nil {
		return words
	}
	return append(words, name+" "+strconv.FormatFloat(float64(*v), 'g', -1, 64))
}
