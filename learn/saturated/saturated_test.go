package saturated

import (
	"math"
	"testing"

	"fubini/learn/ballot"
)

// pairs is votes on items 0 and 1: wins of 0, ties, and wins of 1; each list names the items in the other order than the one before.
func pairs(counts ...float64) ballot.Votes {
	votes := ballot.Votes{Start: []int32{0}}
	for k, tiers := range [][2]int32{{0, 1}, {0, 0}, {1, 0}} {
		a, b := int32(k%2), int32(1-k%2)
		votes.Item, votes.Tier = append(votes.Item, a, b), append(votes.Tier, tiers[a], tiers[b])
		votes.Start, votes.Weight = append(votes.Start, int32(len(votes.Item))), append(votes.Weight, counts[k])
	}
	return votes
}

// The prediction is the mean of the posterior: the counts and alpha times the model's probabilities, over their sum.
func TestPosteriorMean(t *testing.T) {
	votes, model := pairs(6, 1, 3), []float64{0.5, 0.3, 0.2}
	logs := make([]float64, len(model))
	for k, p := range model {
		logs[k] = math.Log(p)
	}
	m := Learn(votes, logs)
	for _, alpha := range []float64{0.5, 7, math.Inf(1)} {
		m.Alpha = alpha
		for k, got := range m.Predict(votes, logs) {
			want := model[k]
			if !math.IsInf(alpha, 1) {
				want = (votes.Weight[k] + alpha*model[k]) / (10 + alpha)
			}
			if !(math.Abs(math.Exp(got)-want) <= 1e-12) {
				t.Errorf("alpha %g: outcome %d has probability %g, want %g", alpha, k, math.Exp(got), want)
			}
		}
	}
}

// Alpha is learned by leaving out each vote in turn: votes in the shares of the model leave it alone, other shares make it small.
func TestAlpha(t *testing.T) {
	logs := []float64{math.Log(0.5), math.Log(0.3), math.Log(0.2)}
	if m := Learn(pairs(500, 300, 200), logs); !math.IsInf(m.Alpha, 1) {
		t.Errorf("votes in the shares of the model: alpha %g", m.Alpha)
	}
	if m := Learn(pairs(100, 100, 800), logs); !(m.Alpha < 50) {
		t.Errorf("votes in other shares: alpha %g", m.Alpha)
	}
	// A single vote on each set of items says nothing of shares, whatever rounding says.
	single := ballot.Votes{Start: []int32{0}}
	var few []float64
	for k := range int32(60) {
		single.Item, single.Tier = append(single.Item, 2*k, 2*k+1), append(single.Tier, 0, 1)
		single.Start, single.Weight = append(single.Start, 2*k+2), append(single.Weight, 1)
		few = append(few, -0.1*float64(k+1)/7)
	}
	if m := Learn(single, few); !math.IsInf(m.Alpha, 1) {
		t.Errorf("one vote on each set of items: alpha %g", m.Alpha)
	}
}

// Votes of a number of items that nobody voted on are left to the model.
func TestSpreadOfOtherLengths(t *testing.T) {
	m := Learn(pairs(5, 1, 2), []float64{-1, -1, -1})
	three := ballot.Votes{Start: []int32{0, 3}, Item: []int32{0, 1, 2}, Tier: []int32{0, 1, 2}, Weight: []float64{1}}
	if got := m.Spread(three, m.Predict(three, []float64{-1.7}))[0]; got != -1.7 {
		t.Errorf("log probability %g, by the model alone -1.7", got)
	}
}
