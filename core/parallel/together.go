package parallel

import (
	"runtime"
	"sync/atomic"
	"time"
)

// Team is goroutines that do the same thing at once, again and again, with little in between. To
// wake a goroutine that sleeps takes about as long as a small piece of work: a member with nothing
// to do looks out for more a while, and then in short sleeps.
type Team struct {
	size  int
	run   func(member int) // nil at the end
	round atomic.Uint64    // number of calls so far
	left  atomic.Int64     // members that have not finished the last one
}

// NewTeam starts a team of a size, the caller among them. It must be closed.
func NewTeam(size int) *Team {
	t := &Team{size: size}
	for m := 1; m < size; m++ {
		go t.serve(m)
	}
	return t
}

// Together calls run once for every member, 0 to size-1, at the same time, and waits for all of
// them. Member 0 is the caller.
func (t *Team) Together(run func(member int)) {
	t.run = run
	t.left.Store(int64(t.size - 1))
	t.round.Add(1)
	run(0)
	await(func() bool { return t.left.Load() == 0 })
}

// Close ends the team.
func (t *Team) Close() {
	t.run = nil
	t.round.Add(1)
}

func (t *Team) serve(member int) {
	for round := uint64(1); ; round++ {
		await(func() bool { return t.round.Load() >= round })
		if t.run == nil {
			return
		}
		t.run(member)
		t.left.Add(-1)
	}
}

// await returns when something holds: it looks, then lets others run between looks, then sleeps between them.
func await(holds func() bool) {
	for look := 0; !holds(); look++ {
		if look > 10_000 {
			time.Sleep(50 * time.Microsecond)
		} else if look > 1000 {
			runtime.Gosched()
		}
	}
}
