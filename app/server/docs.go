package server

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
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

// described is a route as the page shows it.
type described struct {
	Method, Path, ID, Summary, Description, Scope string
	Parameters                                    []fieldOf
	Body, Answer                                  []fieldOf
	Example                                       string
	Statuses                                      []string
}

type fieldOf struct{ Name, In, Kind, Means string }

// describe lists all routes in the order of their paths.
func (s *Server) describe() (all []described) {
	for pattern, op := range s.operations() {
		d := described{Method: op.Method, Path: op.Path, ID: op.OperationID, Summary: op.Summary, Description: op.Description, Scope: string(s.routes[pattern].Scope)}
		for _, p := range op.Parameters {
			d.Parameters = append(d.Parameters, fieldOf{p.Name, p.In, kindOf(p.Schema), p.Description})
		}
		d.Body = s.fields("", s.routes[pattern].Body)
		for status, response := range op.Responses {
			if status != "200" && status != "201" && status != "202" {
				d.Statuses = append(d.Statuses, status+" "+response.Description)
			} else if media := response.Content["application/json"]; media != nil {
				d.Answer = s.fields("", media.Schema)
			}
		}
		slices.Sort(d.Statuses)
		d.Example = curl(op, d.Scope == string(adminScope))
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b described) int { // what only admins do comes last
		if (a.Scope == string(adminScope)) != (b.Scope == string(adminScope)) {
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
		list = append(list, fieldOf{Name: path, Kind: kindOf(plain), Means: cmp.Or(property.Description, plain.Description)})
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

// kindOf is a few words for the values that a schema takes.
func kindOf(schema *huma.Schema) string {
	if schema == nil {
		return ""
	}
	words := []string{schema.Type}
	number := func(name string, v *float64) {
		if v != nil {
			words = append(words, name+" "+strconv.FormatFloat(*v, 'g', -1, 64))
		}
	}
	count := func(name string, v *int) {
		if v != nil {
			words = append(words, name+" "+strconv.Itoa(*v))
		}
	}
	number("from", schema.Minimum)
	number("to", schema.Maximum)
	count("at least", schema.MinLength)
	count("at most", schema.MaxLength)
	count("at most", schema.MaxItems)
	if schema.Default != nil {
		text, _ := json.Marshal(schema.Default) // it came from a tag
		words = append(words, "default "+string(text))
	}
	return strings.Join(words, ", ")
}
