package gate

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"fubini/app/store"
)

// mostCauses are told apart in the log; what comes beyond is one cause together.
const mostCauses = 100

// repeats keeps one failure from filling the log: the first request that meets a cause gets a line at once, the
// others are counted, and their number gets a line each while for as long as there are any.
type repeats struct {
	every time.Duration
	log   *slog.Logger

	mutex  sync.Mutex
	closed bool
	more   map[string]int // requests that met a cause, since the last line about it
}

// first reports whether a cause is new, and counts it otherwise. After close every cause is.
func (r *repeats) first(cause string) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	_, known := r.more[cause]
	if !known && len(r.more) >= mostCauses {
		cause = "other causes"
		_, known = r.more[cause]
	}
	switch {
	case r.closed:
		return true
	case known:
		r.more[cause]++
		return false
	}
	r.more[cause] = 0
	time.AfterFunc(r.every, func() { r.sum(cause) })
	return true
}

// sum tells how often a cause came up again, and forgets a cause that did not.
func (r *repeats) sum(cause string) {
	r.mutex.Lock()
	more := r.more[cause]
	if more == 0 || r.closed {
		delete(r.more, cause)
	} else {
		r.more[cause] = 0
		time.AfterFunc(r.every, func() { r.sum(cause) })
	}
	r.mutex.Unlock()
	if more > 0 {
		r.log.Error("requests went wrong as before", "cause", cause, "more", more)
	}
}

// close tells what there is to tell.
func (r *repeats) close() {
	r.mutex.Lock()
	r.closed = true
	left := slices.Collect(maps.Keys(r.more))
	r.mutex.Unlock()
	for _, cause := range left {
		r.sum(cause)
	}
}

// causeOf is what requests that went wrong have in common. A store that is away is one cause, whatever it was
// asked for.
func causeOf(c *Call, status int) string {
	switch {
	case errors.Is(c.Failed, store.ErrUnavailable):
		return store.ErrUnavailable.Error()
	case errors.Is(c.Failed, context.DeadlineExceeded):
		return "no answer in time"
	}
	return c.Pattern + " " + strconv.Itoa(status)
}
