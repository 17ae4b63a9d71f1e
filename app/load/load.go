package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
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

// resolved checks a plan, and fills in what was left to us.
func (p Plan) resolved() (Plan, *target, error) {
	p.Method, p.Clients = cmp.Or(p.Method, http.MethodPost), cmp.Or(p.Clients, 256)
	if p.For <= 0 || len(p.Bodies) == 0 || p.Clients < 0 {
		return p, nil, errors.New("load: a time, a body and a number of clients are needed")
	}
	to, err := newTarget(p)
	return p, to, err
}

// Run offers a load and waits for the last answer.
func Run(ctx context.Context, p Plan) (Result, error) {
	p, to, err := p.resolved()
	if err != nil {
		return Result{}, err
	}
	if !(p.Rate > 0) {
		return Result{}, errors.New("load: a rate is needed")
	}
	n := int(p.Rate * p.For.Seconds())
	shots := make([]shot, n)
	r := Result{Rate: p.Rate, Due: n, Statuses: map[int]int{}, Memory: math.NaN()}
	var first atomic.Pointer[string]
	watching, stop := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() { r.Memory = mostMemory(watching, p) })
	begun := time.Now()
	fire(ctx, p, to, begun, shots, &first)
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
	r.Recovered = recovery(ctx, to)
	return r, nil
}

// fire sends every request when it is due, over as many connections as the plan allows;
// a request that finds none free waits, and its waiting counts. One that has waited for
// too long is not sent any more: the client does not offer what it was told to.
func fire(ctx context.Context, p Plan, to *target, begun time.Time, shots []shot, first *atomic.Pointer[string]) {
	gap := float64(time.Second) / p.Rate
	due := func(k int) time.Time { return begun.Add(time.Duration(float64(k) * gap)) }
	queue := make(chan int, len(shots))
	var workers sync.WaitGroup
	for range min(p.Clients, len(shots)) {
		workers.Go(func() {
			w := wire{to: to}
			defer w.close()
			for k := range queue {
				if ctx.Err() != nil || time.Since(due(k)) > grace {
					shots[k].status = unsent
					continue
				}
				status, text := w.ask(ctx, to.requests[k%len(to.requests)])
				shots[k] = shot{time.Since(due(k)), status}
				if status != http.StatusOK && !turned(status) {
					first.CompareAndSwap(nil, &text)
				}
			}
		})
	}
	nap := time.Duration(0)
	if p.Rate > 2000 { // to wake for each would take the time that sending does
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
}

// grace is how long a request may wait for a connection, and unsent stands for the
// status of those that had none by then.
const (
	grace  = time.Second
	unsent = -1
)

// Capacity is how many good answers a second the server gives to a few clients that ask
// again as soon as they have their answer.
func Capacity(ctx context.Context, p Plan) (float64, error) {
	p, to, err := p.resolved()
	if err != nil {
		return 0, err
	}
	var good atomic.Int64
	var fault atomic.Pointer[string]
	var clients sync.WaitGroup
	begun := time.Now()
	for client := range min(p.Clients, 8) {
		clients.Go(func() {
			w := wire{to: to}
			defer w.close()
			for k := client; time.Since(begun) < p.For && ctx.Err() == nil; k++ {
				if status, text := w.ask(ctx, to.requests[k%len(to.requests)]); status == http.StatusOK {
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
