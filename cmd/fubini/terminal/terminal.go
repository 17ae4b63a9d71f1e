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

// Progress shows how far a long command has come, with rate and time left.
type Progress struct {
	liveLine
	what string
	look int // how much must be done before the clock is read again
}

// NewProgress starts to show progress towards a total. Nothing appears in the first second. A nil writer shows nothing.
func NewProgress(to io.Writer, what string, total int) *Progress {
	b := &Progress{liveLine: newLiveLine(to, IsTerminal(to), time.Now, what, total), what: what}
	b.pause, b.next = 200*time.Millisecond, b.line.since.Add(time.Second)
	if !b.live {
		b.next = b.line.since.Add(lineEvery)
	}
	return b
}

// At shows how much is done.
func (b *Progress) At(done int) {
	if b.to == nil || done < b.look {
		return
	}
	rate := float64(done) / time.Since(b.line.since).Seconds()
	// Reading the clock costs a tenth of a short sweep: twenty times a second is enough.
	b.look = done + 1 + min(done, int(rate/20))
	if b.due() {
		left := time.Duration(min(float64(b.pieces()-done)/rate, 1e9)) * time.Second
		b.show(fmt.Sprintf("%d of %d %s, %.*f/s, %s left", done, b.pieces(), b.what, max(0, 1-int(math.Log10(rate))), rate, left))
	}
}
