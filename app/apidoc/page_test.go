package apidoc

import (
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
)

// Whatever stands in a description, the page shows it as text.
func TestPageEscapes(t *testing.T) {
	const tag, quote = `<script>x</script>`, `"><b>`
	operation := &huma.Operation{OperationID: "id" + quote, Method: "GET", Path: "/" + tag, Summary: "summary" + tag, Description: "description" + tag,
		Parameters: []*huma.Param{{Name: "name" + tag, In: "query" + tag, Description: "parameter" + tag, Schema: &huma.Schema{Type: "string"}}},
		Responses:  map[string]*huma.Response{"404": {Description: "absent" + tag}}}
	body := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{"field" + tag: {Type: "string", Description: "means" + tag}}}
	page := string(Page(&huma.OpenAPI{Components: &huma.Components{Schemas: huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)}}, []Route{{Operation: operation, Body: body}}))
	for _, raw := range []string{tag, quote} {
		if strings.Contains(page, raw) {
			t.Errorf("%q stands in the page as it is", raw)
		}
	}
	for _, text := range []string{"summary", "description", "parameter", "absent", "field", "means", "name", "query"} {
		if !strings.Contains(page, text+"&lt;script&gt;") {
			t.Errorf("the page lacks %q", text)
		}
	}
}
