package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// errBusy means that another program holds the database locked, for which waiting may help.
var errBusy = errors.New("locked")

// dialect is all in which SQLite and PostgreSQL differ once they are open.
type dialect struct {
	migrations string // folder under migrations/
	hasTables  string // counts the tables named migrations: 0 or 1
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

// session runs statements, alone or in a transaction.
type session struct {
	statements
	dialect dialect
}

// statements is what a database and a transaction have in common.
type statements interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// exec runs a statement and returns the number of rows that it changed; an empty statement does nothing.
func (s session) exec(ctx context.Context, query string, args ...any) (rows int64, err error) {
	if query == "" {
		return 0, nil
	}
	result, err := s.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// collect reads all rows of a query; fields are where the columns of a row go.
func collect[T any](ctx context.Context, s session, fields func(*T) []any, query string, args ...any) (found []T, err error) {
	rows, err := s.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var row T
		if err := rows.Scan(fields(&row)...); err != nil {
			return nil, err
		}
		found = append(found, row)
	}
	return found, rows.Err()
}

// one reads the row of a query by id; without a row it is ErrNotFound.
func one[T any](ctx context.Context, s session, fields func(*T) []any, query, id string) (T, error) {
	found, err := collect(ctx, s, fields, query, id)
	if err == nil && len(found) == 0 {
		err = ErrNotFound
	}
	return append(found, *new(T))[0], err
}

// look is what work reads; with an error comes the zero value.
func look[T any](ctx context.Context, s *database, what string, work func(context.Context, session) (T, error)) (T, error) {
	return operate(ctx, s, what, func(ctx context.Context) (T, error) { return work(ctx, session{s.read, s.dialect}) })
}

// change is the answer of work in a transaction that takes effect whole or not at all, and returns only once it is on
// the disk; with an error comes the zero value.
func change[T any](ctx context.Context, s *database, what string, work func(context.Context, session) (T, error)) (T, error) {
	return operate(ctx, s, what, func(ctx context.Context) (answer T, err error) {
		err = s.transaction(ctx, s.write, nil, func(ctx context.Context, db session) (err error) {
			answer, err = work(ctx, db)
			return err
		})
		return answer, err
	})
}

// operate runs an operation for as long as patience lasts. An error that comes after the deadline is marked as its
// consequence: what a driver answers when it is interrupted differs.
func operate[T any](ctx context.Context, s *database, what string, operation func(context.Context) (T, error)) (T, error) {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer, err := operation(limited)
	if err == nil {
		return answer, nil
	}
	if limited.Err() != nil {
		err = fmt.Errorf("%w: %w", limited.Err(), err)
	}
	return *new(T), s.fail(ctx, what, err)
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
	kind, remedy := s.dialect.kind(err), s.dialect.remedy
	switch kind {
	case nil:
		return err
	case ErrDamaged:
		remedy = damageRemedy
		fallthrough
	case ErrReadOnly:
		err = fmt.Errorf("%w: %w", kind, err)
	}
	return fmt.Errorf("%w: %w; %s", ErrUnavailable, err, remedy)
}

// damageRemedy is what a person should do about a database that is damaged.
const damageRemedy = "end the server, keep the damaged database aside, and read the last backup into a new one by fubini db restore"

// Probe implements [Store].
func (s *database) Probe(ctx context.Context) error {
	_, err := change(ctx, s, "probe", func(ctx context.Context, db session) (int64, error) {
		return db.exec(ctx, "UPDATE migrations SET name = name WHERE version = 1")
	})
	return err
}

// Ping implements [Store].
func (s *database) Ping(ctx context.Context) error {
	_, err := look(ctx, s, "ping", func(ctx context.Context, db session) (int, error) { return db.current(ctx) })
	return err
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

// stamp is a time as the database holds it: microseconds since 1970, NULL for the zero time.
type stamp time.Time

// Value implements [driver.Valuer].
func (s stamp) Value() (driver.Value, error) {
	t := time.Time(s)
	return sql.NullInt64{Int64: t.UnixMicro(), Valid: !t.IsZero()}.Value()
}

// Scan implements [sql.Scanner].
func (s *stamp) Scan(value any) error {
	var micros sql.NullInt64
	err := micros.Scan(value)
	if micros.Valid {
		*s = stamp(time.UnixMicro(micros.Int64).UTC())
	}
	return err
}

// streamError keeps the failures of a backup's reader or writer apart from the database's.
type streamError struct{ error }

func (e streamError) Unwrap() error { return e.error }
