package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fubini/app/measure"
	"fubini/model/latent"
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

// The page has a table of the benchmarks of every section, and the tables that were handed in.
func TestPage(t *testing.T) {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	p := newPage(flags)
	p.Peers, p.Load, p.Browser = file(t, "peers.jsonl", peers), file(t, "load.md", "| 1000 | 999 |\n"), file(t, "browser.md", "| drop | 100 |\n")
	var asked []string
	p.run = func(_ context.Context, folder string, args ...string) ([]byte, error) {
		asked = append(asked, folder+" "+strings.Join(args, " "))
		return []byte("goos: linux\npkg: fubini/infer/mcmc\nBenchmarkKernels/split-merge_10-2   1000   2500 ns/op   3e+06 moves/s   9 MB,_first_tenth   0 B/op   0 allocs/op\n" +
			"BenchmarkOther-2   1   1000000000 ns/op   7 B/op   1 allocs/op\nPASS\n"), nil
	}
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	if err := errors.Join(p.write(t.Context(), w), w.Flush()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# Performance", "    go run -C tools ./bench page ", "\n## Samplers\n", "\n## Annealing\n",
		"\n| benchmark | package | µs | moves/s | MB, first tenth | B/op | allocs/op |\n|---|---|---:|---:|---:|---:|---:|\n| Kernels/split-merge 10 | infer/mcmc | 2.5 | 3e+06 | 9 | 0 | 0 |\n| Other | infer/mcmc | 1e+06 |  |  | 7 | 1 |\n",
		"\n| myfm | 12.5 | | | |\n", "\n| implicit 0 | | 170 | 1.79e+04 | 2e+04 |\n", "\n| 1000 | 999 |\n", "\n| drop | 100 |\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if len(asked) != 9 || asked[1] != ".. test -run ^$ -bench . -benchtime 1s -benchmem ./infer/..." {
		t.Errorf("%q", asked)
	}
	p.run = func(context.Context, string, ...string) ([]byte, error) { return []byte("PASS\n"), nil }
	if err := p.write(t.Context(), w); err == nil {
		t.Error("a section without benchmarks was written")
	}
}

// Every measurement runs, at tiny sizes, and measures something.
func TestMeasurements(t *testing.T) {
	for name, c := range map[string]struct {
		work func(b *testing.B)
		want []string
	}{
		"effective": {func(b *testing.B) { effective(b, "mixed", 5, 2, 8) }, []string{"moves/s", "effective/s", "R-hat"}},
		"annealing": {func(b *testing.B) { annealing(b, latent.Gaussian, true, 2) }, []string{"s", "std_err"}},
		"train":     {func(b *testing.B) { train(b, "latent-osm", world{20, 5, 3, 30, 2}) }, []string{"MB"}},
		"batch":     {func(b *testing.B) { batch(b, measure.Model, 200, 1, "--no-odds") }, []string{"people/s", "MB,_first_tenth", "MB,_last_tenth"}},
	} {
		result := testing.Benchmark(c.work)
		for _, metric := range c.want {
			if value := result.Extra[metric]; !(value > 0) || math.IsInf(value, 0) {
				t.Errorf("%s: %s is %g: %v", name, metric, value, result)
			}
		}
	}
}

func TestWrongUse(t *testing.T) {
	for _, args := range [][]string{
		{}, {"nothing"}, {"load"}, {"world"}, {"load", "nowhere"}, {"load", "-rates", "many", "http://127.0.0.1:1"},
		{"page", "more"},
	} {
		if err := run(t.Context(), args); err == nil {
			t.Errorf("%q was done", args)
		}
	}
}

func TestWrongPeers(t *testing.T) {
	if _, err := peersTable("a\tx\t5\n"); err == nil {
		t.Error("a line of ratings is taken for a peer")
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
