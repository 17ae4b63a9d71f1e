package server

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"fubini/app/store"
)

// watched is the store, and whether it answered last time it was asked, whoever asked.
type watched struct {
	store.Store
	up atomic.Bool

	mutex  sync.Mutex // one ping at a time
	pinged time.Time
	fault  error
}

// pingFresh is how long the result of a ping is good.
const pingFresh = time.Second

func watch(s store.Store) *watched {
	w := &watched{Store: s}
	w.up.Store(true)
	return w
}

// note takes from an error whether the store answered. A refusal is an answer; of a
// request that was given up nothing is known.
func (w *watched) note(err error) {
	if !errors.Is(err, context.Canceled) {
		w.up.Store(!errors.Is(err, store.ErrUnavailable) && !errors.Is(err, context.DeadlineExceeded))
	}
}

// Ping implements [store.Store]. However many ask, the store is asked once a second
// at most, unless another call has found it changed; the context is not that of whoever came first, who may go.
func (w *watched) Ping(ctx context.Context) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if time.Since(w.pinged) < pingFresh && (w.fault == nil) == w.up.Load() {
		return w.fault
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	w.fault = w.Store.Ping(ctx)
	w.pinged = time.Now()
	w.note(w.fault)
	return w.fault
}

// isUp is for the metrics: it does not wait. A store that was away is asked again,
// so that the next answer is right though nobody else asks.
func (w *watched) isUp() bool {
	if w.up.Load() {
		return true
	}
	if w.mutex.TryLock() {
		w.mutex.Unlock()
		go func() { _ = w.Ping(context.Background()) }() // it notes the result
	}
	return false
}

// noted hands on what a call answered, and notes how it went.
func noted[T any](w *watched) func(T, error) (T, error) {
	return func(answer T, err error) (T, error) {
		w.note(err)
		return answer, err
	}
}

// notedPage is noted for a call that answers in pages.
func notedPage[T any](w *watched) func(T, string, error) (T, string, error) {
	return func(page T, next string, err error) (T, string, error) {
		w.note(err)
		return page, next, err
	}
}

// What follows implements [store.Store], noting how each call went.

func (w *watched) PutList(ctx context.Context, id, secret string, body []byte, match store.Match, by store.Maker) (store.List, error) {
	return noted[store.List](w)(w.Store.PutList(ctx, id, secret, body, match, by))
}

func (w *watched) GetList(ctx context.Context, id string) (store.List, error) {
	return noted[store.List](w)(w.Store.GetList(ctx, id))
}

func (w *watched) DeleteList(ctx context.Context, id, secret string, match store.Match) error {
	err := w.Store.DeleteList(ctx, id, secret, match)
	w.note(err)
	return err
}

func (w *watched) RemoveList(ctx context.Context, id string, match store.Match) error {
	err := w.Store.RemoveList(ctx, id, match)
	w.note(err)
	return err
}

func (w *watched) Authenticate(ctx context.Context, token string) (store.Key, error) {
	return noted[store.Key](w)(w.Store.Authenticate(ctx, token))
}

func (w *watched) CreateJob(ctx context.Context, owner, kind string, parameters []byte) (store.Job, error) {
	return noted[store.Job](w)(w.Store.CreateJob(ctx, owner, kind, parameters))
}

func (w *watched) GetJob(ctx context.Context, id string) (store.Job, error) {
	return noted[store.Job](w)(w.Store.GetJob(ctx, id))
}

func (w *watched) ListJobs(ctx context.Context, page store.Page) ([]store.Job, string, error) {
	return notedPage[[]store.Job](w)(w.Store.ListJobs(ctx, page))
}

func (w *watched) UpdateJob(ctx context.Context, id string, from, to store.State, progress []byte, failure string) (store.Job, error) {
	return noted[store.Job](w)(w.Store.UpdateJob(ctx, id, from, to, progress, failure))
}

func (w *watched) BeatJobs(ctx context.Context, owner string) ([]string, error) {
	return noted[[]string](w)(w.Store.BeatJobs(ctx, owner))
}

func (w *watched) EndSilentJobs(ctx context.Context, silence time.Duration) (int64, error) {
	return noted[int64](w)(w.Store.EndSilentJobs(ctx, silence))
}

func (w *watched) AppendAudit(ctx context.Context, entry store.Entry) (store.Entry, error) {
	return noted[store.Entry](w)(w.Store.AppendAudit(ctx, entry))
}

func (w *watched) ListAudit(ctx context.Context, page store.Page) ([]store.Entry, string, error) {
	return notedPage[[]store.Entry](w)(w.Store.ListAudit(ctx, page))
}
