package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fileOfLists is a SQLite file with lists in it, and the log emptied into the file.
func fileOfLists(t *testing.T) (address, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "f.db")
	address = "sqlite:" + path
	s := opened(t, address)
	for k := range 200 {
		must(s.PutList(t.Context(), fmt.Sprintf("list-%03d", k), "secret", []byte(`"`+strings.Repeat("x", 500)+`"`), Absent, Maker{}))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return address, path
}

// damage writes nonsense over the pages of a file, from the third on: the first ones tell
// what tables there are.
func damage(t *testing.T, path string) {
	t.Helper()
	const page = 4096
	whole, err := os.ReadFile(path)
	if err != nil || len(whole) < 8*page {
		t.Fatalf("%d bytes, %v", len(whole), err)
	}
	for at := 2 * page; at < len(whole); at += page {
		copy(whole[at:], bytes.Repeat([]byte{0xa5}, page/2))
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A file whose pages are damaged is not opened, and the error says what to do.
func TestDamagedPagesAreNoticedAtTheStart(t *testing.T) {
	address, path := fileOfLists(t)
	opened(t, address).Close() // it is sound
	damage(t, path)
	_, err := Open(t.Context(), address)
	if !errors.Is(err, ErrDamaged) || !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "fubini db restore") {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(path, bytes.Repeat([]byte("not a database"), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), address); !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "is a SQLite database") {
		t.Errorf("no database at all: %v", err)
	}
}

// Pages that are damaged while the store is open are noticed by whoever needs them.
func TestDamagedPagesAreNoticedInUse(t *testing.T) {
	address, path := fileOfLists(t)
	s, err := OpenExisting(t.Context(), address) // which reads little: what was read stays in memory
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // it may not end well
	damage(t, path)
	if _, err := s.PutList(t.Context(), "list-100", "secret", []byte("1"), Any, Maker{}); !errors.Is(err, ErrDamaged) || !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "fubini db restore") {
		t.Errorf("writing: %v", err)
	}
	if _, err := s.GetList(t.Context(), "list-100"); !errors.Is(err, ErrDamaged) {
		t.Errorf("reading: %v", err)
	}
}

// A probe writes, and changes nothing.
func TestProbe(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		s := opened(t, address)
		var before, after bytes.Buffer
		must(s.Backup(t.Context(), &before))
		if err := s.Probe(t.Context()); err != nil {
			t.Fatal(err)
		}
		must(s.Backup(t.Context(), &after))
		if !bytes.Equal(before.Bytes(), after.Bytes()) {
			t.Error("something changed")
		}
		if _, err := s.migrate(t.Context(), latest(s.dialect.migrations)); err != nil {
			t.Error(err)
		}
	})
}

// Who else may change the files is told.
func TestExposed(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "f.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file, folder os.FileMode
		says         string
	}{
		{0o600, 0o755, ""}, {0o644, 0o700, ""}, {0o660, 0o755, "its group"}, {0o666, 0o755, "everybody"}, {0o600, 0o777, "folder"}, {0o600, 0o777 | os.ModeSticky, ""},
	} {
		if err := errors.Join(os.Chmod(path, c.file), os.Chmod(folder, c.folder)); err != nil {
			t.Fatal(err)
		}
		if got := Exposed("sqlite:" + path); (got == "") != (c.says == "") || !strings.Contains(got, c.says) {
			t.Errorf("%o in %o: %q, want %q", c.file, c.folder, got, c.says)
		}
	}
	for _, address := range []string{"sqlite::memory:", "postgres://host/db", "sqlite:" + filepath.Join(folder, "none", "f.db")} {
		if got := Exposed(address); got != "" {
			t.Errorf("%s: %q", address, got)
		}
	}
}
