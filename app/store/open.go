package store

import (
	"context"
	"fmt"
	"strings"
)

// Open connects to the database at an address, makes it where there is none, and brings its tables up to date. The
// package comment lists the addresses.
func Open(ctx context.Context, address string) (Store, error) {
	return open(ctx, address, true, func(s *database) error {
		if err := s.sound(ctx); err != nil {
			return err
		}
		_, err := s.migrate(ctx, latest(s.dialect.migrations))
		return err
	})
}

// OpenExisting opens a database that is there and up to date, and changes nothing about it: for commands that look or
// add, where a mistyped address must not make a new database.
func OpenExisting(ctx context.Context, address string) (Store, error) {
	return open(ctx, address, false, func(s *database) error { return s.Ping(ctx) })
}

// open connects and makes a database ready; where that fails the connection is closed.
func open(ctx context.Context, address string, create bool, ready func(*database) error) (Store, error) {
	s, err := connect(ctx, address, create)
	if err != nil {
		return nil, err
	}
	if err := ready(s); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Migrate brings the tables of a database up to date, makes it where there is none, and returns the version it had and
// the one it has now. Migrations already applied are checked against their checksums.
func Migrate(ctx context.Context, address string) (from, to int, err error) {
	s, err := connect(ctx, address, true)
	if err != nil {
		return 0, 0, err
	}
	defer s.Close()
	to = latest(s.dialect.migrations)
	from, err = s.migrate(ctx, to)
	return from, to, err
}

// connect opens the database of an address without looking at its tables.
func connect(ctx context.Context, address string, create bool) (*database, error) {
	scheme, rest, _ := strings.Cut(address, ":")
	switch scheme {
	case "sqlite":
		return connectSQLite(ctx, rest, create)
	case "postgres", "postgresql":
		return connectPostgres(ctx, address)
	}
	// The address is not repeated: of a thing unknown, any part may be a password.
	return nil, fmt.Errorf("store: %w address: want sqlite:FILE, sqlite::memory: or postgres://USER@HOST/DATABASE", ErrInvalid)
}
