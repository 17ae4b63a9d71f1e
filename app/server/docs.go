package server

import (
	"cmp"
	"encoding/json"
	"html/template"
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
	s.mux.HandleFunc("GET /docs", serveText("text/html; charset=utf-8", page(docsPage, s.describe())))
	s.mux.HandleFunc("GET /docs.css", serveText("text/css; charset=utf-8", []byte(docsStyle)))
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
		if op.RequestBody != nil {
			d.Body = s.fields("", op.RequestBody.Content["application/json"].Schema, nil)
		}
		for status, response := range op.Responses {
			if status != "200" && status != "201" && status != "202" {
				d.Statuses = append(d.Statuses, status+" "+response.Description)
			} else if media := response.Content["application/json"]; media != nil {
				d.Answer = s.fields("", media.Schema, nil)
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
func (s *Server) fields(prefix string, schema *huma.Schema, above []string) (list []fieldOf) {
	schema, name := s.resolve(schema)
	if schema == nil || slices.Contains(above, name) && name != "" {
		return nil
	}
	if schema.Type == huma.TypeArray {
		return s.fields(prefix+"[]", schema.Items, above)
	}
	for _, each := range slices.Sorted(maps.Keys(schema.Properties)) {
		property := schema.Properties[each]
		path := strings.TrimPrefix(prefix+"."+each, ".")
		plain, _ := s.resolve(property)
		list = append(list, fieldOf{Name: path, Kind: kindOf(plain), Means: cmp.Or(property.Description, plain.Description)})
		list = append(list, s.fields(path, property, append(above, name))...)
	}
	return list
}

// resolve follows a reference.
func (s *Server) resolve(schema *huma.Schema) (*huma.Schema, string) {
	if schema == nil || schema.Ref == "" {
		return schema, ""
	}
	return s.api.OpenAPI().Components.Schemas.SchemaFromRef(schema.Ref), schema.Ref
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

var docsPage = template.Must(template.New("docs").Parse(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>fubini: the API</title><link rel="stylesheet" href="/docs.css"></head>
<body><main>
<h1>The API</h1>
<p>The same for machines: <a href="/openapi.json">/openapi.json</a>. Faults are answered as application/problem+json and name the field. <a href="/healthz">/healthz</a>, <a href="/readyz">/readyz</a> and /metrics are for those who run the server.</p>
<ul>{{range .}}<li><a href="#{{.ID}}"><code>{{.Method}} {{.Path}}</code></a> {{.Summary}}</li>{{end}}</ul>
{{range .}}<section>
<h2 id="{{.ID}}"><code>{{.Method}} {{.Path}}</code></h2>
<p>{{.Summary}}. {{.Description}} Needs the scope <em>{{.Scope}}</em>.</p>
{{if .Example}}<pre>{{.Example}}</pre>{{end}}
{{if .Parameters}}<table><caption>Parameters</caption>{{range .Parameters}}<tr><th scope="row"><code>{{.Name}}</code></th><td>{{.In}}</td><td>{{.Kind}}</td><td>{{.Means}}</td></tr>{{end}}</table>{{end}}
{{if .Body}}<table><caption>Body</caption>{{range .Body}}<tr><th scope="row"><code>{{.Name}}</code></th><td>{{.Kind}}</td><td>{{.Means}}</td></tr>{{end}}</table>{{end}}
{{if .Answer}}<table><caption>Answer</caption>{{range .Answer}}<tr><th scope="row"><code>{{.Name}}</code></th><td>{{.Kind}}</td><td>{{.Means}}</td></tr>{{end}}</table>{{end}}
<p>Also: {{range $n, $each := .Statuses}}{{if $n}}, {{end}}{{$each}}{{end}}.</p>
</section>{{end}}
</main></body>
</html>
`))

const docsStyle = `:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
section { border-top: 1px solid; margin-top: 2rem; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid; }
table { border-collapse: collapse; margin: 1rem 0; width: 100%; }
caption, th { text-align: left; }
caption { font-weight: bold; }
td, th { padding: .2rem .6rem .2rem 0; vertical-align: top; border-bottom: 1px solid; font-weight: normal; }
`
