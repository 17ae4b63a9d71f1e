// Package apidoc makes the page about an HTTP API out of its OpenAPI document: every route with its parameters, the fields
// of its body and of its answer, and a request to paste. Nothing is loaded from elsewhere, and no script runs.
package apidoc

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"fubini/app/fill"
	"fubini/app/store"
)

// Route is an operation of the API, with the scope that a key for it needs and the schema of its body, nil for none.
type Route struct {
	*huma.Operation
	Scope store.Scope
	Body  *huma.Schema
}

// Style is the style sheet of the page, which asks for it at /docs.css.
//
//go:embed docs.css
var Style []byte

//go:embed docs.html
var layout string

// Page is the page about some routes of an API, in HTML.
func Page(api *huma.OpenAPI, routes []Route) []byte {
	var list, sections strings.Builder
	for _, route := range (document{api}).describe(routes) {
		fmt.Fprintf(&list, `<li><a href="#%s"><code>%s %s</code></a> %s</li>`, escaped(route.OperationID), route.Method, escaped(route.Path), escaped(route.Summary))
		route.write(&sections)
	}
	text, err := fill.In(layout, fill.Functions{"list": fill.Text(list.String()), "sections": fill.Text(sections.String())})
	if err != nil {
		panic(err) // our text
	}
	return []byte(text)
}

func escaped(text string) string { return html.EscapeString(text) }

// write writes the section about a route.
func (d described) write(w *strings.Builder) {
	fmt.Fprintf(w, "<section>\n<h2 id=\"%s\"><code>%s %s</code></h2>\n", escaped(d.OperationID), d.Method, escaped(d.Path))
	fmt.Fprintf(w, "<p>%s. %s Needs the scope <em>%s</em>.</p>\n", escaped(d.Summary), escaped(d.Description), escaped(string(d.Scope)))
	if d.Example != "" {
		fmt.Fprintf(w, "<pre>%s</pre>", escaped(d.Example))
	}
	w.WriteByte('\n')
	if len(d.Parameters) > 0 {
		w.WriteString("<table><caption>Parameters</caption>")
		for _, p := range d.Parameters {
			fmt.Fprintf(w, `<tr><th scope="row"><code>%s</code></th><td>%s</td><td>%s</td><td>%s</td></tr>`, escaped(p.Name), escaped(p.In), escaped(d.Kind(p.Schema)), escaped(p.Description))
		}
		w.WriteString("</table>")
	}
	w.WriteByte('\n')
	writeFields(w, "Body", d.Body)
	writeFields(w, "Answer", d.Answer)
	var also []string
	for _, status := range slices.Sorted(maps.Keys(d.Responses)) {
		if !slices.Contains([]string{"200", "201", "202"}, status) {
			also = append(also, escaped(status+" "+d.Responses[status].Description))
		}
	}
	fmt.Fprintf(w, "<p>Also: %s.</p>\n</section>", strings.Join(also, ", "))
}

// writeFields writes a table of fields, if there are any.
func writeFields(w *strings.Builder, caption string, fields []fieldOf) {
	if len(fields) > 0 {
		fmt.Fprintf(w, "<table><caption>%s</caption>", caption)
		for _, f := range fields {
			fmt.Fprintf(w, `<tr><th scope="row"><code>%s</code></th><td>%s</td><td>%s</td></tr>`, escaped(f.Name), escaped(f.Kind), escaped(f.Means))
		}
		w.WriteString("</table>")
	}
	w.WriteByte('\n')
}

// document is the OpenAPI document, in which schemas refer to each other.
type document struct{ *huma.OpenAPI }

// described is a route as the page shows it: its operation, with the fields of the body and of the answer.
type described struct {
	*huma.Operation
	Scope        store.Scope
	Body, Answer []fieldOf
	Example      string
}

type fieldOf struct{ Name, Kind, Means string }

// describe lists all routes in the order of their paths.
func (d document) describe(routes []Route) (all []described) {
	for _, route := range routes {
		each := described{Operation: route.Operation, Scope: route.Scope, Body: d.fields("", route.Body), Example: curl(route.Operation, route.Scope == store.Admin)}
		for _, status := range []string{"200", "201", "202"} {
			if response := route.Responses[status]; response != nil && response.Content["application/json"] != nil {
				each.Answer = d.fields("", response.Content["application/json"].Schema)
			}
		}
		all = append(all, each)
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
func (d document) fields(prefix string, schema *huma.Schema) (list []fieldOf) {
	if schema = Resolve(d.OpenAPI, schema); schema == nil {
		return nil
	}
	if schema.Type == huma.TypeArray {
		return d.fields(prefix+"[]", schema.Items)
	}
	for _, each := range slices.Sorted(maps.Keys(schema.Properties)) {
		property := schema.Properties[each]
		path := strings.TrimPrefix(prefix+"."+each, ".")
		plain := Resolve(d.OpenAPI, property)
		list = append(list, fieldOf{Name: path, Kind: described{}.Kind(plain), Means: cmp.Or(property.Description, plain.Description)})
		list = append(list, d.fields(path, property)...)
	}
	return list
}

// Resolve is the schema itself, or the schema of the document that it refers to.
func Resolve(api *huma.OpenAPI, schema *huma.Schema) *huma.Schema {
	if schema == nil || schema.Ref == "" {
		return schema
	}
	return api.Components.Schemas.SchemaFromRef(schema.Ref)
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
