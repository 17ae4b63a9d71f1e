package stattest_test

import (
	"fmt"
	"math"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/stattest"
)

func TestOutcomesAreAllWaysTheDiceCanFall(t *testing.T) {
	var got string
	total := 0.0
	law := map[string]float64{}
	for p := range stattest.Outcomes(func(d rng.Dice) {
		got = fmt.Sprint(d.IntN(3))
		if got == "0" {
			got += fmt.Sprint(d.Coins(2)) // a choice that only some ways reach
		}
		got += fmt.Sprint(d.Accept(math.Log(0.25)), d.Accept(1), d.Pick([]float64{1, 0, 3}))
	}) {
		law[got] += p
		total += p
	}
	if len(law) != 2*2*4+2*2*2 {
		t.Errorf("%d different ways: %v", len(law), law)
	}
	if !(math.Abs(total-1) <= 1e-12) {
		t.Errorf("probabilities sum to %g", total)
	}
	if p, want := law["03true true 2"], 1.0/3/4*0.25*0.75; !(math.Abs(p-want) <= 1e-15) {
		t.Errorf("one way has probability %g, want %g", p, want)
	}
}

// Playing out a uniform draw gives each partition the same probability: the
// exact counterpart of the chi-square test in package partition. The number of
// boxes has no end, so its tail, here 1e-30, is all that may be missing.
func TestUniformDrawPlayedOut(t *testing.T) {
	const n = 2
	u, x := partition.NewUniform(n), partition.OneBlock(n)
	law := map[string]float64{}
	for p := range stattest.Outcomes(func(d rng.Dice) { u.Draw(d, x) }) {
		law[x.String()] += p
	}
	for x := range partition.All(n) {
		if p := law[x.String()]; !(math.Abs(p-1.0/3) <= 1e-12) {
			t.Errorf("%s is drawn with probability %g", x, p)
		}
	}
}

func TestGapsAndReach(t *testing.T) {
	cycle := [][]float64{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}} // invariant, not reversible
	third := []float64{1. / 3, 1. / 3, 1. / 3}
	if gap := stattest.InvarianceGap(third, cycle); !(gap <= 1e-15) {
		t.Errorf("a cycle moves the uniform distribution by %g", gap)
	}
	if gap := stattest.ReversibilityGap(third, cycle); !(gap > 0.3) {
		t.Errorf("a cycle passes for reversible: %g", gap)
	}
	if !stattest.Irreducible(cycle) {
		t.Error("a cycle reaches everything")
	}
	oneWay := [][]float64{{0.5, 0.5}, {0, 1}}
	if stattest.Irreducible(oneWay) {
		t.Error("there is no way back")
	}
	if gap := stattest.InvarianceGap([]float64{0.5, 0.5}, oneWay); !(math.Abs(gap-0.25) <= 1e-15) {
		t.Errorf("gap %g, want 0.25", gap)
	}
	if gap := stattest.InvarianceGap([]float64{math.NaN(), 1}, oneWay); !math.IsNaN(gap) {
		t.Errorf("NaN passes as a gap of %g", gap)
	}
	if p := stattest.Product(cycle, cycle); p[0][2] != 1 || p[0][1] != 0 {
		t.Errorf("two steps round the cycle: %v", p)
	}
}

func TestChiSquare(t *testing.T) {
	if p := stattest.ChiSquare([]int{10, 20, 30}, []float64{10, 20, 30}); p != 1 {
		t.Errorf("a perfect fit has p = %g", p)
	}
	// 3.841459 is the 95 % point of chi-square with one degree of freedom.
	if p := stattest.ChiSquareTail(3.841458820694124, 1); !(math.Abs(p-0.05) <= 1e-12) {
		t.Errorf("tail beyond the 95 %% point is %g", p)
	}
	if p := stattest.ChiSquare([]int{40, 60}, []float64{50, 50}); !(math.Abs(p-0.04550026389635842) <= 1e-12) {
		t.Errorf("40 : 60 has p = %g", p)
	}
	if p := stattest.ChiSquare([]int{50, 1}, []float64{50, 0}); p != 0 {
		t.Errorf("the impossible happened with p = %g", p)
	}
	if p := stattest.ChiSquareTail(math.NaN(), 3); p != 0 {
		t.Errorf("NaN fits with p = %g", p)
	}
}

func ExampleTransitions() {
	// Does lifting item 0 and dropping it into a uniform slot keep the uniform
	// distribution over weak orders? From any state the slots are the same, so yes.
	var states []*partition.Partition
	for x := range partition.All(3) {
		states = append(states, x.Clone())
	}
	pi := make([]float64, len(states))
	for i := range pi {
		pi[i] = 1 / float64(len(states))
	}
	matrix := stattest.Transitions(states, func(d rng.Dice, x *partition.Partition) {
		x.Lift(0)
		x.Insert(d.IntN(2*x.Len() + 1))
	})
	fmt.Println(stattest.InvarianceGap(pi, matrix) < 1e-12)
	// Output: true
}
