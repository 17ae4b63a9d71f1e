package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// timeouts are settings of every session with PostgreSQL, unless the address
// says otherwise. Times are in milliseconds.
var timeouts = map[string]string{
	"application_name":                    "fubini",
	"statement_timeout":                   "30000",
	"lock_timeout":                        "5000",
	"idle_in_transaction_session_timeout": "60000",
}

// unhurried lifts those limits for one transaction: backups, restores and migrations take as long as they take.
const unhurried = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;"

// lockNumber names the advisory lock under which tables are made and filled: the letters "fubini" read as a number.
const lockNumber int64 = 0x667562696e69

// connectPostgres makes a pool of connections and tries one.
func connectPostgres(ctx context.Context, address string) (*database, error) {
	secrets, err := secretsOf(address)
	if err != nil {
		return nil, err
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, hide(fmt.Errorf("store: %w address: %w", ErrInvalid, err), secrets)
	}
	for name, value := range timeouts {
		if _, given := config.ConnConfig.RuntimeParams[name]; !given {
			config.ConnConfig.RuntimeParams[name] = value
		}
	}
	if !strings.Contains(address, "connect_timeout") {
		config.ConnConfig.ConnectTimeout = 5 * time.Second
	}
	config.PingTimeout = 2 * time.Second // connections that lay idle are tried before use
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, hide(fmt.Errorf("store: open: %w", err), secrets)
	}
	db := stdlib.OpenDBFromPool(pool)
	lock := fmt.Sprintf("%s SELECT pg_advisory_xact_lock(%d);", unhurried, lockNumber)
	s := &database{
		write: db, read: db,
		release: func() error {
			err := db.Close()
			pool.Close()
			return err
		},
		dialect: dialect{
			migrations: "postgres",
			secrets:    secrets,
			hasTables:  "SELECT count(*) FROM pg_catalog.pg_class WHERE oid = to_regclass('migrations')",
			clock:      "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)",
			forUpdate:  " FOR UPDATE",
			migrating:  lock,
			restoring:  lock + " LOCK TABLE lists, api_keys, jobs, audit IN EXCLUSIVE MODE;",
			copying:    unhurried,
			restored:   "SELECT setval(pg_get_serial_sequence('audit', 'id'), (SELECT coalesce(max(id), 0) + 1 FROM audit), false);",
			kind:       postgresKind,
			remedy: fmt.Sprintf("check that the PostgreSQL server at %s is up, lets this user in, and has room on its disk",
				config.ConnConfig.Host),
		},
	}
	if err := s.fail(ctx, "open", db.PingContext(ctx)); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// postgresKinds are the kinds of errors by their code, or by its first two characters.
var postgresKinds = map[string]error{
	"XX001": ErrDamaged,     // data
	"XX002": ErrDamaged,     // an index
	"53100": ErrReadOnly,    // a full disk
	"25006": ErrReadOnly,    // a standby, which only reads
	"55P03": ErrUnavailable, // a lock not had in time
	"08":    ErrUnavailable, // connection
	"28":    ErrUnavailable, // who may log in
	"3D":    ErrUnavailable, // no such database
	"40":    ErrUnavailable, // a transaction taken back, which may be tried again
	"53":    ErrUnavailable, // disk, memory or connections used up
	"57":    ErrUnavailable, // shutting down, starting up, crashed
	"58":    ErrUnavailable, // input and output
	"XX":    ErrUnavailable, // damage
}

// postgresKind tells errors of the server and the way to it from errors in a statement. What did not come from the
// server came from the way. The server waits for locks by itself.
func postgresKind(err error) error {
	failure := (*pgconn.PgError)(nil)
	if !errors.As(err, &failure) {
		return ErrUnavailable
	}
	return cmp.Or(postgresKinds[failure.Code], postgresKinds[failure.Code[:min(2, len(failure.Code))]])
}
