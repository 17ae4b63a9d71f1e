package parallel

import (
	"sync/atomic"
	"testing"
	"time"
)

// Every member runs everything once, whether it was awake or had gone to sleep,
// and what one round wrote the next one sees.
func TestTeam(t *testing.T) {
	for _, size := range []int{1, 2, 5} {
		team := newTeam(size)
		seen := make([]int, size)
		var total atomic.Int64
		const rounds = 300
		for round := range rounds {
			if round%100 == 50 {
				time.Sleep(20 * time.Millisecond) // long enough to fall asleep
			}
			team.together(func(m int) {
				seen[m]++
				total.Add(1)
			})
			for m, n := range seen {
				if n != round+1 {
					t.Fatalf("team of %d: member %d ran %d of %d rounds", size, m, n, round+1)
				}
			}
		}
		team.dismiss()
		if total.Load() != int64(size*rounds) {
			t.Errorf("team of %d: %d runs in %d rounds", size, total.Load(), rounds)
		}
	}
}

// Who is woken for nothing, by a call that comes late, does nothing: the round has
// been run already.
func TestTeamWokenForNothing(t *testing.T) {
	team := newTeam(2)
	defer team.dismiss()
	m := team.members[0]
	for !m.asleep.CompareAndSwap(true, false) {
		time.Sleep(time.Millisecond)
	}
	m.wake <- struct{}{}
	for !m.asleep.Load() { // it looks, and goes to sleep again
		time.Sleep(time.Millisecond)
	}
	var runs atomic.Int64
	ended := make(chan struct{})
	go func() {
		team.together(func(int) { runs.Add(1) })
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		t.Fatal("the round does not end")
	}
	if runs.Load() != 2 {
		t.Errorf("%d runs by two members", runs.Load())
	}
}

// A dismissed team leaves no goroutine behind, asleep or not.
func TestTeamDismissed(t *testing.T) {
	for _, pause := range []time.Duration{0, 20 * time.Millisecond} {
		team := newTeam(3)
		team.together(func(int) {})
		time.Sleep(pause)
		team.dismiss()
		select {
		case <-team.gone:
		case <-time.After(10 * time.Second):
			t.Fatal("members are still there")
		}
	}
}
