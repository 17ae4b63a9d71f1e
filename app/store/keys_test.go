package store

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestKeysOpenOnlyWhatTheyShould(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		s, ctx := opened(t, address), t.Context()
		reader, token, err := s.AddKey(ctx, "the page, ünï", []Scope{Write, Read, Write}, time.Time{})
		if err != nil || !slices.Equal(reader.Scopes, []Scope{Read, Write}) || !strings.HasPrefix(token, "fubini_"+reader.ID+"_") {
			t.Fatalf("%+v, %q, %v", reader, token, err)
		}
		admin, adminToken, err := s.AddKey(ctx, "me", []Scope{Admin}, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		for _, scope := range Scopes() {
			if !admin.Allows(scope) || reader.Allows(scope) != (scope != Admin) {
				t.Errorf("%s: admin %v, reader %v", scope, admin.Allows(scope), reader.Allows(scope))
			}
		}
		used := must(s.Authenticate(ctx, token))
		if used.ID != reader.ID || used.Name != reader.Name || !slices.Equal(used.Scopes, reader.Scopes) || time.Since(used.LastUsed) > time.Minute {
			t.Errorf("added %+v, authenticated %+v", reader, used)
		}
		again := must(s.Authenticate(ctx, token))
		if !again.LastUsed.Equal(used.LastUsed) {
			t.Errorf("a second use within the hour was written down too")
		}
		wrong := []string{
			"", "fubini", "fubini__", token + "0", token[:len(token)-1], strings.ToUpper(token), "x" + token[1:], token + "_",
			strings.Replace(token, reader.ID, admin.ID, 1), strings.Replace(adminToken, admin.ID, reader.ID, 1), "fubini_\x00_a", "fubini_\xff_a",
		}
		revoked := must(s.RevokeKey(ctx, admin.ID))
		if twice := must(s.RevokeKey(ctx, admin.ID)); revoked.Revoked.IsZero() || !twice.Revoked.Equal(revoked.Revoked) || revoked.Allows(Read) {
			t.Errorf("revoked at %v, then at %v", revoked.Revoked, twice.Revoked)
		}
		for _, bad := range append(wrong, adminToken) {
			if key, err := s.Authenticate(ctx, bad); !errors.Is(err, ErrForbidden) || key.ID != "" {
				t.Errorf("%q: %+v, %v", bad, key, err)
			} else if secret := bad[strings.LastIndex(bad, "_")+1:]; len(secret) > 1 && strings.Contains(err.Error(), secret) {
				t.Errorf("the message repeats a secret: %v", err)
			}
		}
		keys := must(s.ListKeys(ctx))
		if len(keys) != 2 || keys[0].ID != reader.ID || !keys[0].LastUsed.Equal(used.LastUsed) || !keys[1].Revoked.Equal(revoked.Revoked) || !keys[1].LastUsed.IsZero() {
			t.Errorf("keys: %+v", keys)
		}
		if _, err := s.RevokeKey(ctx, "nobody"); !errors.Is(err, ErrNotFound) {
			t.Errorf("revoking an unknown key: %v", err)
		}
		for _, scopes := range [][]Scope{nil, {"root"}, {Read, "read,admin"}} {
			if _, token, err := s.AddKey(ctx, "x", scopes, time.Time{}); !errors.Is(err, ErrInvalid) || token != "" {
				t.Errorf("scopes %q: %v", scopes, err)
			}
		}
		if _, _, err := s.AddKey(ctx, " ", []Scope{Read}, time.Time{}); !errors.Is(err, ErrInvalid) {
			t.Errorf("a key without name: %v", err)
		}
		// What is kept does not open anything.
		var kept bytes.Buffer
		must(s.Backup(ctx, &kept))
		if secret := token[strings.LastIndex(token, "_")+1:]; len(secret) != 64 || bytes.Contains(kept.Bytes(), []byte(secret)) {
			t.Errorf("the secret itself is in the database")
		}
	})
}

// A key is good even where its use cannot be written down.
func TestKeysWorkWhileNothingCanBeWritten(t *testing.T) {
	s := opened(t, kinds["sqlite"](t))
	_, token, err := s.AddKey(t.Context(), "a", []Scope{Read}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	writer := must(s.write.Conn(t.Context())) // the only one, and we hold it
	defer writer.Close()
	if key, err := s.Authenticate(t.Context(), token); err != nil || !key.LastUsed.IsZero() {
		t.Errorf("%+v, %v", key, err)
	}
}

// A key that expires is good until then, and says so in the list.
func TestKeysExpire(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		s, ctx := opened(t, address), t.Context()
		soon := now().Add(time.Hour)
		key, token, err := s.AddKey(ctx, "guest", []Scope{Read}, soon.In(time.FixedZone("", 3600)))
		if err != nil || !key.Expires.Equal(soon) {
			t.Fatalf("%+v, %v", key, err)
		}
		if found := must(s.Authenticate(ctx, token)); !found.Expires.Equal(soon) || !found.Allows(Read) {
			t.Errorf("%+v", found)
		}
		if !key.Good(soon.Add(-1)) || key.Good(soon) {
			t.Error("a key is good until it expires, and not then")
		}
		if forever, _, err := s.AddKey(ctx, "owner", []Scope{Read}, time.Time{}); err != nil || !forever.Expires.IsZero() || !forever.Good(soon.AddDate(1000, 0, 0)) {
			t.Errorf("%+v, %v", forever, err)
		}
		for _, past := range []time.Time{now(), now().Add(-time.Second)} {
			if _, _, err := s.AddKey(ctx, "late", []Scope{Read}, past); !errors.Is(err, ErrInvalid) {
				t.Errorf("a key that has expired: %v", err)
			}
		}
		// An hour later.
		must((session{s.write, s.dialect}).exec(ctx, "UPDATE api_keys SET expires = $2 WHERE id = $1", key.ID, stamp(now())))
		if found, err := s.Authenticate(ctx, token); !errors.Is(err, ErrForbidden) || found.ID != "" {
			t.Errorf("an expired key: %+v, %v", found, err)
		}
		keys := must(s.ListKeys(ctx))
		if len(keys) != 2 || keys[0].Expires.IsZero() || keys[0].Allows(Read) || !keys[1].Expires.IsZero() {
			t.Errorf("%+v", keys)
		}
	})
}
