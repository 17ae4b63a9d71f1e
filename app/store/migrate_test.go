package store

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
)

// rowOf is a row of values that no default could give.
func (t table) rowOf(n int) []any {
	values := make([]any, len(t.columns))
	for i, c := range t.columns {
		switch c.kind().(type) {
		case **string:
			values[i] = fmt.Sprintf("%s %d", c.name, n)
		case **int64:
			values[i] = int64(1000*n + i)
		case *[]byte:
			values[i] = fmt.Appendf(nil, `"%s %d"`, c.name, n)
		}
		if c.name == "state" {
			values[i] = "running"
		}
	}
	return values
}

// From every earlier version, data and all.
func TestMigrationsKeepData(t *testing.T) {
	eachKind(t, func(t *testing.T, fresh func(*testing.T) string) {
		for version := range latest("sqlite") {
			t.Run(fmt.Sprint("from ", version), func(t *testing.T) {
				ctx := t.Context()
				s := must(connect(ctx, fresh(t), true))
				defer s.Close()
				if from := must(s.migrate(ctx, version)); from != 0 {
					t.Fatalf("a new database has version %d", from)
				}
				if err := s.Ping(ctx); !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), "fubini db migrate") {
					t.Errorf("an old database: %v", err)
				}
				db := session{s.write, s.dialect}
				for _, all := range tables {
					if old := all.at(version); len(old.columns) > 0 {
						for n := range 3 {
							must(db.exec(ctx, old.insert(), old.rowOf(n)...))
						}
					}
				}
				if from := must(s.migrate(ctx, latest(s.dialect.migrations))); from != version {
					t.Errorf("migrated from %d, want %d", from, version)
				}
				if err := s.Ping(ctx); err != nil {
					t.Error(err)
				}
				for _, all := range tables {
					old := all.at(version)
					want := []string{}
					if len(old.columns) == 0 {
						old = all
					} else {
						for n := range 3 {
							want = append(want, fmt.Sprintf("%q", old.rowOf(n)))
						}
					}
					got := []string{}
					rows := must(db.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM %s ORDER BY id", old.names(), old.name)))
					for rows.Next() {
						values := make([]any, len(old.columns))
						for i := range values {
							values[i] = new(any)
						}
						if err := rows.Scan(values...); err != nil {
							t.Fatal(err)
						}
						for i := range values {
							values[i] = *values[i].(*any)
						}
						got = append(got, fmt.Sprintf("%q", values))
					}
					if err := rows.Err(); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
						t.Errorf("%s:\n got %v\nwant %v", all.name, got, want)
					}
				}
			})
		}
	})
}

// The columns that backups know are those that the tables have, and both kinds
// of database have as many versions.
func TestBackupsKnowEveryColumn(t *testing.T) {
	if sqlite, postgres := latest("sqlite"), latest("postgres"); sqlite != postgres {
		t.Fatalf("SQLite has %d migrations, PostgreSQL %d", sqlite, postgres)
	}
	s := opened(t, "sqlite::memory:")
	rows := must(s.write.Query(`SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT IN ('migrations', 'sqlite_sequence', 'list_totals') ORDER BY m.rowid, c.cid`))
	defer rows.Close()
	var got, want []string
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			t.Fatal(err)
		}
		got = append(got, table+"."+column)
	}
	for _, t := range tables {
		for _, c := range t.columns {
			want = append(want, t.name+"."+c.name)
		}
	}
	if rows.Err() != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the database has %v\nbackups know %v", got, want)
	}
}

func TestStrangeTablesAreRefused(t *testing.T) {
	eachKind(t, func(t *testing.T, fresh func(*testing.T) string) {
		for statement, want := range map[string]string{
			fmt.Sprintf("INSERT INTO migrations VALUES (%d, 'later.sql', '')", latest("sqlite")+1): "use a newer fubini",
			"UPDATE migrations SET sha256 = 'x' WHERE version = 1":                                 "another 0001_",
			"DELETE FROM migrations WHERE version = 1":                                             "lacks migration 1",
		} {
			s := opened(t, fresh(t))
			must(s.write.Exec(statement))
			if _, err := s.migrate(t.Context(), latest("sqlite")); !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", statement, err, want)
			}
		}
		s := opened(t, fresh(t))
		must(s.write.Exec("INSERT INTO migrations VALUES (99, 'later.sql', '')"))
		if err := s.Ping(t.Context()); !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), "use a newer fubini") {
			t.Errorf("ping: %v", err)
		}
	})
}

// Many programs that start at once make the tables once.
func TestMigrationsTakeTurns(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		if address == "sqlite::memory:" {
			t.Skip("a database in memory has one user")
		}
		var group sync.WaitGroup
		for range 6 {
			group.Go(func() {
				s, err := Open(t.Context(), address)
				if err != nil {
					t.Error(err)
					return
				}
				s.Close()
			})
		}
		group.Wait()
	})
}

func TestAddresses(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	for _, c := range []struct {
		address string
		kind    error
		want    string
	}{
		{"", ErrInvalid, "want sqlite:FILE"},
		{"fubini.db", ErrInvalid, "want sqlite:FILE"},
		{"mysql://me:hidden@host/db", ErrInvalid, "want sqlite:FILE"},
		{"mysql://me:hidden@host:port%/db", ErrInvalid, "want sqlite:FILE"},
		{"sqlite:", ErrInvalid, "sqlite:fubini.db"},
		{"sqlite:" + folder, ErrInvalid, "is a folder"},
		{"sqlite:no/such/folder.db", ErrUnavailable, "make its folder"},
		{"sqlite:text", ErrUnavailable, "is a SQLite database"},
		{"postgres://me:hidden@host:port/db", ErrInvalid, "port"},
		{"postgres://me:hidden@127.0.0.1:1/db", ErrUnavailable, "check that the PostgreSQL server at 127.0.0.1"},
	} {
		if c.address == "sqlite:text" {
			if err := os.WriteFile("text", []byte(strings.Repeat("not a database\n", 100)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Open(t.Context(), c.address)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%q: %v, want %q", c.address, err, c.want)
		}
	}
	// Looking does not make a file.
	if _, err := OpenExisting(t.Context(), "sqlite:new.db"); !errors.Is(err, ErrNotFound) {
		t.Errorf("opening what is not there: %v", err)
	}
	if _, err := os.Stat("new.db"); err == nil {
		t.Error("opening made the file")
	}
	opened(t, "sqlite:new.db")
	if info := must(os.Stat("new.db")); info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the database: %v", info.Mode())
	}
	must(OpenExisting(t.Context(), "sqlite:new.db")).Close()
}
