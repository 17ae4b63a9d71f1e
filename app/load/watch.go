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

// recovery is the time after the load until the server answered well again: 20 good answers in a row, each within
// 50 ms. It is negative if that took more than 10 s.
func recovery(ctx context.Context, c *client) time.Duration {
	begun := time.Now()
	var since time.Time
	for row := 0; time.Since(begun) < 10*time.Second && ctx.Err() == nil; {
		at := time.Now()
		status, _ := c.ask(ctx, 0)
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

// mostMemory is the largest resident memory in the server's metrics until the context ends, and once after.
func mostMemory(ctx context.Context, p Plan) float64 {
	most := math.NaN()
	for ended := false; ; {
		if now, err := memory(context.WithoutCancel(ctx), p); err == nil && !(now <= most) {
			most = now
		}
		if ended {
			return most
		}
		select {
		case <-ctx.Done():
			ended = true
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
