package terminal

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Stages shows which stage work is in and how long it has taken, where nobody knows beforehand how long it will: on a terminal as a
// line that keeps changing, elsewhere as a line every ten seconds. It appears after a second.
type Stages struct {
	mu    sync.Mutex
	line  Line
	stage string
	end   chan struct{}
}

// WatchStages starts to show work, from its first stage on. A nil writer shows nothing.
func WatchStages(to io.Writer, stage string) *Stages {
	v := newStages(to, IsTerminal(to), time.Now, stage)
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				v.tick()
			case <-v.end:
				return
			}
		}
	}()
	return v
}

func newStages(to io.Writer, live bool, clock func() time.Time, stage string) *Stages {
	v := &Stages{line: newLine(to, live, clock, 1), stage: stage, end: make(chan struct{})}
	if !live {
		v.line.next = v.line.since.Add(lineEvery)
	}
	return v
}

// Begin names the stage that begins.
func (v *Stages) Begin(stage string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.stage = stage
}

func (v *Stages) tick() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.line.due() {
		v.line.show(fmt.Sprintf("%s, %s so far", v.stage, v.line.clock().Sub(v.line.since).Round(time.Second)))
	}
}

// Tell removes the changing line and calls a function that writes something else. The line is not shown before that returns.
func (v *Stages) Tell(write func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.line.Clear()
	write()
}

// End shows nothing more.
func (v *Stages) End() {
	close(v.end)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.line.Clear()
	v.line.to = nil
}
