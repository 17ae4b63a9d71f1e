package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"modernc.org/sqlite"
	code "modernc.org/sqlite/lib"
)

// readers is how many connections read from a SQLite file at once. Reading is
// bound by the processor, so a few are enough on any machine.
const readers = 8

// connectSQLite opens a file, or a database in memory.
func connectSQLite(ctx context.Context, path string, create bool) (*database, error) {
	s := &database{dialect: dialect{
		migrations: "sqlite",
		hasTables:  "SELECT count(*) FROM sqlite_master WHERE name = 'migrations'",
		clock:      "CAST(unixepoch('subsec') * 1000000 AS INTEGER)",
		kind:       sqliteKind,
		remedy: fmt.Sprintf("check that %s is a SQLite database, that it and its folder can be written, "+
			"that its disk has room, and that no other program holds it locked", path),
	}}
	if path == ":memory:" {
		// The database lives as long as its connection: there is one, for all.
		s.write = openSQLite("file::memory:", 1, "_txlock=immediate", "_foreign_keys=1")
		s.read, s.release = s.write, s.write.Close
		return s, s.fail(ctx, "open", s.write.PingContext(ctx))
	}
	if err := claim(path, create); err != nil {
		return nil, err
	}
	file := "file:" + (&url.URL{Path: path}).EscapedPath()
	// A write is acknowledged when it is in the log and the log is on the disk. A
	// log grown by a long read is cut back to 64 MiB. For another program's lock the
	// writer waits in Go, where a deadline can end it; readers hardly ever wait.
	s.write = openSQLite(file, 1, "mode=rw", "_busy_timeout=20", "_txlock=immediate", "_foreign_keys=1",
		"_journal_mode=WAL", "_synchronous=FULL", "_pragma=journal_size_limit(67108864)")
	s.read = openSQLite(file, readers, "mode=rw", "_busy_timeout=5000", "_query_only=1")
	s.release = func() error {
		// The writer goes last: the last connection empties the log into the file, and readers must not write.
		return errors.Join(s.read.Close(), s.write.Close())
	}
	// The first connection turns a new file over to its log. For that SQLite waits
	// for no other program that does the same.
	if err := s.untilFree(ctx, func() error { return s.write.PingContext(ctx) }); err != nil {
		err = s.fail(ctx, "open "+path, err)
		s.Close()
		return nil, err
	}
	return s, nil
}

// claim looks whether there is a file, and makes one that only its owner can read where there is none: SQLite itself
// would leave that to the umask. Its log gets the same permissions.
func claim(path string, create bool) error {
	if path == "" {
		return fmt.Errorf("store: open: %w address sqlite: without a file, as in sqlite:fubini.db", ErrInvalid)
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("store: open: %s is a folder: %w address; name a file in it", path, ErrInvalid)
	case err == nil:
		return nil
	case !errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("store: open: %w: %w", ErrUnavailable, err)
	case !create:
		return fmt.Errorf("store: open: there is no file %s: %w; fubini db migrate --db sqlite:%s makes one", path, ErrNotFound, path)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("store: open: %w: %w; make its folder, or choose another", ErrUnavailable, err)
	}
	return file.Close()
}

// openSQLite is a pool of connections with these settings; it connects when it is first used.
func openSQLite(file string, connections int, settings ...string) *sql.DB {
	db, err := sql.Open("sqlite", file+"?"+strings.Join(settings, "&"))
	if err != nil {
		panic(fmt.Sprintf("store: the SQLite driver is not registered: %v", err))
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db
}

// sqliteKinds are the kinds of errors by their code, or by its lowest byte; the others hold details.
var sqliteKinds = map[int]error{
	code.SQLITE_IOERR_WRITE:    ErrReadOnly,
	code.SQLITE_IOERR_FSYNC:    ErrReadOnly,
	code.SQLITE_IOERR_TRUNCATE: ErrReadOnly,
	code.SQLITE_FULL:           ErrReadOnly,
	code.SQLITE_READONLY:       ErrReadOnly,
	code.SQLITE_BUSY:           errBusy,
	code.SQLITE_CORRUPT:        ErrDamaged, // a file that never was a database is another mistake
	code.SQLITE_LOCKED:         ErrUnavailable,
	code.SQLITE_NOMEM:          ErrUnavailable,
	code.SQLITE_IOERR:          ErrUnavailable,
	code.SQLITE_CANTOPEN:       ErrUnavailable,
	code.SQLITE_PROTOCOL:       ErrUnavailable,
	code.SQLITE_NOTADB:         ErrUnavailable,
}

// sqliteKind tells errors of the file, its disk and its locks from errors in a statement.
func sqliteKind(err error) error {
	failure := (*sqlite.Error)(nil)
	switch {
	case errors.As(err, &failure):
		return cmp.Or(sqliteKinds[failure.Code()], sqliteKinds[failure.Code()&0xff])
	case errors.Is(err, ErrDamaged):
		return ErrDamaged
	}
	return nil
}
