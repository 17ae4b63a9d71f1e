package terminal

import (
	"fmt"
	"io"
	"math"
	"os"
	"time"
)

// IsTerminal says whether a person is likely to watch: a character device.
func IsTerminal(stream io.Writer) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Progress shows on stderr how far a long command has come: on a terminal as
// a line that keeps changing, otherwise as a line every ten seconds.
type Progress struct {
	to      io.Writer // nil shows nothing
	what    string
	total   int
	live    bool
	visible bool
	start   time.Time
	next    time.Time // when to show the next line
	look    int       // how much must be done before the clock is read again
}

// NewProgress starts to show progress towards a total. Nothing appears in the first second. A nil writer shows nothing.
func NewProgress(to io.Writer, what string, total int) *Progress {
	now := time.Now()
	b := &Progress{to: to, what: what, total: total, live: IsTerminal(to), start: now, next: now.Add(time.Second)}
	if !b.live {
		b.next = now.Add(lineEvery)
	}
	return b
}

// At shows how much is done.
func (b *Progress) At(done int) {
	if b.to == nil || done < b.look {
		return
	}
	now := time.Now()
	rate := float64(done) / now.Sub(b.start).Seconds()
	// Reading the clock costs a tenth of a short sweep: twenty times a second is enough.
	b.look = done + 1 + min(done, int(rate/20))
	if now.Before(b.next) {
		return
	}
	left := time.Duration(min(float64(b.total-done)/rate, 1e9)) * time.Second
	line := fmt.Sprintf("%d of %d %s, %.*f/s, %s left", done, b.total, b.what, max(0, 1-int(math.Log10(rate))), rate, left)
	if b.live {
		fmt.Fprintf(b.to, "\r\x1b[K%s", line)
		b.visible = true
		b.next = now.Add(200 * time.Millisecond)
		return
	}
	fmt.Fprintln(b.to, line)
	b.next = now.Add(lineEvery)
}

// End takes the changing line away.
func (b *Progress) End() {
	if b.visible {
		fmt.Fprint(b.to, "\r\x1b[K")
	}
}
