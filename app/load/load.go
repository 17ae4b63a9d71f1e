package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Plan is one offered load.
type Plan struct {
	URL     string        // of the server
	Path    string        // of the route
	Bodies  [][]byte      // sent in turn
	Headers http.Header   // of every request
	Rate    float64       // requests a second
	For     time.Duration // how long
	Clients int           // connections at most; 0 means 256
}

// Result is how it went.
type Result struct {
	Rate       float64       // offered
	Due        int           // requests
	Good       int           // answered by 200
	Shed       int           // answered by 429 or 503 with Retry-After
	Unsent     int           // not sent at all: the client could not offer so much
	Failed     int           // anything else: that is an error
	Statuses   map[int]int   // how often each was answered; 0 is no answer
	Throughput float64       // good answers a second
	Latency    Quantiles     // of good answers
	Turned     Quantiles     // of those turned away
	Memory     float64       // most resident bytes of the server that were seen; NaN if it does not tell
	First      string        // an example of what failed
	Recovered  time.Duration // after the load until an answer was good and quick; negative if none was
}

// Quantiles are of latencies, from when a request was due.
type Quantiles struct{ P50, P99, P999, Max time.Duration }

// shot is one request.
type shot struct {
	took   time.Duration
	status int
}

// Run offers a load and waits for the last answer.
func Run(ctx context.Context, p Plan) (Result, error) {
	if !(p.Rate > 0) || p.For <= 0 || len(p.Bodies) == 0 {
		return Result{}, errors.New("load: a rate, a time and a body are needed")
	}
	if p.Clients == 0 {
		p.Clients = 256
	}
	client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{
		MaxIdleConns: p.Clients, MaxIdleConnsPerHost: p.Clients, MaxConnsPerHost: p.Clients, DisableCompression: true, // packing is the client's time too
	}}
	defer client.CloseIdleConnections()
	n := int(p.Rate * p.For.Seconds())
	shots := make([]shot, n)
	r := Result{Rate: p.Rate, Due: n, Statuses: map[int]int{}, Memory: math.NaN()}
	var first atomic.Pointer[string]
	watching, stop := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() { r.Memory = mostMemory(watching, client, p) })
	begun := time.Now()
	fire(ctx, p, begun, shots, func(k int, due time.Time) {
		status, text := send(ctx, client, p, p.Bodies[k%len(p.Bodies)])
		shots[k] = shot{time.Since(due), status}
		if status != http.StatusOK && !turned(status) {
			first.CompareAndSwap(nil, &text)
		}
	})
	took := time.Since(begun)
	stop()
	watch.Wait()
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	r.count(shots, max(took, p.For))
	if text := first.Load(); text != nil {
		r.First = *text
	}
	r.Recovered = recovery(ctx, client, p)
	return r, nil
}

// fire calls f for every request when it is due, on as many goroutines as there may
// be connections; a request that finds none free waits, and its waiting counts.
func fire(ctx context.Context, p Plan, begun time.Time, shots []shot, f func(k int, due time.Time)) {
	gap := float64(time.Second) / p.Rate
	due := func(k int) time.Time { return begun.Add(time.Duration(float64(k) * gap)) }
	queue := make(chan int, len(shots))
	var workers sync.WaitGroup
	for range min(p.Clients, len(shots)) {
		workers.Go(func() {
			for k := range queue {
				shots[k].status = unsent
				if ctx.Err() == nil && time.Since(begun) < p.For+grace {
					f(k, due(k))
				}
			}
		})
	}
	for k := range shots {
		if wait := time.Until(due(k)); wait > 0 {
			time.Sleep(wait)
		}
		queue <- k
	}
	close(queue)
	workers.Wait()
}

// grace is how long after its time a load is still sent, and unsent stands for the
// status of what then was not.
const (
	grace  = time.Second
	unsent = -1
)

func turned(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// send makes a request and reads the answer to its end. A server that turns a request
// away without saying when to come back has failed.
func send(ctx context.Context, client *http.Client, p Plan, body []byte) (status int, text string) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.URL+p.Path, bytes.NewReader(body))
	if err != nil {
		return 0, err.Error()
	}
	r.Header = p.Headers.Clone()
	if r.Header == nil {
		r.Header = http.Header{}
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusOK {
		if _, err := io.Copy(io.Discard, answer.Body); err != nil {
			return 0, err.Error()
		}
		return answer.StatusCode, ""
	}
	start, _ := io.ReadAll(io.LimitReader(answer.Body, 300))
	_, _ = io.Copy(io.Discard, answer.Body)
	if turned(answer.StatusCode) && answer.Header.Get("Retry-After") == "" {
		return -answer.StatusCode, "no Retry-After"
	}
	return answer.StatusCode, answer.Status + " " + string(start)
}

func (r *Result) count(shots []shot, took time.Duration) {
	var good, away []time.Duration
	for _, s := range shots {
		r.Statuses[s.status]++
		switch {
		case s.status == http.StatusOK:
			good = append(good, s.took)
		case turned(s.status):
			away = append(away, s.took)
		case s.status == unsent:
			r.Unsent++
		default:
			r.Failed++
		}
	}
	r.Good, r.Shed = len(good), len(away)
	r.Throughput = float64(r.Good) / took.Seconds()
	r.Latency, r.Turned = quantiles(good), quantiles(away)
}

// quantiles are the smallest latencies that so large a share of all does not pass.
func quantiles(all []time.Duration) (q Quantiles) {
	if len(all) == 0 {
		return q
	}
	slices.Sort(all)
	at := func(share float64) time.Duration { return all[max(0, int(math.Ceil(share*float64(len(all))))-1)] }
	return Quantiles{at(0.5), at(0.99), at(0.999), all[len(all)-1]}
}

// recovery is how long after the load the server took to answer well again: 20 good
// answers in a row, each within 50 ms. It looks for 10 s.
func recovery(ctx context.Context, client *http.Client, p Plan) time.Duration {
	begun := time.Now()
	var since time.Time
	for row := 0; time.Since(begun) < 10*time.Second && ctx.Err() == nil; {
		at := time.Now()
		status, _ := send(ctx, client, p, p.Bodies[0])
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
func mostMemory(ctx context.Context, client *http.Client, p Plan) float64 {
	most := math.NaN()
	for {
		if now, err := memory(ctx, client, p); err == nil && !(now <= most) {
			most = now
		}
		select {
		case <-ctx.Done():
			// Once more at the end, when the load is off.
			if now, err := memory(context.WithoutCancel(ctx), client, p); err == nil && !(now <= most) {
				most = now
			}
			return most
		case <-time.After(500 * time.Millisecond):
		}
	}
}

func memory(ctx context.Context, client *http.Client, p Plan) (float64, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL+"/metrics", http.NoBody)
	if err != nil {
		return 0, err
	}
	r.Header = p.Headers.Clone()
	answer, err := client.Do(r)
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
