package main

import (
	"fmt"
	"io"
	"math"
	"time"

	"fubini/model/rival"
)

// fitView shows how far fits of several models on several splits have come, and the epochs
// of the one in hand: on a terminal as a line that keeps changing, elsewhere as a line now and
// then.
type fitView struct {
	to      io.Writer // nil shows nothing
	live    bool
	line    timeline
	next    time.Time
	fits    int // that are done
	name    string
	visible bool
}

func (p *program) watchFits(fits int) *fitView {
	v := newFitView(p.stderr, isTerminal(p.stderr), time.Now, fits)
	if p.quiet {
		v.to = nil
	}
	return v
}

func newFitView(to io.Writer, live bool, clock func() time.Time, fits int) *fitView {
	v := &fitView{to: to, live: live, line: timeline{clock: clock, stages: []stage{{"fits", fits, 1}}}}
	v.line.enter(0)
	v.next = clock().Add(10 * time.Second)
	return v
}

// begin says which fit comes next.
func (v *fitView) begin(name string, split, splits int) {
	v.name = name
	if splits > 1 {
		v.name = fmt.Sprintf("%s, split %d of %d", name, split+1, splits)
	}
	v.show("")
}

// epoch is told of every epoch of a fit.
func (v *fitView) epoch(p rival.Progress) {
	done := float64(v.fits) + math.Min(1, float64(p.Epoch)/float64(max(1, p.Epochs)))
	v.line.reach(math.Max(v.line.done, done), v.line.stages[0].pieces)
	v.show(fmt.Sprintf(", epoch %d of %d", p.Epoch, p.Epochs))
}

// done says that a fit was made and judged.
func (v *fitView) done() {
	v.fits++
	v.line.reach(float64(v.fits), v.line.stages[0].pieces)
}

func (v *fitView) show(more string) {
	if v.to == nil {
		return
	}
	now := v.line.clock()
	if !v.live && now.Before(v.next) {
		return
	}
	text := fmt.Sprintf("%s, fit %d of %d: %s%s", &v.line, min(v.fits+1, v.line.stages[0].pieces), v.line.stages[0].pieces, v.name, more)
	if v.live {
		fmt.Fprintf(v.to, "\r\x1b[K%s", text)
		v.visible = true
		return
	}
	fmt.Fprintln(v.to, text)
	v.next = now.Add(10 * time.Second)
}

// clear takes the changing line away, for something else to stand there.
func (v *fitView) clear() {
	if v.to != nil && v.visible {
		fmt.Fprint(v.to, "\r\x1b[K")
		v.visible = false
	}
}
