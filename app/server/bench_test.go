package server_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

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
				s.Handler().ServeHTTP(w, r)
				if w.Code != 200 {
					b.Fatal(w.Body)
				}
			}
		})
	}
}
