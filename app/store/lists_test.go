package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestListsBelongToTheirOwner(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		s, ctx := opened(t, address), t.Context()
		if _, err := s.GetList(ctx, "a"); !errors.Is(err, ErrNotFound) {
			t.Errorf("a list that is not there: %v", err)
		}
		if _, err := s.PutList(ctx, "a", "mine", []byte(`{}`), 7, Maker{}); !errors.Is(err, ErrNotFound) {
			t.Errorf("replacing a list that is not there: %v", err)
		}
		first := must(s.PutList(ctx, "a", "mine", []byte(`{"n": 1}`), Absent, Maker{}))
		for _, c := range []struct {
			secret string
			match  Match
			want   error
		}{
			{"mine", Absent, ErrConflict},
			{"yours", Absent, ErrConflict},
			{"yours", Any, ErrForbidden},
			{"yours", Match(first.Version), ErrForbidden},
			{"yours", Match(first.Version + 1), ErrForbidden},
			{"mine", Match(first.Version + 1), ErrConflict},
		} {
			if list, err := s.PutList(ctx, "a", c.secret, []byte(`{}`), c.match, Maker{}); !errors.Is(err, c.want) || list.ID != "" {
				t.Errorf("put %+v: %v and %v", c, list, err)
			}
			if c.match == Absent {
				continue
			}
			if err := s.DeleteList(ctx, "a", c.secret, c.match); !errors.Is(err, c.want) {
				t.Errorf("delete %+v: %v", c, err)
			}
		}
		kept := must(s.GetList(ctx, "a"))
		if string(kept.Body) != `{"n": 1}` || kept.Version != first.Version || !kept.Created.Equal(first.Created) || !kept.Updated.Equal(first.Updated) {
			t.Errorf("put %+v, got %+v", first, kept)
		}
		if !kept.ownedBy("mine") || kept.ownedBy("yours") || bytes.Contains(kept.Secret, []byte("mine")) {
			t.Errorf("the owner is not who made the list")
		}
		second := must(s.PutList(ctx, "a", "mine", []byte(`{"n": 2}`), Match(first.Version), Maker{}))
		third := must(s.PutList(ctx, "a", "mine", []byte(`{"n": 3}`), Any, Maker{}))
		if !(first.Version < second.Version && second.Version < third.Version) || !third.Created.Equal(first.Created) {
			t.Errorf("versions %d, %d, %d", first.Version, second.Version, third.Version)
		}
		if err := s.DeleteList(ctx, "a", "mine", Match(third.Version)); err != nil {
			t.Error(err)
		}
		if err := s.DeleteList(ctx, "a", "mine", Any); !errors.Is(err, ErrNotFound) {
			t.Errorf("deleting twice: %v", err)
		}
		if _, err := s.PutList(ctx, "a", "mine", []byte(`{}`), Present, Maker{}); !errors.Is(err, ErrNotFound) {
			t.Errorf("a list that is not there was replaced: %v", err)
		}
		if again := must(s.PutList(ctx, "a", "yours", []byte(`{}`), Any, Maker{})); again.Version <= third.Version {
			t.Errorf("a list made again comes back to version %d, it had %d", again.Version, third.Version)
		}
	})
}

// Of many who write one version, one wins.
func TestOneWriterWins(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		s, ctx := opened(t, address), t.Context()
		const writers, rounds = 4, 10
		match := Absent
		for range rounds {
			results := make([]error, writers)
			var group sync.WaitGroup
			for w := range writers {
				group.Go(func() {
					_, results[w] = s.PutList(ctx, "a", "secret", fmt.Appendf(nil, "%d", w), match, Maker{})
				})
			}
			group.Wait()
			winner := -1
			for w, err := range results {
				if err == nil && winner < 0 {
					winner = w
				} else if !errors.Is(err, ErrConflict) {
					t.Fatalf("writer %d after winner %d: %v", w, winner, err)
				}
			}
			list := must(s.GetList(ctx, "a"))
			if string(list.Body) != fmt.Sprint(winner) {
				t.Fatalf("writer %d won, and the list says %s", winner, list.Body)
			}
			match = Match(list.Version)
		}
	})
}

func TestAnyTextAndSizeComesBack(t *testing.T) {
	skipIfShort(t)
	everywhere(t, func(t *testing.T, address string) {
		s, ctx := opened(t, address), t.Context()
		for _, id := range []string{"ünï", "日本 ¹", "a'b\"c;--", "?1 $1 %s", "\U0001f600", strings.Repeat("x", 2000)} {
			body := must(s.PutList(ctx, id, "s", []byte(` {"tiers" : ["\u0000", "é"] }`+"\n"), Absent, Maker{})).Body
			if got := must(s.GetList(ctx, id)); got.ID != id || !bytes.Equal(got.Body, body) {
				t.Errorf("%q: put %q, got %q", id, body, got.Body)
			}
		}
		large := []byte(`"` + strings.Repeat("é", maxBody/2-1) + `"`)
		must(s.PutList(ctx, "large", "s", large, Absent, Maker{}))
		if got := must(s.GetList(ctx, "large")); !bytes.Equal(got.Body, large) {
			t.Errorf("%d bytes in, %d others out", len(large), len(got.Body))
		}
		for name, put := range map[string]func() error{
			"id with 0":    func() error { _, err := s.PutList(ctx, "a\x00b", "s", []byte("1"), Any, Maker{}); return err },
			"broken UTF-8": func() error { _, err := s.PutList(ctx, "a\xffb", "s", []byte("1"), Any, Maker{}); return err },
			"get with 0":   func() error { _, err := s.GetList(ctx, "\x00"); return err },
			"no id":        func() error { _, err := s.PutList(ctx, "", "s", []byte("1"), Any, Maker{}); return err },
			"no secret":    func() error { _, err := s.PutList(ctx, "a", "", []byte("1"), Any, Maker{}); return err },
			"no JSON":      func() error { _, err := s.PutList(ctx, "a", "s", []byte("{"), Any, Maker{}); return err },
			"no body":      func() error { _, err := s.PutList(ctx, "a", "s", nil, Any, Maker{}); return err },
			"too large":    func() error { _, err := s.PutList(ctx, "a", "s", append(large, ' '), Any, Maker{}); return err },
			"long id":      func() error { _, err := s.GetList(ctx, strings.Repeat("x", maxText+1)); return err },
		} {
			if err := put(); !errors.Is(err, ErrInvalid) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestEndedContextsAndStores(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		s := opened(t, address)
		must(s.PutList(t.Context(), "a", "s", []byte("1"), Absent, Maker{}))
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.GetList(ended, "a"); !errors.Is(err, context.Canceled) || errors.Is(err, ErrUnavailable) {
			t.Errorf("reading: %v", err)
		}
		if _, err := s.PutList(ended, "a", "s", []byte("2"), Any, Maker{}); !errors.Is(err, context.Canceled) {
			t.Errorf("writing: %v", err)
		}
		if got := must(s.GetList(t.Context(), "a")); string(got.Body) != "1" {
			t.Errorf("after a cancelled write: %s", got.Body)
		}
		if err := errors.Join(s.Ping(t.Context()), s.Close(), s.Close()); err != nil {
			t.Error(err)
		}
		if err := s.Ping(t.Context()); !errors.Is(err, ErrUnavailable) {
			t.Errorf("after closing: %v", err)
		}
	})
}
