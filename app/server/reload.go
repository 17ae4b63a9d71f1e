package server

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"fubini/app/gate"
)

// replace reads the model anew for whoever holds s.reloading. The old one serves until the new one has been
// read, checked and tried; if any of this fails it goes on serving. Requests under way keep the model they began with.
func (s *Server) replace(ctx context.Context) (*served, error) {
	next, err := prepare(ctx, s.options.Load, s.log(ctx))
	if err != nil {
		s.log(ctx).Error("the model was not reloaded, the old one goes on serving", "error", err.Error())
		s.reloads.WithLabelValues("failed").Inc()
		return nil, fmt.Errorf("server: reload: %w", err)
	}
	s.reloads.WithLabelValues("ok").Inc()
	s.swap(ctx, next)
	return next, nil
}

// swap serves another model from now on.
func (s *Server) swap(ctx context.Context, next *served) {
	old := s.model.Swap(next)
	s.loaded.Store(time.Now().Unix())
	s.log(ctx).Info("the model was reloaded", "model", next.id, "before", old.id, "items", len(next.saved.ItemIDs))
}

// Signalled reloads the model after a signal (SIGHUP). The reload is written to the audit log if the store answers, and
// done in any case. Of several signals during a reload, one waits for its end and stands for all.
func (s *Server) Signalled(ctx context.Context) {
	if err := s.audit(ctx, "model.reload", "by signal"); err != nil {
		s.log(ctx).Warn("a reload by signal is not in the audit log", "error", err.Error())
	}
	if !s.signalled.CompareAndSwap(false, true) {
		return // another one waits, and will read what is there now
	}
	s.reloading.Lock()
	defer s.reloading.Unlock()
	s.signalled.Store(false) // before the file is read: a signal from now on may tell of a newer one
	if ctx.Err() == nil {
		_, _ = s.replace(ctx) // it logs what became of it
	}
}

// promote reads and tries a candidate, and only then keeps and serves it. A candidate that fails is dropped, and nothing
// has changed.
func (s *Server) promote(ctx context.Context, candidate Candidate) (err error) {
	result := "failed"
	defer func() {
		if result != "ok" {
			if dropped := candidate.Drop(); dropped != nil {
				s.log(ctx).Warn("a model that failed its trial was not removed", "error", dropped.Error())
			}
		}
		s.reloads.WithLabelValues(result).Inc()
	}()
	s.reloading.Lock()
	defer s.reloading.Unlock()
	next, err := prepare(ctx, candidate.Load, s.log(ctx))
	if err != nil {
		return fmt.Errorf("the trained model was refused, the old one goes on serving: %w", err)
	}
	if err := candidate.Keep(); err != nil {
		return fmt.Errorf("the trained model was not kept, the old one goes on serving: %w", err)
	}
	result = "ok"
	s.swap(ctx, next)
	return nil
}

type reloadOutputBody struct {
	Model  string `json:"model" doc:"Id of the model that is served now"`
	Before string `json:"before" doc:"Id of the one that was"`
	Items  int    `json:"items"`
}

func (s *Server) reload(ctx context.Context, _ *struct{}) (*reloadOutputBody, error) {
	before := s.model.Load().id
	if err := s.audit(ctx, "model.reload", "model "+before[:16]+" is to be replaced"); err != nil {
		return nil, err
	}
	if !s.reloading.TryLock() {
		return nil, gate.NewProblem(http.StatusConflict, "a reload is under way already")
	}
	defer s.reloading.Unlock()
	next, err := s.replace(ctx)
	if err != nil {
		gate.CallOf(ctx).Failed = err
		return nil, gate.NewProblem(http.StatusConflict, "the model file was refused; the old model goes on serving, and the log says why")
	}
	return &reloadOutputBody{Model: next.id, Before: before, Items: len(next.saved.ItemIDs)}, nil
}
