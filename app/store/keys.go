package store

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A token is "fubini", the key's id and its secret, with underscores between. The
// word lets scanners of leaked secrets find it; the id lets us find the row without
// looking for the secret, whose hash is then compared in constant time.
const tokenWord = "fubini"

// usedEvery is how often the time of last use is written: often enough to tell a
// key that is in use from a forgotten one, and not a write for every request.
const usedEvery = time.Hour

// AddKey implements [Store].
func (s *database) AddKey(ctx context.Context, name string, scopes []Scope, expires time.Time) (key Key, token string, err error) {
	secret := random(32)
	key, err = change(ctx, s, "add key", func(ctx context.Context, db session) (Key, error) {
		if err := checkName("the name of the key", name); err != nil {
			return Key{}, err
		}
		scopes, err := orderedScopes(scopes)
		if err != nil {
			return Key{}, err
		}
		key := Key{ID: random(6), Name: name, Scopes: scopes, Created: now(), Expires: expires.UTC().Truncate(time.Microsecond)}
		if !key.Good(key.Created) {
			return Key{}, fmt.Errorf("the key would have expired by %s already: %w; give it a time to come", key.Expires.Format(time.RFC3339), ErrInvalid)
		}
		_, err = db.exec(ctx, "INSERT INTO api_keys (id, hash, name, scopes, created, expires) VALUES ($1, $2, $3, $4, $5, $6)",
			key.ID, hashSecret(secret), name, ScopeNames(key.Scopes), stamp(key.Created), stamp(key.Expires))
		return key, err
	})
	if err != nil {
		return Key{}, "", err
	}
	return key, strings.Join([]string{tokenWord, key.ID, secret}, "_"), nil
}

// orderedScopes are scopes in their order, each once.
func orderedScopes(scopes []Scope) ([]Scope, error) {
	if len(scopes) == 0 {
		return nil, fmt.Errorf("a key without scopes: %w; give it some of %s", ErrInvalid, ScopeNames(Scopes()))
	}
	for _, scope := range scopes {
		if !slices.Contains(Scopes(), scope) {
			return nil, fmt.Errorf("scope %q: %w; there are %s", scope, ErrInvalid, ScopeNames(Scopes()))
		}
	}
	return slices.DeleteFunc(Scopes(), func(s Scope) bool { return !slices.Contains(scopes, s) }), nil
}

// ScopeNames joins the names of scopes by commas, the form of the command line and of the database.
func ScopeNames(scopes []Scope) string {
	var names []string
	for _, scope := range scopes {
		names = append(names, string(scope))
	}
	return strings.Join(names, ",")
}

// Authenticate implements [Store].
func (s *database) Authenticate(ctx context.Context, token string) (Key, error) {
	key, err := look(ctx, s, "authenticate", func(ctx context.Context, db session) (Key, error) {
		parts := strings.Split(token, "_")
		if len(parts) == 3 && parts[0] == tokenWord && checkName("", parts[1]) == nil {
			found, err := db.key(ctx, parts[1])
			if err != nil && !errors.Is(err, ErrNotFound) {
				return Key{}, err
			}
			same := subtle.ConstantTimeCompare(found.hash, hashSecret(parts[2])) == 1
			if err == nil && same && found.Good(now()) {
				return found, nil
			}
		}
		return Key{}, fmt.Errorf("the API key is malformed, unknown, revoked or expired: %w", ErrForbidden)
	})
	if err != nil {
		return Key{}, err
	}
	if moment := now(); moment.Sub(key.LastUsed) >= usedEvery {
		// A key is good even where this cannot be noted, on a full disk say. The next request tries again.
		brief, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		if _, err := change(brief, s, "note use", func(ctx context.Context, db session) (int64, error) {
			return db.exec(ctx, "UPDATE api_keys SET last_used = $2 WHERE id = $1", key.ID, stamp(moment))
		}); err == nil {
			key.LastUsed = moment
		}
	}
	return key, nil
}

const keyColumns = "id, hash, name, scopes, created, revoked, last_used, expires"

func keyFields(k *Key) []any {
	return []any{&k.ID, &k.hash, &k.Name, (*scopeNames)(&k.Scopes), (*stamp)(&k.Created), (*stamp)(&k.Revoked), (*stamp)(&k.LastUsed), (*stamp)(&k.Expires)}
}

// scopeNames are scopes as they are stored.
type scopeNames []Scope

// Scan implements [sql.Scanner].
func (s *scopeNames) Scan(value any) error {
	var names sql.NullString
	err := names.Scan(value)
	for name := range strings.SplitSeq(names.String, ",") {
		*s = append(*s, Scope(name))
	}
	return err
}

// key reads a key.
func (s session) key(ctx context.Context, id string) (Key, error) {
	key, err := one(ctx, s, keyFields, "SELECT "+keyColumns+" FROM api_keys WHERE id = $1", id)
	if errors.Is(err, ErrNotFound) {
		err = fmt.Errorf("key %q: %w; fubini key list shows the keys", id, err)
	}
	return key, err
}

// ListKeys implements [Store].
func (s *database) ListKeys(ctx context.Context) ([]Key, error) {
	return look(ctx, s, "list keys", func(ctx context.Context, db session) ([]Key, error) {
		return collect(ctx, db, keyFields, "SELECT "+keyColumns+" FROM api_keys ORDER BY created, id")
	})
}

// RevokeKey implements [Store].
func (s *database) RevokeKey(ctx context.Context, id string) (Key, error) {
	return change(ctx, s, "revoke key", func(ctx context.Context, db session) (Key, error) {
		if err := checkName("the id", id); err != nil {
			return Key{}, err
		}
		if _, err := db.exec(ctx, "UPDATE api_keys SET revoked = $2 WHERE id = $1 AND revoked IS NULL", id, stamp(now())); err != nil {
			return Key{}, err
		}
		return db.key(ctx, id)
	})
}
