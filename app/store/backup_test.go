package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// filled is a store with something in every table, nulls and odd letters too.
func filled(t *testing.T, address string) *database {
	t.Helper()
	s, ctx := opened(t, address), t.Context()
	must(s.PutList(ctx, "ä<b>\u2028", "secret", []byte(` ["\u0000"] `), Absent, Maker{}))
	must(s.PutList(ctx, "b", "secret", []byte(`"`+strings.Repeat("x", 1<<18)+`"`), Absent, Maker{}))
	key, token, err := s.AddKey(ctx, "first", []Scope{Read, Admin}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	must(s.Authenticate(ctx, token))
	must(s.RevokeKey(ctx, key.ID))
	if _, _, err := s.AddKey(ctx, "second", []Scope{Write}, time.Time{}); err != nil {
		t.Fatal(err)
	}
	job := must(s.CreateJob(ctx, "server", "train", []byte(`{}`)))
	must(s.UpdateJob(ctx, job.ID, Queued, Running, []byte(`{"epoch":1}`), ""))
	must(s.CreateJob(ctx, "server", "tune", []byte(`{}`)))
	for range 3 {
		must(s.AppendAudit(ctx, Entry{KeyID: key.ID, Action: "key.add", Detail: "größer", RequestID: NewID()}))
	}
	return s
}

func backup(t *testing.T, s Store) []byte {
	t.Helper()
	var file bytes.Buffer
	must(s.Backup(t.Context(), &file))
	return file.Bytes()
}

// A backup of either kind goes into either kind, and comes out the same.
func TestBackupsMoveBetweenDatabases(t *testing.T) {
	skipIfShort(t)
	everywhere(t, func(t *testing.T, from string) {
		file := backup(t, filled(t, from))
		everywhere(t, func(t *testing.T, to string) {
			s, ctx := opened(t, to), t.Context()
			if rows := must(s.Restore(ctx, bytes.NewReader(file))); rows != 9 {
				t.Errorf("%d rows restored, want 9", rows)
			}
			if again := backup(t, s); !bytes.Equal(again, file) {
				t.Errorf("a backup of the copy differs:\n%.500s\n%.500s", file, again)
			}
			// The log goes on behind its last entry.
			if entry := must(s.AppendAudit(ctx, Entry{Action: "later"})); entry.ID != 4 {
				t.Errorf("the next entry has number %d, want 4", entry.ID)
			}
			if list := must(s.GetList(ctx, "ä<b>\u2028")); string(list.Body) != ` ["\u0000"] ` || !list.ownedBy("secret") {
				t.Errorf("%+v", list)
			}
			if _, err := s.Restore(ctx, bytes.NewReader(file)); !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), "not empty") {
				t.Errorf("restoring over data: %v", err)
			}
		})
	})
}

func TestBadBackupsLeaveNothingBehind(t *testing.T) {
	skipIfShort(t)
	file := backup(t, filled(t, "sqlite::memory:"))
	lines := bytes.SplitAfter(file, []byte("\n"))
	end := lines[len(lines)-2]
	bad := map[string]string{
		"nothing":        "",
		"no backup":      "user,item,rating\n",
		"newer form":     strings.Replace(string(file), `"fubini_backup":1`, `"fubini_backup":2`, 1),
		"newer tables":   strings.Replace(string(file), ofTables(latest("sqlite")), ofTables(latest("sqlite")+1), 1),
		"older tables":   strings.Replace(string(file), ofTables(latest("sqlite")), ofTables(2), 1),
		"no end":         string(file[:len(file)-len(end)]),
		"half an end":    string(file[:len(file)-3]),
		"an end too few": strings.TrimSuffix(string(file), "\n"),
		"more behind":    string(file) + "\n",
		"twice":          string(file) + string(file),
		"other scope":    strings.Replace(string(file), `"scopes":"write"`, `"scopes":"admin"`, 1),
		"unknown table":  strings.Replace(string(file), `"table":"audit"`, `"table":"users"`, 1),
		"unknown column": strings.Replace(string(file), `"action"`, `"acts"`, 1),
		"a text for 1":   strings.Replace(string(file), `"id":1,`, `"id":"1",`, 1),
		"a row too few":  string(bytes.Join(append(append([][]byte{}, lines[:3]...), lines[4:]...), nil)),
		"a long line":    string(lines[0]) + strings.Repeat("x", maxLine+1<<17) + "\n",
	}
	for cut := 0; cut < len(file); cut += len(file)/20 + 1 {
		bad[fmt.Sprint("cut at ", cut)] = string(file[:cut])
	}
	everywhere(t, func(t *testing.T, address string) {
		s, ctx := opened(t, address), t.Context()
		for name, text := range bad {
			if text == string(file) {
				t.Fatalf("%s changes nothing", name)
			}
			if rows, err := s.Restore(ctx, strings.NewReader(text)); !errors.Is(err, ErrInvalid) || rows != 0 || !strings.Contains(err.Error(), "line ") {
				t.Errorf("%s: %d rows, %v", name, rows, err)
			}
		}
		broken := io.MultiReader(bytes.NewReader(file[:1000]), iotest.ErrReader(io.ErrClosedPipe))
		if _, err := s.Restore(ctx, broken); !errors.Is(err, io.ErrClosedPipe) || errors.Is(err, ErrUnavailable) {
			t.Errorf("a broken reader: %v", err)
		}
		if rows := must(s.Restore(ctx, bytes.NewReader(file))); rows != 9 { // which an empty database alone allows
			t.Errorf("%d rows restored", rows)
		}
		if _, err := s.Backup(ctx, brokenWriter{}); !errors.Is(err, io.ErrClosedPipe) || errors.Is(err, ErrUnavailable) {
			t.Errorf("a broken writer: %v", err)
		}
	})
}

// ofTables is how a backup says which tables it is of.
func ofTables(version int) string { return fmt.Sprintf(`"tables":%d`, version) }

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// A backup of older tables, whichever they were, is read into newer ones.
func TestOldBackupsAreRead(t *testing.T) {
	eachKind(t, func(t *testing.T, fresh func(*testing.T) string) {
		for version := 1; version < latest("sqlite"); version++ {
			var file bytes.Buffer
			out := sealed(&file)
			out(backupHeader{backupFormat, version})
			want := int64(0)
			for _, all := range tables {
				if old := all.at(version); len(old.columns) > 0 {
					out(backupRow{old.name, must(old.encode(old.filled(old.rowOf(1))))})
					want++
				}
			}
			out(nil)
			s := opened(t, fresh(t))
			if rows := must(s.Restore(t.Context(), &file)); rows != want {
				t.Errorf("version %d: %d rows, want %d", version, rows, want)
			}
			if list := must(s.GetList(t.Context(), "id 1")); string(list.Body) != `"body 1"` {
				t.Errorf("version %d: %+v", version, list)
			}
			if version == 1 {
				continue // there were no jobs
			}
			if job := must(s.GetJob(t.Context(), "id 1")); (job.Owner == "") != (version < 3) || job.State != Running {
				t.Errorf("version %d: %+v", version, job)
			}
		}
	})
}

// filled are the targets of a row with these values in them.
func (t table) filled(values []any) []any {
	targets := t.targets()
	for i, value := range values {
		switch target := targets[i].(type) {
		case **string:
			text := value.(string)
			*target = &text
		case **int64:
			number := value.(int64)
			*target = &number
		case *[]byte:
			*target = value.([]byte)
		}
	}
	return targets
}

// sealed writes the lines of a backup, and for nil its end.
func sealed(to *bytes.Buffer) func(any) {
	var rows int64 = -1 // the header is none
	return func(value any) {
		if value == nil {
			value = backupEnd{&rows, fmt.Sprintf("%x", hashSecret(to.String()))}
		} else {
			rows++
		}
		to.Write(append(must(json.Marshal(value)), '\n'))
	}
}

// A backup shows one moment, though others write all the while: every entry of
// the log has its list, which was written before it and is read before it too.
func TestBackupsShowOneMoment(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		s := filled(t, address)
		if gaps := backupWhileWriting(t, s, s.Backup); gaps > 0 {
			t.Errorf("%d entries stand in backups without what was written before them", gaps)
		}
		// The twin reads without a transaction; memory has one connection, whose users take turns anyway.
		broken := func(ctx context.Context, w io.Writer) (rows int64, err error) {
			var file bytes.Buffer
			out := sealed(&file)
			out(backupHeader{backupFormat, latest(s.dialect.migrations)})
			for _, table := range tables {
				copied := must(session{s.read, s.dialect}.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM %s", table.names(), table.name)))
				for copied.Next() {
					targets := table.targets()
					if err := copied.Scan(targets...); err != nil {
						return 0, err
					}
					out(backupRow{table.name, must(table.encode(targets))})
				}
				id := NewID() // somebody writes between two tables, on a busy machine too
				must(s.PutList(ctx, id, "secret", []byte("1"), Absent, Maker{}))
				must(s.AppendAudit(ctx, Entry{Action: "wrote", Detail: id}))
			}
			out(nil)
			_, err = w.Write(file.Bytes())
			return 0, err
		}
		if gaps := backupWhileWriting(t, s, broken); gaps == 0 {
			t.Error("the test cannot see a backup of several moments")
		}
	})
}

// backupWhileWriting makes backups while another goroutine writes lists, each
// followed by an entry that names it, and counts entries without their lists.
func backupWhileWriting(t *testing.T, s *database, backup func(context.Context, io.Writer) (int64, error)) (gaps int) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan int)
	go func() {
		written := 0
		for ; ctx.Err() == nil; written++ {
			id := NewID()
			_, err := s.PutList(ctx, id, "secret", []byte("1"), Absent, Maker{})
			if err == nil {
				_, err = s.AppendAudit(ctx, Entry{Action: "wrote", Detail: id})
			}
			if err != nil && ctx.Err() == nil {
				t.Error(err)
				break
			}
			time.Sleep(300 * time.Microsecond) // memory would else grow faster than it is read
		}
		done <- written
	}()
	backups := 15
	if testing.Short() {
		backups = 3
	}
	for range backups {
		var file bytes.Buffer
		must(backup(ctx, &file))
		lists := map[string]bool{}
		for line := range strings.Lines(file.String()) {
			var row struct {
				Table string
				Row   struct{ ID, Detail, Action any }
			}
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				t.Fatal(err)
			}
			if row.Table == "lists" {
				lists[row.Row.ID.(string)] = true
			} else if row.Table == "audit" && row.Row.Action == "wrote" && !lists[row.Row.Detail.(string)] {
				gaps++
			}
		}
	}
	stop()
	if written := <-done; written == 0 {
		t.Error("nothing was written meanwhile")
	}
	return gaps
}
