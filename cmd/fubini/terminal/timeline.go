package terminal

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// stage is a part of long work: a number of pieces. The cost of a piece, relative to those of other stages, holds until one
// was measured.
type stage struct {
	pieces int
	cost   float64
}

// timeline is how far work in several stages has come, and how long all of them will still take.
type timeline struct {
	clock  func() time.Time
	stages []stage
	at     int       // stage in hand
	since  time.Time // it began
	first  float64   // pieces of it that were done before, in an earlier run
	done   float64   // pieces of it
	spent  float64   // seconds in earlier stages
	cost   float64   // of what was done in them
}

// enter begins a stage, and ends the one before.
func (t *timeline) enter(at int) {
	now := t.clock()
	if at != t.at && !t.since.IsZero() {
		t.spent += now.Sub(t.since).Seconds()
		t.cost += (t.done - t.first) * t.stages[t.at].cost
	}
	if at != t.at || t.since.IsZero() {
		t.at, t.since, t.done, t.first = at, now, 0, 0
	}
}

// reach sets how many pieces of the stage in hand are done, of how many.
func (t *timeline) reach(done float64, pieces int) {
	if t.done == 0 && done > 1 { // an earlier run did all but the last
		t.first = math.Floor(done) - 1
	}
	t.done, t.stages[t.at].pieces = done, pieces
}

// rest is the cost of what is to be done, in the stage in hand and in those to come.
func (t *timeline) rest() (now, later float64) {
	s := t.stages[t.at]
	for _, next := range t.stages[t.at+1:] {
		later += float64(next.pieces) * next.cost
	}
	return max(0, float64(s.pieces)-t.done) * s.cost, later
}

// left is the time that all stages will still take: the one in hand at its own pace, those
// to come at the pace of all that was done. It is negative before there is any.
func (t *timeline) left() time.Duration {
	own, cost := t.clock().Sub(t.since).Seconds(), (t.done-t.first)*t.stages[t.at].cost
	if cost+t.cost == 0 {
		return -1
	}
	all := (own + t.spent) / (cost + t.cost)
	pace := all
	if cost > 0 {
		pace = own / cost
	}
	now, later := t.rest()
	return time.Duration((pace*now + all*later) * float64(time.Second))
}

// share is how much of all the work is done.
func (t *timeline) share() float64 {
	now, later := t.rest()
	done := t.done * t.stages[t.at].cost
	for _, s := range t.stages[:t.at] {
		done += float64(s.pieces) * s.cost
	}
	if done == 0 {
		return 0
	}
	return done / (done + now + later)
}

// String is how far it has come: a bar, a share and the time left.
func (t *timeline) String() string {
	const width = 10
	full := int(width * t.share())
	text := fmt.Sprintf("%s%s %.0f %%", strings.Repeat("█", full), strings.Repeat("░", width-full), 100*t.share())
	if left := t.left(); left >= 0 {
		text += fmt.Sprintf(", %s left", left.Round(time.Second))
	}
	return text
}
