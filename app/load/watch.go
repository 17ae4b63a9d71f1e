package load

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// recovery is how long after the load the server took to answer well again: 20 good
// answers in a row, each within 50 ms. It looks for 10 s.
func recovery(ctx context.Context, to *target) time.Duration {
	w := wire{to: to}
	defer w.close()
	begun := time.Now()
	var since time.Time
	for row := 0; time.Since(begun) < 10*time.Second && ctx.Err() == nil; {
		at := time.Now()
		status, _ := w.ask(ctx, to.requests[0])
		if status != http.StatusOK || time.Since(at) > 50*time.Millisecond {
			row = 0
			time.Sleep(10 * time.Millisecond)
			continue
		}
		if row == 0 {
			since = at
		}
		if row++; row == 20 {
			return since.Sub(begun)
		}
	}
	return -1
}

// mostMemory watches the resident memory that the server tells of in its metrics.
func mostMemory(ctx context.Context, p Plan) float64 {
	most := math.NaN()
	for {
		if now, err := memory(ctx, p); err == nil && !(now <= most) {
			most = now
		}
		select {
		case <-ctx.Done():
			// Once more at the end, when the load is off.
			if now, err := memory(context.WithoutCancel(ctx), p); err == nil && !(now <= most) {
				most = now
			}
			return most
		case <-time.After(500 * time.Millisecond):
		}
	}
}

func memory(ctx context.Context, p Plan) (float64, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL+"/metrics", http.NoBody)
	if err != nil {
		return 0, err
	}
	r.Header = p.Headers.Clone()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if value, found := strings.CutPrefix(line, "process_resident_memory_bytes "); found {
			return strconv.ParseFloat(strings.TrimSpace(value), 64)
		}
	}
	return 0, fmt.Errorf("load: %s/metrics has no process_resident_memory_bytes", p.URL)
}
