package server_test

import (
	"context"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fubini/app/server"
	"fubini/app/store"
	"fubini/data/modelfile"
)

// away is a store that may be away when it is asked of keys.
type away struct {
	store.Store
	is atomic.Bool
}

func (a *away) Authenticate(ctx context.Context, token string) (store.Key, error) {
	if a.is.Load() {
		return store.Key{}, store.ErrUnavailable
	}
	return a.Store.Authenticate(ctx, token)
}

// A key that was good stays good for ten minutes while the store does not answer, and no
// longer; a revoked key stays good for the ten seconds in which it is not looked up. The
// clock is a false one.
func TestHowLongAKeyIsGood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kept, err := store.Open(t.Context(), "sqlite::memory:")
		if err != nil {
			t.Fatal(err)
		}
		defer kept.Close()
		made, token, err := kept.AddKey(t.Context(), "test", []store.Scope{store.Read}, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		asked := &away{Store: kept}
		file := world(t, 1, 30, 3)
		s, err := server.New(t.Context(), server.Options{
			Load:  func(context.Context) (*modelfile.File, error) { return file, nil },
			Store: asked, Loopback: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		expect := func(when string, want int) {
			t.Helper()
			r := httptest.NewRequestWithContext(t.Context(), "GET", "http://localhost/v1/items", nil)
			r.Header.Set("Authorization", "Bearer "+token)
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			if w.Code != want {
				t.Errorf("%s: status %d, want %d: %s", when, w.Code, want, w.Body)
			}
		}
		expect("at first", 200)
		asked.is.Store(true)
		for minute := 1; minute < 10; minute++ {
			time.Sleep(time.Minute)
			expect("while the store is away", 200)
		}
		time.Sleep(2 * time.Minute)
		expect("when it has been away for eleven minutes", 503)
		asked.is.Store(false)
		expect("when it is back", 200)
		if _, err := kept.RevokeKey(t.Context(), made.ID); err != nil {
			t.Fatal(err)
		}
		time.Sleep(9 * time.Second)
		expect("nine seconds after the last look", 200)
		time.Sleep(2 * time.Second)
		expect("when it is looked up again", 401)
		expect("and from then on", 401)
	})
}
