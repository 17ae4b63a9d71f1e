package store

import (
	"context"
	"fmt"
)

// FullError says which quota a list would pass. It is an [ErrFull].
type FullError struct {
	Key   string // the API key whose quota it is; empty for that of all lists
	Most  int64
	Bytes bool // Most counts bytes, and not lists
}

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

// Unwrap gives the kind of the error.
func (e *FullError) Unwrap() error { return ErrFull }

// within reports whether all that is stored, with a change that was just made, keeps to
// the quotas of its maker; if not, the change is taken back. Only growth is refused.
func (s session) within(ctx context.Context, by Maker, grown Quota) error {
	const totals = "SELECT CAST(coalesce(sum(lists), 0) AS BIGINT), CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM list_totals"
	if by.Key != "" {
		if err := s.keeps(ctx, by.Key, by.Each, grown, totals+" WHERE maker = ?1", by.Key); err != nil {
			return err
		}
	}
	return s.keeps(ctx, "", by.All, grown, totals)
}

// keeps compares a quota with the totals that a query finds.
func (s session) keeps(ctx context.Context, key string, most, grown Quota, query string, args ...any) error {
	if most == (Quota{}) {
		return nil
	}
	var used Quota
	if err := s.row(ctx, query, args...).Scan(&used.Lists, &used.Bytes); err != nil {
		return err
	}
	switch {
	case most.Lists > 0 && grown.Lists > 0 && used.Lists > most.Lists:
		return &FullError{Key: key, Most: most.Lists}
	case most.Bytes > 0 && grown.Bytes > 0 && used.Bytes > most.Bytes:
		return &FullError{Key: key, Most: most.Bytes, Bytes: true}
	}
	return nil
}
