package ballot

import (
	"math"
	"slices"
	"testing"
)

// The probabilities of all weak orders of four items sum to 1, ties of two, three and four included.
func TestChoicesAreADistribution(t *testing.T) {
	d := Design{Items: 4, Choices: true}
	votes := Votes{Start: []int32{0, 4, 8, 12}, Item: []int32{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}, Tier: []int32{0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 2, 2}, Weight: []float64{1, 1, 1}}
	data, err := Gather(d, votes)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(data.tieSizes, []int{2, 3, 4}) {
		t.Fatalf("tie sizes %v", data.tieSizes)
	}
	m := data.NewLocal()
	m.Load([]float64{0.3, -0.2, 1, 0, -0.7, 0.4, -1}, 0)
	var total float64
	for _, tiers := range m.Outcomes() {
		total += math.Exp(m.choose(tiers, false))
	}
	if !(math.Abs(total-1) <= 1e-12) {
		t.Errorf("the probabilities of all weak orders sum to %g", total)
	}
}
