package store

import (
	"context"
	"time"
)

// What follows implements [Store]: every call is bounded, and noted.

// askPage is ask for a call that answers in pages.
func askPage[T any](ctx context.Context, w *Watched, call func(ctx context.Context) ([]T, string, error)) ([]T, string, error) {
	type page struct {
		rows []T
		next string
	}
	p, err := ask(ctx, w, false, func(ctx context.Context) (page, error) {
		rows, next, err := call(ctx)
		return page{rows, next}, err
	})
	return p.rows, p.next, err
}

// PutList implements [Store].
func (w *Watched) PutList(ctx context.Context, id, secret string, body []byte, match Match, by Maker) (List, error) {
	return ask(ctx, w, true, func(ctx context.Context) (List, error) {
		return w.Store.PutList(ctx, id, secret, body, match, by)
	})
}

// GetList implements [Store].
func (w *Watched) GetList(ctx context.Context, id string) (List, error) {
	return ask(ctx, w, false, func(ctx context.Context) (List, error) { return w.Store.GetList(ctx, id) })
}

// DeleteList implements [Store].
func (w *Watched) DeleteList(ctx context.Context, id, secret string, match Match) error {
	_, err := ask(ctx, w, true, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, w.Store.DeleteList(ctx, id, secret, match)
	})
	return err
}

// RemoveList implements [Store].
func (w *Watched) RemoveList(ctx context.Context, id string, match Match) error {
	_, err := ask(ctx, w, true, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, w.Store.RemoveList(ctx, id, match)
	})
	return err
}

// Authenticate implements [Store].
func (w *Watched) Authenticate(ctx context.Context, token string) (Key, error) {
	return ask(ctx, w, false, func(ctx context.Context) (Key, error) { return w.Store.Authenticate(ctx, token) })
}

// CreateJob implements [Jobs].
func (w *Watched) CreateJob(ctx context.Context, owner, kind string, parameters []byte) (Job, error) {
	return ask(ctx, w, true, func(ctx context.Context) (Job, error) { return w.Store.CreateJob(ctx, owner, kind, parameters) })
}

// GetJob implements [Jobs].
func (w *Watched) GetJob(ctx context.Context, id string) (Job, error) {
	return ask(ctx, w, false, func(ctx context.Context) (Job, error) { return w.Store.GetJob(ctx, id) })
}

// ListJobs implements [Jobs].
func (w *Watched) ListJobs(ctx context.Context, page Page) ([]Job, string, error) {
	return askPage(ctx, w, func(ctx context.Context) ([]Job, string, error) { return w.Store.ListJobs(ctx, page) })
}

// UpdateJob implements [Jobs].
func (w *Watched) UpdateJob(ctx context.Context, id string, from, to State, progress []byte, failure string) (Job, error) {
	return ask(ctx, w, true, func(ctx context.Context) (Job, error) {
		return w.Store.UpdateJob(ctx, id, from, to, progress, failure)
	})
}

// BeatJobs implements [Jobs].
func (w *Watched) BeatJobs(ctx context.Context, owner string) ([]string, error) {
	return ask(ctx, w, true, func(ctx context.Context) ([]string, error) { return w.Store.BeatJobs(ctx, owner) })
}

// EndSilentJobs implements [Jobs].
func (w *Watched) EndSilentJobs(ctx context.Context, silence time.Duration) (int64, error) {
	return ask(ctx, w, true, func(ctx context.Context) (int64, error) { return w.Store.EndSilentJobs(ctx, silence) })
}

// AppendAudit implements [Store].
func (w *Watched) AppendAudit(ctx context.Context, entry Entry) (Entry, error) {
	return ask(ctx, w, true, func(ctx context.Context) (Entry, error) { return w.Store.AppendAudit(ctx, entry) })
}

// ListAudit implements [Store].
func (w *Watched) ListAudit(ctx context.Context, page Page) ([]Entry, string, error) {
	return askPage(ctx, w, func(ctx context.Context) ([]Entry, string, error) { return w.Store.ListAudit(ctx, page) })
}
