package terminal

import (
	"fmt"
	"io"
	"time"
)

// liveLine shows how far a timeline has come: on a terminal as a line that keeps changing,
// elsewhere as a line now and then.
type liveLine struct {
	to      io.Writer // nil shows nothing
	live    bool
	line    timeline
	pause   time.Duration // between two states of the changing line
	next    time.Time     // before it nothing is shown
	visible bool
}

// lineEvery is the time between two lines where they stay.
const lineEvery = 10 * time.Second

// newLiveLine is of work of one stage in a number of pieces.
func newLiveLine(to io.Writer, live bool, clock func() time.Time, name string, pieces int) liveLine {
	v := liveLine{to: to, live: live, line: timeline{clock: clock, stages: []stage{{name, pieces, 1}}}}
	v.line.enter(0)
	return v
}

// pieces is how many there are.
func (v *liveLine) pieces() int { return v.line.stages[0].pieces }

// due says whether it is time to show something.
func (v *liveLine) due() bool { return v.to != nil && !v.line.clock().Before(v.next) }

func (v *liveLine) show(text string) {
	now := v.line.clock()
	if v.live {
		fmt.Fprintf(v.to, "\r\x1b[K%s", text)
		v.visible, v.next = true, now.Add(v.pause)
		return
	}
	fmt.Fprintln(v.to, text)
	v.next = now.Add(lineEvery)
}

// Clear takes the changing line away, for something else to stand there.
func (v *liveLine) Clear() {
	if v.visible {
		fmt.Fprint(v.to, "\r\x1b[K")
		v.visible = false
	}
}
