package load

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Plan is one offered load.
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

// Result is how a server answered an offered load.
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

// Quantiles are of latencies, from when a request was due.
type Quantiles struct{ P50, P99, P999 time.Duration }

// shot is one request.
type shot struct {
	took   time.Duration
	status int
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
	if c.Headers != nil {
		r.Header = c.Headers.Clone()
	}
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

// Run offers a load and waits for the last answer.
func Run(ctx context.Context, p Plan) (Result, error) {
	c, err := newClient(p)
	if err != nil {
		return Result{}, err
	}
	defer c.http.CloseIdleConnections()
	if !(p.Rate > 0) {
		return Result{}, errors.New("load: a rate is needed")
	}
	shots := make([]shot, int(p.Rate*p.For.Seconds()))
	r := Result{Rate: p.Rate, Due: len(shots), Statuses: map[int]int{}}
	watching, stop := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() { r.Memory = mostMemory(watching, p) })
	begun := time.Now()
	r.First = fire(ctx, c, begun, shots)
	took := time.Since(begun)
	stop()
	watch.Wait()
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	r.count(shots, max(took, p.For))
	r.Recovered = recovery(ctx, c)
	return r, nil
}

// fire sends every request when it is due and returns an example of what failed. A request that finds no
// connection free waits, and its waiting counts. One that has waited longer than the grace is not sent.
func fire(ctx context.Context, c *client, begun time.Time, shots []shot) string {
	gap := float64(time.Second) / c.Rate
	due := func(k int) time.Time { return begun.Add(time.Duration(float64(k) * gap)) }
	queue := make(chan int, len(shots))
	var first atomic.Pointer[string]
	var workers sync.WaitGroup
	for range min(c.Clients, len(shots)) {
		workers.Go(func() {
			for k := range queue {
				if ctx.Err() != nil || time.Since(due(k)) > grace {
					shots[k].status = unsent
					continue
				}
				status, text := c.ask(ctx, k)
				shots[k] = shot{time.Since(due(k)), status}
				if status != http.StatusOK && !turned(status) {
					first.CompareAndSwap(nil, &text)
				}
			}
		})
	}
	nap := time.Duration(0)
	if c.Rate > 2000 { // to wake for each would take the time that sending does
		nap = 500 * time.Microsecond
	}
	for k := range shots {
		if wait := time.Until(due(k)); wait > 0 {
			time.Sleep(max(wait, nap))
		}
		queue <- k
	}
	close(queue)
	workers.Wait()
	if text := first.Load(); text != nil {
		return *text
	}
	return ""
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
	var good atomic.Int64
	var fault atomic.Pointer[string]
	var clients sync.WaitGroup
	begun := time.Now()
	for client := range min(c.Clients, 8) {
		clients.Go(func() {
			for k := client; time.Since(begun) < p.For && ctx.Err() == nil; k++ {
				if status, text := c.ask(ctx, k); status == http.StatusOK {
					good.Add(1)
				} else if !turned(status) {
					fault.CompareAndSwap(nil, &text)
					return
				}
			}
		})
	}
	clients.Wait()
	if text := fault.Load(); text != nil {
		return 0, fmt.Errorf("load: %s%s: %s", p.URL, p.Path, *text)
	}
	return float64(good.Load()) / time.Since(begun).Seconds(), ctx.Err()
}

func turned(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

func (r *Result) count(shots []shot, took time.Duration) {
	var good []time.Duration
	for _, s := range shots {
		r.Statuses[s.status]++
		switch {
		case s.status == http.StatusOK:
			good = append(good, s.took)
		case turned(s.status):
			r.Shed++
		case s.status == unsent:
			r.Unsent++
		default:
			r.Failed++
		}
	}
	r.Good = len(good)
	r.Throughput = float64(r.Good) / took.Seconds()
	if len(good) > 0 {
		slices.Sort(good)
		at := func(share float64) time.Duration { return good[max(0, int(math.Ceil(share*float64(len(good))))-1)] }
		r.Latency = Quantiles{at(0.5), at(0.99), at(0.999)}
	}
}
