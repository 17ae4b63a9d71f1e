package server

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/danielgtaylor/huma/v2"
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
		known[k] = m.saved.ItemIDs[m.index.order[k%len(m.index.order)]]
	}
	tiers := [][]string{{known[0]}}
	if len(m.index.order) >= len(known) {
		tiers = [][]string{{known[0], known[1]}, {known[2]}, {known[3]}}
	}
	job := map[string]string{"id": exampleJob}
	examples := map[string]example{
		"recommend":   {body: map[string]any{"tiers": tiers, "n": 3}},
		"explain":     {body: map[string]any{"tiers": tiers, "item": known[4]}},
		"embed":       {body: map[string]any{"tiers": tiers}},
		"reconstruct": {body: map[string]any{"tiers": tiers}},
		"import":      {body: "S: " + known[0] + "\nA: " + known[1] + "\n"},
		"items":       {parameters: map[string]string{"limit": "5"}},
		"item":        {parameters: map[string]string{"id": known[4]}},
		"similar":     {parameters: map[string]string{"id": known[4], "limit": "5"}},
		"model":       {},
		"board":       {parameters: map[string]string{"level": "0.9"}},
		"board-pair":  {parameters: map[string]string{"a": known[0], "b": known[1]}},
		"board-pairs": {},
		"reload":      {},
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

// curl is the example of a route as a command.
func curl(op *huma.Operation, keyed bool) string {
	var query []string
	path, words := op.Path, []string{"curl"}
	if op.Method != "GET" {
		words = append(words, "-X "+op.Method)
	}
	if keyed {
		words = append(words, `-H "Authorization: Bearer $KEY"`)
	}
	for _, p := range op.Parameters {
		value, given := p.Example.(string)
		switch {
		case !given:
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(value))
		case p.In == "query":
			query = append(query, p.Name+"="+url.QueryEscape(value))
		default:
			words = append(words, "-H '"+p.Name+": "+value+"'")
		}
	}
	if op.RequestBody != nil {
		media := op.RequestBody.Content["application/json"]
		if media == nil { // a file
			words = append(words, "--data-binary @export.csv")
		} else if text, err := json.Marshal(media.Example); err == nil {
			words = append(words, "-H 'Content-Type: application/json'", "-d '"+strings.ReplaceAll(string(text), "'", `'\''`)+"'")
		}
	}
	target := "http://127.0.0.1:8080" + path
	if len(query) > 0 {
		target += "?" + strings.Join(query, "&")
	}
	return strings.Join(append(words, "'"+target+"'"), " ")
}
