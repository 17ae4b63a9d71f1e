package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"fubini/core/rng"
)

// These tests start this program again as a child that writes, and tells of each
// write that it was told is done. Then something dies.

func init() {
	child = func(mode string) int {
		var err error
		switch address := os.Getenv("FUBINI_STORE_ADDRESS"); mode {
		case "write":
			err = writeForEver(address, false)
		case "boast": // the broken twin: it tells before it writes
			err = writeForEver(address, true)
		case "full":
			err = fillDisk(address)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return 0
	}
}

// again is this program as a child in a mode.
func again(t *testing.T, mode, address string) *exec.Cmd {
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append(os.Environ(), "FUBINI_STORE_CHILD="+mode, "FUBINI_STORE_ADDRESS="+address)
	command.Stderr = os.Stderr
	return command
}

// writeForEver writes lists, every other one twice, and prints id and version of
// each write once it is acknowledged. It goes on where the database goes away.
func writeForEver(address string, boast bool) error {
	ctx := context.Background()
	s, err := Open(ctx, address)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		id, match := NewID(), Absent
		for range 1 + n%2 {
			if boast {
				fmt.Println(id, 0)
			}
			list, err := s.PutList(ctx, id, "secret", fmt.Appendf(nil, "%q", id+strings.Repeat("x", n*97%9000)), match, Maker{})
			if err != nil {
				return nil // the parent has the server killed; it counts what was told before
			}
			if !boast {
				fmt.Println(id, list.Version)
			}
			match = Match(list.Version)
		}
	}
}

// rounds is how often something dies: twenty times where there is time.
func rounds(few int) int {
	if os.Getenv("FUBINI_LONG") != "" {
		return 20
	}
	return few
}

// What the promise rests on: a log that is written to the disk before a write is told done.
func TestSQLiteWritesThroughItsLog(t *testing.T) {
	s := opened(t, kinds["sqlite"](t))
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2"} { // 2 is FULL
		var got string
		if err := s.write.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %s, want %s, %v", pragma, got, want, err)
		}
	}
}

func TestAcknowledgedWritesSurviveKill(t *testing.T) {
	skipIfShort(t)
	t.Run("sqlite", func(t *testing.T) {
		address := kinds["sqlite"](t)
		for round := range rounds(3) {
			if told, lost := killWriter(t, "write", address, round, nil); told == 0 || lost > 0 {
				t.Errorf("round %d: %d of %d acknowledged writes are gone", round, lost, told)
			}
		}
	})
	t.Run("postgres client", func(t *testing.T) {
		address := kinds["postgres"](t)
		for round := range rounds(1) {
			if told, lost := killWriter(t, "write", address, round, nil); told == 0 || lost > 0 {
				t.Errorf("round %d: %d of %d acknowledged writes are gone", round, lost, told)
			}
		}
	})
	t.Run("postgres server", func(t *testing.T) {
		server := sharedServer(t)
		address := server.newDatabase(t)
		for round := range rounds(1) {
			signal := []syscall.Signal{syscall.SIGKILL, syscall.SIGQUIT}[round%2]
			told, lost := killWriter(t, "write", address, round, func() error {
				return errors.Join(server.stop(signal), server.start())
			})
			if told == 0 || lost > 0 {
				t.Errorf("round %d: %d of %d acknowledged writes are gone", round, lost, told)
			}
		}
	})
	t.Run("who tells too soon is found out", func(t *testing.T) {
		address := kinds["sqlite"](t)
		for round := range 50 {
			if _, lost := killWriter(t, "boast", address, round, nil); lost > 0 {
				return
			}
		}
		t.Error("the test cannot see a lost write")
	})
}

// killWriter starts a writer, kills it at a random moment (or does what kill
// says), and counts the writes it told of and those that are not there.
func killWriter(t *testing.T, mode, address string, round int, kill func() error) (told, lost int) {
	t.Helper()
	writer := again(t, mode, address)
	output := must(writer.StdoutPipe())
	if err := writer.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(output)
	first := must(lines.ReadString('\n')) // it is under way
	if kill == nil {
		kill = writer.Process.Kill
	}
	killed := make(chan error, 1)
	go func() {
		time.Sleep(time.Duration(rng.Stream(1, "kill", uint64(round)).IntN(300)) * time.Millisecond)
		killed <- kill()
	}()
	text := first + string(must(io.ReadAll(lines)))
	_ = writer.Wait() // killed, as it should be
	if err := <-killed; err != nil {
		t.Fatal(err)
	}
	// Closed before the next round: a log that someone has open is not recovered.
	s := must(Open(t.Context(), address)).(*database)
	defer s.Close()
	if s.dialect.migrations == "sqlite" {
		var verdict string
		if err := s.read.QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
			t.Fatalf("round %d: %s, %v", round, verdict, err)
		}
	}
	for line := range strings.Lines(text) {
		var id string
		var version int64
		if _, err := fmt.Sscanf(line, "%s %d\n", &id, &version); err != nil {
			continue // the last line, cut by the kill, was not told
		}
		told++
		list, err := s.GetList(t.Context(), id)
		if errors.Is(err, ErrNotFound) || (err == nil && (list.Version < version || !strings.HasPrefix(string(list.Body), `"`+id))) {
			lost++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	return told, lost
}

func TestFullDisk(t *testing.T) {
	skipIfShort(t)
	command := again(t, "full", kinds["sqlite"](t))
	if out, err := command.Output(); err != nil || string(out) != "as it should be\n" {
		t.Errorf("%v, %s", err, out)
	}
}

// fillDisk writes until files may not grow any further, as on a full disk, looks
// around, makes room, and writes again. It is a child because the limit is for
// the whole process.
func fillDisk(address string) error {
	signal.Ignore(syscall.SIGXFSZ)
	ctx := context.Background()
	opened, err := Open(ctx, address)
	if err != nil {
		return err
	}
	s := opened.(*database)
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		return err
	}
	kept := map[string]int64{}
	write := func() error {
		id := NewID()
		list, err := s.PutList(ctx, id, "secret", fmt.Appendf(nil, "%q", strings.Repeat("x", 5000)), Absent, Maker{})
		if err == nil {
			kept[id] = list.Version
		}
		return err
	}
	for round, room := range []uint64{1 << 18, 1 << 19, 1<<20 + 123} {
		full := syscall.Rlimit{Cur: room, Max: before.Max}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &full); err != nil {
			return err
		}
		writes := 0
		for ; err == nil; writes++ {
			if err = write(); writes > 1000 {
				return fmt.Errorf("round %d: the disk does not get full", round)
			}
		}
		for range 3 { // it stays so, and says why
			if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "its disk has room") {
				return fmt.Errorf("a full disk: %w", err)
			}
			err = write()
		}
		if err := s.check(ctx, kept); err != nil {
			return fmt.Errorf("while the disk is full: %w", err)
		}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
			return err
		}
		if err = write(); err != nil {
			return fmt.Errorf("after making room: %w", err)
		}
		if err := s.check(ctx, kept); err != nil {
			return fmt.Errorf("after making room: %w", err)
		}
	}
	if err := s.Close(); err != nil {
		return err
	}
	if opened, err = Open(ctx, address); err != nil {
		return err
	}
	if err := opened.(*database).check(ctx, kept); err != nil {
		return fmt.Errorf("opened again: %w", err)
	}
	fmt.Println("as it should be")
	return opened.Close()
}

// check looks whether the database is sound and holds what it should, no less
// and no more.
func (s *database) check(ctx context.Context, kept map[string]int64) error {
	var verdict string
	if err := s.read.QueryRowContext(ctx, "PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		return fmt.Errorf("integrity: %s, %w", verdict, err)
	}
	for id, version := range kept {
		if list, err := s.GetList(ctx, id); err != nil || list.Version != version {
			return fmt.Errorf("list %s is of version %d, not %d, %w", id, list.Version, version, err)
		}
	}
	var count int
	if err := s.read.QueryRowContext(ctx, "SELECT count(*) FROM lists").Scan(&count); err != nil || count != len(kept) {
		return fmt.Errorf("%d lists, want %d, %w", count, len(kept), err)
	}
	return nil
}

// A database that goes and comes back: unavailable meanwhile, and then as if
// nothing had been, without opening the store again.
func TestLostDatabaseComesBack(t *testing.T) {
	skipIfShort(t)
	server := sharedServer(t)
	s, ctx := opened(t, server.newDatabase(t)), t.Context()
	list := must(s.PutList(ctx, "a", "secret", []byte("1"), Absent, Maker{}))
	for _, how := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGKILL} {
		if err := server.stop(how); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			start := time.Now()
			_, put := s.PutList(ctx, "a", "secret", []byte("2"), Match(list.Version), Maker{})
			_, get := s.GetList(ctx, "a")
			for _, err := range []error{put, get, s.Ping(ctx)} {
				if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "check that the PostgreSQL server") {
					t.Errorf("%v: %v", how, err)
				}
			}
			if waited := time.Since(start); waited > 3*patience {
				t.Errorf("%v: no answer for %v", how, waited)
			}
		}
		if err := server.start(); err != nil {
			t.Fatal(err)
		}
		var err error
		if list, err = s.PutList(ctx, "a", "secret", []byte("1"), Match(list.Version), Maker{}); err != nil {
			t.Errorf("%v: the server is back, and yet: %v", how, err)
		}
		if got, err := s.GetList(ctx, "a"); err != nil || got.Version != list.Version {
			t.Errorf("%v: %+v, %v", how, got, err)
		}
	}
}

// A server that is there and does not answer is as good as gone.
func TestHungDatabase(t *testing.T) {
	if os.Getenv("FUBINI_LONG") == "" {
		t.Skip("waits for deadlines; set FUBINI_LONG=1")
	}
	server := sharedServer(t)
	s, ctx := opened(t, server.newDatabase(t)), t.Context()
	must(s.PutList(ctx, "a", "secret", []byte("1"), Absent, Maker{}))
	resume, err := server.freeze()
	if err != nil {
		t.Fatal(err)
	}
	defer resume()
	for range 2 { // a connection that was good, and new ones
		start := time.Now()
		if _, err := s.GetList(ctx, "a"); !errors.Is(err, ErrUnavailable) {
			t.Errorf("hung: %v", err)
		}
		if waited := time.Since(start); waited > patience+5*time.Second {
			t.Errorf("no answer for %v", waited)
		}
	}
	resume()
	if _, err := s.GetList(ctx, "a"); err != nil {
		t.Errorf("awake again: %v", err)
	}
}
