package store

import (
	"context"
	"database/sql"
	"errors"
)

// AppendAudit implements [Audit].
func (s *database) AppendAudit(ctx context.Context, entry Entry) (Entry, error) {
	err := s.change(ctx, "append to the audit log", func(ctx context.Context, db session) error {
		if err := errors.Join(checkName("the action", entry.Action), checkText("the key's id", entry.KeyID),
			checkText("the detail", entry.Detail), checkText("the request's id", entry.RequestID)); err != nil {
			return err
		}
		entry.Time = now()
		return db.row(ctx, "INSERT INTO audit (time, key_id, action, detail, request_id) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id",
			stamp(entry.Time), entry.KeyID, entry.Action, entry.Detail, entry.RequestID).Scan(&entry.ID)
	})
	if err != nil {
		return Entry{}, err
	}
	return entry, nil
}

// ListAudit implements [Audit].
func (s *database) ListAudit(ctx context.Context, page Page) (entries []Entry, next string, err error) {
	return listing[Entry]{"audit", "id, time, key_id, action, detail, request_id", "id", "request_id", // an id is enough
		func(scan func(...any) error) (entry Entry, err error) {
			var time sql.NullInt64
			err = scan(&entry.ID, &time, &entry.KeyID, &entry.Action, &entry.Detail, &entry.RequestID)
			entry.Time = instant(time)
			return entry, err
		}, func(e Entry) string { return cursorOf(e.ID, "") }}.page(ctx, s, "list the audit log", page)
}
