package interest_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"fubini/data/ratings"
	"fubini/model/interest"
)

// follows is a model of four items, in which item 1 and less so item 3 follow item 0, and item 3 follows item 2.
func follows() *interest.Model {
	m := &interest.Model{
		Average: []float64{.1, .2, .3, .4}, Low: 1, High: 5, Lowest: .25,
		Near:  interest.Weights{Start: []int64{0, 2, 2, 4, 4}, Target: []uint32{1, 3, 1, 3}, Value: []float32{.5, .25, -.25, .5}},
		Units: 1, In: []float64{1, .5, 2, .25}, Gain: []float64{1, 2, .5, 1}, Eigen: []float64{1}, Noise: 2, Smooth: .05, Short: 1,
		Factor: []float64{1, 2, 1, .5},
		Next: &interest.Next{Recent: .5, Strength: 2, Weights: interest.Weights{
			Start: []int64{0, 2, 2, 3, 3}, Target: []uint32{1, 3, 3}, Value: []float32{1, .5, 2},
		}},
	}
	m.Prepare()
	return m
}

// The scores of what comes next are those of interest and, for items that are not in the list, the sum over the placements of weights that
// fall with age, as long a vector as the near part times the strength.
func TestScoreNextByHand(t *testing.T) {
	m := follows()
	n := m.Items()
	list := ratings.Row{Items: []uint32{0, 2}, Values: []float32{5, 1}, Times: []int64{100, 200}}
	near, smooth, plain, got := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	if err := errors.Join(m.Parts(list, near, smooth), m.Score(list, plain), m.ScoreNext(list, got)); err != nil {
		t.Fatal(err)
	}
	next := make([]float64, n) // item 2 is the latest, and item 0 one place before
	next[1], next[3] = .5*1, .5*.5+1*2
	length := math.Sqrt(near[1]*near[1] + near[3]*near[3]) // of what is not in the list
	scale := 2 * length / math.Hypot(next[1], next[3])
	for _, i := range []int{1, 3} {
		if want := plain[i] + scale*next[i]; !(math.Abs(got[i]-want) <= 1e-12) {
			t.Errorf("item %d: score %g, by hand %g", i, got[i], want)
		}
	}
	other := list
	other.Times = []int64{200, 100}
	turned := make([]float64, n)
	if err := m.ScoreNext(other, turned); err != nil {
		t.Fatal(err)
	}
	if turned[1]/turned[3] <= got[1]/got[3] {
		t.Errorf("the order in time does not count: scores %v, turned %v", got, turned)
	}
	if err := m.Score(other, turned); err != nil || !slices.Equal(turned, plain) {
		t.Errorf("interest follows the order in time: %v and %v, error %v", plain, turned, err)
	}
	if err := m.ScoreNext(ratings.Row{}, got); err != nil || !slices.Equal(got, m.Average) {
		t.Errorf("without a list: %v, error %v", got, err)
	}
	list.Times = nil
	if err := m.ScoreNext(list, got); !errors.Is(err, interest.ErrNoOrder) {
		t.Errorf("a list without times: %v", err)
	}
	if err := example().ScoreNext(other, got); err == nil {
		t.Error("a model without an order in time scored what comes next")
	}
}

// A model of which some items are chosen scores them as the whole one, and the order in time stays in a file.
func TestNextIsKept(t *testing.T) {
	m := follows()
	back, err := interest.Load(file(t, m), m.Items())
	if err != nil {
		t.Fatal(err)
	}
	turned := back.Select([]int{3, 2, 1, 0})
	list := ratings.Row{Items: []uint32{0, 2}, Values: []float32{5, 1}, Times: []int64{100, 200}}
	mirror := ratings.Row{Items: []uint32{1, 3}, Values: []float32{1, 5}, Times: []int64{200, 100}}
	want, got := make([]float64, 4), make([]float64, 4)
	if err := errors.Join(m.ScoreNext(list, want), turned.ScoreNext(mirror, got)); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(got)
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= 1e-7) { // some tensors of a file have four bytes a number
			t.Errorf("item %d: score %g after a file and a choice of items, %g before", i, got[i], want[i])
		}
	}
	// An item that nobody picked has no power of popularity, and no part of the scores.
	m.Factor[1] = 0
	if err := m.ScoreNext(list, got); err != nil || got[1] != 0 || slices.ContainsFunc(got, math.IsNaN) {
		t.Errorf("with a factor of 0: scores %v, error %v", got, err)
	}
	if old, err := interest.Load(file(t, example()), example().Items()); err != nil || old.Next != nil {
		t.Errorf("a file without an order in time has one: %v, error %v", old.Next, err)
	}
}

// Whatever the tensors of a file are, they are refused, or there are scores of what comes next.
func FuzzLoadNext(f *testing.F) {
	f.Add([]byte{0, 2, 2, 3, 3}, []byte{1, 3, 3}, []byte{1, 2, 3}, .5, 2., 0.)
	f.Add([]byte{0, 4, 1, 3, 3}, []byte{1, 3, 3}, []byte{1, 2, 3}, 2., -1., 1.)
	f.Add([]byte{0, 0, 0, 0, 3}, []byte{1, 4, 3}, []byte{1, 0}, -0.5, 0., 2.)
	f.Fuzz(func(t *testing.T, start, target, value []byte, recent, strength, factor float64) {
		if math.IsNaN(recent+strength+factor) || math.IsInf(recent+strength+factor, 0) {
			return // not written
		}
		m := follows()
		m.Factor[1] = factor
		m.Next.Recent, m.Next.Strength, m.Next.Weights = recent, strength, interest.Weights{}
		for _, at := range start {
			m.Next.Weights.Start = append(m.Next.Weights.Start, int64(int8(at)))
		}
		for _, item := range target {
			m.Next.Weights.Target = append(m.Next.Weights.Target, uint32(int32(int8(item))))
		}
		for _, v := range value {
			m.Next.Weights.Value = append(m.Next.Weights.Value, float32(int8(v)))
		}
		back, err := interest.Load(file(t, m), 4)
		if err != nil {
			return
		}
		scores := make([]float64, 4)
		list := ratings.Row{Items: []uint32{0, 2}, Values: []float32{5, 1}, Times: []int64{100, 200}}
		if err := back.ScoreNext(list, scores); err != nil {
			t.Fatal(err)
		}
		if strength < 1e100 && math.Abs(factor) < 1e100 && slices.ContainsFunc(scores, math.IsNaN) {
			t.Fatalf("scores %v", scores)
		}
	})
}
