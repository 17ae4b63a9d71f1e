package load

import (
	"context"
	"io"
	"math"
	"net/http"
	"regexp"
	"strconv"
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

// mostMemory is the largest resident memory in the server's metrics until the context ends, and once after; NaN if
// they have none.
func mostMemory(ctx context.Context, p Plan) float64 {
	most := math.NaN()
	for ended := false; ; {
		if now := memory(context.WithoutCancel(ctx), p); now > most || math.IsNaN(most) {
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

var residentMemory = regexp.MustCompile(`(?m)^process_resident_memory_bytes (\S+)$`)

func memory(ctx context.Context, p Plan) float64 {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL+"/metrics", http.NoBody)
	if err != nil {
		return math.NaN()
	}
	r.Header = p.Headers.Clone()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return math.NaN()
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body) // of half an answer the first half will do
	if found := residentMemory.FindSubmatch(text); found != nil {
		if bytes, err := strconv.ParseFloat(string(found[1]), 64); err == nil {
			return bytes
		}
	}
	return math.NaN()
}
