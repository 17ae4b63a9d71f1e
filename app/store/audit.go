package store

import (
	"context"
	"errors"
)

// AppendAudit implements [Store].
func (s *database) AppendAudit(ctx context.Context, entry Entry) (Entry, error) {
	return change(ctx, s, "append to the audit log", func(ctx context.Context, db session) (Entry, error) {
		if err := errors.Join(checkName("the action", entry.Action), checkText("the key's id", entry.KeyID),
			checkText("the detail", entry.Detail), checkText("the request's id", entry.RequestID)); err != nil {
			return Entry{}, err
		}
		entry.Time = now()
		err := db.QueryRowContext(ctx, "INSERT INTO audit (time, key_id, action, detail, request_id) VALUES ($1, $2, $3, $4, $5) RETURNING id",
			stamp(entry.Time), entry.KeyID, entry.Action, entry.Detail, entry.RequestID).Scan(&entry.ID)
		return entry, err
	})
}

// ListAudit implements [Store].
func (s *database) ListAudit(ctx context.Context, page Page) (entries []Entry, next string, err error) {
	return listing[Entry]{"audit", "id, time, key_id, action, detail, request_id", "id", "request_id", // an id is enough
		func(e *Entry) []any {
			return []any{&e.ID, (*stamp)(&e.Time), &e.KeyID, &e.Action, &e.Detail, &e.RequestID}
		}, func(e Entry) string { return cursorOf(e.ID, "") }}.page(ctx, s, "list the audit log", page)
}
