package terminal

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"fubini/model"
)

// lineEvery is the time between two lines where they stay.
const lineEvery = 10 * time.Second

// lineWidth is the length of a changing line: one that fills a narrow terminal would go on in a second line, which stays.
const lineWidth = 79

// Line shows the progress of work, with a bar and the time left: on a terminal as a line that keeps changing,
// elsewhere as a line every ten seconds.
type Line struct {
	timeline
	to      io.Writer // nil shows nothing
	live    bool
	pause   time.Duration // between two states of the changing line
	next    time.Time     // before it nothing is shown
	visible bool
}

// newLine is a line for work of one stage. It appears after a second.
func newLine(to io.Writer, live bool, clock func() time.Time, pieces int) Line {
	v := Line{to: to, live: live, timeline: timeline{clock: clock, stages: []stage{{pieces, 1}}}, pause: 200 * time.Millisecond}
	v.enter(0)
	v.next = v.since.Add(time.Second)
	return v
}

// NewLine starts to show work in a number of pieces. A nil writer shows nothing.
func NewLine(to io.Writer, pieces int) *Line {
	v := newLine(to, IsTerminal(to), time.Now, pieces)
	return &v
}

// At shows the number of pieces that are done, which may be a fraction, and a text.
func (v *Line) At(done float64, text string) {
	v.done = math.Max(v.done, done)
	if v.due() {
		v.show(fmt.Sprintf("%s, %s", &v.timeline, text))
	}
}

// due reports whether it is time to show something.
func (v *Line) due() bool { return v.to != nil && !v.clock().Before(v.next) }

func (v *Line) show(text string) {
	if v.live {
		if runes := []rune(text); len(runes) > lineWidth {
			text = string(runes[:lineWidth-1]) + "…"
		}
		fmt.Fprintf(v.to, "\r\x1b[K%s", text)
		v.visible, v.next = true, v.clock().Add(v.pause)
		return
	}
	fmt.Fprintln(v.to, text)
	v.next = v.clock().Add(lineEvery)
}

// Clear removes the changing line.
func (v *Line) Clear() {
	if v.visible {
		fmt.Fprint(v.to, "\r\x1b[K")
		v.visible = false
	}
}

// Progress shows how far a long command has come, with rate and time left.
type Progress struct {
	Line
	what  string
	total int
	look  int // how much must be done before the clock is read again
}

// NewProgress starts to show progress towards a total. Nothing appears in the first second. A nil writer shows nothing.
func NewProgress(to io.Writer, what string, total int) *Progress {
	b := &Progress{Line: *NewLine(to, total), what: what, total: total}
	if !b.live {
		b.next = b.since.Add(lineEvery)
	}
	return b
}

// At shows how much is done.
func (b *Progress) At(done int) {
	if b.to == nil || done < b.look {
		return
	}
	rate := float64(done) / time.Since(b.since).Seconds()
	// Reading the clock costs a tenth of a short sweep: twenty times a second is enough.
	b.look = done + 1 + min(done, int(rate/20))
	if b.due() {
		left := time.Duration(min(float64(b.total-done)/rate, 1e9)) * time.Second
		b.show(fmt.Sprintf("%d of %d %s, %.*f/s, %s left", done, b.total, b.what, max(0, 1-int(math.Log10(rate))), rate, left))
	}
}

// Fits shows the progress of fitting several models on several splits, and the epochs of the current fit.
type Fits struct {
	Line
	total, fitted int
	name          string
}

// WatchFits shows a number of fits on a stream; nil shows nothing.
func WatchFits(to io.Writer, fits int) *Fits { return newFits(to, IsTerminal(to), time.Now, fits) }

func newFits(to io.Writer, live bool, clock func() time.Time, fits int) *Fits {
	v := &Fits{Line: newLine(to, live, clock, fits), total: fits}
	v.pause, v.next = 0, v.since
	if !live {
		v.next = v.since.Add(lineEvery)
	}
	return v
}

// Begin shows which fit comes next.
func (v *Fits) Begin(name string, split, splits int) {
	v.name = name
	if splits > 1 {
		v.name = fmt.Sprintf("%s, split %d of %d", name, split+1, splits)
	}
	v.at(0, "")
}

// Epoch shows an epoch of a fit.
func (v *Fits) Epoch(p model.Progress) {
	v.at(math.Min(1, float64(p.Epoch)/float64(max(1, p.Epochs))), fmt.Sprintf(", epoch %d of %d", p.Epoch, p.Epochs))
}

// Done counts a fit that was made and judged.
func (v *Fits) Done() { v.fitted++ }

func (v *Fits) at(part float64, more string) {
	v.At(float64(v.fitted)+part, fmt.Sprintf("fit %d of %d: %s%s", min(v.fitted+1, v.total), v.total, v.name, more))
}

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
	began  time.Time // when its first piece was done: what was before has preparations in it
	by     float64   // pieces that were done by then
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
		t.at, t.since, t.done, t.first, t.began = at, now, 0, 0, time.Time{}
	}
}

// reach sets how many pieces of the stage in hand are done, of how many.
func (t *timeline) reach(done float64, pieces int) {
	if t.done == 0 && done > 1 { // an earlier run did all but the last
		t.first = math.Floor(done) - 1
	}
	t.done, t.stages[t.at].pieces = done, pieces
	if t.began.IsZero() && done-t.first >= 1 {
		t.began, t.by = t.clock(), done
	}
}

// pace is the seconds that a piece of the stage in hand takes; 0 before there is one.
func (t *timeline) pace() float64 {
	switch {
	case t.done > t.by && !t.began.IsZero():
		return t.clock().Sub(t.began).Seconds() / (t.done - t.by)
	case t.done > t.first:
		return t.clock().Sub(t.since).Seconds() / (t.done - t.first)
	}
	return 0
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
	now, later := t.rest()
	if cost > 0 {
		return time.Duration((t.pace()/t.stages[t.at].cost*now + all*later) * float64(time.Second))
	}
	return time.Duration(all * (now + later) * float64(time.Second))
}

// rate is how fast the pieces of the stage in hand are done; empty before there is one.
func (t *timeline) rate() string {
	switch pace := t.pace(); {
	case !(pace > 0):
		return ""
	case pace > 1:
		return fmt.Sprintf(", %.1f s each", pace)
	default:
		return fmt.Sprintf(", %.*f/s", max(0, 1-int(math.Log10(1/pace))), 1/pace)
	}
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
