package server

import (
	"context"
	"time"

	"fubini/app/store"
)

// What follows implements [store.Store]: every call is bounded, and noted.

// looked is a call that reads.
func looked[T any](ctx context.Context, w *watched, call func(ctx context.Context) (T, error)) (T, error) {
	answer, err := ask(ctx, w, call)
	w.note(err)
	return answer, err
}

// changed is a call that writes. A store that is locked is not asked: it would keep the
// places of those who only read.
func changed[T any](ctx context.Context, w *watched, call func(ctx context.Context) (T, error)) (T, error) {
	if w.locked.Load() {
		w.wake()
		var none T
		return none, errLocked
	}
	answer, err := ask(ctx, w, call)
	w.noteWrite(err)
	return answer, err
}

// paged is a call that answers in pages.
func paged[T any](ctx context.Context, w *watched, call func(ctx context.Context) (T, string, error)) (T, string, error) {
	type page struct {
		rows T
		next string
	}
	p, err := looked(ctx, w, func(ctx context.Context) (page, error) {
		rows, next, err := call(ctx)
		return page{rows, next}, err
	})
	return p.rows, p.next, err
}

func (w *watched) PutList(ctx context.Context, id, secret string, body []byte, match store.Match, by store.Maker) (store.List, error) {
	return changed(ctx, w, func(ctx context.Context) (store.List, error) {
		return w.Store.PutList(ctx, id, secret, body, match, by)
	})
}

func (w *watched) GetList(ctx context.Context, id string) (store.List, error) {
	return looked(ctx, w, func(ctx context.Context) (store.List, error) { return w.Store.GetList(ctx, id) })
}

func (w *watched) DeleteList(ctx context.Context, id, secret string, match store.Match) error {
	_, err := changed(ctx, w, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, w.Store.DeleteList(ctx, id, secret, match)
	})
	return err
}

func (w *watched) RemoveList(ctx context.Context, id string, match store.Match) error {
	_, err := changed(ctx, w, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, w.Store.RemoveList(ctx, id, match)
	})
	return err
}

func (w *watched) Authenticate(ctx context.Context, token string) (store.Key, error) {
	return looked(ctx, w, func(ctx context.Context) (store.Key, error) { return w.Store.Authenticate(ctx, token) })
}

func (w *watched) CreateJob(ctx context.Context, owner, kind string, parameters []byte) (store.Job, error) {
	return changed(ctx, w, func(ctx context.Context) (store.Job, error) { return w.Store.CreateJob(ctx, owner, kind, parameters) })
}

func (w *watched) GetJob(ctx context.Context, id string) (store.Job, error) {
	return looked(ctx, w, func(ctx context.Context) (store.Job, error) { return w.Store.GetJob(ctx, id) })
}

func (w *watched) ListJobs(ctx context.Context, page store.Page) ([]store.Job, string, error) {
	return paged(ctx, w, func(ctx context.Context) ([]store.Job, string, error) { return w.Store.ListJobs(ctx, page) })
}

func (w *watched) UpdateJob(ctx context.Context, id string, from, to store.State, progress []byte, failure string) (store.Job, error) {
	return changed(ctx, w, func(ctx context.Context) (store.Job, error) {
		return w.Store.UpdateJob(ctx, id, from, to, progress, failure)
	})
}

func (w *watched) BeatJobs(ctx context.Context, owner string) ([]string, error) {
	return changed(ctx, w, func(ctx context.Context) ([]string, error) { return w.Store.BeatJobs(ctx, owner) })
}

func (w *watched) EndSilentJobs(ctx context.Context, silence time.Duration) (int64, error) {
	return changed(ctx, w, func(ctx context.Context) (int64, error) { return w.Store.EndSilentJobs(ctx, silence) })
}

func (w *watched) AppendAudit(ctx context.Context, entry store.Entry) (store.Entry, error) {
	return changed(ctx, w, func(ctx context.Context) (store.Entry, error) { return w.Store.AppendAudit(ctx, entry) })
}

func (w *watched) ListAudit(ctx context.Context, page store.Page) ([]store.Entry, string, error) {
	return paged(ctx, w, func(ctx context.Context) ([]store.Entry, string, error) { return w.Store.ListAudit(ctx, page) })
}
