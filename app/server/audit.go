package server

import (
	"context"
	"time"

	"fubini/app/gate"
	"fubini/app/store"
)

// Paged is the part of a request that selects one page of a list.
type Paged struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"50" doc:"Most entries in one answer"`
	Cursor string `query:"cursor" maxLength:"200" doc:"Where to go on: next of the answer before"`
}

type auditOutputBody struct {
	Entries []auditEntry `json:"entries" doc:"The newest first"`
	Next    string       `json:"next" doc:"Cursor of the next page; empty on the last"`
}

type auditEntry struct {
	ID        int64     `json:"id"`
	Time      time.Time `json:"time"`
	KeyID     string    `json:"key" doc:"Id of the API key; empty for the command line"`
	Action    string    `json:"action"`
	Detail    string    `json:"detail"`
	RequestID string    `json:"request_id"`
}

func (s *Server) auditLog(ctx context.Context, in *Paged) (*auditOutputBody, error) {
	entries, next, err := s.store.ListAudit(ctx, store.Page(*in))
	if err != nil {
		return nil, pageFailure(err)
	}
	body := &auditOutputBody{Entries: []auditEntry{}, Next: next}
	for _, e := range entries {
		body.Entries = append(body.Entries, auditEntry(e))
	}
	return body, nil
}

// audit writes down what an admin is about to do. What cannot be written down is not done.
func (s *Server) audit(ctx context.Context, action, detail string) error {
	c := gate.CallOf(ctx)
	s.log(ctx).Info("admin", "action", action, "detail", detail, "key", c.Key.ID)
	if s.store == nil {
		return nil
	}
	_, err := s.store.AppendAudit(ctx, store.Entry{KeyID: c.Key.ID, Action: action, Detail: detail, RequestID: c.ID})
	return err
}
