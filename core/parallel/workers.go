package parallel

import "sync/atomic"

// Workers are a fixed set of goroutines that run one function together, many times. A waiting
// goroutine polls for some microseconds before it sleeps, because waking one costs as much as a small task; BenchmarkTogether
// compares them with goroutines started anew.
type Workers struct {
	size  int
	run   func(worker int) // nil at the end
	call  atomic.Uint64    // number of calls so far
	left  atomic.Int64     // workers that have not finished the last one
	gates []gate           // where each worker waits for the next call, and the caller for the workers
}

// NewWorkers starts size-1 goroutines; the caller of Together is the other worker. They must be
// closed.
func NewWorkers(size int) *Workers {
	ws := &Workers{size: size, gates: make([]gate, size)}
	for w := range ws.gates {
		ws.gates[w].wake = make(chan struct{}, 1)
	}
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
	ws.start()
	run(0)
	ws.gates[0].await(func() bool { return ws.left.Load() == 0 })
}

// Close ends the goroutines.
func (ws *Workers) Close() {
	ws.run = nil
	ws.start()
}

// start lets the workers begin a call.
func (ws *Workers) start() {
	ws.call.Add(1)
	for w := 1; w < ws.size; w++ {
		ws.gates[w].open()
	}
}

func (ws *Workers) serve(worker int) {
	for call := uint64(1); ; call++ {
		ws.gates[worker].await(func() bool { return ws.call.Load() >= call })
		if ws.run == nil {
			return
		}
		ws.run(worker)
		if ws.left.Add(-1) == 0 {
			ws.gates[0].open()
		}
	}
}

// gate is where one goroutine waits until something holds.
type gate struct {
	asleep atomic.Bool
	wake   chan struct{}
	_      [48]byte // each on a cache line of its own
}

// await returns when something holds; whoever makes it hold opens the gate afterwards.
func (g *gate) await(holds func() bool) {
	const polls = 2000
	for !holds() {
		for range polls {
			if holds() {
				return
			}
		}
		g.asleep.Store(true)
		if holds() && g.asleep.Swap(false) {
			return
		}
		<-g.wake // it has been sent, or will be
	}
}

// open wakes the goroutine that waits, if it is asleep.
func (g *gate) open() {
	if g.asleep.Swap(false) {
		g.wake <- struct{}{}
	}
}
