package server

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"fubini/app/store"
)

// watched is the store, and how it did when it was last asked, whoever asked. A call that
// gets no answer in time is given up, even if the store does not heed its context; from
// then on calls fail at once, until the store has answered a ping.
type watched struct {
	store.Store
	patience time.Duration // for the answer to a call
	up       atomic.Bool   // it answered, last time
	written  atomic.Bool   // it could be written, last time
	damaged  atomic.Bool   // it found its own file damaged, once
	hangs    atomic.Bool   // a call got no answer
	locked   atomic.Bool   // it answers who reads, and took no write in time
	refused  atomic.Int64  // when it last took no write, in Unix nanoseconds
	asking   atomic.Bool   // a ping is under way
	readable atomic.Bool   // it answered the last ping

	mutex  sync.Mutex // one ping at a time
	pinged time.Time
	probed time.Time
	left   health // as the last ping left it
	fault  error  // of the last ping
}

const (
	// pingFresh is how long the result of a ping is good.
	pingFresh = time.Second
	// probeFresh is how long it is good that the store could be written: to find that out
	// costs a write.
	probeFresh = 10 * time.Second
	// refusedFresh is how long a write that was refused counts for more than a probe, which
	// is small: a disk that is almost full takes one, and no lists. It is longer than metrics
	// are commonly asked for apart; a list that is written ends it at once.
	refusedFresh = time.Minute
	// pingTime is how long a ping may take.
	pingTime = 2 * time.Second
	// settleTime is how long a call that was given up may take to say so.
	settleTime = 200 * time.Millisecond
)

func watch(s store.Store, patience time.Duration) *watched {
	w := &watched{Store: s, patience: patience, probed: time.Now()} // to open it was to write to it
	w.up.Store(true)
	w.written.Store(true)
	return w
}

// note takes from an error whether the store answered. A refusal is an answer; of a
// request that was given up nothing is known.
func (w *watched) note(err error) {
	switch {
	case errors.Is(err, context.Canceled):
	case errors.Is(err, store.ErrDamaged):
		w.damaged.Store(true)
		w.up.Store(false)
	default:
		w.up.Store(!errors.Is(err, store.ErrUnavailable) && !errors.Is(err, context.DeadlineExceeded))
	}
}

// noteWrite is note for a call that writes.
func (w *watched) noteWrite(err error) {
	w.note(err)
	if !errors.Is(err, context.Canceled) {
		w.written.Store(w.up.Load())
	}
	if errors.Is(err, store.ErrReadOnly) {
		w.refused.Store(time.Now().UnixNano())
	}
	if w.written.Load() {
		w.locked.Store(false)
	} else {
		w.wake() // whether it is locked is for a probe to say
	}
}

// errHangs is the answer for the store while it gives none.
var errHangs = fmt.Errorf("%w: it has not answered an earlier call", store.ErrUnavailable)

// errLocked is the answer to who writes while nobody can.
var errLocked = fmt.Errorf("%w: it has taken no write in time", store.ErrUnavailable)

// ask runs a call of the store for as long as patience lasts. Where it gets no answer, the
// store is taken to hang, and nobody waits for it any more.
func ask[T any](ctx context.Context, w *watched, call func(ctx context.Context) (T, error)) (T, error) {
	if w.hangs.Load() {
		w.wake()
		var none T
		return none, errHangs
	}
	answer, err := bounded(ctx, w.patience, call)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		w.hangs.Store(true)
		err = fmt.Errorf("%w: no answer within %s", store.ErrUnavailable, w.patience)
	}
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
		timer := time.NewTimer(settleTime)
		defer timer.Stop()
		select {
		case r = <-done:
		case <-timer.C:
			r.err = limited.Err()
		}
	}
	if r.fault != nil {
		panic(r.fault)
	}
	return r.answer, r.err
}

// wake asks a store that was away whether it is back, unless somebody does.
func (w *watched) wake() {
	if w.mutex.TryLock() {
		w.mutex.Unlock()
		go func() { _ = w.Ping(context.Background()) }() // it notes the result
	}
}

// Ping implements [store.Store]. However many ask, the store is asked once a second
// at most, unless another call has found it changed; the context is not that of whoever
// came first, who may go. Now and then, and once a write has failed, it is written to.
func (w *watched) Ping(ctx context.Context) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if time.Since(w.pinged) < pingFresh && w.left == w.known() {
		return w.fault
	}
	ctx = context.WithoutCancel(ctx)
	w.fault = w.ping(ctx, w.Store.Ping)
	w.note(w.fault)
	w.readable.Store(w.fault == nil)
	w.hangs.Store(late(w.fault))
	switch {
	case w.fault != nil:
	case !w.written.Load() && time.Since(time.Unix(0, w.refused.Load())) < refusedFresh:
		w.fault = store.ErrReadOnly
	case !w.written.Load() || time.Since(w.probed) > probeFresh:
		w.fault = w.ping(ctx, w.Probe)
		w.probed = time.Now()
		w.noteWrite(w.fault)
		w.locked.Store(late(w.fault))
	}
	w.pinged, w.left = time.Now(), w.known()
	return w.fault
}

// late says that a ping got no answer in time.
func late(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errHangs)
}

// ping asks the store, unless it still owes the answer to an earlier one.
func (w *watched) ping(ctx context.Context, call func(context.Context) error) (err error) {
	defer func() {
		if fault := recover(); fault != nil { // nobody further up is there to meet it
			err = fmt.Errorf("%w: it panicked: %v", store.ErrUnavailable, fault)
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

// health is what is known of the store.
type health struct{ up, written, hangs, damaged bool }

func (w *watched) known() health {
	return health{w.up.Load(), w.written.Load(), w.hangs.Load(), w.damaged.Load()}
}

// isUp is for the metrics: it does not wait. A store that was away is asked again,
// so that the next answer is right though nobody else asks.
func (w *watched) isUp() bool {
	if w.known() == (health{up: true, written: true}) {
		return true
	}
	w.wake()
	return false
}

// state is what there is to say of the store, and whether requests should come all the
// same: ranking goes on without it, and a database that is damaged needs a person. Nobody
// waits for a store that is known to hang.
func (w *watched) state(ctx context.Context) (text string, ready bool) {
	hangs, locked := w.hangs.Load(), w.locked.Load()
	var err error
	if hangs || locked {
		w.wake()
	} else {
		err = w.Ping(ctx)
		hangs = w.hangs.Load()
	}
	switch {
	case w.damaged.Load():
		return "the database is damaged: restore a backup (fubini db restore)", false
	case err == nil && !hangs && !locked:
		return "", true
	case w.readable.Load() && !hangs:
		return "storage cannot be written: what is to be kept answers 503", true
	}
	return "storage is unavailable: lists, keys and jobs answer 503", true
}
