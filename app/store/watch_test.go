package store

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// moody answers as it is told.
type moody struct {
	Store
	ping, probe func() error
}

func (m *moody) Ping(context.Context) error  { return m.ping() }
func (m *moody) Probe(context.Context) error { return m.probe() }

func well() error { return nil }

// Whoever asks for readiness does not wait for a store that is known to hang, and learns
// of its return.
func TestReadinessDoesNotWaitForAStoreThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		back := make(chan struct{})
		kept := &moody{ping: func() error { <-back; return nil }, probe: well}
		w := Watch(kept, time.Second)
		w.hangs = true
		begun := time.Now()
		for range 3 {
			if text, ready := w.State(t.Context()); text == "" || !ready {
				t.Errorf("a store that hangs: %q, ready %t", text, ready)
			}
		}
		if took := time.Since(begun); took != 0 {
			t.Errorf("asking took %s", took)
		}
		close(back)
		for range 4 { // a ping that was given up is over, and another asks
			time.Sleep(2 * pingTime)
			w.State(t.Context())
			synctest.Wait()
		}
		if text, ready := w.State(t.Context()); text != "" || !ready {
			t.Errorf("a store that is back: %q, ready %t", text, ready)
		}
	})
}

// A disk that is almost full takes the small write of a probe. A refused list counts for
// more, for longer than metrics are asked for apart; a list that is taken ends it.
func TestARefusedWriteIsRememberedForAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := Watch(&moody{ping: well, probe: well}, time.Second)
		w.note(errors.Join(ErrUnavailable, ErrReadOnly), true)
		for range 5 {
			time.Sleep(10 * time.Second)
			if text, _ := w.State(t.Context()); text == "" || w.Up() {
				t.Errorf("forgotten: %q", text)
			}
			synctest.Wait()
		}
		w.note(nil, true)
		if text, _ := w.State(t.Context()); text != "" || !w.Up() {
			t.Errorf("a list was written: %q", text)
		}
		w.note(errors.Join(ErrUnavailable, ErrReadOnly), true)
		time.Sleep(refusedFresh + time.Second)
		if text, _ := w.State(t.Context()); text != "" {
			t.Errorf("a probe was written a minute later: %q", text)
		}
		synctest.Wait()
	})
}

// A panic of the store while it is asked whether it is back does not end the process.
func TestAPanicInAPingIsCaught(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := Watch(&moody{ping: func() error { panic("a fault in the store") }}, time.Second)
		w.hangs = true
		w.wake()
		synctest.Wait()
		if err := w.Ping(t.Context()); !errors.Is(err, ErrUnavailable) {
			t.Error(err)
		}
	})
}
