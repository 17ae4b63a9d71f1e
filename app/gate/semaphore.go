package gate

import (
	"context"
	"sync/atomic"
	"time"
)

// semaphore lets a few requests work at once and a few more wait, for a short time. Requests beyond that are refused
// at once: a full server must say so quickly, and be itself again as soon as the rush is over.
type semaphore struct {
	inside   chan struct{}
	waiting  atomic.Int64
	most     int64
	patience time.Duration
}

func newSemaphore(working, waiting int, patience time.Duration) *semaphore {
	return &semaphore{inside: make(chan struct{}, working), most: int64(waiting), patience: patience}
}

// enter takes a place; the caller gives it back by leave.
func (p *semaphore) enter(ctx context.Context) (leave func(), err error) {
	leave = func() { <-p.inside }
	select {
	case p.inside <- struct{}{}:
		return leave, nil
	default:
	}
	defer p.waiting.Add(-1)
	if p.waiting.Add(1) > p.most {
		return nil, tooBusy()
	}
	timer := time.NewTimer(p.patience)
	defer timer.Stop()
	select {
	case p.inside <- struct{}{}:
		return leave, nil
	case <-timer.C:
		return nil, tooBusy()
	case <-ctx.Done():
		return nil, context.Canceled
	}
}

// full reports whether whoever enters now is turned away.
func (p *semaphore) full() bool { return len(p.inside) == cap(p.inside) && p.waiting.Load() >= p.most }
