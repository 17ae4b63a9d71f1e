package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"fubini/app/server"
	"fubini/app/store"
	"fubini/data/modelfile"
)

// BenchmarkRecommend is one request from its header to the end of its answer: 10,000
// items, 50 units, 20 placed, and 10 or 500 wanted.
func BenchmarkRecommend(b *testing.B) {
	file := world(b, 1, 10_000, 50)
	s, err := server.New(b.Context(), server.Options{
		Load: func(context.Context) (*modelfile.File, error) { return file, nil }, Anonymous: []store.Scope{store.Read}, Loopback: true,
	})
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{10, 500} {
		tiers := make([][]string, 5)
		for k := range 20 {
			tiers[k%5] = append(tiers[k%5], fmt.Sprintf("item-%d", 100*k))
		}
		body := encoded(map[string]any{"tiers": tiers, "n": n})
		b.Run(fmt.Sprint(n, " items"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequest("POST", "http://localhost/v1/recommend", strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				s.ServeHTTP(w, r)
				if w.Code != 200 {
					b.Fatal(w.Body)
				}
			}
		})
	}
}

// BenchmarkTurnedAway is what a request costs for which there is no room: a busy server
// must spend little on saying so.
func BenchmarkTurnedAway(b *testing.B) {
	kept := &blocked{entered: make(chan struct{}, 1), release: make(chan struct{})}
	s := start(b, func(o *server.Options) {
		o.Log = nil
		o.Limits.Stored, o.Limits.Waiting, o.Limits.Time = 1, -1, time.Hour
		kept.Store = o.Store
		o.Store = kept
	})
	var busy sync.WaitGroup
	busy.Go(func() { s.ask("GET", someList, "") })
	<-kept.entered
	defer busy.Wait()
	defer close(kept.release)
	body := string(bodies(30)[0])
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest("PUT", "http://localhost"+someList, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.server.ServeHTTP(w, r)
		if w.Code != 503 {
			b.Fatal(w.Body)
		}
	}
}

// BenchmarkHostileBody is a megabyte of items that are numbers: as the server refuses
// it, and as validation alone would, which lists every fault. It reports how many
// times cheaper the first is.
func BenchmarkHostileBody(b *testing.B) {
	body := hostileBodies()["items that are numbers"]
	s := start(b, func(o *server.Options) { o.Log = nil })
	registry := huma.NewMapRegistry("#/", huma.DefaultSchemaNamer)
	schema := registry.Schema(reflect.TypeFor[struct {
		Tiers [][]string `json:"tiers"`
	}](), false, "")
	var each [2]time.Duration
	for k, work := range []func(){
		func() {
			r := httptest.NewRequest("POST", "http://localhost/v1/recommend", strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			s.server.ServeHTTP(httptest.NewRecorder(), r)
		},
		func() {
			var value any
			if err := json.Unmarshal([]byte(body), &value); err != nil {
				b.Fatal(err)
			}
			huma.Validate(registry, schema, huma.NewPathBuffer(nil, 0), huma.ModeWriteToServer, value, &huma.ValidateResult{})
		},
	} {
		b.Run([]string{"server", "validation alone"}[k], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				work()
			}
			if each[k] = b.Elapsed() / time.Duration(b.N); k == 1 && each[0] > 0 {
				b.ReportMetric(float64(each[1])/float64(each[0]), "times")
			}
		})
	}
}
