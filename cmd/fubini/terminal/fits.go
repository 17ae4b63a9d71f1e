package terminal

import (
	"fmt"
	"io"
	"math"
	"time"

	"fubini/model"
)

// Fits shows how far fits of several models on several splits have come, and the epochs
// of the one in hand.
type Fits struct {
	liveLine
	fits int // that are done
	name string
}

// WatchFits shows fits on a stream; nil shows nothing.
func WatchFits(to io.Writer, fits int) *Fits {
	return newFits(to, IsTerminal(to), time.Now, fits)
}

func newFits(to io.Writer, live bool, clock func() time.Time, fits int) *Fits {
	v := &Fits{liveLine: newLiveLine(to, live, clock, "fits", fits)}
	if !live {
		v.next = clock().Add(lineEvery)
	}
	return v
}

// Begin says which fit comes next.
func (v *Fits) Begin(name string, split, splits int) {
	v.name = name
	if splits > 1 {
		v.name = fmt.Sprintf("%s, split %d of %d", name, split+1, splits)
	}
	v.tell("")
}

// Epoch is told of every epoch of a fit.
func (v *Fits) Epoch(p model.Progress) {
	done := float64(v.fits) + math.Min(1, float64(p.Epoch)/float64(max(1, p.Epochs)))
	v.line.reach(math.Max(v.line.done, done), v.pieces())
	v.tell(fmt.Sprintf(", epoch %d of %d", p.Epoch, p.Epochs))
}

// Done says that a fit was made and judged.
func (v *Fits) Done() {
	v.fits++
	v.line.reach(float64(v.fits), v.pieces())
}

func (v *Fits) tell(more string) {
	if v.due() {
		v.show(fmt.Sprintf("%s, fit %d of %d: %s%s", &v.line, min(v.fits+1, v.pieces()), v.pieces(), v.name, more))
	}
}
