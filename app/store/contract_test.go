package store

// The contract: what both databases promise. The tests stand in the files named
// after what they promise (lists_test.go, keys_test.go, ...) and run through
// everywhere, below.

import (
	"os"
	"path/filepath"
	"testing"
)

// kinds makes the address of a new, empty database of each kind. PostgreSQL adds
// itself where it can be started.
var kinds = map[string]func(t *testing.T) string{
	"sqlite": func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "a file? 100% #1.db") },
	"memory": func(*testing.T) string { return "sqlite::memory:" },
}

// child runs instead of the tests where a test has started this program again.
var child func(mode string) int

// stopServers ends what tests have started.
var stopServers = func() {}

func TestMain(m *testing.M) {
	if mode := os.Getenv("FUBINI_STORE_CHILD"); mode != "" {
		os.Exit(child(mode))
	}
	code := m.Run()
	stopServers()
	os.Exit(code)
}

// skipIfShort leaves out where time is short what one goroutine does after another, and
// what happens to other processes: the race detector has nothing to see there.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one goroutine")
	}
}

// everywhere runs a test against a new database of each kind.
func everywhere(t *testing.T, test func(t *testing.T, address string)) {
	t.Helper()
	eachKind(t, func(t *testing.T, fresh func(*testing.T) string) { test(t, fresh(t)) })
}

// eachKind runs a test for each kind of database, of which it can make as many
// as it likes.
func eachKind(t *testing.T, test func(t *testing.T, fresh func(*testing.T) string)) {
	t.Helper()
	for _, kind := range []string{"memory", "sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			fresh, known := kinds[kind]
			if !known {
				t.Skip("PostgreSQL is started on Linux only")
			}
			test(t, fresh)
		})
	}
}

// opened is a store that is closed at the end of the test.
func opened(t *testing.T, address string) *database {
	t.Helper()
	s, err := Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s.(*database)
}

// must is the value of a call that has to succeed.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
