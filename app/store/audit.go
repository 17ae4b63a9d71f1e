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
	err = s.look(ctx, "list the audit log", func(ctx context.Context, db session) error {
		length, err := page.length()
		if err != nil {
			return err
		}
		before, _, err := page.place()
		if err != nil {
			return err
		}
		// One more than asked for tells whether there is a next page.
		rows, err := db.query(ctx, "SELECT id, time, key_id, action, detail, request_id FROM audit WHERE id < ?1 ORDER BY id DESC LIMIT ?2",
			before, length+1)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var entry Entry
			var time sql.NullInt64
			if err := rows.Scan(&entry.ID, &time, &entry.KeyID, &entry.Action, &entry.Detail, &entry.RequestID); err != nil {
				return err
			}
			entry.Time = instant(time)
			entries = append(entries, entry)
		}
		if len(entries) > length {
			entries = entries[:length]
			next = cursorOf(entries[length-1].ID, "")
		}
		return rows.Err()
	})
	return entries, next, err
}
