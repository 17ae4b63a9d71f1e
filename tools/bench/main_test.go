package main

import (
	"context"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const peers = `{"model":"myfm","fit_s":12.5,"ndcg@5":0.6}

{"peer":"implicit 0","one_us":170,"batch_per_s":17900,"known_per_s":20000}
`

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A small run of every measurement; times are whatever they are.
func TestPage(t *testing.T) {
	out := filepath.Join(t.TempDir(), "page.md")
	split := filepath.Dir(file(t, "train.tsv", "a\tx\t5\na\ty\t3\nb\tx\t4\nb\ty\t5\nb\tz\t1\n"))
	err := run(t.Context(), []string{"page", "-quick", "-split", split, "-peers", file(t, "peers.jsonl", peers),
		"-load", file(t, "load.md", "| 1000 | 999 |\n"), "-browser", file(t, "browser.md", "| drop | 100 |\n"), "-o", out})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`go run -C tools ./bench page -large`, `\n\| 10 \| reinsertion \| `, `\n\| 10 \| [0-9.e-]+ \| [0-9.e-]+ \|\n`, `\n\| slots, gaussian units \| `,
		`\n\| 40 \| 20 \| 5 \| 50 \| `, `\n\| latent-osm \| `, `\n\| myfm \| 12.5 \|`, `\n\| gaussian \| summed out \| `,
		`\n\| fubini \| `, `\n\| implicit 0 \| 170 \| 1.79e\+04 \| 2e\+04 \|`, `\n\| ranking \| 1 \| 200 \| [0-9.e+]+ \| [0-9.e+]+ \| [1-9][0-9]* \| [1-9][0-9]* \|`,
		`\n\| the machine at best \| 1 \| \| `, `\n\| 1000 \| 999 \|`, `\n\| drop \| 100 \|`,
	} {
		if !regexp.MustCompile(want).Match(text) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if wrong := regexp.MustCompile(`NaN|Inf`).Find(text); wrong != nil {
		t.Errorf("the page has %s:\n%s", wrong, text)
	}
}

func TestWrongUse(t *testing.T) {
	for _, args := range [][]string{
		{}, {"nothing"}, {"load"}, {"world"}, {"load", "nowhere"}, {"load", "-rates", "many", "http://127.0.0.1:1"},
		{"page", "-peers", file(t, "peers", "a\tx\t5\n")}, {"page", "-browser", "nothing.md"},
	} {
		if err := run(t.Context(), args); err == nil {
			t.Errorf("%q was done", args)
		}
	}
}

// The loads that are offered, and ten times the capacity at last, each have their row.
func TestLoads(t *testing.T) {
	var items strings.Builder
	items.WriteString(`{"items":[{"item":"0"}`)
	for range 30 {
		items.WriteString(`,{"item":"1"}`)
	}
	items.WriteString("]}")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/items":
			_, _ = w.Write([]byte(items.String()))
		case "/metrics":
			_, _ = w.Write([]byte("process_resident_memory_bytes 7e+06\n"))
		}
	}))
	defer s.Close()
	out := filepath.Join(t.TempDir(), "load.md")
	if err := run(context.Background(), []string{"load", "-rates", "20,40", "-overload", "0.01", "-for", "500ms", "-o", out, s.URL + "/"}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?s)\n\| 20 \| [0-9]+ \|.*\| 0 \| 7 \| 0 \|\n\| 40 \|.*, 0.01 times its capacity \|`).Match(text) {
		t.Errorf("%s", text)
	}
	if rate := kernelRate(); !(rate > 1e6) || math.IsInf(rate, 0) {
		t.Errorf("%g operations a second", rate)
	}
}

// The world that is served has the sizes that the page names.
func TestWorld(t *testing.T) {
	name := filepath.Join(t.TempDir(), "world.safetensors")
	if err := run(t.Context(), []string{"world", name}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || info.Size() < 4*10_000*50 {
		t.Errorf("%v, %v", info, err)
	}
}
