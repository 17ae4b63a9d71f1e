package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"fubini/app/load"
	"fubini/core/rng"
)

// loads are what a server is offered.
type loads struct {
	load.Plan
	rates  string
	over   float64
	placed int
}

func newLoads(flags *flag.FlagSet) *loads {
	l := &loads{Plan: load.Plan{Path: "/v1/recommend", Headers: http.Header{}}}
	flags.StringVar(&l.rates, "rates", "100,500,1000,2000", "offered loads, requests a second")
	flags.Float64Var(&l.over, "overload", 10, "at last offer this many times the capacity of the server; 0 for not")
	flags.DurationVar(&l.For, "for", 30*time.Second, "how long each is offered")
	flags.IntVar(&l.placed, "placed", 20, "items that a person has placed, in five tiers")
	flags.IntVar(&l.Clients, "clients", 512, "connections at most")
	return l
}

// write offers each load in turn and writes a table. FUBINI_KEY may hold an API key.
func (l *loads) write(ctx context.Context, url string, w io.Writer) error {
	l.URL = strings.TrimSuffix(url, "/")
	if key := os.Getenv("FUBINI_KEY"); key != "" {
		l.Headers.Set("Authorization", "Bearer "+key)
	}
	var err error
	if l.Bodies, err = l.bodies(ctx); err != nil {
		return err
	}
	fmt.Fprint(w, `| offered/s | good answers/s | p50, ms | p99, ms | p99.9, ms | turned away | not sent | errors | memory, MB | good again after, ms |
|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
`)
	run := func(rate float64, name string) error {
		tell("%s requests a second for %s ...", name, l.For)
		l.Rate = rate
		r, err := load.Run(ctx, l.Plan)
		if err != nil {
			return err
		}
		if r.First != "" {
			tell("%d requests went wrong; one of them: %s", r.Failed, r.First)
		}
		ms := func(d time.Duration) float64 { return d.Seconds() * 1e3 }
		fmt.Fprintf(w, "| %s | %.0f | %.1f | %.1f | %.1f | %d | %d | %d | %.0f | %.0f |\n", name, r.Throughput, ms(r.Latency.P50), ms(r.Latency.P99),
			ms(r.Latency.P999), r.Shed, r.Unsent, r.Failed, r.Memory/1e6, ms(r.Recovered))
		return nil
	}
	for text := range strings.SplitSeq(l.rates, ",") {
		rate, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("-rates: %w", err)
		}
		if err := run(rate, text); err != nil {
			return err
		}
	}
	if l.over == 0 {
		return nil
	}
	brief := l.Plan
	brief.For = min(l.For, 5*time.Second)
	capacity, err := load.Capacity(ctx, brief)
	if err != nil {
		return err
	}
	rate := math.Ceil(l.over * capacity)
	return run(rate, fmt.Sprintf("%g, %g times its capacity", rate, l.over))
}

// bodies are requests of a hundred people, who placed items of the server's own.
func (l *loads) bodies(ctx context.Context) ([][]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, l.URL+"/v1/items?limit=10000", http.NoBody)
	if err != nil {
		return nil, err
	}
	r.Header = l.Headers.Clone()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var catalogue struct {
		Items []struct {
			Item string `json:"item"`
		} `json:"items"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&catalogue); err != nil || answer.StatusCode != http.StatusOK || len(catalogue.Items) < l.placed {
		return nil, fmt.Errorf("%s/v1/items answers %s, with %d items; %d are needed", l.URL, answer.Status, len(catalogue.Items), l.placed)
	}
	var bodies [][]byte
	all := make([]int, len(catalogue.Items))
	for person := range 100 {
		rng.Permutation(rng.Stream(seed, "load-person", uint64(person)), all)
		tiers := make([][]string, min(5, l.placed))
		for k, i := range all[:l.placed] {
			tiers[k%len(tiers)] = append(tiers[k%len(tiers)], catalogue.Items[i].Item)
		}
		body, err := json.Marshal(map[string]any{"tiers": tiers, "n": 10})
		if err != nil {
			return nil, err
		}
		bodies = append(bodies, body)
	}
	return bodies, nil
}
