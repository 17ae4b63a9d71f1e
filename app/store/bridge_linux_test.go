package store

import (
	"syscall"
	"testing"
)

// Postgres is a PostgreSQL that tests of the packages above may stop and start; its
// methods are those of the tests in this package.
type Postgres struct{ of *server }

// SharedPostgres is the one that all tests share, and a new database in it.
func SharedPostgres(t *testing.T) (p Postgres, address string) {
	t.Helper()
	p.of = sharedServer(t)
	return p, p.of.newDatabase(t)
}

// Stop ends it by a signal.
func (p Postgres) Stop(signal syscall.Signal) error { return p.of.stop(signal) }

// Start starts it again, and waits until it answers.
func (p Postgres) Start() error { return p.of.start() }
