package store

import (
	"context"
	"fmt"
)

// FullError is an [ErrFull] with the quota that a list would exceed.
type FullError struct {
	Key   string // the API key whose quota it is; empty for that of all lists
	Most  int64  // the quota
	Bytes bool   // Most counts bytes, and not lists
}

// Error says which quota is used up.
func (e *FullError) Error() string {
	of, unit := "all lists together", "lists"
	if e.Key != "" {
		of = "the lists of key " + e.Key
	}
	if e.Bytes {
		unit = "bytes"
	}
	return fmt.Sprintf("%s may be %d %s: %v", of, e.Most, unit, ErrFull)
}

// Unwrap returns [ErrFull].
func (e *FullError) Unwrap() error { return ErrFull }

// within reports whether all that is stored, with a change that was just made, keeps to
// the quotas of its maker; if not, the change is taken back. Only growth is refused.
func (s session) within(ctx context.Context, by Maker, grown Quota) error {
	for i, q := range []struct {
		key  string
		most Quota
	}{{by.Key, by.Each}, {"", by.All}} {
		if q.most == (Quota{}) || i == 0 && by.Key == "" {
			continue
		}
		query, args := "SELECT CAST(coalesce(sum(lists), 0) AS BIGINT), CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM list_totals", []any{}
		if q.key != "" {
			query, args = query+" WHERE maker = $1", []any{q.key}
		}
		var used Quota
		if err := s.QueryRowContext(ctx, query, args...).Scan(&used.Lists, &used.Bytes); err != nil {
			return err
		}
		switch {
		case q.most.Lists > 0 && grown.Lists > 0 && used.Lists > q.most.Lists:
			return &FullError{Key: q.key, Most: q.most.Lists}
		case q.most.Bytes > 0 && grown.Bytes > 0 && used.Bytes > q.most.Bytes:
			return &FullError{Key: q.key, Most: q.most.Bytes, Bytes: true}
		}
	}
	return nil
}
