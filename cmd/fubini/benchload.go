package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/app/load"
	"fubini/core/rng"
	"fubini/data/modelfile"
	"fubini/learn/zoo"
	"fubini/model/latent"
)

// loadFlags say which loads a server is offered.
type loadFlags struct {
	url     string
	rates   []float64
	over    float64
	seconds float64
	placed  int
	count   int
	clients int
	markup  bool
	world   bool
	items   int
	hidden  int
}

func newLoad(p *program) *cobra.Command {
	f := loadFlags{rates: []float64{100, 500, 1000, 2000}, over: 10, seconds: 30, placed: 20, count: 10, clients: 512, items: 10_000, hidden: 50}
	cmd := &cobra.Command{
		Use:   "load URL",
		Short: "Measure a server under offered loads",
		Long: `Ask a server for recommendations so many times a second, whether it keeps up or not,
for each of --rates in turn, and tell how it went: good answers a second, how long
they took from when they were due, how many were turned away (429 or 503 with
Retry-After), not sent because this client could not, or went wrong, the most memory
that the server had, and how soon after the load it answered well again. At last
--overload times what the server can do is offered; how much that is, is measured
first, by a few clients that ask again as soon as they have their answer. FUBINI_KEY
may hold an API key.

--world writes a random model to measure with in place of a load, to -o FILE.`,
		Example: "  fubini bench load --world -o world.safetensors\n  fubini serve world.safetensors --db sqlite::memory: --quiet &\n  fubini bench load http://127.0.0.1:8080 --rates 1000 --seconds 5",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return exit.Usagef("load takes one URL; %s is one too many", quote(args[1]))
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	addFlag(flags, "rates", "", &f.rates, "LIST", parseList, "offered loads, requests a second")
	flags.Lookup("rates").DefValue = "100,500,1000,2000"
	addFlag(flags, "overload", "", &f.over, "X", parseNotNegative, "offer X times the capacity of the server too, 0 for not")
	addFlag(flags, "seconds", "", &f.seconds, "X", parseNotNegative, "how long each is offered")
	addFlag(flags, "placed", "", &f.placed, "N", parseWhole(1), "items that a person has placed, in five tiers")
	addFlag(flags, "count", "n", &f.count, "N", parseWhole(1), "items asked for")
	addFlag(flags, "clients", "", &f.clients, "N", parseWhole(1), "connections at most")
	addSwitch(flags, "markdown", &f.markup, "write a table for docs/performance.md")
	addSwitch(flags, "world", &f.world, "write a random model of --items and --hidden, and measure nothing")
	addFlag(flags, "items", "", &f.items, "N", parseWhole(2), "items of that model")
	addFlag(flags, "hidden", "", &f.hidden, "K", parseWhole(1), "hidden units of that model")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.world {
			return p.writeLoadWorld(f)
		}
		if len(args) == 0 {
			return exit.Usagef("URL is missing: that of a server, as in fubini bench load http://127.0.0.1:8080")
		}
		f.url = strings.TrimSuffix(args[0], "/")
		if at, err := url.Parse(f.url); err != nil || at.Host == "" {
			return exit.Usagef("%s is not the URL of a server, as in http://127.0.0.1:8080", quote(args[0]))
		}
		found, err := p.offer(cmd.Context(), f)
		if err != nil {
			return err
		}
		return p.deliver(func(w *bufio.Writer) error {
			if f.markup {
				writeLoadTable(w, found)
				return nil
			}
			return p.writeRecords(w, loadRecords(found))
		})
	}
	return cmd
}

// writeLoadWorld writes a model of random parameters: how long ranking takes does
// not depend on what they are.
func (p *program) writeLoadWorld(f loadFlags) error {
	if p.output == "-" {
		return exit.Usagef("--output is missing: the file for the model, as in -o world.safetensors")
	}
	file, err := loadWorld(f.items, f.hidden, p.seed)
	if err != nil {
		return err
	}
	return p.results().writeModel(file)
}

func loadWorld(items, hidden int, seed uint64) (*modelfile.File, error) {
	c := latent.Shape{Items: items, K: hidden, Units: latent.Gaussian, Options: latent.Options{Size: 2, Centred: true}, Presence: true}.New()
	r := rng.Stream(seed, "load")
	for _, list := range [][]float64{c.U, c.W, c.V} {
		for i := range list {
			list[i] = r.NormFloat64() / 5
		}
	}
	saved := &zoo.Saved{Name: "latent-osm", Program: buildVersion().version, Seed: seed, Data: "random", Users: 1, Ratings: 100 * items, Low: 1, High: 5, Model: &zoo.Latent{Catalogue: c}}
	for i := range items {
		saved.ItemIDs = append(saved.ItemIDs, fmt.Sprint(i+1))
		saved.ItemNames = append(saved.ItemNames, fmt.Sprintf("Item number %d", i+1))
		saved.Seen = append(saved.Seen, 100)
	}
	return saved.File()
}

// offered is a load and how it went.
type offered struct {
	load.Result
	times float64 // so many times the capacity of the server; 0 where it was not asked for
}

// offer offers each load in turn.
func (p *program) offer(ctx context.Context, f loadFlags) (found []offered, err error) {
	headers := http.Header{}
	if key := os.Getenv("FUBINI_KEY"); key != "" {
		headers.Set("Authorization", "Bearer "+key)
	}
	bodies, err := f.bodies(ctx, headers, p.seed)
	if err != nil {
		return nil, err
	}
	plan := load.Plan{URL: f.url, Path: "/v1/recommend", Bodies: bodies, Headers: headers, For: time.Duration(f.seconds * float64(time.Second)), Clients: f.clients}
	run := func(rate, times float64) error {
		p.tell("%g requests a second for %g s ...", rate, f.seconds)
		plan.Rate = rate
		r, err := load.Run(ctx, plan)
		if err != nil {
			return err
		}
		if r.First != "" {
			p.tell("%d requests went wrong; one of them: %s", r.Failed, r.First)
		}
		if r.Unsent > 0 {
			p.tell("%d of %d requests were not sent: this machine could not offer so much", r.Unsent, r.Due)
		}
		found = append(found, offered{r, times})
		return nil
	}
	for _, rate := range f.rates {
		if err := run(rate, 0); err != nil {
			return found, err
		}
	}
	if f.over == 0 {
		return found, nil
	}
	brief := plan
	brief.For = min(plan.For, 5*time.Second)
	capacity, err := load.Capacity(ctx, brief)
	if err != nil {
		return found, err
	}
	p.tell("the server can do %.0f requests a second", capacity)
	return found, run(math.Ceil(f.over*capacity), f.over)
}

// bodies are requests of a hundred people, who placed items of the server's own.
func (f loadFlags) bodies(ctx context.Context, headers http.Header, seed uint64) ([][]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, f.url+"/v1/items?limit=10000", http.NoBody)
	if err != nil {
		return nil, err
	}
	r.Header = headers.Clone()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	var catalogue struct {
		Items []struct {
			Item string `json:"item"`
		} `json:"items"`
	}
	if err := json.Unmarshal(text, &catalogue); err != nil || answer.StatusCode != http.StatusOK || len(catalogue.Items) < f.placed {
		return nil, fmt.Errorf("%s/v1/items answers %s, with %d items; %d are needed", f.url, answer.Status, len(catalogue.Items), f.placed)
	}
	var bodies [][]byte
	all := make([]int, len(catalogue.Items))
	for person := range 100 {
		rng.Permutation(rng.Stream(seed, "load-person", uint64(person)), all)
		const levels = 5
		tiers := make([][]string, min(levels, f.placed))
		for k, i := range all[:f.placed] {
			tiers[k%len(tiers)] = append(tiers[k%len(tiers)], catalogue.Items[i].Item)
		}
		body, err := json.Marshal(map[string]any{"tiers": tiers, "n": f.count})
		if err != nil {
			return nil, err
		}
		bodies = append(bodies, body)
	}
	return bodies, nil
}

func milliseconds(d time.Duration) float64 { return math.Round(d.Seconds()*1e6) / 1e3 }

func loadRecords(found []offered) (records [][]field) {
	for _, r := range found {
		records = append(records, []field{
			{"offered_per_s", r.Rate}, {"times_capacity", r.share()}, {"good_per_s", round(r.Throughput)}, {"p50_ms", milliseconds(r.Latency.P50)}, {"p99_ms", milliseconds(r.Latency.P99)},
			{"p99.9_ms", milliseconds(r.Latency.P999)}, {"shed", r.Shed}, {"unsent", r.Unsent}, {"errors", r.Failed}, {"memory_mb", residentMB(r.Memory)}, {"recovered_ms", milliseconds(r.Recovered)},
		})
	}
	return records
}

// share is how many times the server's capacity was offered; nothing where it was not measured.
func (o offered) share() any {
	if o.times == 0 {
		return nil
	}
	return o.times
}

// residentMB are of bytes; nothing where they are not known.
func residentMB(bytes float64) any {
	if math.IsNaN(bytes) {
		return nil
	}
	return math.Round(bytes / 1e6)
}

func writeLoadTable(w *bufio.Writer, found []offered) {
	fmt.Fprint(w, `| offered/s | good answers/s | p50, ms | p99, ms | p99.9, ms | turned away | not sent | errors | memory, MB | good again after, ms |
|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
`)
	for _, r := range found {
		name := fmt.Sprint(r.Rate)
		if r.times > 0 {
			name = fmt.Sprintf("%g, %g times its capacity", r.Rate, r.times)
		}
		fmt.Fprintf(w, "| %s | %.0f | %.1f | %.1f | %.1f | %d | %d | %d | %v | %.0f |\n", name, r.Throughput, milliseconds(r.Latency.P50), milliseconds(r.Latency.P99),
			milliseconds(r.Latency.P999), r.Shed, r.Unsent, r.Failed, residentMB(r.Memory), milliseconds(r.Recovered))
	}
}
