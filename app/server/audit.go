package server

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"fubini/app/store"
)

// Paged is the part of a request that asks for one page of a list.
type Paged struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"50" doc:"Most entries in one answer"`
	Cursor string `query:"cursor" maxLength:"200" doc:"Where to go on: next of the answer before"`
}

type auditInput struct{ Paged }

type auditOutput struct {
	Body struct {
		Entries []auditEntry `json:"entries" doc:"The newest first"`
		Next    string       `json:"next" doc:"Cursor of the next page; empty on the last"`
	}
}

type auditEntry struct {
	ID        int64     `json:"id"`
	Time      time.Time `json:"time"`
	Key       string    `json:"key" doc:"Id of the API key; empty for the command line"`
	Action    string    `json:"action"`
	Detail    string    `json:"detail"`
	RequestID string    `json:"request_id"`
}

func (s *Server) routeAudit(api huma.API) {
	huma.Register(api, s.operation(huma.Operation{
		OperationID: "audit", Method: http.MethodGet, Path: "/v1/audit", Summary: "Read what admins did", Tags: []string{"admin"},
	}, adminScope), s.auditLog)
}

func (s *Server) auditLog(ctx context.Context, in *auditInput) (*auditOutput, error) {
	entries, next, err := s.store.ListAudit(ctx, store.Page{Limit: in.Limit, Cursor: in.Cursor})
	if err != nil {
		return nil, s.pageFailure(ctx, err)
	}
	out := &auditOutput{}
	out.Body.Entries, out.Body.Next = []auditEntry{}, next
	for _, e := range entries {
		out.Body.Entries = append(out.Body.Entries, auditEntry{e.ID, e.Time, e.KeyID, e.Action, e.Detail, e.RequestID})
	}
	return out, nil
}
