package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// PutList implements [Lists].
func (s *database) PutList(ctx context.Context, id, secret string, body []byte, match Match, by Maker) (list List, err error) {
	err = s.change(ctx, "put list", func(ctx context.Context, db session) error {
		if err := errors.Join(checkName("the id", id), checkName("the secret", secret), checkJSON("the body", body)); err != nil {
			return err
		}
		old, err := db.list(ctx, id, s.dialect.forUpdate)
		if errors.Is(err, ErrNotFound) && (match == Absent || match == Any) {
			if list, err = db.createList(ctx, id, secret, body, by.Key); err != nil {
				return err
			}
			return db.within(ctx, by, Quota{1, list.Size})
		}
		if err != nil {
			return err
		}
		if err := permit(old, secret, match); err != nil {
			return err
		}
		moment := now()
		list = old
		list.Body, list.Size, list.Updated, list.Version = body, int64(len(body)), moment, max(old.Version+1, moment.UnixMicro())
		if _, err = db.exec(ctx, "UPDATE lists SET body = ?2, version = ?3, updated = ?4 WHERE id = ?1", id, body, list.Version, stamp(moment)); err != nil {
			return err
		}
		by.Key = old.Maker
		return db.within(ctx, by, Quota{0, list.Size - old.Size})
	})
	if err != nil {
		return List{}, err
	}
	return list, nil
}

// createList writes a list where none was seen a moment ago.
func (s session) createList(ctx context.Context, id, secret string, body []byte, maker string) (List, error) {
	moment := now()
	list := List{ID: id, Secret: hashSecret(secret), Body: body, Size: int64(len(body)), Maker: maker, Version: moment.UnixMicro(), Created: moment, Updated: moment}
	rows, err := s.exec(ctx, `INSERT INTO lists (id, secret, body, version, created, updated, maker) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
		ON CONFLICT (id) DO NOTHING`, id, list.Secret, body, list.Version, stamp(moment), stamp(moment), maker)
	if err == nil && rows == 0 {
		err = fmt.Errorf("list %q was made by someone else just now: %w; read it first", id, ErrConflict)
	}
	return list, err
}

// permit reports whether the holder of a secret may change a list that must match.
// Who does not own it learns nothing of its version.
func permit(list List, secret string, match Match) error {
	switch {
	case match == Absent:
		return fmt.Errorf("list %q is there already: %w; name the version to replace", list.ID, ErrConflict)
	case !list.OwnedBy(secret):
		return fmt.Errorf("list %q belongs to someone else: %w; give the secret it was made with", list.ID, ErrForbidden)
	}
	return agreeing(list, match)
}

// agreeing reports whether a list has the version that is asked for.
func agreeing(list List, match Match) error {
	if match > Absent && int64(match) != list.Version {
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
	err := s.row(ctx, "SELECT secret, body, version, created, updated, maker FROM lists WHERE id = ?1"+suffix, id).
		Scan(&list.Secret, &list.Body, &list.Version, &created, &updated, &list.Maker)
	if errors.Is(err, sql.ErrNoRows) {
		return List{}, fmt.Errorf("list %q: %w", id, ErrNotFound)
	}
	list.Created, list.Updated, list.Size = instant(created), instant(updated), int64(len(list.Body))
	return list, err
}

// DeleteList implements [Lists].
func (s *database) DeleteList(ctx context.Context, id, secret string, match Match) error {
	return s.removeList(ctx, id, func(list List) error { return permit(list, secret, match) })
}

// RemoveList implements [Lists].
func (s *database) RemoveList(ctx context.Context, id string, match Match) error {
	return s.removeList(ctx, id, func(list List) error { return agreeing(list, match) })
}

func (s *database) removeList(ctx context.Context, id string, permit func(List) error) error {
	return s.change(ctx, "delete list", func(ctx context.Context, db session) error {
		if err := checkName("the id", id); err != nil {
			return err
		}
		old, err := db.list(ctx, id, s.dialect.forUpdate)
		if err != nil {
			return err
		}
		if err := permit(old); err != nil {
			return err
		}
		_, err = db.exec(ctx, "DELETE FROM lists WHERE id = ?1", id)
		return err
	})
}

// ListLists implements [Lists].
func (s *database) ListLists(ctx context.Context, page Page) (lists []List, next string, err error) {
	return listing[List]{"lists", "id, length(body), version, created, updated, maker", "created", "id",
		func(scan func(...any) error) (list List, err error) {
			var created, updated sql.NullInt64
			err = scan(&list.ID, &list.Size, &list.Version, &created, &updated, &list.Maker)
			list.Created, list.Updated = instant(created), instant(updated)
			return list, err
		}, func(l List) string { return cursorOf(l.Created.UnixMicro(), l.ID) }}.page(ctx, s, "list lists", page)
}
