package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
)

// errBusy means that another program holds the database locked, for which waiting may help.
var errBusy = errors.New("locked")

// dialect is all in which SQLite and PostgreSQL differ once they are open.
type dialect struct {
	migrations string // folder under migrations/
	hasTables  string // counts the tables named migrations: 0 or 1
	// placeholders is the letter before the number of an argument: ?1 or $1.
	placeholders string
	// clock is the time in microseconds since 1970 as the database has it: servers that
	// share one need not agree on theirs.
	clock string
	// forUpdate ends a SELECT whose row is about to be changed. SQLite has one writer at a time and needs nothing.
	forUpdate string
	// migrating and restoring are run first in those transactions, copying in that
	// of a backup; they lock out others and lift the limits on time. Empty is none.
	migrating, restoring, copying string
	// restored is run last in a restore.
	restored string
	// kind of an error of the driver: errBusy, ErrDamaged, ErrReadOnly or ErrUnavailable for errors of the database's
	// surroundings, nil for errors in what it was asked.
	kind    func(error) error
	secrets []string // passwords in the address, kept out of errors
	// remedy is what a person should look at when the database is unavailable.
	remedy string
}

// database implements [Store].
type database struct {
	dialect dialect
	// SQLite allows one writer at a time. With a connection of its own for writing, writers queue in Go instead of
	// running into a busy database, and readers need not wait for them. With PostgreSQL both are one.
	write, read *sql.DB
	release     func() error
	closed      atomic.Bool
}

// patience bounds an operation whose caller has set no tighter deadline, so that
// a database that hangs cannot hold requests for ever. It is above the five
// seconds for which SQLite and PostgreSQL wait for locks, whose errors say more.
const patience = 10 * time.Second

// session runs statements, alone or in a transaction. Statements are written with SQLite's numbered placeholders.
type session struct {
	on interface {
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
		QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	}
	dialect dialect
}

// exec runs a statement and returns the number of rows that it changed; an empty statement does nothing.
func (s session) exec(ctx context.Context, query string, args ...any) (rows int64, err error) {
	if query == "" {
		return 0, nil
	}
	result, err := s.on.ExecContext(ctx, s.adapt(query), args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

func (s session) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return s.on.QueryContext(ctx, s.adapt(query), args...)
}

func (s session) row(ctx context.Context, query string, args ...any) *sql.Row {
	return s.on.QueryRowContext(ctx, s.adapt(query), args...)
}

// collect reads all rows of a query.
func collect[T any](ctx context.Context, s session, read func(scan func(...any) error) (T, error), query string, args ...any) (found []T, err error) {
	rows, err := s.query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		row, err := read(rows.Scan)
		if err != nil {
			return nil, err
		}
		found = append(found, row)
	}
	return found, rows.Err()
}

func (s session) adapt(query string) string {
	return strings.ReplaceAll(query, "?", s.dialect.placeholders)
}

// look runs work that only reads.
func (s *database) look(ctx context.Context, what string, work func(context.Context, session) error) error {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return s.fail(ctx, what, late(limited, work(limited, session{s.read, s.dialect})))
}

// change runs work in a transaction that takes effect whole or not at all, and returns only once it is on the disk.
func (s *database) change(ctx context.Context, what string, work func(context.Context, session) error) error {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return s.fail(ctx, what, late(limited, s.transaction(limited, s.write, nil, work)))
}

// late marks errors that came after the deadline as its consequence: what a
// driver answers when it is interrupted differs.
func late(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%w: %w", ctx.Err(), err)
	}
	return err
}

// transaction runs work between begin and commit. Whatever has to wait for locks
// of other programs waits at its beginning.
func (s *database) transaction(ctx context.Context, on *sql.DB, options *sql.TxOptions, work func(context.Context, session) error) error {
	var tx *sql.Tx
	err := s.untilFree(ctx, func() (err error) {
		tx, err = on.BeginTx(ctx, options)
		return err
	})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after a commit
	if err := work(ctx, session{tx, s.dialect}); err != nil {
		return err
	}
	return tx.Commit()
}

// untilFree tries until no other program holds the database locked, for half our patience or until the context ends.
func (s *database) untilFree(ctx context.Context, try func() error) error {
	for deadline := time.Now().Add(patience / 2); ; {
		err := try()
		if err == nil || !errors.Is(s.dialect.kind(err), errBusy) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// fail gives an error its kind, place and remedy.
func (s *database) fail(ctx context.Context, what string, err error) error {
	if err == nil {
		return nil
	}
	return hide(fmt.Errorf("store: %s: %w", what, s.explained(ctx, err)), s.dialect.secrets)
}

// explained is an error with its kind and remedy.
func (s *database) explained(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, ErrNotFound), errors.Is(err, ErrConflict), errors.Is(err, ErrForbidden), errors.Is(err, ErrInvalid), errors.Is(err, ErrFull):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, new(streamError)): // of the backup's file, not of the database
		return err
	case s.closed.Load():
		return fmt.Errorf("%w: the store was closed", ErrUnavailable)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: no answer within %s; %s", ErrUnavailable, patience, s.dialect.remedy)
	}
	switch kind := s.dialect.kind(err); kind {
	case nil:
		return err
	case ErrDamaged:
		return fmt.Errorf("%w: %w: %w; %s", ErrUnavailable, kind, err, damageRemedy)
	case ErrReadOnly:
		return fmt.Errorf("%w: %w: %w; %s", ErrUnavailable, kind, err, s.dialect.remedy)
	}
	return fmt.Errorf("%w: %w; %s", ErrUnavailable, err, s.dialect.remedy)
}

// damageRemedy is what a person should do about a database that is damaged.
const damageRemedy = "end the server, keep the damaged database aside, and read the last backup into a new one by fubini db restore"

// Probe implements [Store].
func (s *database) Probe(ctx context.Context) error {
	return s.change(ctx, "probe", func(ctx context.Context, db session) error {
		_, err := db.exec(ctx, "UPDATE migrations SET name = name WHERE version = 1")
		return err
	})
}

// Ping implements [Store].
func (s *database) Ping(ctx context.Context) error {
	return s.look(ctx, "ping", func(ctx context.Context, db session) error {
		version, err := db.version(ctx)
		if err != nil {
			return err
		}
		return agree(version, latest(s.dialect.migrations))
	})
}

// Close implements [Store].
func (s *database) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	return s.release()
}

// now is the time as it is stored.
func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// stamp is a time as the database holds it, NULL for none.
func stamp(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMicro(), Valid: !t.IsZero()}
}

// instant is the time of a stamp.
func instant(micros sql.NullInt64) time.Time {
	if !micros.Valid {
		return time.Time{}
	}
	return time.UnixMicro(micros.Int64).UTC()
}
