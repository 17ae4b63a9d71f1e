package gate

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A gate with two places lets three more wait and turns the next away at once. Whoever
// waits gets the place that is left, or is turned away when patience ends; the clock is a
// false one. Afterwards as many may wait again.
func TestNoMoreMayWaitThanTheGateSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const places, seats = 2, 3
		g := newSemaphore(places, seats, time.Minute)
		type outcome struct {
			leave func()
			err   error
			after time.Duration
		}
		enter := func(ctx context.Context) chan outcome {
			done := make(chan outcome, 1)
			begun := time.Now()
			go func() {
				leave, err := g.enter(ctx)
				done <- outcome{leave, err, time.Since(begun)}
			}()
			synctest.Wait()
			return done
		}
		for range 2 { // a rush leaves nothing behind
			var inside []func()
			for range places {
				select {
				case o := <-enter(t.Context()):
					if o.err != nil {
						t.Fatalf("a free place was refused: %v", o.err)
					}
					inside = append(inside, o.leave)
				default:
					t.Fatal("a free place is waited for")
				}
			}
			var waiting []chan outcome
			for k := range seats {
				done := enter(t.Context())
				if len(done) != 0 {
					t.Fatalf("number %d of %d who may wait does not: %+v", k+1, seats, <-done)
				}
				waiting = append(waiting, done)
			}
			if !g.full() {
				t.Error("a full gate does not say so")
			}
			for range 3 {
				select {
				case o := <-enter(t.Context()):
					if o.err == nil || o.after != 0 {
						t.Errorf("one too many entered, or was held up: %+v", o)
					}
				default:
					t.Fatal("one too many waits")
				}
			}
			inside[0]() // somebody leaves, and one of those who wait enters
			synctest.Wait()
			entered := 0
			for _, done := range waiting {
				if len(done) == 1 {
					entered++
					o := <-done
					if o.err != nil {
						t.Errorf("a place was left, and one who waited hears %v", o.err)
						continue
					}
					inside[0] = o.leave
				}
			}
			if entered != 1 {
				t.Fatalf("one place was left, and %d entered", entered)
			}
			gone, stop := context.WithCancel(t.Context())
			client := enter(gone) // the seat that became free
			stop()
			synctest.Wait()
			if len(client) != 1 {
				t.Fatal("a client that went away still waits")
			} else if o := <-client; o.err == nil {
				t.Error("a client that went away has entered")
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			turned := 0
			for _, done := range waiting {
				if len(done) == 1 {
					turned++
					if o := <-done; o.err == nil || o.after != time.Minute {
						t.Errorf("after a minute of patience: %+v", o)
					}
				}
			}
			if turned != seats-1 {
				t.Errorf("%d of %d were turned away when patience ended", turned, seats-1)
			}
			for _, leave := range inside {
				leave()
			}
			if n := g.waiting.Load(); n != 0 || len(g.inside) != 0 || g.full() {
				t.Errorf("everybody has gone, and %d wait and %d work", n, len(g.inside))
			}
		}
	})
}
