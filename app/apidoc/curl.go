package apidoc

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

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
