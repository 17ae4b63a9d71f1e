package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// PutList implements [Lists].
func (s *database) PutList(ctx context.Context, id, secret string, body []byte, match Match) (list List, err error) {
	err = s.change(ctx, "put list", func(ctx context.Context, db session) error {
		if err := errors.Join(checkName("the id", id), checkName("the secret", secret), checkJSON("the body", body)); err != nil {
			return err
		}
		old, err := db.list(ctx, id, s.dialect.forUpdate)
		if errors.Is(err, ErrNotFound) && (match == Absent || match == Any) {
			list, err = db.createList(ctx, id, secret, body)
			return err
		}
		if err != nil {
			return err
		}
		if err := permit(old, secret, match); err != nil {
			return err
		}
		moment := now()
		list = old
		list.Body, list.Updated, list.Version = body, moment, max(old.Version+1, moment.UnixMicro())
		_, err = db.exec(ctx, "UPDATE lists SET body = ?2, version = ?3, updated = ?4 WHERE id = ?1", id, body, list.Version, stamp(moment))
		return err
	})
	if err != nil {
		return List{}, err
	}
	return list, nil
}

// createList writes a list where none was seen a moment ago.
func (s session) createList(ctx context.Context, id, secret string, body []byte) (List, error) {
	moment := now()
	list := List{ID: id, Secret: hashSecret(secret), Body: body, Version: moment.UnixMicro(), Created: moment, Updated: moment}
	rows, err := s.exec(ctx, `INSERT INTO lists (id, secret, body, version, created, updated) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
		ON CONFLICT (id) DO NOTHING`, id, list.Secret, body, list.Version, stamp(moment), stamp(moment))
	if err == nil && rows == 0 {
		err = fmt.Errorf("list %q was made by someone else just now: %w; read it first", id, ErrConflict)
	}
	return list, err
}

// permit tells whether the holder of a secret may change a list that must match.
// Who does not own it learns nothing of its version.
func permit(list List, secret string, match Match) error {
	switch {
	case match == Absent:
		return fmt.Errorf("list %q is there already: %w; name the version to replace", list.ID, ErrConflict)
	case !list.OwnedBy(secret):
		return fmt.Errorf("list %q belongs to someone else: %w; give the secret it was made with", list.ID, ErrForbidden)
	case match > Absent && int64(match) != list.Version:
		return fmt.Errorf("list %q has version %d, not %d: %w; read it again first", list.ID, list.Version, match, ErrConflict)
	}
	return nil
}

// GetList implements [Lists].
func (s *database) GetList(ctx context.Context, id string) (list List, err error) {
	err = s.look(ctx, "get list", func(ctx context.Context, db session) error {
		if err := checkName("the id", id); err != nil {
			return err
		}
		list, err = db.list(ctx, id, "")
		return err
	})
	return list, err
}

// list reads a list; the suffix ends the statement.
func (s session) list(ctx context.Context, id, suffix string) (List, error) {
	list := List{ID: id}
	var created, updated sql.NullInt64
	err := s.row(ctx, "SELECT secret, body, version, created, updated FROM lists WHERE id = ?1"+suffix, id).
		Scan(&list.Secret, &list.Body, &list.Version, &created, &updated)
	if errors.Is(err, sql.ErrNoRows) {
		return List{}, fmt.Errorf("list %q: %w", id, ErrNotFound)
	}
	list.Created, list.Updated = instant(created), instant(updated)
	return list, err
}

// DeleteList implements [Lists].
func (s *database) DeleteList(ctx context.Context, id, secret string, match Match) error {
	return s.change(ctx, "delete list", func(ctx context.Context, db session) error {
		if err := checkName("the id", id); err != nil {
			return err
		}
		old, err := db.list(ctx, id, s.dialect.forUpdate)
		if err != nil {
			return err
		}
		if err := permit(old, secret, match); err != nil {
			return err
		}
		_, err = db.exec(ctx, "DELETE FROM lists WHERE id = ?1", id)
		return err
	})
}
