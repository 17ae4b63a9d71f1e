package parallel

import (
	"runtime"
	"sync/atomic"
	"time"
)

// Workers are a fixed set of goroutines that run one function together, many times. A waiting
// goroutine polls before it sleeps, because waking one costs as much as a small task. On two cores a
// call with tasks of 15 µs takes 0.53 of the time that goroutines started anew under a
// sync.WaitGroup take, with tasks of 150 µs 0.79, of 1.4 ms 0.92 (BenchmarkTogether).
type Workers struct {
	size int
	run  func(worker int) // nil at the end
	call atomic.Uint64    // number of calls so far
	left atomic.Int64     // workers that have not finished the last one
}

// NewWorkers starts size-1 goroutines; the caller of Together is the other worker. They must be
// closed.
func NewWorkers(size int) *Workers {
	ws := &Workers{size: size}
	for w := 1; w < size; w++ {
		go ws.serve(w)
	}
	return ws
}

// Together calls run once for every worker, 0 to size-1, at the same time, and waits for all of
// them. Worker 0 is the caller.
func (ws *Workers) Together(run func(worker int)) {
	ws.run = run
	ws.left.Store(int64(ws.size - 1))
	ws.call.Add(1)
	run(0)
	await(func() bool { return ws.left.Load() == 0 })
}

// Close ends the goroutines.
func (ws *Workers) Close() {
	ws.run = nil
	ws.call.Add(1)
}

func (ws *Workers) serve(worker int) {
	for call := uint64(1); ; call++ {
		await(func() bool { return ws.call.Load() >= call })
		if ws.run == nil {
			return
		}
		ws.run(worker)
		ws.left.Add(-1)
	}
}

// await returns when something holds: it polls, then yields between polls, then sleeps between them.
func await(holds func() bool) {
	for look := 0; !holds(); look++ {
		if look > 10_000 {
			time.Sleep(50 * time.Microsecond)
		} else if look > 1000 {
			runtime.Gosched()
		}
	}
}
