package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	library "fubini"
	"fubini/app/server"
	"fubini/app/store"
	"fubini/cmd/fubini/cli"
	"fubini/data/format"
	"fubini/data/modelfile"
	"fubini/data/personal"
	"fubini/learn/registry"
)

// The sizes of the models of the reference, each of which stands for what it counts.
const (
	referenceItems  = 23
	referencePeople = 41
	referenceHidden = 7
)

// referenceRatings are a few ratings of each person.
func referenceRatings(t *testing.T) *library.Data {
	t.Helper()
	lines := "user,item,rating,time\n"
	for u := range referencePeople {
		for k := range 12 {
			lines += fmt.Sprintf("u%d,i%d,%d,%d\n", u, (u*5+k*7)%referenceItems, 1+(u+k*k)%5, 1000+k)
		}
	}
	data, err := library.ReadDataFrom(strings.NewReader(lines), "ratings.csv")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// fileReference is docs/reference/files.md: the formats of ratings, and what a model file holds.
func fileReference(t *testing.T) string {
	var page strings.Builder
	fmt.Fprint(&page, "# Files\n\n", madeBy, "\nThe formats of ratings that are read and written, and the arrays of the model files that `train` writes. [Data](../data.md) says what the formats look like, and how a file's format is found.\n")
	fmt.Fprint(&page, "\n## Formats of ratings\n\nThe names that `--in-format` and `--out-format` take; files may be packed by gzip, zstd or zip.\n\n| format | read | written |\n|---|---|---|\n")
	read, written := append(format.Readable(), personal.SetForms()...), format.Writable()
	yes := func(is bool) string { return map[bool]string{true: "yes"}[is] }
	all := slices.Concat(read, written)
	slices.Sort(all)
	for _, name := range slices.Compact(all) {
		fmt.Fprintf(&page, "| %s | %s | %s |\n", name, yes(slices.Contains(read, name)), yes(slices.Contains(written, name)))
	}
	fmt.Fprint(&page, "\n## Model files\n\nA model is a safetensors file: eight bytes with the length of the header, little-endian; the header in JSON, which has for every array its type, shape and place; the arrays without gaps. "+
		"Texts are arrays of bytes: NAME has all of them one after the other, NAME.offsets where each begins and the last ends. The header has as `__metadata__` the keys below, `sha256` a checksum of all content.\n\n"+
		"A dimension *items* is one for each item of the model, *hidden* one for each hidden unit or factor. *n* depends on the settings and the data.\n\n")
	const every = "items.ids items.ids.offsets items.names items.names.offsets items.seen"
	fmt.Fprintf(&page, "Every model has `%s`: the ids and names of the items, and in how many lists of the training each was.\n", strings.ReplaceAll(every, " ", "`, `"))
	named := map[int]string{referenceItems: "items", referenceItems + 1: "(items + 1)", referenceHidden: "hidden", referenceHidden + 1: "(hidden + 1)", referenceHidden + 2: "(hidden + 2)", 1: "1"}
	data := referenceRatings(t)
	for _, name := range registry.Names() {
		recipe, err := registry.New(name)
		if err != nil {
			t.Fatal(err)
		}
		options := []library.Option{library.Named(name), library.Seed(1), library.Jobs(1), library.Calibrate(0), library.Notes(func(string) {})}
		for _, s := range recipe.Settings() {
			if s.Name == "hidden" {
				options = append(options, library.With("hidden", fmt.Sprint(referenceHidden)))
			}
		}
		m, err := library.Train(t.Context(), data, options...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		file, err := m.File()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&page, "\n### %s\n\nKeys: `%s`.\n\n| array | type | shape |\n|---|---|---|\n", name, strings.Join(slices.Sorted(maps.Keys(file.Metadata)), "`, `"))
		for _, tensor := range file.Tensors() {
			if slices.Contains(strings.Fields(every), tensor.Name) {
				continue
			}
			var shape []string
			for _, n := range tensor.Shape {
				shape = append(shape, cmp.Or(named[n], "*n*"))
			}
			if _, texts := file.Tensor(tensor.Name + ".offsets"); texts {
				shape = []string{"text"}
			}
			fmt.Fprintf(&page, "| `%s` | %s | %s |\n", tensor.Name, tensor.Type, strings.Join(shape, " × "))
		}
	}
	return page.String()
}

// serverReference is docs/reference/server.md: routes, metrics and variables of `fubini serve`.
func serverReference(t *testing.T) string {
	kept, err := store.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "kept.db"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := library.Train(t.Context(), referenceRatings(t), library.Seed(1), library.Jobs(1), library.Calibrate(0), library.Notes(func(string) {}))
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(t.Context(), server.Options{
		Load: func(context.Context) (*modelfile.File, error) { return m.File() }, Store: kept, Anonymous: []store.Scope{store.Read, store.Write, store.Admin}, Loopback: true,
		Train: func(context.Context, server.TrainOrder, func(server.Progress)) (server.Candidate, error) {
			return nil, errors.New("no training here")
		},
		HasData: func(string) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	defer s.Close()
	ask := func(method, path, body string) string {
		r := httptest.NewRequestWithContext(t.Context(), method, "http://localhost"+path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code >= http.StatusBadRequest {
			t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
		return w.Body.String()
	}
	var api struct {
		Paths map[string]map[string]struct {
			Summary  string
			Security []map[string][]string
		}
	}
	if err := json.Unmarshal([]byte(ask("GET", "/openapi.json", "")), &api); err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	fmt.Fprint(&page, "# The server\n\n", madeBy, "\nThe routes of `fubini serve`, what it counts for Prometheus, and the environment variables that set its flags. A server shows the routes with their fields and examples at `/docs/api`; [running the server](../operations.md) has the rest.\n\n## Routes\n\n| route | scope of the key | |\n|---|---|---|\n")
	for _, path := range slices.Sorted(maps.Keys(api.Paths)) {
		for _, method := range []string{"get", "put", "post", "delete"} {
			if route, there := api.Paths[path][method]; there {
				fmt.Fprintf(&page, "| `%s %s` | %s | %s |\n", strings.ToUpper(method), path, route.Security[0]["key"][0], escaped(route.Summary))
			}
		}
	}
	fmt.Fprint(&page, "\nBeside them: `/` the page, `/docs/` the documents, `/docs/api` and `/openapi.json` the API, `/healthz`, `/readyz` and `/metrics`; the demonstration has `/v1/worlds`.\n\n## Metrics\n\n| metric | kind | |\n|---|---|---|\n")
	ask("POST", "/v1/model/reload", "")
	ask("POST", "/v1/jobs", `{"kind":"train","data":"ratings.csv"}`)
	text := ""
	for range 500 { // until the job has ended
		if text = ask("GET", "/metrics", ""); strings.Contains(text, "fubini_jobs_total") {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	help := ""
	for line := range strings.Lines(text) {
		words := strings.SplitN(strings.TrimSpace(line), " ", 4)
		switch {
		case len(words) < 4 || !strings.HasPrefix(words[2], "fubini_"):
		case words[1] == "HELP":
			help = words[3]
		case words[1] == "TYPE":
			fmt.Fprintf(&page, "| `%s` | %s | %s |\n", words[2], words[3], escaped(help))
		}
	}
	fmt.Fprint(&page, "\nGo's own metrics and those of the process stand beside them.\n\n## Environment\n\nThe command line comes before a variable.\n\n| variable | flag | |\n|---|---|---|\n")
	serve, _, err := cli.NewRoot(cli.NewProgram(nil), commands).Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	twins := cli.TwinsOf(serve)
	for _, variable := range cli.SortedKeys(twins) {
		fmt.Fprintf(&page, "| `%s` | `--%s` | %s |\n", variable, twins[variable].Name, escaped(twins[variable].Usage))
	}
	return page.String()
}
