package store

import (
	"context"
	"errors"
	"fmt"
)

// PutList implements [Store].
func (s *database) PutList(ctx context.Context, id, secret string, body []byte, match Match, by Maker) (List, error) {
	return change(ctx, s, "put list", func(ctx context.Context, db session) (List, error) {
		if err := errors.Join(checkName("the id", id), checkName("the secret", secret), checkJSON("the body", body)); err != nil {
			return List{}, err
		}
		list, err := db.list(ctx, id, s.dialect.forUpdate)
		if errors.Is(err, ErrNotFound) && (match == Absent || match == Any) {
			if list, err = db.createList(ctx, id, secret, body, by.Key); err != nil {
				return List{}, err
			}
			return list, db.within(ctx, by, Quota{1, list.Size})
		}
		if err != nil {
			return List{}, err
		}
		if err := permit(list, secret, match); err != nil {
			return List{}, err
		}
		moment := now()
		grown := int64(len(body)) - list.Size
		list.Body, list.Size, list.Updated, list.Version = body, int64(len(body)), moment, max(list.Version+1, moment.UnixMicro())
		if _, err = db.exec(ctx, "UPDATE lists SET body = $2, version = $3, updated = $4 WHERE id = $1", id, body, list.Version, stamp(moment)); err != nil {
			return List{}, err
		}
		by.Key = list.Maker
		return list, db.within(ctx, by, Quota{0, grown})
	})
}

// createList writes a list where none was seen a moment ago.
func (s session) createList(ctx context.Context, id, secret string, body []byte, maker string) (List, error) {
	moment := now()
	list := List{ID: id, Secret: hashSecret(secret), Body: body, Size: int64(len(body)), Maker: maker, Version: moment.UnixMicro(), Created: moment, Updated: moment}
	rows, err := s.exec(ctx, `INSERT INTO lists (id, secret, body, version, created, updated, maker) VALUES ($1, $2, $3, $4, $5, $6, $7)
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
	case !list.ownedBy(secret):
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

// GetList implements [Store].
func (s *database) GetList(ctx context.Context, id string) (List, error) {
	return look(ctx, s, "get list", func(ctx context.Context, db session) (List, error) { return db.list(ctx, id, "") })
}

const listColumns = "id, length(body), version, created, updated, maker"

func listFields(l *List) []any {
	return []any{&l.ID, &l.Size, &l.Version, (*stamp)(&l.Created), (*stamp)(&l.Updated), &l.Maker}
}

// list reads a list; the suffix ends the statement.
func (s session) list(ctx context.Context, id, suffix string) (List, error) {
	if err := checkName("the id", id); err != nil {
		return List{}, err
	}
	list, err := one(ctx, s, func(l *List) []any { return append(listFields(l), &l.Secret, &l.Body) },
		"SELECT "+listColumns+", secret, body FROM lists WHERE id = $1"+suffix, id)
	if errors.Is(err, ErrNotFound) {
		err = fmt.Errorf("list %q: %w", id, err)
	}
	return list, err
}

// DeleteList implements [Store].
func (s *database) DeleteList(ctx context.Context, id, secret string, match Match) error {
	return s.removeList(ctx, id, func(list List) error { return permit(list, secret, match) })
}

// RemoveList implements [Store].
func (s *database) RemoveList(ctx context.Context, id string, match Match) error {
	return s.removeList(ctx, id, func(list List) error { return agreeing(list, match) })
}

func (s *database) removeList(ctx context.Context, id string, permit func(List) error) error {
	_, err := change(ctx, s, "delete list", func(ctx context.Context, db session) (int64, error) {
		old, err := db.list(ctx, id, s.dialect.forUpdate)
		if err != nil {
			return 0, err
		}
		if err := permit(old); err != nil {
			return 0, err
		}
		return db.exec(ctx, "DELETE FROM lists WHERE id = $1", id)
	})
	return err
}

// ListLists implements [Store].
func (s *database) ListLists(ctx context.Context, page Page) (lists []List, next string, err error) {
	return listing[List]{"lists", listColumns, "created", "id", listFields, func(l List) string { return cursorOf(l.Created.UnixMicro(), l.ID) }}.page(ctx, s, "list lists", page)
}
