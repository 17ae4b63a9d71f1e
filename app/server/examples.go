package server

import (
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"fubini/app/apidoc"
	"fubini/app/manual"
	"fubini/app/static"
)

// example is a request that works: values of parameters by name, and a body.
type example struct {
	parameters map[string]string
	body       any
}

// What examples call a list that is made, read and removed, and a job.
const (
	exampleList   = "example-list-0123456789"
	exampleSecret = "example-owner-secret"
	exampleJob    = "0123456789abcdef0123456789abcdef"
)

// addExamples puts an example into every route of the document, with items of the
// model that is served, so that it can be pasted and works.
func (s *Server) addExamples() {
	m := s.model.Load()
	known := make([]string, 5)
	for k := range known {
		known[k] = m.saved.ItemIDs[m.index.Order[k%len(m.index.Order)]]
	}
	tiers := [][]string{{known[0]}}
	if len(m.index.Order) >= len(known) {
		tiers = [][]string{{known[0], known[1]}, {known[2]}, {known[3]}}
	}
	job := map[string]string{"id": exampleJob}
	examples := map[string]example{
		"recommend":   {body: map[string]any{"tiers": tiers, "n": 3}},
		"explain":     {body: map[string]any{"tiers": tiers, "item": known[4]}},
		"embed":       {body: map[string]any{"tiers": tiers}},
		"deal":        {body: map[string]any{"tiers": tiers, "n": 3}},
		"together":    {body: map[string]any{"lists": []map[string]any{{"tiers": tiers}, {"tiers": tiers}}, "n": 3}},
		"reconstruct": {body: map[string]any{"tiers": tiers}},
		"import":      {body: "S: " + known[0] + "\nA: " + known[1] + "\n"},
		"items":       {parameters: map[string]string{"limit": "5"}},
		"item":        {parameters: map[string]string{"id": known[4]}},
		"similar":     {parameters: map[string]string{"id": known[4], "limit": "5"}},
		"model":       {},
		"board":       {parameters: map[string]string{"level": "0.9"}},
		"board-pair":  {parameters: map[string]string{"a": known[0], "b": known[1]}},
		"board-pairs": {},
		"worlds":      {},
		"start-world": {parameters: map[string]string{"name": "films"}},
		"reload":      {},
		"status":      {},
		"calibration": {parameters: map[string]string{"lists": "20"}},
		"put-list": {parameters: map[string]string{"id": exampleList, "X-List-Secret": exampleSecret, "If-None-Match": "*"}, body: map[string]any{
			"title": "An example", "tiers": []map[string]any{{"name": "S", "colour": "#ff7f7f", "items": tiers[0]}}, "unranked": []string{known[4]},
		}},
		"get-list":    {parameters: map[string]string{"id": exampleList}},
		"delete-list": {parameters: map[string]string{"id": exampleList, "X-List-Secret": exampleSecret}},
		"start-job":   {body: map[string]any{"kind": "train", "data": "ratings.csv", "epochs": 5, "hidden": 2}},
		"jobs":        {parameters: map[string]string{"limit": "5"}},
		"job":         {parameters: job},
		"cancel-job":  {parameters: job},
		"job-events":  {parameters: job},
		"audit":       {parameters: map[string]string{"limit": "5"}},
	}
	for _, op := range s.operations {
		e, there := examples[op.OperationID]
		if !there {
			panic("server: " + op.OperationID + " has no example") // a new route without one
		}
		for _, p := range op.Parameters {
			if value, given := e.parameters[p.Name]; given {
				p.Example = value
			}
			p.AllowEmptyValue = p.In == "query" // limit= is as good as none
		}
		if e.body != nil {
			for _, media := range op.RequestBody.Content { // there is one
				media.Example = e.body
			}
		}
	}
}

// routeDocs serves the OpenAPI document, and a page made of it.
func (s *Server) routeDocs() {
	api := s.api.OpenAPI()
	text, err := json.Marshal(api)
	if err != nil {
		panic(err) // the document is ours
	}
	var routes []apidoc.Route
	for pattern, op := range s.operations {
		routes = append(routes, apidoc.Route{Operation: op, Scope: s.routes[pattern].Scope, Body: s.routes[pattern].Body})
	}
	s.mux.HandleFunc("GET /openapi.json", static.Text("application/openapi+json", text))
	s.mux.HandleFunc("GET /docs/api", static.Text("text/html; charset=utf-8", apidoc.Page(api, routes)))
	s.mux.HandleFunc("GET /docs.css", static.Text("text/css; charset=utf-8", apidoc.Style))
	if s.options.Manual == nil {
		s.mux.Handle("GET /docs", http.RedirectHandler("/docs/api", http.StatusFound))
		return
	}
	s.mux.Handle("GET /docs/", http.StripPrefix("/docs/", manual.Handler(s.options.Manual)))
}

// resolve follows a reference in the OpenAPI document.
func (s *Server) resolve(schema *huma.Schema) *huma.Schema {
	return apidoc.Resolve(s.api.OpenAPI(), schema)
}
