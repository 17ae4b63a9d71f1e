package store

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// totals are what the database says that lists come to, by maker.
func (s *database) totals(t *testing.T) string {
	t.Helper()
	rows := must(s.read.Query("SELECT maker, lists, bytes FROM list_totals WHERE lists <> 0 OR bytes <> 0 ORDER BY maker"))
	defer rows.Close()
	var all []string
	for rows.Next() {
		var maker string
		var used Quota
		if err := rows.Scan(&maker, &used.Lists, &used.Bytes); err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%s:%d/%d", maker, used.Lists, used.Bytes))
	}
	return strings.Join(all, " ")
}

// Lists and bytes are counted for the key that made a list and for all together; what
// would go beyond is not stored, and the error names the limit.
func TestQuotas(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		s, ctx := opened(t, address), t.Context()
		all := Quota{Lists: 4, Bytes: 40}
		by := func(key string) Maker { return Maker{Key: key, Each: Quota{Lists: 2, Bytes: 25}, All: all} }
		put := func(id string, size int, match Match, by Maker) func() error {
			return func() error {
				_, err := s.PutList(ctx, id, "secret", []byte(`"`+strings.Repeat("x", size-2)+`"`), match, by)
				return err
			}
		}
		for _, c := range []struct {
			what   string
			put    func() error
			want   string // of the error; empty for none
			totals string
		}{
			{"first", put("a", 10, Absent, by("one")), "", "one:1/10"},
			{"too large for the key", put("b", 16, Absent, by("one")), "the lists of key one may be 25 bytes", "one:1/10"},
			{"second", put("b", 10, Absent, by("one")), "", "one:2/20"},
			{"third of the key", put("c", 3, Absent, by("one")), "the lists of key one may be 2 lists", "one:2/20"},
			{"a change that grows", put("b", 16, Any, by("one")), "the lists of key one may be 25 bytes", "one:2/20"},
			{"a change by another counts for its maker", put("b", 15, Any, by("two")), "", "one:2/25"},
			{"of nobody", put("d", 5, Absent, by("")), "", ":1/5 one:2/25"},
			{"too large for all", put("e", 11, Absent, by("")), "all lists together may be 40 bytes", ":1/5 one:2/25"},
			{"of another key", put("e", 4, Absent, by("two")), "", ":1/5 one:2/25 two:1/4"},
			{"too many for all", put("f", 3, Absent, by("")), "all lists together may be 4 lists", ":1/5 one:2/25 two:1/4"},
			{"without limits", put("f", 50, Absent, Maker{}), "", ":2/55 one:2/25 two:1/4"},
			{"a change that shrinks, over the limit", put("f", 49, Any, by("")), "", ":2/54 one:2/25 two:1/4"},
			{"a new one, over the limit", put("g", 3, Absent, by("three")), "all lists together may be 4 lists", ":2/54 one:2/25 two:1/4"},
		} {
			full := (*FullError)(nil)
			switch err := c.put(); {
			case c.want == "" && err != nil:
				t.Errorf("%s: %v", c.what, err)
			case c.want != "" && (!errors.Is(err, ErrFull) || !errors.As(err, &full) || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%s: %v, want %q", c.what, err, c.want)
			}
			if got := s.totals(t); got != c.totals {
				t.Errorf("%s: totals %q, want %q", c.what, got, c.totals)
			}
		}
		// What is deleted makes room, whoever deletes it.
		if err := s.DeleteList(ctx, "a", "secret", Any); err != nil {
			t.Error(err)
		}
		if err := s.RemoveList(ctx, "f", Any); err != nil {
			t.Error(err)
		}
		if got, want := s.totals(t), ":1/5 one:1/15 two:1/4"; got != want {
			t.Errorf("totals %q, want %q", got, want)
		}
		if err := put("g", 3, Absent, by("three"))(); err != nil {
			t.Error(err)
		}
		// A restore counts anew.
		var file bytes.Buffer
		must(s.Backup(ctx, &file))
		other := opened(t, "sqlite::memory:")
		must(other.Restore(ctx, &file))
		if got, want := other.totals(t), s.totals(t); got != want || got == "" {
			t.Errorf("restored totals %q, want %q", got, want)
		}
	})
}

// Lists that were there before they were counted are counted.
func TestOldListsAreCounted(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		ctx := t.Context()
		s := must(connect(ctx, address, true))
		defer s.Close()
		must(s.migrate(ctx, 3))
		db, old := session{s.write, s.dialect}, tables[0].at(3)
		for n := range 3 {
			must(db.exec(ctx, old.insert(), old.rowOf(n)...)) // bodies of 8 bytes
		}
		must(s.migrate(ctx, latest(s.dialect.migrations)))
		if got := s.totals(t); got != ":3/24" {
			t.Errorf("totals %q", got)
		}
		if err := s.RemoveList(ctx, "id 1", Any); err != nil {
			t.Error(err)
		}
		if got := s.totals(t); got != ":2/16" {
			t.Errorf("totals %q", got)
		}
	})
}

// An admin removes and lists what is not theirs.
func TestListsForAdmins(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		s, ctx := opened(t, address), t.Context()
		for n := range 5 {
			must(s.PutList(ctx, fmt.Sprint("list ", n), "secret", fmt.Appendf(nil, `"%d"`, n), Absent, Maker{Key: fmt.Sprint("key ", n%2)}))
		}
		var seen []string
		for page := (Page{Limit: 2}); ; {
			lists, next, err := s.ListLists(ctx, page)
			if err != nil || len(lists) > 2 {
				t.Fatal(len(lists), err)
			}
			for _, list := range lists {
				if list.Body != nil || list.Size != 3 || list.Created.IsZero() || list.Version == 0 {
					t.Errorf("%+v", list)
				}
				seen = append(seen, list.ID+" of "+list.Maker)
			}
			if next == "" {
				break
			}
			page.Cursor = next
		}
		if want := "[list 4 of key 0 list 3 of key 1 list 2 of key 0 list 1 of key 1 list 0 of key 0]"; fmt.Sprint(seen) != want {
			t.Errorf("%v, want %s", seen, want)
		}
		list := must(s.GetList(ctx, "list 2"))
		if err := s.RemoveList(ctx, "list 2", Match(list.Version+1)); !errors.Is(err, ErrConflict) {
			t.Errorf("another version: %v", err)
		}
		if err := s.RemoveList(ctx, "list 2", Match(list.Version)); err != nil {
			t.Error(err)
		}
		if err := s.RemoveList(ctx, "list 2", Any); !errors.Is(err, ErrNotFound) {
			t.Errorf("again: %v", err)
		}
	})
}
