package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"fubini/app/store"
)

// ErrReloading comes from a reload while another one is under way.
var ErrReloading = errors.New("server: a reload is under way already")

// Reload reads the model anew. The old one serves until the new one has been read,
// checked and tried; if any of this fails it goes on serving, and the error says
// why. Requests under way keep the model they began with.
func (s *Server) Reload(ctx context.Context) (id string, err error) {
	if !s.reloading.TryLock() {
		return "", ErrReloading
	}
	defer s.reloading.Unlock()
	defer func() {
		result := "ok"
		if err != nil {
			result = "failed"
			s.log(ctx).Error("the model was not reloaded, the old one goes on serving", "error", err.Error())
		}
		s.reloads.WithLabelValues(result).Inc()
	}()
	file, err := s.options.Load(ctx)
	if err != nil {
		return "", fmt.Errorf("server: reload: %w", err)
	}
	next, err := newServed(file)
	if err != nil {
		return "", fmt.Errorf("server: reload: %w", err)
	}
	old := s.model.Swap(next)
	s.loaded.Store(time.Now().Unix())
	s.log(ctx).Info("the model was reloaded", "model", next.id, "before", old.id, "items", len(next.saved.ItemIDs))
	return next.id, nil
}

// Signalled reloads for whoever may send this process a signal. The audit log is told
// if the store is there; who owns the process needs no leave of it.
func (s *Server) Signalled(ctx context.Context) {
	if err := s.audit(ctx, "model.reload", "by signal"); err != nil {
		s.log(ctx).Warn("a reload by signal is not in the audit log", "error", err.Error())
	}
	_, _ = s.Reload(ctx) // it logs what became of it
}

type reloadOutput struct {
	Body struct {
		Model  string `json:"model" doc:"Id of the model that is served now"`
		Before string `json:"before" doc:"Id of the one that was"`
		Items  int    `json:"items"`
	}
}

func (s *Server) routeReload(api huma.API) {
	huma.Register(api, s.operation(huma.Operation{
		OperationID: "reload", Method: http.MethodPost, Path: "/v1/model/reload", Summary: "Read the model file anew",
		Description: "The old model serves until the new one has been read, checked and tried. A file that is no good changes nothing and is told of in the answer (409).",
		Tags:        []string{"admin"},
	}, adminScope, http.StatusConflict), s.reload)
}

func (s *Server) reload(ctx context.Context, _ *struct{}) (*reloadOutput, error) {
	before := s.model.Load().id
	if err := s.audit(ctx, "model.reload", "model "+before[:16]+" is to be replaced"); err != nil {
		return nil, s.failure(ctx, err)
	}
	id, err := s.Reload(ctx)
	switch {
	case errors.Is(err, ErrReloading):
		return nil, problem(http.StatusConflict, "a reload is under way already")
	case err != nil:
		callOf(ctx).failed = err
		return nil, problem(http.StatusConflict, "the model file was refused; the old model goes on serving, and the log says why")
	}
	out := &reloadOutput{}
	out.Body.Model, out.Body.Before, out.Body.Items = id, before, len(s.model.Load().saved.ItemIDs)
	return out, nil
}

// audit writes down what an admin is about to do. What cannot be written down is
// not done.
func (s *Server) audit(ctx context.Context, action, detail string) error {
	c := callOf(ctx)
	s.log(ctx).Info("admin", "action", action, "detail", detail, "key", c.key)
	if s.store == nil {
		return nil
	}
	_, err := s.store.AppendAudit(ctx, store.Entry{KeyID: c.key, Action: action, Detail: detail, RequestID: c.id})
	return err
}
