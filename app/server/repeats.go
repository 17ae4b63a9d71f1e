package server

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"fubini/app/store"
)

// mostCauses are told apart in the log; what comes beyond is one cause together.
const mostCauses = 100

// repeats keeps one trouble from filling the log: the first request that meets a cause
// is told of at once, the others are counted, and told of together each minute for as
// long as there are any.
type repeats struct {
	every time.Duration
	tell  func(cause string, more int)

	mutex  sync.Mutex
	closed bool
	causes map[string]*repeat
}

type repeat struct {
	more  int // since the last line about it
	timer *time.Timer
}

func newRepeats(every time.Duration, tell func(cause string, more int)) *repeats {
	return &repeats{every: every, tell: tell, causes: map[string]*repeat{}}
}

// first says that a cause is new, and counts it otherwise.
func (r *repeats) first(cause string) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	known, there := r.causes[cause]
	if !there && len(r.causes) >= mostCauses {
		cause = "other causes"
		known, there = r.causes[cause]
	}
	switch {
	case r.closed:
		return true
	case there:
		known.more++
		return false
	}
	r.causes[cause] = &repeat{timer: time.AfterFunc(r.every, func() { r.sum(cause) })}
	return true
}

// sum tells how often a cause came up again, and forgets a cause that did not.
func (r *repeats) sum(cause string) {
	r.mutex.Lock()
	known, there := r.causes[cause]
	more := 0
	if there {
		more, known.more = known.more, 0
		if more == 0 || r.closed {
			delete(r.causes, cause)
		} else {
			known.timer.Reset(r.every)
		}
	}
	r.mutex.Unlock()
	if more > 0 {
		r.tell(cause, more)
	}
}

// close tells what there is to tell. Afterwards every request is told of by itself.
func (r *repeats) close() {
	r.mutex.Lock()
	r.closed = true
	var left []string
	for cause, known := range r.causes {
		known.timer.Stop()
		left = append(left, cause)
	}
	r.mutex.Unlock()
	for _, cause := range left {
		r.sum(cause)
	}
}

// causeOf is what requests that went wrong have in common. A store that is away is one
// cause, whatever it was asked for.
func causeOf(c *call, status int) string {
	switch {
	case errors.Is(c.failed, store.ErrUnavailable):
		return store.ErrUnavailable.Error()
	case errors.Is(c.failed, context.DeadlineExceeded):
		return "no answer in time"
	}
	return routeName(c.route) + " " + strconv.Itoa(status)
}
