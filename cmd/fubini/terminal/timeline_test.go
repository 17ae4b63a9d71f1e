package terminal

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fubini/learn/modelstore"
	"fubini/model"
)

// fakeClock is a clock that goes when it is told to.
type fakeClock struct{ now time.Time }

func (c *fakeClock) read() time.Time { return c.now }
func (c *fakeClock) after(seconds float64) *fakeClock {
	c.now = c.now.Add(time.Duration(seconds * 1e9))
	return c
}

// The time left covers the stages that have not begun.
func TestTimelineCoversAllStages(t *testing.T) {
	clock := &fakeClock{now: time.Unix(1000, 0)}
	line := timeline{clock: clock.read, stages: []stage{{10, 1}, {10, 0.9}, {1, 1}}}
	line.enter(0)
	if left := line.left(); left >= 0 {
		t.Errorf("%v left before anything was done", left)
	}
	for epoch := 1; epoch <= 10; epoch++ {
		clock.after(2)
		line.reach(float64(epoch), 10)
		if want := time.Duration(2*float64(10-epoch)+18+2) * time.Second; line.left().Round(time.Millisecond) != want {
			t.Errorf("after epoch %d: %v left, not %v", epoch, line.left(), want)
		}
	}
	line.enter(1)
	if want := 20 * time.Second; line.left().Round(time.Millisecond) != want {
		t.Errorf("calibration begins: %v left, not %v", line.left(), want)
	}
	clock.after(3) // slower than thought
	line.reach(1, 10)
	// 27 s at its own pace, 2.1 s for the odds at the pace of all 23 s so far.
	if want := 29 * time.Second; line.left().Round(time.Second) != want {
		t.Errorf("after an epoch of calibration: %v left, not %v", line.left(), want)
	}
	if share := line.share(); !(share > 10.0/20 && share < 11.0/20) {
		t.Errorf("share %g", share)
	}
}

// Epochs that an earlier run did take no time in this one.
func TestTimelineGoesOn(t *testing.T) {
	clock := &fakeClock{now: time.Unix(1000, 0)}
	line := timeline{clock: clock.read, stages: []stage{{10, 1}}}
	line.enter(0)
	clock.after(5)
	line.reach(6, 10)
	if want := 20 * time.Second; line.left() != want {
		t.Errorf("%v left, not %v", line.left(), want)
	}
}

// What was prepared before the first epoch is no part of the pace of the others.
func TestTimelineWithPreparations(t *testing.T) {
	clock := &fakeClock{now: time.Unix(1000, 0)}
	line := timeline{clock: clock.read, stages: []stage{{10, 1}}}
	line.enter(0)
	clock.after(100)
	line.reach(1, 10)
	clock.after(2)
	line.reach(2, 10)
	if want := 16 * time.Second; line.left() != want || line.rate() != ", 2.0 s each" {
		t.Errorf("%v left, not %v%s", line.left(), want, line.rate())
	}
}

// While calibration has not begun, training does not say that nothing is left.
func TestTrainViewTellsOfCalibration(t *testing.T) {
	clock := &fakeClock{now: time.Unix(1000, 0)}
	var out bytes.Buffer
	v := newTraining(&out, true, clock.read)
	v.Began(true, 1)
	v.Trial(0, 4)
	for epoch := 1; epoch <= 4; epoch++ {
		clock.after(10)
		v.Epoch(modelstore.Epoch{Epoch: epoch, LogLikelihood: -1}, 4)
	}
	lines := strings.Split(out.String(), "\r\x1b[K")
	if last := lines[len(lines)-1]; !strings.Contains(last, "epoch 4 of 4, 10.0 s each, ") || !strings.Contains(last, "56s left") {
		t.Errorf("after the last epoch: %q", last)
	}
	clock.after(9)
	v.Trial(1, 4)
	v.End(context.Canceled)
	lines = strings.Split(out.String(), "\r\x1b[K")
	if last := lines[len(lines)-1]; !strings.Contains(last, "calibrating, epoch 1 of 4") || !strings.Contains(last, "47s left") || !strings.HasSuffix(last, "\n") {
		t.Errorf("in calibration: %q", last)
	}
	if strings.Contains(out.String(), " 0s left") {
		t.Errorf("nothing left before the end:\n%s", out.String())
	}
	v.End(nil)
	lines = strings.Split(out.String(), "\r\x1b[K")
	if last := lines[len(lines)-1]; !strings.HasSuffix(last, "100 %, 0s left, done\n") {
		t.Errorf("at the end: %q", last)
	}
}

// With several goroutines the epochs of calibration are made beside those of training: they add nothing to the time left.
func TestTrainViewWithCalibrationBeside(t *testing.T) {
	clock := &fakeClock{now: time.Unix(1000, 0)}
	var out bytes.Buffer
	v := newTraining(&out, true, clock.read)
	v.Began(true, 2)
	v.Trial(0, 4)
	for epoch := 1; epoch <= 4; epoch++ {
		clock.after(10)
		v.Epoch(modelstore.Epoch{Epoch: epoch, LogLikelihood: -1}, 4)
	}
	v.Trial(4, 4)
	lines := strings.Split(out.String(), "\r\x1b[K")
	for k, want := range []string{"epoch 1 of 4", "50s left", "epoch 4 of 4", "20s left", "calibrating, epoch 4 of 4", "20s left"} {
		if line := lines[[]int{1, 4, 5}[k/2]]; !strings.Contains(line, want) {
			t.Errorf("%q does not tell %q", line, want)
		}
	}
}

// evaluate shows fits of models on splits, and the epochs inside.
func TestFitView(t *testing.T) {
	clock := &fakeClock{now: time.Unix(1000, 0)}
	var out bytes.Buffer
	v := newFits(&out, true, clock.read, 4)
	v.Begin("pmf", 0, 2)
	clock.after(10)
	v.Epoch(model.Progress{Epoch: 1, Epochs: 2})
	clock.after(10)
	v.Epoch(model.Progress{Epoch: 2, Epochs: 2})
	v.Done()
	v.Begin("pmf", 1, 2)
	v.Clear()
	lines := strings.Split(out.String(), "\r\x1b[K")
	for k, want := range []string{"0 %, fit 1 of 4: pmf, split 1 of 2", "12 %, 1m10s left, fit 1 of 4: pmf, split 1 of 2, epoch 1 of 2", "25 %, 1m0s left, fit 1 of 4: pmf, split 1 of 2, epoch 2 of 2", "25 %, 1m0s left, fit 2 of 4: pmf, split 2 of 2"} {
		if !strings.HasSuffix(lines[k+1], want) {
			t.Errorf("line %d is %q, not %q", k, lines[k+1], want)
		}
	}
	// Elsewhere than on a terminal, a line every ten seconds.
	var file bytes.Buffer
	v = newFits(&file, false, clock.read, 1)
	for epoch := range 100 {
		clock.after(1)
		v.Epoch(model.Progress{Epoch: epoch + 1, Epochs: 100})
	}
	if lines := strings.Count(file.String(), "\n"); lines != 10 {
		t.Errorf("%d lines in 100 seconds:\n%s", lines, file.String())
	}
}

// loglik shows its time left from the first run of the first user on.
func TestListsView(t *testing.T) {
	clock := &fakeClock{now: time.Unix(1000, 0)}
	var out bytes.Buffer
	v := newLine(&out, true, clock.read, 100)
	v.At(0, "0 of 10 users")
	clock.after(5)
	v.At(1, "0 of 10 users") // a tenth of the first user's ten items
	v.Clear()
	if want := "1 %, 8m15s left, 0 of 10 users\r\x1b[K"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("%q does not end in %q", out.String(), want)
	}
}

// A changing line is shorter than a narrow terminal is wide, or its end would stay in the line below.
func TestChangingLineIsOneLine(t *testing.T) {
	clock := &fakeClock{now: time.Unix(1000, 0)}
	var out bytes.Buffer
	v := newTraining(&out, true, clock.read)
	v.Began(true, 1)
	for epoch := 1; epoch <= 40; epoch++ {
		clock.after(1000)
		v.Epoch(modelstore.Epoch{Epoch: epoch, LogLikelihood: -1 / float64(epoch), Distance: 0.5, Validation: 0.5, Held: 0.5}, 40)
	}
	for _, line := range strings.Split(out.String(), "\r\x1b[K")[1:] {
		if n := utf8.RuneCountInString(line); n >= 80 || !strings.Contains(line, "log likelihood") {
			t.Errorf("%d characters: %q", n, line)
		}
	}
}

// Work of unknown length shows its stage and its time: at once a second on a terminal, every ten seconds elsewhere, and nothing once it has ended.
func TestStages(t *testing.T) {
	for _, live := range []bool{true, false} {
		clock, out := &fakeClock{now: time.Unix(1000, 0)}, &bytes.Buffer{}
		v := newStages(out, live, clock.read, "fit")
		clock.after(0.5)
		v.tick()
		if out.Len() > 0 {
			t.Errorf("live %v: %q at once", live, out)
		}
		v.Begin("standard errors")
		clock.after(11.5)
		v.tick()
		if text := "standard errors, 12s so far"; !strings.Contains(out.String(), text) || strings.HasSuffix(out.String(), "\n") == live {
			t.Errorf("live %v: %q, not %q", live, out, text)
		}
		clock.after(2)
		before := out.Len()
		if v.tick(); out.Len() > before != live {
			t.Errorf("live %v: after two seconds more %q", live, out.String()[before:])
		}
		ticked := make(chan struct{})
		v.Tell(func() {
			before = out.Len() // the line is cleared
			clock.after(20)
			go func() {
				v.tick()
				close(ticked)
			}()
			select {
			case <-ticked:
				t.Errorf("live %v: %q before the end of a message", live, out.String()[before:])
			case <-time.After(20 * time.Millisecond):
			}
		})
		if <-ticked; out.Len() == before {
			t.Errorf("live %v: nothing after a message", live)
		}
		v.End()
		before = out.Len()
		clock.after(20)
		if v.tick(); out.Len() > before {
			t.Errorf("live %v: after the end %q", live, out.String()[before:])
		}
	}
}
