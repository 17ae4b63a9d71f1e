package main

import (
	"fmt"
	"io"
	"math"
	"time"

	"fubini/learn/zoo"
)

// trainView shows how training goes: on a terminal as a line that keeps changing,
// with a curve of what is watched; elsewhere as a line now and then.
type trainView struct {
	to    io.Writer // nil shows nothing
	live  bool
	start time.Time
	next  time.Time
	first int // epochs done before this run
	curve []float64
	last  string
}

func (p *program) watchTraining() *trainView {
	v := &trainView{to: p.stderr, live: isTerminal(p.stderr), start: time.Now()}
	if p.quiet {
		v.to = nil
	}
	return v
}

// epoch is told of every epoch.
func (v *trainView) epoch(e zoo.Epoch, epochs int) {
	if v.to == nil {
		return
	}
	what, value := "log likelihood", e.LogLikelihood
	if e.Distance > 0 {
		what, value = "dist(sample, observed)", e.Distance
	}
	if e.Validation > 0 {
		what, value = "validation NDCG@10", e.Validation
	}
	if len(v.curve) == 0 {
		v.first = e.Epoch - 1
	}
	v.curve = append(v.curve, value)
	now := time.Now()
	each := now.Sub(v.start) / time.Duration(e.Epoch-v.first)
	left := (each * time.Duration(epochs-e.Epoch)).Round(time.Second)
	v.last = fmt.Sprintf("epoch %d of %d, %s %.4f %s, %.3g s each, %s left", e.Epoch, epochs, what, value, spark(v.curve, 24), each.Seconds(), left)
	switch {
	case v.live:
		fmt.Fprintf(v.to, "\r\x1b[K%s", v.last)
	case now.After(v.next):
		fmt.Fprintln(v.to, v.last)
		v.next = now.Add(10 * time.Second)
		v.last = ""
	}
}

// end leaves the last line standing.
func (v *trainView) end() {
	if v.to == nil || v.last == "" {
		return
	}
	if v.live {
		fmt.Fprintln(v.to)
	} else {
		fmt.Fprintln(v.to, v.last)
	}
}

// spark draws the last values, thinned to a width, as a row of bars.
func spark(values []float64, width int) string {
	const bars = "▁▂▃▄▅▆▇█"
	heights := []rune(bars)
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		low, high = math.Min(low, v), math.Max(high, v)
	}
	n := min(width, len(values))
	out := make([]rune, n)
	for k := range out {
		v := values[k*(len(values)-1)/max(1, n-1)]
		level := 0
		if high > low {
			level = int((v - low) / (high - low) * float64(len(heights)-1))
		}
		out[k] = heights[level]
	}
	return string(out)
}
