package likelihood

import (
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/learn/ballot"
)

// Expectations of pairs are those of the lists in which they met, not of votes on the two alone, and are what counts come to.
func TestExpectedInLists(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: not with -short")
	}
	for _, choices := range []bool{false, true} {
		design := ballot.Design{Items: 6, Choices: choices}
		votes := planted(t, ballot.Design{Items: 6}, []float64{1, 0.5, 0, 0, -0.5, -1, 0.2}, 4000, 4, rng.Stream(1, "expected"))
		fit := must[*Fit](t)(must[*Data](t)(Group(design, votes)).Maximise(t.Context(), Defaults()))
		g := must[*Goodness](t)(fit.Goodness(t.Context()))
		var square, alone float64
		for _, p := range g.Pairs {
			n := p.Observed[0] + p.Observed[1] + p.Observed[2]
			if got := p.Expected[0] + p.Expected[1] + p.Expected[2]; !(math.Abs(got-n) <= 1e-9*n) {
				t.Errorf("choices %v: %g expected of %g votes", choices, got, n)
			}
			square += p.Square
			win, tie, loss := fit.Pair(p.I, p.J)
			for k, chance := range []float64{win, tie, loss} {
				alone += (p.Observed[k] - n*chance) * (p.Observed[k] - n*chance) / (n * chance)
			}
		}
		if !choices && !(square < 3*float64(len(g.Pairs))) {
			t.Errorf("residuals of the true model sum to %.1f for %d pairs", square, len(g.Pairs))
		}
		if !choices && !(alone > 5*square) {
			t.Errorf("the test cannot tell lists from votes on two: %.1f and %.1f", square, alone)
		}
	}
}

// Tie weights of items have standard errors on the board, which hold the truth as often as they should.
func TestErrorsOfTieWeights(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: not with -short")
	}
	design := ballot.Design{Items: 5, Ties: ballot.ItemTies}
	theta := []float64{1, 0.5, 0, -0.5, -1, 0.2, 0.8, -0.8, 0.3, -0.3, 0}
	held, all := 0, 0
	for seed := range uint64(60) {
		fit := must[*Fit](t)(must[*Data](t)(Group(design, planted(t, design, theta, 600, 2, rng.Stream(seed, "tie errors")))).Maximise(t.Context(), Defaults()))
		c := must[Covariance](t)(fit.Covariance())
		for i, v := range fit.TieErrors(c) {
			all++
			if math.Abs(fit.TieDeviations()[i]-theta[6+i]) <= 1.96*v {
				held++
			}
		}
	}
	if share := float64(held) / float64(all); !(share > 0.90 && share < 0.99) { // 300 intervals, of which those of one data set hang together
		t.Errorf("%d of %d intervals hold the tie weight", held, all)
	}
}
