package interest_test

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"

	"fubini/data/modelfile"
	"fubini/model/interest"
)

// example is a model of three items, with a list of one between long and short.
func example() *interest.Model {
	return &interest.Model{
		Base:        []float64{.1, .2, .3},
		Half:        1,
		Long:        interest.Weights{Start: []int64{0, 2, 3, 3}, Target: []uint32{1, 2, 0}, Value: []float32{.5, -.25, 1}},
		Short:       interest.Weights{Start: []int64{0, 1, 1, 1}, Target: []uint32{1}, Value: []float32{.25}},
		Calibration: interest.Calibration{Scores: []float64{0, 1}, Chance: []float64{.1, .9}},
	}
}

func TestScoreByHand(t *testing.T) {
	m, scores := example(), make([]float64, 3)
	for _, c := range []struct {
		list []uint32
		want []float64
	}{
		{nil, []float64{.1, .2, .3}},
		{[]uint32{0}, []float64{.1, .2 + .5*.5 + .5*.25, .3 - .5*.25}},
		{[]uint32{0, 1}, []float64{.1 + 2./3, .2 + 2./3*.5 + 1./3*.25, .3 - 2./3*.25}},
	} {
		if err := m.Score(c.list, scores); err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			if !(math.Abs(scores[i]-want) <= 1e-15) {
				t.Errorf("list %v, item %d: %g, by hand %g", c.list, i, scores[i], want)
			}
			parts := make([]float64, len(c.list))
			sum, err := m.Explain(c.list, uint32(i), parts)
			for _, part := range parts {
				sum += part
			}
			if err != nil || !(math.Abs(sum-want) <= 1e-15) {
				t.Errorf("list %v, item %d: parts and base add up to %g, the score is %g", c.list, i, sum, want)
			}
		}
	}
	if err := m.Score([]uint32{3}, scores); err == nil {
		t.Error("scored an item outside the catalogue")
	}
	if _, err := m.Explain(nil, 3, nil); err == nil {
		t.Error("explained an item outside the catalogue")
	}
}

func TestProbability(t *testing.T) {
	c := example().Calibration
	for score, want := range map[float64]float64{-1: .1, 0: .1, .5: .5, .75: .7, 1: .9, 2: .9} {
		if got, ok := c.Probability(score); !ok || !(math.Abs(got-want) <= 1e-15) {
			t.Errorf("probability %g for %g, by hand %g", got, score, want)
		}
	}
	if _, ok := (interest.Calibration{}).Probability(1); ok {
		t.Error("a probability without calibration")
	}
}

// file writes a model and reads the file back.
func file(t *testing.T, m *interest.Model) *modelfile.File {
	t.Helper()
	f := modelfile.New()
	if err := m.Save(f); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := f.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	f, err := modelfile.Read(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFile(t *testing.T) {
	m, err := interest.Load(file(t, example()), 3)
	if err != nil || !reflect.DeepEqual(m, example()) {
		t.Errorf("read %v, error %v", m, err)
	}
	if m, err := interest.Load(modelfile.New(), 3); m != nil || err != nil {
		t.Errorf("a file without: %v, %v", m, err)
	}
}

func TestFilesRefused(t *testing.T) {
	for want, change := range map[string]func(m *interest.Model){
		"interest.half":         func(m *interest.Model) { m.Half = 0 },
		"ascending":             func(m *interest.Model) { m.Calibration.Chance = []float64{.9, .1} },
		"outside":               func(m *interest.Model) { m.Calibration.Chance = []float64{.1, 1.1} },
		"interest.long.start":   func(m *interest.Model) { m.Long.Start[3] = 2 },
		"interest.short.target": func(m *interest.Model) { m.Short.Target[0] = 3 },
		"interest.base":         func(m *interest.Model) { m.Base = m.Base[:2] },
	} {
		m := example()
		change(m)
		if _, err := interest.Load(file(t, m), 3); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}
