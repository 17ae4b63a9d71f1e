package store

import (
	"context"
	"crypto/sha256"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// scripts holds the migrations: a folder for each kind of database, and in it files numbered from 0001 without gaps.
// A file that was ever released is never changed; a change of the tables is a new file, in both folders.
//
//go:embed migrations
var scripts embed.FS

// migration is one step from a version of the tables to the next.
type migration struct {
	version   int
	name, sum string // sum is the SHA-256 of the text, in hex
	text      string
}

// migrations are the steps for one kind of database, in order.
func migrations(kind string) (steps []migration) {
	names, _ := fs.Glob(scripts, "migrations/"+kind+"/*.sql") // the pattern is well formed; by name, so by number
	for i, name := range names {
		text, err := scripts.ReadFile(name)
		step := migration{i + 1, path.Base(name), fmt.Sprintf("%x", sha256.Sum256(text)), string(text)}
		if want := fmt.Sprintf("%04d_", step.version); err != nil || !strings.HasPrefix(step.name, want) {
			panic(fmt.Sprintf("store: %s should begin with %s: %v", name, want, err))
		}
		steps = append(steps, step)
	}
	return steps
}

// latest is the version that this program works with.
func latest(kind string) int { return len(migrations(kind)) }

// migrate takes the tables up to a version, in one transaction that keeps other programs from doing the same, and
// returns the version it found. Tests stop short of the latest version; nobody else does.
func (s *database) migrate(ctx context.Context, target int) (from int, err error) {
	err = s.transaction(ctx, s.write, nil, func(ctx context.Context, db session) error {
		if _, err := db.exec(ctx, s.dialect.migrating+`
			CREATE TABLE IF NOT EXISTS migrations (
				version INTEGER PRIMARY KEY,
				name    TEXT NOT NULL,
				sha256  TEXT NOT NULL
			)`); err != nil {
			return err
		}
		var err error
		if from, err = db.applied(ctx, migrations(s.dialect.migrations)); err != nil {
			return err
		}
		for _, step := range migrations(s.dialect.migrations)[from:max(from, target)] {
			if _, err := db.exec(ctx, step.text); err != nil {
				return fmt.Errorf("migration %s: %w", step.name, err)
			}
			if _, err := db.exec(ctx, "INSERT INTO migrations (version, name, sha256) VALUES ($1, $2, $3)", step.version, step.name, step.sum); err != nil {
				return err
			}
		}
		return nil
	})
	return from, s.fail(ctx, "migrate", err)
}

// applied compares the migrations that a database has seen with ours, and returns how many there were.
func (s session) applied(ctx context.Context, known []migration) (version int, err error) {
	steps, err := collect(ctx, s, func(m *migration) []any { return []any{&m.version, &m.name, &m.sum} },
		"SELECT version, name, sha256 FROM migrations ORDER BY version")
	if err != nil {
		return 0, err
	}
	for k, step := range steps {
		version = k + 1
		switch {
		case step.version > len(known):
			return 0, agree(step.version, len(known))
		case step.version != version:
			return 0, fmt.Errorf("the database lacks migration %d and has %d: %w; restore a backup", version, step.version, ErrConflict)
		case step.sum != known[version-1].sum:
			return 0, fmt.Errorf("the database was made by another %s than the one in this program: %w; "+
				"use the release of fubini that made it, or restore a backup into a new database", step.name, ErrConflict)
		}
	}
	return version, nil
}

// current is the version of the tables, 0 where there are none; another than this program's is an error.
func (s session) current(ctx context.Context) (version int, err error) {
	var tables int
	if err := s.QueryRowContext(ctx, s.dialect.hasTables).Scan(&tables); err != nil {
		return 0, err
	}
	if tables > 0 {
		if err := s.QueryRowContext(ctx, "SELECT coalesce(max(version), 0) FROM migrations").Scan(&version); err != nil {
			return 0, err
		}
	}
	return version, agree(version, latest(s.dialect.migrations))
}

// agree reports whether tables of a version suit a program that wants another.
func agree(version, want int) error {
	switch {
	case version > want:
		return fmt.Errorf("the database has tables of version %d, this program knows %d: %w; use a newer fubini", version, want, ErrConflict)
	case version < want:
		return fmt.Errorf("the database has tables of version %d, this program needs %d: %w; run fubini db migrate", version, want, ErrConflict)
	}
	return nil
}
