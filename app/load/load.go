package load

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
)

// Plan is a load to offer to a server: requests, their rate and for how long.
type Plan struct {
	URL     string        // of the server
	Method  string        // empty means POST
	Path    string        // of the route
	Bodies  [][]byte      // sent in turn
	Headers http.Header   // of every request
	Rate    float64       // requests a second
	For     time.Duration // how long
	Clients int           // connections at most; 0 means 256
}

// Result counts how a server answered a load.
type Result struct {
	Rate       float64       // offered
	Due        int           // requests
	Good       int           // answered by 200
	Shed       int           // answered by 429 or 503 with Retry-After
	Unsent     int           // not sent: the client could not offer that many
	Failed     int           // anything else: that is an error
	Statuses   map[int]int   // count of each status; 0 is no answer, negative a 429 or 503 without Retry-After
	Throughput float64       // good answers a second
	Latency    Quantiles     // of good answers
	Memory     float64       // largest resident bytes of the server in its metrics; NaN if it has none
	First      string        // an example of what failed
	Recovered  time.Duration // after the load until an answer was good and quick; negative if none was
}

// Quantiles are the median, 99 % and 99.9 % quantiles of latencies, measured from when a request was due.
type Quantiles struct{ P50, P99, P999 time.Duration }

// tally counts answers as they come.
type tally struct {
	mutex sync.Mutex
	Result
	took []time.Duration // by good answers
}

// add counts an answer; text is an example where it failed.
func (t *tally) add(status int, text string, took time.Duration) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.Statuses[status]++
	switch {
	case status == http.StatusOK:
		t.Good++
		t.took = append(t.took, took)
	case turned(status):
		t.Shed++
	case status == unsent:
		t.Unsent++
	default:
		t.Failed++
		t.First = cmp.Or(t.First, text)
	}
}

// latency is the quantiles of good answers.
func (t *tally) latency() (q Quantiles) {
	if t.Good > 0 {
		slices.Sort(t.took)
		at := func(share float64) time.Duration { return t.took[max(0, int(math.Ceil(share*float64(t.Good)))-1)] }
		q = Quantiles{at(0.5), at(0.99), at(0.999)}
	}
	return q
}

// client sends the requests of a plan over at most Clients connections.
type client struct {
	Plan
	http *http.Client
}

func newClient(p Plan) (*client, error) {
	p.Method, p.Clients = cmp.Or(p.Method, http.MethodPost), cmp.Or(p.Clients, 256)
	if p.For <= 0 || len(p.Bodies) == 0 || p.Clients < 0 {
		return nil, errors.New("load: a time, a body and a number of clients are needed")
	}
	if at, err := url.Parse(p.URL + p.Path); err != nil || at.Host == "" {
		return nil, fmt.Errorf("load: %q is not the URL of a server", p.URL+p.Path)
	}
	transport := &http.Transport{MaxConnsPerHost: p.Clients, MaxIdleConnsPerHost: p.Clients, DisableCompression: true}
	return &client{p, &http.Client{Transport: transport, Timeout: 20 * time.Second}}, nil
}

// ask sends the k-th request and reads its answer to the end. Of answers that are not good the beginning is returned.
func (c *client) ask(ctx context.Context, k int) (status int, text string) {
	body := c.Bodies[k%len(c.Bodies)]
	r, err := http.NewRequestWithContext(ctx, c.Method, c.URL+c.Path, bytes.NewReader(body))
	if err != nil {
		return 0, err.Error()
	}
	maps.Copy(r.Header, c.Headers)
	if len(body) > 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header["Idempotency-Key"] = nil // not sent; the transport may repeat what met a connection closed while idle
	answer, err := c.http.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	start, err := io.ReadAll(io.LimitReader(answer.Body, 300))
	if err == nil {
		_, err = io.Copy(io.Discard, answer.Body)
	}
	switch {
	case err != nil:
		return 0, err.Error()
	case answer.StatusCode == http.StatusOK:
		return http.StatusOK, ""
	case turned(answer.StatusCode) && answer.Header.Get("Retry-After") == "":
		return -answer.StatusCode, "no Retry-After"
	}
	return answer.StatusCode, fmt.Sprintf("%d %s", answer.StatusCode, start)
}

// Run sends the requests of a plan when they are due, and waits for the last answer.
func Run(ctx context.Context, p Plan) (Result, error) {
	c, err := newClient(p)
	if err != nil {
		return Result{}, err
	}
	defer c.http.CloseIdleConnections()
	if !(p.Rate > 0) {
		return Result{}, errors.New("load: a rate is needed")
	}
	t := &tally{Result: Result{Rate: p.Rate, Due: int(p.Rate * p.For.Seconds()), Statuses: map[int]int{}}}
	watching, stop := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() { t.Memory = mostMemory(watching, p) })
	begun := time.Now()
	fire(ctx, c, begun, t)
	took := max(time.Since(begun), p.For)
	stop()
	watch.Wait()
	if ctx.Err() != nil {
		return t.Result, ctx.Err()
	}
	t.Throughput, t.Latency = float64(t.Good)/took.Seconds(), t.latency()
	t.Recovered = recovery(ctx, c)
	return t.Result, nil
}

// fire sends every request when it is due. A request that finds no connection free waits, and its waiting counts. One
// that has waited longer than the grace is not sent.
func fire(ctx context.Context, c *client, begun time.Time, t *tally) {
	gap := float64(time.Second) / c.Rate
	due := func(k int) time.Time { return begun.Add(time.Duration(float64(k) * gap)) }
	queue := make(chan int, t.Due)
	var workers sync.WaitGroup
	for range min(c.Clients, t.Due) {
		workers.Go(func() {
			for k := range queue {
				if ctx.Err() != nil || time.Since(due(k)) > grace {
					t.add(unsent, "", 0)
					continue
				}
				status, text := c.ask(ctx, k)
				t.add(status, text, time.Since(due(k)))
			}
		})
	}
	nap := time.Duration(0)
	if c.Rate > 2000 { // to wake for each would take the time that sending does
		nap = 500 * time.Microsecond
	}
	for k := range t.Due {
		if wait := time.Until(due(k)); wait > 0 {
			time.Sleep(max(wait, nap))
		}
		queue <- k
	}
	close(queue)
	workers.Wait()
}

// grace is the time that a request may wait for a connection; unsent is the status of those that waited longer.
const (
	grace  = time.Second
	unsent = -1
)

// Capacity is the number of good answers a second that the server gives to a few clients, each of which asks
// again as soon as it has its answer.
func Capacity(ctx context.Context, p Plan) (float64, error) {
	c, err := newClient(p)
	if err != nil {
		return 0, err
	}
	defer c.http.CloseIdleConnections()
	t := &tally{Result: Result{Statuses: map[int]int{}}}
	var clients sync.WaitGroup
	begun := time.Now()
	for client := range min(c.Clients, 8) {
		clients.Go(func() {
			for k := client; time.Since(begun) < p.For && ctx.Err() == nil; k++ {
				status, text := c.ask(ctx, k)
				t.add(status, text, 0)
				if status != http.StatusOK && !turned(status) {
					return
				}
			}
		})
	}
	clients.Wait()
	if t.Failed > 0 {
		return 0, fmt.Errorf("load: %s%s: %s", p.URL, p.Path, t.First)
	}
	return float64(t.Good) / time.Since(begun).Seconds(), ctx.Err()
}

func turned(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}
