package terminal

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"fubini/core/parallel"
	"fubini/learn/modelstore"
)

// Training shows the progress of training, with curves of what is watched. The time left covers all stages.
type Training struct {
	Line
	curves map[string][]float64
	last   string
}

// The stages of a training. The second model of calibration learns from nine tenths of the
// ratings or more, in as many epochs or in none of its own, which [Training.Trial] is told: after the first model with one goroutine, beside it with more, when
// nearly all of them are made by its end. The odds that it gives take about as long as two epochs.
const (
	stageTraining = iota
	stageTrial
	oddsCost, trialCost = 2, 0.9
)

// WatchTraining starts to show training. A nil writer shows nothing.
func WatchTraining(to io.Writer) *Training { return newTraining(to, IsTerminal(to), time.Now) }

func newTraining(to io.Writer, live bool, clock func() time.Time) *Training {
	v := &Training{Line: newLine(to, live, clock, 1), curves: map[string][]float64{}}
	v.pause, v.next = 0, v.since
	return v
}

// Reading shows that data are read, until there is something else to show.
func (v *Training) Reading(path string) {
	if v.to != nil && v.live {
		fmt.Fprintf(v.to, "reading %s ...\r", path)
	}
}

// Began starts the clock of the training, once the data are read, with a stage of calibration if it is calibrated, on a number of
// goroutines as of [parallel.Size].
func (v *Training) Began(calibrated bool, jobs int) {
	v.since = v.clock()
	if calibrated {
		trial := stage{1, trialCost}
		if parallel.Size(2, jobs) > 1 {
			trial.cost = 0
		}
		v.stages = append(v.stages, trial, stage{1, oddsCost})
	}
}

// Epoch shows an epoch of the training.
func (v *Training) Epoch(e modelstore.Epoch, epochs int) {
	if v.to == nil {
		return
	}
	v.enter(stageTraining)
	v.reach(float64(e.Epoch), epochs)
	var watched []string
	watch := func(name string, value float64) {
		if value != 0 { // what does not apply is zero
			v.curves[name] = append(v.curves[name], value)
			watched = append(watched, fmt.Sprintf("%s %.4f %s", name, value, spark(v.curves[name], 6)))
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
	v.show(fmt.Sprintf("%s, epoch %d of %d%s, %s", &v.timeline, e.Epoch, epochs, v.rate(), strings.Join(watched, ", ")))
	if e.Epoch == epochs && len(v.stages) > stageTrial {
		v.enter(stageTrial)
	}
}

// Trial shows an epoch of the second model, which calibration needs. Epoch 0 tells their number, before anything is trained.
func (v *Training) Trial(epoch, epochs int) {
	switch {
	case v.to == nil:
		return
	case epoch == 0:
		v.stages[stageTrial].pieces = epochs
		return
	}
	v.enter(stageTrial)
	v.reach(float64(epoch), epochs)
	v.show(fmt.Sprintf("%s, calibrating, epoch %d of %d%s", &v.timeline, epoch, epochs, v.rate()))
}

func (v *Training) show(text string) {
	v.last = text
	if v.due() {
		v.Line.show(text)
		if !v.live {
			v.last = ""
		}
	}
}

// End writes the last line, which then stays. Of a training without an error it shows that nothing is left.
func (v *Training) End(err error) {
	if last := len(v.stages) - 1; v.to != nil && err == nil && v.done > 0 && v.at < last {
		v.enter(last)
		v.reach(1, 1)
		v.show(fmt.Sprintf("%s, done", &v.timeline))
	}
	switch {
	case v.to == nil || v.last == "":
	case v.live:
		fmt.Fprintln(v.to)
	default:
		fmt.Fprintln(v.to, v.last)
	}
}

// spark draws the last values, thinned to a width, as a row of bars.
func spark(values []float64, width int) string {
	heights := []rune("▁▂▃▄▅▆▇█")
	low, high := slices.Min(values), slices.Max(values)
	n := min(width, len(values))
	out := make([]rune, n)
	for k := range out {
		v := values[k*(len(values)-1)/max(1, n-1)]
		out[k] = heights[0]
		if high > low {
			out[k] = heights[int((v-low)/(high-low)*float64(len(heights)-1))]
		}
	}
	return string(out)
}
