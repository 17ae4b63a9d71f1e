package store

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// Another program may hold a lock for long. Writers are told within seconds, or
// at their deadline, and go on when the lock is gone; readers notice nothing.
func TestLockedDatabase(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		lock := "SELECT 1" // SQLite's other program holds its lock by beginning to write
		switch {
		case address == "sqlite::memory:":
			t.Skip("a database in memory has one user")
		case strings.HasPrefix(address, "postgres"):
			address += "&lock_timeout=100"
			lock = "LOCK TABLE lists IN EXCLUSIVE MODE"
		case testing.Short():
			t.Skip("waits for SQLite's five seconds")
		}
		s, other, ctx := opened(t, address), opened(t, address), t.Context()
		must(s.PutList(ctx, "a", "secret", []byte("1"), Absent, Maker{}))
		tx := must(other.write.BeginTx(ctx, nil))
		defer func() { _ = tx.Rollback() }()
		must(tx.Exec(lock))

		start := time.Now()
		if _, err := s.PutList(ctx, "a", "secret", []byte("2"), Any, Maker{}); !errors.Is(err, ErrUnavailable) {
			t.Errorf("writing: %v", err)
		}
		if waited := time.Since(start); waited > patience {
			t.Errorf("told after %v", waited)
		}
		start = time.Now()
		brief, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
		if _, err := s.PutList(brief, "a", "secret", []byte("2"), Any, Maker{}); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrUnavailable) {
			t.Errorf("writing with a deadline: %v", err)
		}
		if waited := time.Since(start); waited > patience/4 {
			t.Errorf("told %v after beginning, with a deadline of 50 ms", waited)
		}
		if list, err := s.GetList(ctx, "a"); err != nil || string(list.Body) != "1" {
			t.Errorf("reading: %+v, %v", list, err)
		}
		if err := tx.Rollback(); err != nil {
			t.Fatal(err)
		}
		if _, err := s.PutList(ctx, "a", "secret", []byte("2"), Any, Maker{}); err != nil {
			t.Errorf("after the lock is gone: %v", err)
		}
	})
}
