package parallel

import (
	"runtime"
	"sync/atomic"
)

// team is a number of goroutines that do the same thing at once, over and over,
// with little in between: a block takes about a millisecond, and waking a thread
// that sleeps a tenth of that. So a member with nothing to do looks out for more
// a while before it goes to sleep.
type team struct {
	run     func(member int)
	round   atomic.Uint64 // grows when there is something to run
	left    atomic.Int64  // members that have not run it yet
	members []*member
	over    bool          // read after round
	gone    chan struct{} // closed when all members have left
	here    atomic.Int64
}

type member struct {
	asleep atomic.Bool
	wake   chan struct{}
	_      [64]byte // apart from the next one's
}

// newTeam starts a team of so many, the caller among them. It has to be dismissed.
func newTeam(size int) *team {
	t := &team{gone: make(chan struct{})}
	t.here.Store(int64(size - 1))
	for m := 1; m < size; m++ {
		me := &member{wake: make(chan struct{}, 1)}
		t.members = append(t.members, me)
		go t.serve(m, me)
	}
	return t
}

// together runs something once for every member and waits for all of them.
func (t *team) together(run func(member int)) {
	t.run = run
	t.left.Store(int64(len(t.members)))
	t.start()
	run(0)
	patiently(func() bool { return t.left.Load() == 0 }, nil)
}

func (t *team) dismiss() {
	t.over = true
	t.start()
}

func (t *team) start() {
	t.round.Add(1)
	for _, m := range t.members {
		if m.asleep.CompareAndSwap(true, false) {
			m.wake <- struct{}{}
		}
	}
}

func (t *team) serve(m int, me *member) {
	for done := uint64(0); ; done++ {
		next := func() bool { return t.round.Load() > done }
		patiently(next, func() {
			me.asleep.Store(true)
			if next() && me.asleep.CompareAndSwap(true, false) {
				return // called between the last look and falling asleep
			}
			<-me.wake
		})
		if t.over {
			if t.here.Add(-1) == 0 {
				close(t.gone)
			}
			return
		}
		t.run(m)
		t.left.Add(-1)
	}
}

// patiently returns when something is so. It looks often, then lets others run
// between looks, and in the end sleeps until woken, if it can.
func patiently(so func() bool, sleep func()) {
	for look := 0; !so(); look++ {
		switch {
		case look < 1000:
		case look < 5000 || sleep == nil:
			runtime.Gosched()
		default:
			sleep() // and look again: a call may come late, when its round is over
		}
	}
}
