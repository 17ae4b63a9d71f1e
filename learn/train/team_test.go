package train

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
