package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fubini/app/demo"
	"fubini/app/server"
	"fubini/app/servertest"
	"fubini/data/modelfile"
	"fubini/learn/ballot"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
)

func openAPI(t testing.TB, s *setup) *document {
	t.Helper()
	d := read[document](t, s.ask("GET", "/openapi.json", ""), 200)
	if len(d.Paths) < 10 || !strings.HasPrefix(d.OpenAPI, "3.1.") {
		t.Fatalf("%d paths, OpenAPI %s", len(d.Paths), d.OpenAPI)
	}
	return &d
}

// each calls f for every operation, in a fixed order.
func (d *document) each(f func(method, path string, op operation)) {
	var paths []string
	for path := range d.Paths {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		for _, method := range []string{"post", "put", "get", "delete"} {
			if op, there := d.Paths[path][method]; there {
				f(strings.ToUpper(method), path, op)
			}
		}
	}
}

// check holds an answer against the document: a status that it names, and a body of
// the schema that it gives for it.
func (d *document) check(op operation, got reply) error {
	if got.status >= 500 {
		return fmt.Errorf("status %d: %s", got.status, got.text)
	}
	response, documented := op.Responses[strconv.Itoa(got.status)]
	if !documented {
		return fmt.Errorf("status %d is not in the document: %s", got.status, got.text)
	}
	if len(response.Content) == 0 {
		if len(got.text) > 0 {
			return fmt.Errorf("status %d has a body: %s", got.status, got.text)
		}
		return nil
	}
	kind := got.header.Get("Content-Type")
	media, documented := response.Content[kind]
	if !documented {
		return fmt.Errorf("status %d is of type %q", got.status, kind)
	}
	if kind == "text/event-stream" {
		return nil
	}
	var value any
	if err := json.Unmarshal(got.text, &value); err != nil {
		return err
	}
	if faults := d.faults(media.Schema, value, "body"); len(faults) > 0 {
		return fmt.Errorf("status %d: %v in %s", got.status, faults, got.text)
	}
	return nil
}

// send makes a request of parameters by name and a body. "{id}" in values of the
// path stands for what fill gives.
func send(s *setup, method, path string, op operation, values map[string]string, body string) reply {
	var query url.Values = url.Values{}
	headers := s.key()
	for _, p := range op.Parameters {
		value, given := values[p.Name]
		switch {
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(value))
		case !given:
		case p.In == "query":
			query.Set(p.Name, value)
		default:
			headers = append(headers, p.Name, value)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return s.ask(method, path, body, headers...)
}

// foods is a model of the demonstration world, trained for a moment.
func foods(t *testing.T) *modelfile.File {
	t.Helper()
	world := demo.New()
	people, err := world.People(t.Context(), 1, 150, 0)
	if err != nil {
		t.Fatal(err)
	}
	set, err := world.Ratings(people)
	if err != nil {
		t.Fatal(err)
	}
	recipes, err := registry.Configure([]string{"latent-osm"}, []registry.Assignment{{Name: "epochs", Value: "2"}, {Name: "units", Value: "binary"}, {Name: "hidden", Value: "4"}})
	if err != nil {
		t.Fatal(err)
	}
	saved, err := modelstore.Train(t.Context(), set, modelstore.Request{Model: "latent-osm", Recipe: recipes[0], Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	file, err := saved.File()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// Every route has an example that works as it stands, whatever model is served; those of boards if one is.
func TestExamplesWork(t *testing.T) {
	oneClient(t)
	t.Run("random world", func(t *testing.T) { examplesWork(t, world(t, 1, 30, 3)) })
	t.Run("two items", func(t *testing.T) { examplesWork(t, world(t, 1, 2, 1)) })
	t.Run("without units", func(t *testing.T) { examplesWork(t, world(t, 1, 9, 0)) })
	t.Run("demonstration", func(t *testing.T) { examplesWork(t, foods(t)) })
	t.Run("board", func(t *testing.T) { examplesWork(t, servertest.Board(t, 6, ballot.ItemTies, ballot.AllOrders)) })
}

func examplesWork(t *testing.T, file *modelfile.File) {
	s := start(t, func(o *server.Options) {
		first := o.Load
		loaded := false
		o.Load = func(ctx context.Context) (*modelfile.File, error) {
			if !loaded {
				loaded = true
				return file, nil
			}
			return first(ctx)
		}
	})
	d := openAPI(t, s)
	_, boarded := file.Tensor("board.report") // of any other model, the board is the one thing that is not there
	weights, _ := file.Tensor("W")            // and the map, of one without hidden units
	units := len(weights.Shape) == 2 && weights.Shape[1] > 0
	jobID := ""
	d.each(func(method, path string, op operation) {
		values := map[string]string{}
		for _, p := range op.Parameters {
			if text, is := p.Example.(string); is {
				values[p.Name] = text
			}
			if p.In == "path" && p.Example == nil {
				t.Errorf("%s %s has no example for %s", method, path, p.Name)
			}
		}
		if strings.HasPrefix(path, "/v1/jobs/") {
			values["id"] = jobID // only the server knows the ids of jobs
			if op.ID == "cancel-job" {
				return // this one is too quick to be cancelled; jobs_test.go has a slow one
			}
		}
		body := ""
		if text, file := op.file(); file {
			body = text
		} else if op.RequestBody != nil {
			example := op.RequestBody.Content["application/json"].Example
			if example == nil {
				t.Fatalf("%s %s has no example of a body", method, path)
			}
			body = encoded(example)
		}
		got := send(s, method, path, op, values, body)
		board := op.ID == "board" || strings.HasPrefix(op.ID, "board-")
		want := map[bool]int{board && !boarded: 404, (op.ID == "embed" || op.ID == "deal") && !units: 409}[true]
		if want != 0 && got.status != want || want == 0 && (got.status < 200 || got.status > 299) {
			t.Errorf("%s %s: the example gives %d: %s", method, path, got.status, got.text)
		}
		if err := d.check(op, got); err != nil {
			t.Errorf("%s %s: %v", method, path, err)
		}
		if op.ID == "start-job" {
			jobID = read[job](t, got, 202).ID
		}
	})
}

// Whatever comes, sound or spoilt, is answered without a mistake of the server, with
// a status that the document names and a body that matches it. A sound request is
// never called malformed.
func TestAnswersMatchTheDocument(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	d := openAPI(t, s)
	rounds := 40
	if os.Getenv("FUBINI_LONG") != "" {
		rounds = 1000
	}
	statuses := map[int]int{}
	r := rand.New(rand.NewPCG(1, 2))
	d.each(func(method, path string, op operation) {
		if op.ID == "job-events" || op.ID == "start-job" {
			return // has its own tests; a job a round would fill the queue
		}
		for round := range rounds {
			spoil := round%2 == 1
			values := map[string]string{}
			for _, p := range op.Parameters {
				if !p.Required && r.IntN(2) == 0 {
					continue
				}
				v := d.value(r, p.Schema)
				if spoil && r.IntN(2) == 0 {
					v = d.spoilt(r, v)
				}
				if text := header(v); text != "" || p.In != "path" {
					values[p.Name] = text
				} else {
					values[p.Name] = "x"
				}
			}
			body := ""
			if text, file := op.file(); file {
				if body = text; spoil {
					body = text[:r.IntN(len(text))] + string(rune(r.IntN(3000))) + text
				}
			} else if op.RequestBody != nil {
				v := d.value(r, op.RequestBody.Content["application/json"].Schema)
				if spoil {
					v = d.spoilt(r, v)
				}
				body = encoded(v)
			}
			got := send(s, method, path, op, values, body)
			statuses[got.status]++
			if err := d.check(op, got); err != nil {
				t.Fatalf("%s %s with %v and body %.200s: %.1000s", method, path, values, body, err)
			}
			if !spoil && got.status == 400 {
				t.Errorf("%s %s with %v and body %.200s: sound, and yet %s", method, path, values, body, got.text)
			}
		}
	})
	if statuses[200] == 0 || statuses[422] == 0 {
		t.Errorf("only %v came up", statuses)
	}
}

// header is a value as a parameter has it: what HTTP cannot carry is left out.
func header(v any) string {
	text, is := v.(string)
	if !is {
		text = encoded(v)
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, text)
}

// The broken twin: the check must see each kind of fault.
func TestFaultsAreSeen(t *testing.T) {
	oneClient(t)
	d := &document{}
	s := schema{"type": "object", "additionalProperties": false, "required": []any{"a"}, "properties": map[string]any{
		"a": map[string]any{"type": "integer", "minimum": 1.0, "maximum": 3.0},
		"b": map[string]any{"type": "array", "maxItems": 1.0, "items": map[string]any{"type": "string", "maxLength": 2.0, "pattern": "^x"}},
		"c": map[string]any{"type": []any{"string", "null"}, "enum": []any{"u", nil}},
	}}
	for text, want := range map[string]int{
		`{"a":1}`: 0, `{"a":3,"b":["xy"],"c":null}`: 0, `{}`: 1, `[]`: 1, `{"a":0}`: 1, `{"a":4}`: 1, `{"a":1.5}`: 1, `{"a":null}`: 1,
		`{"a":1,"z":1}`: 1, `{"a":1,"b":["x","x"]}`: 1, `{"a":1,"b":["xyz"]}`: 1, `{"a":1,"b":["y"]}`: 1, `{"a":1,"c":"v"}`: 1,
	} {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if faults := d.faults(s, v, "v"); len(faults) != want {
			t.Errorf("%s: %v, want %d", text, faults, want)
		}
	}
}
