package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Watched is a store with a record of its health, taken from all calls. A call that gets no answer in time is given
// up, even if the store ignores its context; from then on calls fail at once, until the store has answered a ping.
type Watched struct {
	Store
	patience time.Duration // for the answer to a call
	asking   atomic.Bool   // a ping is under way

	state   sync.Mutex
	health            // as far as it is known
	refused time.Time // when it last took no write

	pings  sync.Mutex // one ping at a time
	pinged time.Time
	probed time.Time
	left   health // as the last ping left it
	fault  error  // of the last ping
}

// health is what is known of a store.
type health struct {
	up       bool // it answered, last time
	written  bool // it could be written, last time
	damaged  bool // it found its own file damaged, once
	hangs    bool // a call got no answer
	locked   bool // it answers who reads, and took no write in time
	readable bool // it answered the last ping
}

const (
	// pingFresh is how long the result of a ping is good.
	pingFresh = time.Second
	// probeFresh is how long it is good that the store could be written: to find that out costs a write.
	probeFresh = 10 * time.Second
	// refusedFresh is how long a write that was refused counts for more than a probe, which is small: a disk that is
	// almost full takes one, and no lists. It is longer than metrics are commonly asked for apart; a list that is
	// written ends it at once.
	refusedFresh = time.Minute
	// pingTime is how long a ping may take.
	pingTime = 2 * time.Second
	// graceTime is how long a call that was given up may take to say so.
	graceTime = 200 * time.Millisecond
)

// Watch wraps a store; patience is the time limit of a call.
func Watch(s Store, patience time.Duration) *Watched {
	// To open it was to write to it.
	return &Watched{Store: s, patience: patience, probed: time.Now(), health: health{up: true, written: true}}
}

// known is a copy of the health.
func (w *Watched) known() health {
	w.state.Lock()
	defer w.state.Unlock()
	return w.health
}

// note takes the health from the outcome of a call. A refusal is an answer; of a request that was given up nothing
// is known.
func (w *Watched) note(err error, wrote bool) {
	w.state.Lock()
	defer w.state.Unlock()
	if !errors.Is(err, context.Canceled) {
		w.damaged = w.damaged || errors.Is(err, ErrDamaged)
		w.up = !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrUnavailable) && !errors.Is(err, context.DeadlineExceeded)
		if wrote {
			w.written = w.up
		}
	}
	if !wrote {
		return
	}
	if errors.Is(err, ErrReadOnly) {
		w.refused = time.Now()
	}
	if w.written {
		w.locked = false
	} else {
		w.wake() // whether it is locked is for a probe to say
	}
}

// Errors of calls that are not passed on: errHangs of all calls while the store does not answer, errLocked of writes while it takes none.
var (
	errHangs  = fmt.Errorf("%w: it has not answered an earlier call", ErrUnavailable)
	errLocked = fmt.Errorf("%w: it has taken no write in time", ErrUnavailable)
)

// ask runs a call of the store for as long as patience lasts, and notes how it went. A store that gives no answer is
// taken to hang, and nobody waits for it any more. A locked one is not asked to write: it would keep the places of
// those who only read.
func ask[T any](ctx context.Context, w *Watched, writes bool, call func(ctx context.Context) (T, error)) (answer T, err error) {
	switch known := w.known(); {
	case known.hangs:
		err = errHangs
	case known.locked && writes:
		err = errLocked
	}
	if err != nil {
		w.wake()
		return answer, err
	}
	answer, err = bounded(ctx, w.patience, call)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		w.state.Lock()
		w.hangs = true
		w.state.Unlock()
		err = fmt.Errorf("%w: no answer within %s", ErrUnavailable, w.patience)
	}
	w.note(err, writes)
	return answer, err
}

// bounded runs a call for a time. One that does not end with its context is left to itself.
func bounded[T any](ctx context.Context, patience time.Duration, call func(ctx context.Context) (T, error)) (T, error) {
	limited, cancel := context.WithTimeout(ctx, patience)
	type result struct {
		answer T
		err    error
		fault  any
	}
	done := make(chan result, 1)
	go func() {
		defer cancel()
		var r result
		defer func() {
			r.fault = recover() // for whoever called
			done <- r
		}()
		r.answer, r.err = call(limited)
	}()
	var r result
	select {
	case r = <-done:
	case <-limited.Done():
		select {
		case r = <-done:
		case <-time.After(graceTime):
			r.err = limited.Err()
		}
	}
	if r.fault != nil {
		panic(r.fault)
	}
	return r.answer, r.err
}

// wake asks a store that was away whether it is back, unless somebody does.
func (w *Watched) wake() {
	if w.pings.TryLock() {
		w.pings.Unlock()
		go func() { _ = w.Ping(context.Background()) }() // it notes the result
	}
}

// Ping implements [Store]. The store is asked once a second at most, however many callers there are, unless another
// call has found its health changed. After a failed write, and every ten seconds, it is also written to. The end of a
// caller's context does not end the ping, which others wait for.
func (w *Watched) Ping(ctx context.Context) error {
	w.pings.Lock()
	defer w.pings.Unlock()
	if time.Since(w.pinged) < pingFresh && w.left == w.known() {
		return w.fault
	}
	ctx = context.WithoutCancel(ctx)
	w.fault = w.ping(ctx, w.Store.Ping)
	w.note(w.fault, false)
	w.state.Lock()
	w.readable, w.hangs = w.fault == nil, unanswered(w.fault)
	written, refused := w.written, w.refused
	w.state.Unlock()
	switch {
	case w.fault != nil:
	case !written && time.Since(refused) < refusedFresh:
		w.fault = ErrReadOnly
	case !written || time.Since(w.probed) > probeFresh:
		w.fault = w.ping(ctx, w.Probe)
		w.probed = time.Now()
		w.note(w.fault, true)
		w.state.Lock()
		w.locked = unanswered(w.fault)
		w.state.Unlock()
	}
	w.pinged, w.left = time.Now(), w.known()
	return w.fault
}

// unanswered reports whether a ping got no answer in time.
func unanswered(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errHangs)
}

// ping asks the store, unless it still owes the answer to an earlier one.
func (w *Watched) ping(ctx context.Context, call func(context.Context) error) (err error) {
	defer func() {
		if fault := recover(); fault != nil { // nobody further up is there to meet it
			err = fmt.Errorf("%w: it panicked: %v", ErrUnavailable, fault)
		}
	}()
	if !w.asking.CompareAndSwap(false, true) {
		return errHangs
	}
	_, err = bounded(ctx, pingTime, func(ctx context.Context) (struct{}, error) {
		defer w.asking.Store(false)
		return struct{}{}, call(ctx)
	})
	return err
}

// Up reports whether the store answered and could be written last time, without waiting. A store that did not is
// asked again in the background, so that the next answer is right.
func (w *Watched) Up() bool {
	if known := w.known(); known.up && known.written && !known.hangs && !known.damaged {
		return true
	}
	w.wake()
	return false
}

// State describes a store that is not well in a sentence for a person, empty if it is well, and reports whether
// requests should come all the same: ranking works without a store, but a damaged database needs a person. It does not
// wait for a store that is known to hang.
func (w *Watched) State(ctx context.Context) (text string, ready bool) {
	known := w.known()
	var err error
	if known.hangs || known.locked {
		w.wake()
	} else {
		err = w.Ping(ctx)
		known = w.known()
		known.locked = false // err says as much
	}
	switch {
	case known.damaged:
		return "the database is damaged: restore a backup (fubini db restore)", false
	case err == nil && !known.hangs && !known.locked:
		return "", true
	case known.readable && !known.hangs:
		return "storage cannot be written: what is to be kept answers 503", true
	}
	return "storage is unavailable: lists, keys and jobs answer 503", true
}
