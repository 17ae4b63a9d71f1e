package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"fubini/learn/zoo"
)

// trainView shows how training goes: on a terminal as a line that keeps changing,
// with a curve of what is watched; elsewhere as a line now and then.
type trainView struct {
	to     io.Writer // nil shows nothing
	live   bool
	start  time.Time
	next   time.Time
	first  int // epochs done before this run
	curves map[string][]float64
	last   string
}

func (p *program) watchTraining() *trainView {
	v := &trainView{to: p.stderr, live: isTerminal(p.stderr), start: time.Now(), curves: map[string][]float64{}}
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
	now := time.Now()
	if len(v.curves) == 0 {
		v.first = e.Epoch - 1
	}
	var watched []string
	watch := func(name string, value float64) {
		if value != 0 { // what does not apply is zero
			v.curves[name] = append(v.curves[name], value)
			watched = append(watched, fmt.Sprintf("%s %.4f %s", name, value, spark(v.curves[name], 16)))
		}
	}
	watch("log likelihood", e.LogLikelihood)
	watch("dist(sample, observed)", e.Distance)
	watch("validation NDCG@10", e.Validation)
	watch("objective", e.Objective)
	watch("held-back pairs right", e.Held)
	if e.Split+e.Merge > 0 {
		watched = append(watched, fmt.Sprintf("accepted %.0f %% of splits, %.0f %% of merges", 100*e.Split, 100*e.Merge))
	}
	each := now.Sub(v.start) / time.Duration(max(1, e.Epoch-v.first))
	left := (each * time.Duration(epochs-e.Epoch)).Round(time.Second)
	v.last = fmt.Sprintf("epoch %d of %d, %s, %.3g s each, %s left", e.Epoch, epochs, strings.Join(watched, ", "), each.Seconds(), left)
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
