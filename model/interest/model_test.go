package interest_test

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"

	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model/interest"
)

// example is a model of three items.
func example() *interest.Model {
	m := &interest.Model{
		Average:     []float64{.1, .2, .3},
		Low:         1,
		High:        5,
		Lowest:      .25,
		Near:        interest.Weights{Start: []int64{0, 2, 3, 3}, Target: []uint32{1, 2, 0}, Value: []float32{.5, -.25, 1}},
		Units:       1,
		In:          []float64{1, .5, 2},
		Gain:        []float64{1, 2, .5},
		Eigen:       []float64{1},
		Noise:       2,   // a third of the unit is signal in a list of one, half in a list of two
		Smooth:      .05, // 1 in a list of one, half in a list of two
		Short:       1,
		Factor:      []float64{1, 2, 1},
		Calibration: interest.Calibration{Scores: []float64{0, 1}, Chance: []float64{.1, .9}},
		Taste:       .5,
	}
	m.Prepare()
	return m
}

func TestScoreByHand(t *testing.T) {
	m, scores := example(), make([]float64, 3)
	// Placements of 4 and 1 weigh 1 and 1/4; the ratios make both parts equally long over the items that are not listed.
	const third = 1. / 3
	r1 := math.Sqrt((.5*.5 + .25*.25) / (third*third + third*third)) // items 1 and 2
	r2 := .25 / (.5 * (2*.5 + .25*.5*2*.5))                          // item 2
	for _, c := range []struct {
		items  []uint32
		values []float32
		want   []float64
	}{
		{nil, nil, []float64{.1, .2, .3}},
		{[]uint32{0}, []float32{4}, []float64{0, (.5 + r1*third*.5*2) / 2 * 2, (-.25 + r1*third*2*.5) / 2}},
		{[]uint32{0, 1}, []float32{4, 1}, []float64{(.25 + r2/2*.5*.25*.5) / 1.5, (.5 + r2/2*.5*.5*2) / 1.5 * 2, (-.25 + r2/2*.5*(2*.5+.25*.5*2*.5)) / 1.5}},
	} {
		list := ratings.Row{Items: c.items, Values: c.values}
		if err := m.Score(list, scores); err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			if !(math.Abs(scores[i]-want) <= 1e-15) {
				t.Errorf("list %v, item %d: %g, by hand %g", c.items, i, scores[i], want)
			}
			parts := make([]float64, list.Len())
			sum, err := m.Explain(list, uint32(i), parts)
			for _, part := range parts {
				sum += part
			}
			if err != nil || !(math.Abs(sum-want) <= 1e-15) {
				t.Errorf("list %v, item %d: parts and base add up to %g, the score is %g", c.items, i, sum, want)
			}
		}
	}
	outside := ratings.Row{Items: []uint32{3}, Values: []float32{1}}
	if err := m.Score(outside, scores); err == nil {
		t.Error("scored a list with an item outside the catalogue")
	}
	if _, err := m.Explain(ratings.Row{}, 3, nil); err == nil {
		t.Error("explained an item outside the catalogue")
	}
	if _, err := m.Explain(outside, 0, make([]float64, 1)); err == nil {
		t.Error("explained by an item outside the catalogue")
	}
}

func TestWeight(t *testing.T) {
	for _, c := range [][5]float64{{1, 1, 5, .25, .25}, {5, 1, 5, .25, 1.25}, {0, 0, 10, .5, .5}, {5, 0, 10, .5, .875}, {7, 7, 7, .25, 1}} {
		if got := interest.Weight(c[0], c[1], c[2], c[3]); got != c[4] {
			t.Errorf("weight %g of %g from %g to %g with %g for the lowest, not %g", got, c[0], c[1], c[2], c[3], c[4])
		}
	}
}

// Log is the logarithm above 0.001, rises everywhere, and has no break.
func TestLog(t *testing.T) {
	if got := interest.Log(.5); got != math.Log(.5) {
		t.Errorf("log of .5 is %g", got)
	}
	if got := example().Balanced(.5, 3); got != math.Log(.5)+1.5 {
		t.Errorf("balanced score %g", got)
	}
	last := math.Inf(-1)
	for s := -.01; s < .01; s += 1e-5 {
		at := interest.Log(s)
		if !(at > last) || s > -.01 && !(at-last <= .0101) { // the steepest slope is 1,000
			t.Fatalf("from %g to %g at %g", last, at, s)
		}
		last = at
	}
}

func TestProbability(t *testing.T) {
	m := example()
	for score, want := range map[float64]float64{-1: .1, 0: .1, .5: .5, .75: .7, 1: .9, 2: .9} {
		if got, ok := m.Probability(score, 2); !ok || !(math.Abs(got-want) <= 1e-15) {
			t.Errorf("probability %g for %g, by hand %g", got, score, want)
		}
	}
	// For eight items the curve is at s (20/8)^(1/2), and ln(8/20) counts in the logit.
	m.Calibration.Length = &interest.Length{Power: .5, A: -.3, B: 1.1, C: .2, D: .25}
	x := math.Log(.4)
	for score, curve := range map[float64]float64{-1: .1, .2: .1 + .8*.2*math.Sqrt(2.5), 3: .9} {
		logit := math.Log(curve / (1 - curve))
		want := 1 / (1 + math.Exp(.3-1.1*logit-.2*x-.25*x*logit))
		if got, ok := m.Probability(score, 8); !ok || !(math.Abs(got-want) <= 1e-15) {
			t.Errorf("probability %g for %g and eight items, by hand %g", got, score, want)
		}
	}
	m.Calibration.Chance = []float64{0, 1} // of items that nobody and everybody picked
	for _, score := range []float64{-1, 3} {
		if p, _ := m.Probability(score, 8); p != max(0, min(score, 1)) {
			t.Errorf("probability %g for the score %g", p, score)
		}
	}
	m.Calibration.Chance = []float64{.1, .9}
	// A higher score never has a lower probability, whatever the length.
	m.Calibration.Length.D = -2
	for n := 1; n < 10_000; n *= 3 {
		last := 0.
		for s := -1.0; s < 30; s += .01 {
			p, _ := m.Probability(s, n)
			if !(p >= last) {
				t.Fatalf("%d items: from %g to %g at the score %g", n, last, p, s)
			}
			last = p
		}
	}
	if p, ok := m.Probability(.3, 0); !ok || p != .3 {
		t.Errorf("probability %g without a list", p)
	}
	m.Calibration = interest.Calibration{}
	if _, ok := m.Probability(1, 2); ok {
		t.Error("a probability without calibration")
	}
}

// without is a file without one tensor.
func without(f *modelfile.File, name string) *modelfile.File {
	out := modelfile.New()
	for _, t := range f.Tensors() {
		switch {
		case t.Name == name:
		case t.Type == "F64":
			copied[float64](out, f, t)
		case t.Type == "F32":
			copied[float32](out, f, t)
		case t.Type == "I64":
			copied[int64](out, f, t)
		default:
			copied[uint32](out, f, t)
		}
	}
	return out
}

func copied[T modelfile.Element](out, f *modelfile.File, t modelfile.Tensor) {
	data, err := modelfile.Get[T](f, t.Name)
	if err != nil {
		panic(err)
	}
	modelfile.Set(out, t.Name, data, t.Shape...)
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
	other := example()
	other.Lowest = .5
	f := file(t, other)
	if m, err := interest.Load(f, 3); err != nil || m.Lowest != .5 {
		t.Errorf("read %v, error %v", m, err)
	}
	if m, err := interest.Load(without(f, "interest.lowest"), 3); err != nil || m.Lowest != .25 {
		t.Errorf("of an older file: %v, %v", m, err)
	}
	other.Calibration.Length = &interest.Length{Power: .5, A: 1, B: 2, C: 3, D: 4}
	f = file(t, other)
	if m, err := interest.Load(f, 3); err != nil || !reflect.DeepEqual(m, other) {
		t.Errorf("read %v, error %v", m, err)
	}
	if m, err := interest.Load(without(f, "interest.calibration.length"), 3); err != nil || m.Calibration.Length != nil {
		t.Errorf("of an older file: %v, %v", m, err)
	} else if p, _ := m.Probability(.75, 5); !(math.Abs(p-.7) <= 1e-15) {
		t.Errorf("of an older file: probability %g, by the curve alone .7", p)
	}
	if m, err := interest.Load(without(f, "interest.long"), 3); err != nil || m.Long != m.Short || other.Long == other.Short {
		t.Errorf("of an older file: %v, %v", m, err)
	}
	if m, err := interest.Load(modelfile.New(), 3); m != nil || err != nil {
		t.Errorf("a file without: %v, %v", m, err)
	}
}

// The low-rank part has its full weight in a list of 20 items, and a power of its own on either side.
func TestSharesByLength(t *testing.T) {
	m := interest.Model{Smooth: .5, Short: 1, Long: 2}
	for n, weight := range map[int]float64{5: 2, 10: 1, 20: .5, 40: .125, 100: .02} {
		first, second := m.Shares(n, 3)
		if want := 1 / (1 + weight); !(math.Abs(first-want) <= 1e-12) || !(math.Abs(second-3*(1-want)) <= 1e-12) {
			t.Errorf("a list of %d: shares %g and %g, want %g and %g", n, first, second, want, 3*(1-want))
		}
	}
}

func TestFilesRefused(t *testing.T) {
	for want, change := range map[string]func(m *interest.Model){
		"ascending":            func(m *interest.Model) { m.Calibration.Chance = []float64{.9, .1} },
		"outside":              func(m *interest.Model) { m.Calibration.Chance = []float64{.1, 1.1} },
		"interest.near.start":  func(m *interest.Model) { m.Near.Start[3] = 2 },
		"interest.near.target": func(m *interest.Model) { m.Near.Target[0] = 3 },
		"interest.average":     func(m *interest.Model) { m.Average = m.Average[:2] },
		"interest.factor":      func(m *interest.Model) { m.Factor = m.Factor[:2] },
		"interest.gain":        func(m *interest.Model) { m.Gain = m.Gain[:2] },

		"interest.next.start":  func(m *interest.Model) { m.Next.Weights.Start[1] = 4 },
		"interest.next.start ": func(m *interest.Model) { m.Next.Weights.Start = m.Next.Weights.Start[:3] },
		"interest.next.target": func(m *interest.Model) { m.Next.Weights.Target[2] = 3 },
		"interest.next.value":  func(m *interest.Model) { m.Next.Weights.Value = m.Next.Weights.Value[:2] },
		"a decay from 0 to 1":  func(m *interest.Model) { m.Next.Recent = 1.01 },
		"a decay from 0 to 1 ": func(m *interest.Model) { m.Next.Recent = -.5 },
		"not negative":         func(m *interest.Model) { m.Next.Strength = -1 },
	} {
		m := example()
		m.Next = &interest.Next{Recent: .5, Strength: 2, Weights: interest.Weights{Start: []int64{0, 2, 2, 3}, Target: []uint32{1, 2, 2}, Value: []float32{1, .5, 2}}}
		if _, err := interest.Load(file(t, m), 3); err != nil {
			t.Fatal(err)
		}
		change(m)
		if _, err := interest.Load(file(t, m), 3); err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}

// The order in which a list is written does not change its scores.
func TestOrderOfTheList(t *testing.T) {
	m := example()
	sorted, turned := make([]float64, m.Items()), make([]float64, m.Items())
	if err := m.Score(ratings.Row{Items: []uint32{0, 2}, Values: []float32{1, 5}}, sorted); err != nil {
		t.Fatal(err)
	}
	if err := m.Score(ratings.Row{Items: []uint32{2, 0}, Values: []float32{5, 1}}, turned); err != nil {
		t.Fatal(err)
	}
	for i := range sorted {
		if !(math.Abs(sorted[i]-turned[i]) < 1e-12) {
			t.Errorf("%v, and turned round %v", sorted, turned)
		}
	}
}
